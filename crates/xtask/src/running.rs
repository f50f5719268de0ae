//! What this command started and must not outlive it: ended by drop, and by Ctrl-C, SIGTERM or SIGHUP.

use std::{
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command},
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use masthead_tests::{Cluster, Interrupt};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, test_kill_process_group, waitpid};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// A child that leads a process group of its own. Dropping it ends the group.
#[must_use = "ends when dropped"]
pub(crate) struct Running {
    pub(crate) child: Child,
    _owned: Owned,
}

impl Running {
    /// Starts `command` as the leader of a group that ends with this process.
    pub(crate) fn start(command: &mut Command) -> Result<Running> {
        // The list stays locked over the start, so that a signal finds either no child or one that is listed.
        let mut list = list();
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.process_group(0).spawn().with_context(|| format!("could not start {name}"))?;
        let ending = Ending::Group(Pid::from_child(&child));
        list.push(ending.clone());
        Ok(Running { child, _owned: Owned { ending } })
    }
}

/// Something that ends when this is dropped, or when a signal comes before.
#[must_use = "ends when dropped"]
pub(crate) struct Owned {
    ending: Ending,
}

impl Owned {
    /// The cluster in `dir`, whether it runs yet or not.
    pub(crate) fn cluster(dir: PathBuf) -> Owned {
        let ending = Ending::Cluster(dir);
        list().push(ending.clone());
        Owned { ending }
    }

    /// The directory at `dir` and all that is in it.
    pub(crate) fn directory(dir: PathBuf) -> Owned {
        let ending = Ending::Directory(dir);
        list().push(ending.clone());
        Owned { ending }
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        list().retain(|ending| *ending != self.ending);
        self.ending.end();
    }
}

/// From here on a signal ends all that is owned, last first, then this process with the shell's code for that signal.
pub(crate) fn end_all_on_signal() -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("could not listen for signals")?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            list().iter().rev().for_each(Ending::end);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

/// How something is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    Group(Pid),
    Cluster(PathBuf),
    Directory(PathBuf),
}

impl Ending {
    fn end(&self) {
        match self {
            Ending::Group(group) => end_group(*group),
            Ending::Directory(dir) => match std::fs::remove_dir_all(dir) {
                Ok(()) => {}
                Err(error) => eprintln!("could not remove {}: {error}", dir.display()),
            },
            Ending::Cluster(dir) => match Cluster::down(dir, &Interrupt::never()) {
                Ok(_) => {}
                Err(error) => eprintln!("could not stop the cluster in {}: {error:#}", dir.display()),
            },
        }
    }
}

/// In order of their start.
static OWNED: Mutex<Vec<Ending>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<Ending>> {
    OWNED.lock().expect("no holder of this lock panics")
}

/// Asks the group to leave, and kills what has not left after `GRACE`.
fn end_group(group: Pid) {
    // An error here means that the group is gone, which is what is wanted.
    kill_process_group(group, Signal::TERM).ok();
    let deadline = Instant::now() + GRACE;
    while is_alive(group) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process_group(group, Signal::KILL).ok();
    waitpid(Some(group), WaitOptions::NOHANG).ok();
}

/// A leader that has ended but was not waited for still answers for its group, so it is collected first.
fn is_alive(group: Pid) -> bool {
    waitpid(Some(group), WaitOptions::NOHANG).ok();
    test_kill_process_group(group).is_ok()
}

/// `cluster up` stops a whole control plane on its way out.
const GRACE: Duration = Duration::from_secs(20);
