//! Scripts of requests, read from text.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use masthead::rest::{Headers, Method};

use super::step::{Ask, Step, Until};

/// A series of requests in a namespace of its own.
///
/// Steps are separated by blank lines, and a line that begins with `#` between them is a comment.
///
/// | first line | further lines | meaning |
/// |---|---|---|
/// | `GET /path`, `POST /path`, … | `Name: value` headers, then a body | asks, and compares the answer |
/// | `WATCH name /path` | headers | opens a watch; the head of its answer is compared |
/// | `EVENTS name 2`, `EVENTS name end` | | reads and compares events; bookmarks that only tell a version do not count |
/// | `SAVE name /json/pointer` | | keeps a part of the last answer as `${name}` |
/// | `AWAIT 200 /path` | headers | asks until the code is this one |
///
/// `${ns}` is the script's namespace.
#[derive(Clone, Debug)]
pub struct Script {
    name: String,
    steps: Vec<Step>,
}

impl Script {
    /// Every script of a directory, by name.
    pub fn all(dir: &Path) -> Result<Vec<Script>> {
        let entries = fs::read_dir(dir).with_context(|| format!("no scripts in {}", dir.display()))?;
        let mut scripts = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "txt") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                scripts.push(Script::parse(&name, &text)?);
            }
        }
        scripts.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(scripts)
    }

    /// Reads a script.
    pub fn parse(name: &str, text: &str) -> Result<Script> {
        let mut steps = Vec::new();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut rest = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
                rest.push(line);
            }
            steps.push(step(line, &rest).with_context(|| format!("script {name}, line {}", number + 1))?);
        }
        Ok(Script { name: name.to_owned(), steps })
    }

    /// The name of its file, without the ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many answers of the server it compares.
    pub fn exchanges(&self) -> usize {
        self.steps.iter().filter(|step| step.is_exchange()).count()
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

fn step(line: &str, rest: &[&str]) -> Result<Step> {
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["WATCH", name, path] => Ok(Step::Watch { name: name.to_owned(), ask: ask(Method::Get, path, rest)? }),
        ["EVENTS", watch, "end"] => Ok(Step::Events { watch: watch.to_owned(), until: Until::End }),
        ["EVENTS", watch, count] => {
            Ok(Step::Events { watch: watch.to_owned(), until: Until::Count(count.parse().context("a count")?) })
        }
        ["SAVE", variable, pointer] => Ok(Step::Save { variable: variable.to_owned(), pointer: pointer.to_owned() }),
        ["AWAIT", code, path] => {
            Ok(Step::Await { code: code.parse().context("a status code")?, ask: ask(Method::Get, path, rest)? })
        }
        [method, path] => {
            let method = METHODS.into_iter().find(|known| known.as_str() == method);
            Ok(Step::Ask(ask(method.with_context(|| format!("no method in {line:?}"))?, path, rest)?))
        }
        _ => bail!("no step begins with {line:?}"),
    }
}

const METHODS: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

fn ask(method: Method, path: &str, lines: &[&str]) -> Result<Ask> {
    let is_body = |line: &&str| line.starts_with(['{', '[', '"', '!']);
    let start = lines.iter().position(is_body).unwrap_or(lines.len());
    let mut headers = Headers::default();
    for line in &lines[..start] {
        let (name, value) = line.split_once(": ").with_context(|| format!("{line:?} is no header"))?;
        headers.add(name, value);
    }
    let body = (start < lines.len()).then(|| lines[start..].join("\n"));
    if body.is_some() && headers.get("Content-Type").is_none() {
        headers.add("Content-Type", "application/json");
    }
    Ok(Ask { method, path: path.to_owned(), headers, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_steps_between_blank_lines() {
        let text = "# First.\n\nPOST /a?b=c\nAccept: x\n{\n}\n\nSAVE uid /metadata/uid\n\nWATCH w /a\n\nEVENTS w end\n";
        let script = Script::parse("s", text).unwrap();
        assert_eq!(script.exchanges(), 3);
        let Step::Ask(ask) = &script.steps()[0] else { panic!("the first step asks") };
        assert_eq!((ask.path.as_str(), ask.body.as_deref()), ("/a?b=c", Some("{\n}")));
        assert_eq!(ask.headers.get("Content-Type"), Some("application/json"));
        assert_eq!(script.steps()[3], Step::Events { watch: "w".to_owned(), until: Until::End });
    }

    #[test]
    fn the_scripts_compare_at_least_150_answers() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
        let exchanges: usize = Script::all(&dir).unwrap().iter().map(Script::exchanges).sum();
        assert!(exchanges >= 150, "{exchanges}");
    }

    #[test]
    fn what_is_no_step_is_named_with_its_line() {
        let failure = Script::parse("s", "\nFETCH /a").unwrap_err();
        assert_eq!(format!("{failure:#}"), r#"script s, line 2: no method in "FETCH /a""#);
    }
}
