//! `cargo xtask gen`: the files of this project that `masthead-gen` writes.

use anyhow::{Context, Result};
use masthead_gen::{Config, Output};

use crate::{flags::Flags, workspace};

const USAGE: &str = "\
cargo xtask gen [--check]

Writes the clients, listers and informers of Kubernetes' own kinds, and those that the generator's tests stand on. With
--check it writes nothing, and fails if a file is not what would be written.";

/// What is generated: the library's own, and the package that shows every tag.
const CONFIGS: &[&str] = &["crates/masthead/masthead-gen.toml", "crates/masthead-gen/tests/shop/masthead-gen.toml"];

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut flags = Flags::new("gen", args);
    let mut is_check = false;
    while let Some(word) = flags.word() {
        match word {
            "--help" | "-h" => {
                println!("{USAGE}");
                return Ok(());
            }
            "--check" => is_check = true,
            other => return Err(flags.unknown(other)),
        }
    }
    match is_check {
        true => check().map(|files| println!("{files} generated files are up to date")),
        false => output()?.write().map(|written| println!("{written}")),
    }
}

/// Fails if a generated file is not what would be generated; else tells how many there are.
pub(crate) fn check() -> Result<usize> {
    let output = output()?;
    output.check().context("`cargo xtask gen` writes them")?;
    Ok(output.files.len())
}

fn output() -> Result<Output> {
    let root = workspace::root().canonicalize().context("the workspace has a folder")?;
    let mut output = Output::default();
    for config in CONFIGS {
        output.join(Config::read(&root.join(config))?.output()?)?;
    }
    Ok(output)
}
