//! The project's own commands, run as `cargo xtask COMMAND`: each is a file here, named after it.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a developer's tool prints, waits and starts threads; nothing of it ships"
)]

mod bench;
mod browser;
mod cluster;
mod command;
mod flags;
mod generate;
mod guarded;
mod lease;
mod npm;
mod peer;
mod running;
mod serve;
mod setup;
mod shots;
mod sim;
mod test;
mod tidy;
mod tool;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  serve     build the dashboard, serve it beside the API, rebuild on change
  sim       serve a cluster that lives in memory, for kubectl and the dashboard
  test      run every check and test, or the stages named
  bench     measure, and print what was measured
  gen       write the generated files, or check that they are up to date
  npm       build the npm package and pack it
  cluster   up | down | status | load: a real Kubernetes control plane on this machine
  tidy      check the invariants and file rules that a program can check
  shots     photograph the dashboard, light and dark, into web/screenshots
  setup     install the tools that serve and test need, and nothing else

`cargo xtask COMMAND --help` tells more.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("--help", &[] as &[String]),
    };
    let outcome = match command {
        "serve" => serve::run(rest),
        guarded::COMMAND => guarded::run(rest),
        "sim" => sim::run(rest),
        "test" => test::run(rest),
        "bench" => bench::run(rest),
        "gen" => generate::run(rest),
        "npm" => npm::run(rest),
        "cluster" => cluster::run(rest),
        "tidy" => tidy::run(rest),
        "shots" => shots::run(rest),
        "setup" => setup::run(rest),
        "--help" | "-h" | "help" => {
            println!("{USAGE}");
            Ok(())
        }
        unknown => Err(anyhow::anyhow!("no command `{unknown}`; `cargo xtask --help` lists them")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
