//! Transcripts to compare with.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

/// Set to record transcripts instead of comparing with them.
const RECORD: &str = "MASTHEAD_RECORD";

/// The recorded transcript of one script.
#[derive(Clone, Debug)]
pub struct Golden {
    path: PathBuf,
}

impl Golden {
    /// The transcript of the script `name` in `dir`; it need not be there yet.
    pub fn new(dir: &Path, name: &str) -> Golden {
        Golden { path: dir.join(format!("{name}.golden")) }
    }

    /// Compares a transcript with the recorded one, or records it when `MASTHEAD_RECORD` is set.
    ///
    /// Fails with the first line that differs and the exchange it stands in.
    pub fn check(&self, transcript: &str) -> Result<()> {
        if env::var_os(RECORD).is_some() {
            return fs::write(&self.path, transcript).with_context(|| format!("cannot write {}", self.path.display()));
        }
        match fs::read_to_string(&self.path) {
            Ok(recorded) => compare(&recorded, transcript).with_context(|| self.path.display().to_string()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("{} is not there; {RECORD}=1 records it", self.path.display())
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", self.path.display())),
        }
    }
}

fn compare(recorded: &str, transcript: &str) -> Result<()> {
    let (mut expected, mut got) = (recorded.lines(), transcript.lines());
    let (mut exchange, mut number) = ("the beginning", 0);
    loop {
        number += 1;
        match (expected.next(), got.next()) {
            (None, None) => return Ok(()),
            (Some(expected), Some(got)) if expected == got => {
                exchange = if expected.starts_with("== ") { expected } else { exchange };
            }
            (expected, got) => {
                let [expected, got] = [expected, got].map(|line| line.unwrap_or("nothing more"));
                bail!("line {number}, in {exchange}\n  recorded: {expected}\n  answered: {got}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_told_with_its_exchange() {
        let failure = compare("== GET /a\n200\n", "== GET /a\n404\n").unwrap_err();
        assert_eq!(failure.to_string(), "line 2, in == GET /a\n  recorded: 200\n  answered: 404");
        let failure = compare("== GET /a\n200\n", "== GET /a\n").unwrap_err();
        assert_eq!(failure.to_string(), "line 2, in == GET /a\n  recorded: 200\n  answered: nothing more");
        assert!(compare("== GET /a\n", "== GET /a\n").is_ok());
    }
}
