//! A script of commands, run by the real kubectl.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use anyhow::{Context, Result};

use super::{mask::Mask, step::Step};
use crate::{
    Api, Interrupt,
    wait::{Asked, Wait},
};

/// How long anything that a series waits for may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The commands of a file, in their order.
#[derive(Debug)]
pub struct Series {
    /// Where the file lies, and with it what its commands read.
    folder: PathBuf,
    /// Each with its line.
    steps: Vec<(String, Step)>,
}

/// A command and what it printed.
#[derive(Debug, PartialEq, Eq)]
pub struct Printed {
    /// As it stands in the file.
    pub command: String,
    /// Standard output, then standard error, then the code if it is not 0; masked.
    pub text: String,
}

impl Series {
    /// Reads a file of steps.
    pub fn read(file: &Path) -> Result<Series> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let folder = file.parent().context("a file lies in a folder")?.to_owned();
        let mut steps = Vec::new();
        for line in text.lines() {
            let step = Step::parse(line).with_context(|| format!("{}: {line}", file.display()))?;
            steps.extend(step.map(|step| (line.trim().to_owned(), step)));
        }
        Ok(Series { folder, steps })
    }

    /// Runs every command with `kubectl` on the server at `url`, in a namespace that the series makes itself.
    ///
    /// `home` is an empty folder for what kubectl keeps.
    pub fn run(&self, kubectl: &Path, url: &str, namespace: &str, home: &Path) -> Result<Vec<Printed>> {
        let mask = Mask::new(namespace, url, nodes(url)?);
        let mut run = Run { series: self, kubectl, url, namespace, home, mask, followed: HashMap::new() };
        let mut printed = Vec::new();
        for (line, step) in &self.steps {
            let text = run.step(step).with_context(|| format!("{line} on {url}"))?;
            printed.extend(text.map(|text| Printed { command: line.clone(), text }));
        }
        Ok(printed)
    }
}

fn nodes(url: &str) -> Result<Vec<String>> {
    let list = Api::new(url).get("/api/v1/nodes")?;
    let names = list["items"].as_array().into_iter().flatten().filter_map(|node| node["metadata"]["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

struct Run<'a> {
    series: &'a Series,
    kubectl: &'a Path,
    url: &'a str,
    namespace: &'a str,
    home: &'a Path,
    mask: Mask,
    followed: HashMap<String, Followed>,
}

/// Reads to the end, on a thread of its own.
fn read(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error is still what was printed.
        from.read_to_end(&mut bytes).ok();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A kubectl that goes on; killed when dropped.
struct Followed {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Followed {
    fn start(command: &mut Command) -> Result<Followed> {
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start kubectl")?;
        let stdout = child.stdout.take().context("the child's output is piped")?;
        // As many lines as a series asks for; a kubectl that says more waits.
        let (sink, lines) = mpsc::sync_channel(16);
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sink.send(line))
        });
        Ok(Followed { child, lines })
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        // It may have ended by itself, which is fine.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Run<'_> {
    fn step(&mut self, step: &Step) -> Result<Option<String>> {
        match step {
            Step::Compare(args) => Ok(Some(self.output(args)?.0)),
            Step::Last(args) => {
                let text = self.output(args)?.0;
                Ok(Some(text.lines().last().unwrap_or_default().to_owned()))
            }
            Step::Until(args) => {
                let wait = Wait { what: &args.join(" "), limit: PATIENCE, interrupt: &Interrupt::never() };
                let waited = wait.until(|| match self.output(args)? {
                    (_, true) => Ok(Asked::Done(())),
                    (text, false) => Ok(Asked::NotYet(text)),
                });
                Ok(Some(waited.map_or_else(|error| error.to_string(), |()| String::new())))
            }
            Step::Follow { name, args } => {
                self.followed.insert(name.clone(), Followed::start(&mut self.command(args))?);
                Ok(None)
            }
            Step::Lines { name, count } => {
                let followed = self.followed.get(name).with_context(|| format!("nothing is called {name}"))?;
                let mut text = String::new();
                for _ in 0..*count {
                    match followed.lines.recv_timeout(PATIENCE) {
                        Ok(line) => text += &format!("{line}\n"),
                        Err(_) => text += "no more\n",
                    }
                }
                Ok(Some(self.mask.text(&text)))
            }
        }
    }

    /// What a command prints, and whether it succeeds. One that does not end is ended.
    fn output(&self, args: &[String]) -> Result<(String, bool)> {
        let mut command = self.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("cannot run kubectl")?;
        let stdout = read(child.stdout.take().context("the child's output is piped")?);
        let stderr = read(child.stderr.take().context("the child's errors are piped")?);
        let wait = Wait { what: "kubectl to end", limit: PATIENCE, interrupt: &Interrupt::never() };
        let ended = wait
            .until(|| Ok(child.try_wait().context("lost kubectl")?.map_or(Asked::NotYet(String::new()), Asked::Done)));
        if ended.is_err() {
            child.kill().context("cannot end kubectl")?;
            child.wait().context("lost kubectl")?;
        }
        let printed = stdout.join().unwrap_or_default() + &stderr.join().unwrap_or_default();
        let mut text = self.mask.text(&printed);
        match ended.as_ref().map(ExitStatus::code) {
            Ok(Some(0)) => return Ok((text, true)),
            Ok(Some(code)) => text += &format!("code {code}\n"),
            _ => text += "no end\n",
        }
        Ok((text, false))
    }

    fn command(&self, args: &[String]) -> Command {
        let mut command = Command::new(self.kubectl);
        command.args(args.iter().map(|arg| arg.replace("NAMESPACE", self.namespace)));
        command.args(["--server", self.url, "--namespace", self.namespace]);
        command.current_dir(&self.series.folder).stdin(Stdio::null());
        command.env("HOME", self.home).env("KUBECONFIG", self.home.join("none"));
        command
    }
}
