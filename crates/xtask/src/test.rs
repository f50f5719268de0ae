//! `cargo xtask test`: every check and test of the project, in stages that can be run alone.

mod stages;
mod tally;
mod wasm;

use std::time::Instant;

use anyhow::{Result, bail};

use self::{
    stages::{STAGES, Stage},
    tally::Tally,
};
use crate::{flags::Flags, running};

const USAGE: &str = "\
cargo xtask test [STAGE ...]
cargo xtask test --list

Runs all stages, or those named, and installs what they need. A failed stage does not stop the others. The last line is
`N passed, N failed`, where a check that counts no tests itself counts as one.";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut chosen: Vec<&Stage> = Vec::new();
    let mut flags = Flags::new("test", args);
    while let Some(word) = flags.word() {
        match word {
            "--help" | "-h" => {
                println!("{USAGE}\n\nStages:\n{}", listed());
                return Ok(());
            }
            "--list" => {
                println!("{}", listed());
                return Ok(());
            }
            name => match STAGES.iter().find(|stage| stage.name == name) {
                Some(stage) => chosen.push(stage),
                None => bail!("no stage `{name}`; `cargo xtask test --list` lists them"),
            },
        }
    }
    if chosen.is_empty() {
        chosen = STAGES.iter().collect();
    }
    running::end_all_on_signal()?;
    run_stages(&chosen)
}

fn run_stages(chosen: &[&Stage]) -> Result<()> {
    let mut total = Tally::default();
    let mut report = Vec::new();
    for (index, stage) in chosen.iter().enumerate() {
        println!("\n[{}/{}] {}: {}", index + 1, chosen.len(), stage.name, stage.what);
        let started = Instant::now();
        let mut tally = Tally::default();
        if let Err(error) = (stage.run)(&mut tally) {
            eprintln!("error: {error:#}");
            eprintln!("run it alone: cargo xtask test {}", stage.name);
            // A runner that failed has told of its failed tests; one that broke before counts as one.
            tally.failed = tally.failed.max(1);
        }
        let seconds = started.elapsed().as_secs();
        report.push(format!(
            "{:>14}  {:>4} passed  {:>3} failed  {seconds:>4} s",
            stage.name, tally.passed, tally.failed
        ));
        total += tally;
    }
    println!("\n{}\n\n{} passed, {} failed", report.join("\n"), total.passed, total.failed);
    if total.failed > 0 {
        // The line above is the last one that is read; the failures themselves were told where they happened.
        std::process::exit(1);
    }
    Ok(())
}

fn listed() -> String {
    let lines: Vec<String> = STAGES.iter().map(|stage| format!("  {:<14}{}", stage.name, stage.what)).collect();
    lines.join("\n")
}
