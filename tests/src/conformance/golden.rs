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
    /// Fails with every exchange that differs and the first line in it that does.
    pub fn check(&self, transcript: &str) -> Result<()> {
        if env::var_os(RECORD).is_some() {
            return fs::write(&self.path, transcript).with_context(|| format!("cannot write {}", self.path.display()));
        }
        let differences = self.differences(transcript)?;
        if !differences.is_empty() {
            bail!("{}: {} exchanges differ\n{}", self.path.display(), differences.len(), differences.join("\n"));
        }
        Ok(())
    }

    /// Every exchange of a transcript that differs from the recorded one: its title, and the first line that does.
    pub fn differences(&self, transcript: &str) -> Result<Vec<String>> {
        let recorded = match fs::read_to_string(&self.path) {
            Ok(recorded) => recorded,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("{} is not there; {RECORD}=1 records it", self.path.display())
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", self.path.display())),
        };
        Ok(differences(&recorded, transcript))
    }
}

/// Where two transcripts differ. Exchanges are told apart by their number, so one that differs hides no other.
fn differences(recorded: &str, transcript: &str) -> Vec<String> {
    let (recorded, answered) = (exchanges(recorded), exchanges(transcript));
    let count = recorded.len().max(answered.len());
    let pairs = (0..count).map(|at| (recorded.get(at).map_or("", |it| it), answered.get(at).map_or("", |it| it)));
    pairs.filter_map(|(recorded, answered)| difference(recorded, answered)).collect()
}

/// The parts of a transcript, each from its title on.
fn exchanges(transcript: &str) -> Vec<&str> {
    let starts = transcript.match_indices("== ").map(|(at, _)| at);
    let mut starts: Vec<usize> =
        starts.filter(|at| *at == 0 || transcript.as_bytes()[at - 1] == b'\n').chain([transcript.len()]).collect();
    starts.dedup();
    starts.windows(2).map(|ends| &transcript[ends[0]..ends[1]]).collect()
}

fn difference(recorded: &str, answered: &str) -> Option<String> {
    let title = [recorded, answered].into_iter().find_map(|exchange| exchange.lines().next())?;
    let (mut recorded, mut answered) = (recorded.lines(), answered.lines());
    loop {
        match (recorded.next(), answered.next()) {
            (None, None) => return None,
            (recorded, answered) if recorded == answered => {}
            (recorded, answered) => {
                let [recorded, answered] = [recorded, answered].map(|line| line.unwrap_or("nothing more"));
                return Some(format!("{title}\n  recorded: {recorded}\n  answered: {answered}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::differences;

    fn check(recorded: &str, answered: &str, expected: &[&str]) {
        assert_eq!(differences(recorded, answered), expected);
    }

    #[test]
    fn every_exchange_that_differs_is_told() {
        check("== 1 GET /a\n200\n", "== 1 GET /a\n200\n", &[]);
        check(
            "== 1 GET /a\n200\n== 2 GET /b\n200\na == b\n== 3 GET /c\n200\n",
            "== 1 GET /a\n404\n== 2 GET /b\n200\na == b\n== 3 GET /c\n",
            &[
                "== 1 GET /a\n  recorded: 200\n  answered: 404",
                "== 3 GET /c\n  recorded: 200\n  answered: nothing more",
            ],
        );
    }

    #[test]
    fn an_exchange_too_many_or_too_few_is_a_difference() {
        let extra = "== 1 GET /a\n  recorded: nothing more\n  answered: == 1 GET /a";
        check("", "== 1 GET /a\n200\n", &[extra]);
        check("== 1 GET /a\n", "", &["== 1 GET /a\n  recorded: == 1 GET /a\n  answered: nothing more"]);
    }
}
