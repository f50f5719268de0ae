//! Running other programs: what is run is printed, and a failure says how to run it alone.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use crate::{running::Running, workspace};

/// A command in the workspace's folder.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).stdin(Stdio::null());
    command
}

/// The command as one would type it, environment first.
pub(crate) fn shown(command: &Command) -> String {
    // PATH and the target folder are the same for every step: they would hide what is particular to this one.
    let particular = command.get_envs().filter(|(name, _)| !matches!(name.to_str(), Some("PATH" | "CARGO_TARGET_DIR")));
    let environment = particular
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(&value?.to_string_lossy()))));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    environment.chain(words).collect::<Vec<_>>().join(" ")
}

/// Runs the command to its end with its output passed through.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    println!("  $ {}", shown(command));
    let mut running = Running::start(command)?;
    let status = running.child.wait().with_context(|| format!("lost `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs the command to its end, passes its output through and gives each line of its standard output to `line`.
///
/// Returns whether it ended with success.
pub(crate) fn run_reading(command: &mut Command, mut line: impl FnMut(&str)) -> Result<bool> {
    println!("  $ {}", shown(command));
    let mut running = Running::start(command.stdout(Stdio::piped()))?;
    let stdout = running.child.stdout.take().context("the child's output is piped")?;
    for text in BufReader::new(stdout).lines() {
        let text = text.with_context(|| format!("could not read the output of `{}`", shown(command)))?;
        println!("{text}");
        line(&text);
    }
    let status = running.child.wait().with_context(|| format!("lost `{}`", shown(command)))?;
    Ok(status.success())
}

/// The command's standard output, or its last line of standard error as the error.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("could not start {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        bail!("{}", last.trim().trim_start_matches("error: "));
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` did not print text", shown(command)))
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::{read, shown};

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let mut command = std::process::Command::new("cargo");
        command.args(["doc", "--no-deps", "a b"]).env("RUSTDOCFLAGS", "-D warnings").env("PATH", "/bin");
        assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'a b'");
    }

    #[test]
    fn the_last_line_of_a_failed_command_is_its_error() {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "echo first >&2; echo 'the reason' >&2; echo >&2; exit 3"]);
        assert_eq!(read(&mut command).unwrap_err().to_string(), "the reason");
    }
}
