//! A started process that is never mistaken for another: stop, freeze, resume, start again.

use std::fs::{self, File, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, pidfd_send_signal, waitpid};
use serde::{Deserialize, Serialize};

/// The environment variable that marks every process of a cluster; its value is the cluster's directory.
///
/// It finds what a killed `up` had started but not yet written down, and what tests started and left behind.
const MARK: &str = "MASTHEAD_CLUSTER_MEMBER";

/// How long a process may take to leave on SIGTERM before it is killed.
const GRACE: Duration = Duration::from_secs(6);

/// How to start a process, and to start it again in the same way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Recipe {
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    pub(crate) port: Option<u16>,
    /// Both streams of the process end here; a restart appends.
    pub(crate) log: PathBuf,
    /// The directory of the cluster the process belongs to.
    pub(crate) member_of: PathBuf,
}

impl Recipe {
    /// Starts the process in a group of its own, so that it survives its parent and its parent's terminal.
    pub(crate) fn start(&self) -> Result<Process> {
        let log = open_log(&self.log)?;
        let child = Command::new(&self.program)
            .args(&self.args)
            .env(MARK, &self.member_of)
            // A proxy of the environment must not come between the components, nor a user's own cluster.
            .env("NO_PROXY", "*")
            .env_remove("KUBECONFIG")
            // Processor time is scarcer than memory where these run: collect garbage less often.
            .env("GOGC", "300")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {} ({})", self.name, self.program.display()))?;
        let pid = i32::try_from(child.id()).context("the kernel gave a pid out of range")?;
        let started = Stat::of(pid)
            .map(|stat| stat.started)
            .ok_or_else(|| anyhow!("{} was gone as soon as it started", self.name))?;
        Ok(Process { recipe: self.clone(), pid, started })
    }
}

/// A process that was started, known by its pid together with its start time, so that a reused pid is never mistaken
/// for it. Dropping it does not stop it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Process {
    pub(crate) recipe: Recipe,
    pub(crate) pid: i32,
    /// In clock ticks since boot, as the kernel counts.
    started: u64,
}

/// What the kernel says a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Running,
    Frozen,
    Gone,
}

impl Process {
    pub(crate) fn name(&self) -> &str {
        &self.recipe.name
    }

    pub(crate) fn life(&self) -> Life {
        match Stat::of(self.pid) {
            Some(stat) if stat.started == self.started => stat.life,
            _ => Life::Gone,
        }
    }

    /// Stops it for a while: it keeps its sockets and answers nothing.
    pub(crate) fn freeze(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets a frozen process go on.
    pub(crate) fn resume(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// Kills it without warning and waits until it is gone.
    pub(crate) fn kill(&self) -> Result<()> {
        self.end(&[(Signal::KILL, GRACE)])
    }

    /// Asks it to leave, frozen or not, and kills it when it does not; returns once it is gone.
    pub(crate) fn stop(&self) -> Result<()> {
        self.stop_within(GRACE)
    }

    /// Like [`Process::stop`], but kills it after `patience`.
    pub(crate) fn stop_within(&self, patience: Duration) -> Result<()> {
        self.end(&[(Signal::TERM, patience), (Signal::KILL, GRACE)])
    }

    /// Memory in use, in bytes.
    pub(crate) fn resident_bytes(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Time since it was started.
    pub(crate) fn uptime(&self) -> Option<Duration> {
        let uptime = fs::read_to_string("/proc/uptime").ok()?;
        let since_boot: f64 = uptime.split_whitespace().next()?.parse().ok()?;
        let ticks_per_second = rustix::param::clock_ticks_per_second();
        let started = Duration::from_millis(self.started.saturating_mul(1000) / ticks_per_second.max(1));
        Some(Duration::from_secs_f64(since_boot).saturating_sub(started))
    }

    /// The last lines of its log, for an error message.
    pub(crate) fn log_tail(&self) -> String {
        let log = &self.recipe.log;
        let Ok(bytes) = fs::read(log) else { return format!("{} cannot be read", log.display()) };
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> = text.lines().map(|line| line.chars().take(240).collect()).collect();
        let tail = lines[lines.len().saturating_sub(8)..].join("\n  ");
        format!("the last lines of {}:\n  {tail}", log.display())
    }

    fn end(&self, steps: &[(Signal, Duration)]) -> Result<()> {
        for (signal, patience) in steps {
            let Some(handle) = self.handle()? else { return Ok(()) };
            send(&handle, Signal::CONT)?;
            send(&handle, *signal)?;
            if gone_within(&handle, *patience)? {
                self.reap();
                return Ok(());
            }
        }
        Err(anyhow!("{} (pid {}) does not end, not even on SIGKILL", self.name(), self.pid))
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        match self.handle()? {
            Some(handle) => send(&handle, signal),
            None => Err(anyhow!("{} (pid {}) is not running", self.name(), self.pid)),
        }
    }

    /// A handle to this very process, or `None` when it is gone. The handle cannot come to mean another process.
    fn handle(&self) -> Result<Option<OwnedFd>> {
        let Some(pid) = Pid::from_raw(self.pid) else { return Ok(None) };
        let handle = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => handle,
            Err(rustix::io::Errno::SRCH) => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot reach pid {}", self.pid)),
        };
        // Compared only after the handle was opened: before, the pid could still change hands.
        Ok((self.life() != Life::Gone).then_some(handle))
    }

    /// Collects the exit status when it was our own child; otherwise its adopter does.
    fn reap(&self) {
        if let Some(pid) = Pid::from_raw(self.pid) {
            waitpid(Some(pid), WaitOptions::NOHANG).ok();
        }
    }
}

/// The running processes that bear the mark of the cluster in `dir`, whoever started them.
pub(crate) fn members_of(dir: &Path) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let mark = format!("{MARK}={}", dir.display());
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| member(pid, &mark, dir)).collect()
}

