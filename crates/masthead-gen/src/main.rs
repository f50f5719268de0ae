//! The generators on the command line.

#![allow(clippy::print_stdout, reason = "a command prints what it did")]

mod command_line;

use std::process::ExitCode;

use anyhow::Result;
use masthead_gen::{Config, Output, crd_types};

use crate::command_line::{Asked, Job, USAGE};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Asked::parse(&words).and_then(|asked| run(&asked)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(asked: &Asked) -> Result<()> {
    if let Some(types) = &asked.types {
        finish(&crd_types(&types.definitions, &types.folder, asked.format)?, asked.check)?;
    }
    let output: Output = match &asked.job {
        Job::Help => {
            println!("{USAGE}");
            return Ok(());
        }
        Job::Types => return Ok(()),
        Job::Generate(generation) => generation.output()?,
        Job::Config(path) => Config::read(path)?.formatted(asked.format).output()?,
    };
    finish(&output, asked.check)
}

fn finish(output: &Output, check: bool) -> Result<()> {
    match check {
        true => output.check().map(|()| println!("{} files are up to date", output.files.len())),
        false => output.write().map(|written| println!("{written}")),
    }
}
