//! The lines of a series.

use anyhow::{Context, Result, bail};

/// What one line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `$ ARGS`: runs kubectl and compares what it prints.
    Compare(Vec<String>),
    /// `last ARGS`: the same, but only the last line is compared: those before depend on how fast things go.
    Last(Vec<String>),
    /// `until ARGS`: runs kubectl until it succeeds, and compares that it does.
    Until(Vec<String>),
    /// `follow NAME ARGS`: starts a kubectl that goes on.
    Follow { name: String, args: Vec<String> },
    /// `lines NAME COUNT`: compares the next lines that it prints.
    Lines { name: String, count: usize },
}

impl Step {
    /// Reads a line; `None` for an empty one and for a comment.
    pub(super) fn parse(line: &str) -> Result<Option<Step>> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (word, rest) = line.split_once(' ').with_context(|| format!("nothing behind `{line}`"))?;
        let named = || rest.split_once(' ').with_context(|| format!("`{line}` lacks a word"));
        Ok(Some(match word {
            "$" => Step::Compare(words(rest)?),
            "last" => Step::Last(words(rest)?),
            "until" => Step::Until(words(rest)?),
            "follow" => {
                let (name, args) = named()?;
                Step::Follow { name: name.to_owned(), args: words(args)? }
            }
            "lines" => {
                let (name, count) = named()?;
                Step::Lines { name: name.to_owned(), count: count.parse().context("a count is a number")? }
            }
            other => bail!("no step is called `{other}`"),
        }))
    }
}

/// Cuts a line at its spaces, except between single quotes.
fn words(line: &str) -> Result<Vec<String>> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        bail!("a quote is not closed in `{line}`");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::Step;

    fn check(line: &str, expect: &str) {
        let seen = match Step::parse(line) {
            Ok(step) => format!("{step:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(seen, expect);
    }

    #[test]
    fn a_line_is_a_step_or_a_sentence() {
        check("  # why", "None");
        check("$ patch x -p '{\"a\": 1}' ''", r#"Some(Compare(["patch", "x", "-p", "{\"a\": 1}", ""]))"#);
        check("follow w get pods -w", r#"Some(Follow { name: "w", args: ["get", "pods", "-w"] })"#);
        check("lines w 3", r#"Some(Lines { name: "w", count: 3 })"#);
        check("$ get 'x", "a quote is not closed in `get 'x`");
        check("run x", "no step is called `run`");
        check("until", "nothing behind `until`");
    }
}
