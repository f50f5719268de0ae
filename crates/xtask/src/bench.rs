//! `cargo xtask bench`: figures, printed and judged by nobody.

mod sim;

use anyhow::{Result, bail};

use crate::{flags::Flags, running};

const USAGE: &str = "\
cargo xtask bench [SUITE ...]

Builds with optimisation, measures, and prints a table for each suite, or for those named. No figure passes or fails.";

/// Some figures that belong together.
struct Suite {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<()>,
}

const SUITES: &[Suite] = &[Suite {
    name: "sim",
    what: "the simulator: many pods, lists, watches and writes, native and in Node",
    run: sim::run_both,
}];

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut chosen: Vec<&Suite> = Vec::new();
    let mut flags = Flags::new("bench", args);
    while let Some(word) = flags.word() {
        match word {
            "--help" | "-h" => {
                let lines: Vec<String> = SUITES.iter().map(|it| format!("  {:<8}{}", it.name, it.what)).collect();
                println!("{USAGE}\n\nSuites:\n{}", lines.join("\n"));
                return Ok(());
            }
            name => match SUITES.iter().find(|suite| suite.name == name) {
                Some(suite) => chosen.push(suite),
                None => bail!("no suite `{name}`; `cargo xtask bench --help` lists them"),
            },
        }
    }
    if chosen.is_empty() {
        chosen = SUITES.iter().collect();
    }
    running::end_all_on_signal()?;
    chosen.into_iter().try_for_each(|suite| (suite.run)())
}
