//! What one command tells the next about a cluster.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::layout::write_private;
use super::process::Process;

/// What is known about a cluster between commands: one file, written anew at every change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    pub(crate) kubectl: PathBuf,
    /// In order of their start.
    pub(crate) processes: Vec<Process>,
}

/// How far `up` came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    /// Some processes run; a file that stays like this was left by an `up` that was killed.
    Starting,
    /// Everything ran and was healthy when this was written.
    Ready,
}

impl State {
    /// Reads the file; `None` when there is none.
    pub(crate) fn load(path: &Path) -> Result<Option<Self>> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let state = serde_json::from_slice(&text).with_context(|| format!("{} is damaged", path.display()))?;
        Ok(Some(state))
    }

    /// Writes the file atomically.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        write_private(path, &serde_json::to_vec_pretty(self)?)
    }

    pub(crate) fn process(&self, name: &str) -> Result<&Process> {
        self.processes
            .iter()
            .find(|process| process.name() == name)
            .with_context(|| format!("the cluster has no {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: Option<&str>, expect: &str) {
        let name = format!("masthead-state-{}-{}.json", std::process::id(), expect.len());
        let path = std::env::temp_dir().join(name);
        if let Some(content) = content {
            fs::write(&path, content).unwrap();
        }
        let seen = match State::load(&path) {
            Ok(None) => "nothing".to_owned(),
            Ok(Some(state)) => format!("{:?}", state.phase),
            Err(error) => error.to_string().replace(&path.display().to_string(), "FILE"),
        };
        fs::remove_file(&path).ok();
        assert_eq!(seen, expect);
    }

    #[test]
    fn tells_no_file_a_file_and_a_damaged_file_apart() {
        check(None, "nothing");
        check(Some(r#"{"phase":"Ready","kubectl":"/k","processes":[]}"#), "Ready");
        let damaged = "FILE is damaged";
        check(Some(r#"{"phase":"Ready","kubectl":"/k","proc"#), damaged);
        check(Some(""), damaged);
        check(Some("[]"), damaged);
    }
}
