//! `cargo xtask tidy`: the invariants and file rules that a program can check.

mod dependencies;
mod rules;
mod source;

use anyhow::{Context, Result, bail};

use self::{
    rules::{RULES, Rule},
    source::Source,
};
use crate::{
    command::{command, read},
    flags::Flags,
    workspace,
};

const USAGE: &str = "\
cargo xtask tidy

Checks every file that git knows or would add against the rules of ARCHITECTURE.md and the house style that a program can
check, and prints each finding as FILE:LINE.";

pub(crate) fn run(args: &[String]) -> Result<()> {
    if Flags::new("tidy", args).only_help(USAGE)? {
        return Ok(());
    }
    match check()? {
        (rules, 0) => println!("{rules} rules hold"),
        (_, broken) => bail!("{broken} rules are broken"),
    }
    Ok(())
}

/// Prints every finding; returns how many rules there are, and how many of them are broken.
pub(crate) fn check() -> Result<(u32, u32)> {
    let sources = sources()?;
    let mut broken = 0;
    for Rule { name, find } in RULES {
        let findings: Vec<String> = sources.iter().flat_map(|source| source.findings(find)).collect();
        broken += report(name, &findings);
    }
    for (name, findings) in dependencies::check()? {
        broken += report(name, &findings);
    }
    Ok(((RULES.len() + dependencies::RULES) as u32, broken))
}

fn report(rule: &str, findings: &[String]) -> u32 {
    if findings.is_empty() {
        return 0;
    }
    eprintln!("{rule}:");
    findings.iter().for_each(|finding| eprintln!("  {finding}"));
    1
}

fn sources() -> Result<Vec<Source>> {
    let listed = read(command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))
        .context("tidy asks git which files there are")?;
    let mut sources = Vec::new();
    for path in listed.lines() {
        let bytes = match std::fs::read(workspace::root().join(path)) {
            Ok(bytes) => bytes,
            // Deleted in the work tree, still in the index.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("could not read {path}")),
        };
        // What is not text has no rules.
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(Source { path: path.to_owned(), text });
        }
    }
    Ok(sources)
}
