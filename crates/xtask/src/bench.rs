//! `cargo xtask bench`: figures, printed. Times are judged by nobody; sizes can be.

mod cache;
mod js;
mod peers;
mod queue;
mod sim;
mod size;
mod web;

use anyhow::{Result, bail};

use crate::{flags::Flags, running};

const USAGE: &str = "\
cargo xtask bench SUITE [FLAG ...]

Builds with optimisation, measures, and prints a table. No time passes or fails: the machine does other work too, so that
only ratios within one run tell anything.";

/// Some figures that belong together.
struct Suite {
    name: &'static str,
    what: &'static str,
    /// Gets the words behind the suite's name.
    run: fn(Flags<'_>) -> Result<()>,
}

const SUITES: &[Suite] = &[
    Suite {
        name: "sim",
        what: "the simulator: many pods, lists, watches and writes, native and in Node",
        run: sim::run_both,
    },
    Suite { name: "cache", what: cache::WHAT, run: cache::run },
    Suite { name: "queue", what: queue::WHAT, run: queue::run },
    Suite { name: "js", what: js::WHAT, run: js::run },
    Suite { name: "web", what: web::WHAT, run: web::run },
    Suite {
        name: "peers",
        what: "10,000 pods of a real cluster: curl, client-go, client-node, and Masthead in Node and Chromium",
        run: peers::run_all,
    },
    Suite {
        name: "size",
        what: "the .wasm of small programs by the generic client and by the ClientSet, which may be 5% heavier",
        run: size::run,
    },
];

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut flags = Flags::new("bench", args);
    match flags.word() {
        Some("--help" | "-h") => {
            let lines: Vec<String> = SUITES.iter().map(|it| format!("  {:<8}{}", it.name, it.what)).collect();
            println!("{USAGE}\n\nSuites:\n{}", lines.join("\n"));
            Ok(())
        }
        Some(name) => match SUITES.iter().find(|suite| suite.name == name) {
            Some(suite) => {
                running::end_all_on_signal()?;
                (suite.run)(flags)
            }
            None => bail!("no suite `{name}`; `cargo xtask bench --help` lists them"),
        },
        None => bail!("bench needs a suite; `cargo xtask bench --help` lists them"),
    }
}