fn member(pid: i32, mark: &str, dir: &Path) -> Option<Process> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    environment.split(|byte| *byte == 0).find(|variable| *variable == mark.as_bytes())?;
    let stat = Stat::of(pid).filter(|stat| stat.life != Life::Gone)?;
    let recipe = Recipe {
        name: stat.command,
        program: PathBuf::new(),
        args: Vec::new(),
        port: None,
        log: PathBuf::new(),
        member_of: dir.to_owned(),
    };
    Some(Process { recipe, pid, started: stat.started })
}

fn send(handle: &OwnedFd, signal: Signal) -> Result<()> {
    match pidfd_send_signal(handle, signal) {
        // It left in between, which is what every sender but `freeze` wants.
        Err(rustix::io::Errno::SRCH) => Ok(()),
        outcome => outcome.with_context(|| format!("cannot send {signal:?}")),
    }
}

fn gone_within(handle: &OwnedFd, patience: Duration) -> Result<bool> {
    let limit = Timespec::try_from(patience).context("the patience is out of range")?;
    loop {
        match poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&limit)) {
            Err(rustix::io::Errno::INTR) => {}
            ready => return Ok(ready.context("cannot wait for a process")? > 0),
        }
    }
}

fn open_log(path: &Path) -> Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("cannot write the log {}", path.display()))
}

/// One line of `/proc/PID/stat`.
struct Stat {
    command: String,
    life: Life,
    started: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(line: &str) -> Option<Self> {
        // The command stands in parentheses and may itself hold spaces and parentheses.
        let (head, tail) = line.rsplit_once(") ")?;
        let (_, command) = head.split_once(" (")?;
        let mut fields = tail.split(' ');
        let life = match fields.next()? {
            "Z" | "X" | "x" => Life::Gone,
            "T" | "t" => Life::Frozen,
            _ => Life::Running,
        };
        let started = fields.nth(18)?.parse().ok()?;
        Some(Self { command: command.to_owned(), life, started })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interrupt;
    use crate::wait::{Asked, Wait};

    fn start(script: &str) -> Process {
        let recipe = Recipe {
            name: "sh".into(),
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            port: None,
            log: "/dev/null".into(),
            member_of: std::env::temp_dir(),
        };
        recipe.start().unwrap()
    }

    #[test]
    fn reads_a_command_with_spaces_and_parentheses() {
        let line = "17 (a) R (b) T 1 17 17 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 4096 1";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.command.as_str(), stat.life, stat.started), ("a) R (b", Life::Frozen, 98765));
    }

    #[test]
    fn a_reused_pid_is_not_the_process_and_is_left_alone() {
        let process = start("exec sleep 60");
        let impostor = Process { started: process.started + 1, ..process.clone() };
        assert_eq!(impostor.life(), Life::Gone);
        impostor.stop().unwrap();
        assert!(impostor.freeze().is_err());
        assert_eq!(process.life(), Life::Running);
        process.stop().unwrap();
        assert_eq!(process.life(), Life::Gone);
    }

    #[test]
    fn stops_a_frozen_process() {
        let process = start("exec sleep 60");
        process.freeze().unwrap();
        while process.life() != Life::Frozen {
            std::thread::yield_now();
        }
        process.stop().unwrap();
        assert_eq!(process.life(), Life::Gone);
    }

    #[test]
    fn finds_members_by_their_mark() {
        let process = start("exec sleep 60");
        let is_found = || members_of(&process.recipe.member_of).iter().any(|member| member.pid == process.pid);
        let wait = Wait { what: "the mark to be seen", limit: Duration::from_secs(10), interrupt: &Interrupt::never() };
        // While a program is being loaded, its process has no environment for a moment.
        wait.until(|| Ok(if is_found() { Asked::Done(()) } else { Asked::NotYet("no mark".into()) })).unwrap();
        process.stop().unwrap();
        assert!(!is_found());
    }
}
