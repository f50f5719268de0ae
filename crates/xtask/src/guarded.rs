//! `xtask guarded PROGRAM ...`: runs a program that must not outlive the process that started it, however that ends.
//!
//! A `kubectl proxy` holds a person's credentials: one whose parent was killed would serve them to whoever finds it.

use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace;

/// The word that `main` knows this by. No help lists it: it is for this program itself.
pub(crate) const COMMAND: &str = "guarded";

/// The command that runs `program` so, when [`crate::running::Running`] starts it from the main thread.
///
/// Linux sends the signal of a parent's death when the thread that started the child ends, and the main thread ends last.
pub(crate) fn command(program: &str) -> Result<Command> {
    let mut command = crate::command::command(workspace::this_program()?);
    command.args([COMMAND, &std::process::id().to_string(), program]).stdin(std::process::Stdio::piped());
    Ok(command)
}

/// Becomes the program, or runs it and watches.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let [parent, program, args @ ..] = args else { anyhow::bail!("{COMMAND} needs a process and a program") };
    let parent = parent.parse().with_context(|| format!("`{parent}` is no process"))?;
    let mut command = Command::new(program);
    command.args(args).stdin(std::process::Stdio::null());
    sys::run_beside(parent, &mut command).with_context(|| format!("could not run {program}"))
}

#[cfg(target_os = "linux")]
mod sys {
    use std::{os::unix::process::CommandExt, process::Command};

    use anyhow::{Context, Result, bail};
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

    /// Becomes the program, which the kernel kills when its parent dies.
    pub(super) fn run_beside(parent: i32, command: &mut Command) -> Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL)).context("no signal for the parent's death")?;
        // A parent that died before has sent no signal.
        if getppid() != Pid::from_raw(parent) {
            bail!("its parent is gone");
        }
        Err(command.exec().into())
    }
}

#[cfg(not(target_os = "linux"))]
mod sys {
    use std::{io, process::Command};

    use anyhow::{Result, bail};
    use rustix::process::{Signal, kill_current_process_group};

    /// Runs the program and ends it with this process when standard input does: the parent holds its other end.
    pub(super) fn run_beside(_parent: i32, command: &mut Command) -> Result<()> {
        let mut child = command.spawn()?;
        std::thread::spawn(|| {
            // An error of reading is as much the end as the end itself.
            io::copy(&mut io::stdin(), &mut io::sink()).ok();
            kill_current_process_group(Signal::KILL)
        });
        let status = child.wait()?;
        if !status.success() {
            bail!("it ended ({status})");
        }
        Ok(())
    }
}
