//! `cargo xtask sim`: the simulator on a loopback port, for the real kubectl.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use anyhow::{Context, Result, bail};
use masthead_tests::{SimOrder, SimWorld};

use crate::{command::command, flags::Flags, running, running::Running};

const USAGE: &str = "\
cargo xtask sim [--bare | --pods N] [--churn R] [--port N] [--seed N] [--release]

Serves a Kubernetes cluster that lives in memory, over HTTP and WebSocket on loopback, until Ctrl-C. kubectl and the
dashboard use it as they use a real one; nothing is kept. It is a small company's cluster with things going wrong, unless
another is asked for.

  --bare        an empty cluster instead: controllers at work, no node yet
  --pods N      N pods instead, with their owners and nodes; add --release from some thousands on
  --churn R     change about R pods a second
  --port N      serve on this port (default: a free one)
  --seed N      another seed, other names and other accidents (default 0: every run is the same)
  --release     optimise first: two minutes once, then many pods are quick";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let Some(options) = Options::parse(args)? else {
        println!("{USAGE}");
        return Ok(());
    };
    running::end_all_on_signal()?;
    let mut simulator = Simulator::start(&options.order, options.release)?;
    let url = &simulator.url;
    println!("\nThe simulator is at  {url}\n");
    println!("  kubectl --server {url} get pods --all-namespaces");
    println!("  cargo xtask serve --proxy {url}\n\nCtrl-C stops it.");
    let status = simulator.running.child.wait().context("lost the simulator")?;
    bail!("the simulator ended ({status}); what it says above is the reason")
}

/// A simulator that serves. Dropping it ends it.
#[must_use = "ends when dropped"]
pub(crate) struct Simulator {
    pub(crate) url: String,
    running: Running,
}

impl Simulator {
    /// Builds and starts one, and waits until it serves.
    pub(crate) fn start(order: &SimOrder, release: bool) -> Result<Simulator> {
        let mut cargo = command("cargo");
        cargo.args(["run", "--quiet", "--locked", "--package", "masthead-tests", "--features", "sim"]);
        cargo.args(["--bin", "sim-server"]).args(release.then_some("--release"));
        cargo.arg("--").arg(serde_json::to_string(order)?);
        let mut running = Running::start(cargo.stdout(Stdio::piped()))?;
        let stdout = running.child.stdout.take().context("the child's output is piped")?;
        let mut url = String::new();
        BufReader::new(stdout).read_line(&mut url).context("could not read what the simulator says")?;
        if url.is_empty() {
            bail!("the simulator did not start; what it says above is the reason");
        }
        Ok(Simulator { url: url.trim().to_owned(), running })
    }
}

struct Options {
    order: SimOrder,
    release: bool,
}

impl Options {
    /// `None` when help was asked for.
    fn parse(args: &[String]) -> Result<Option<Options>> {
        let mut options = Options { order: SimOrder::default(), release: false };
        let mut flags = Flags::new("sim", args);
        while let Some(word) = flags.word() {
            match word {
                "--port" => options.order.port = flags.number(word)?,
                "--seed" => options.order.seed = flags.number(word)?,
                "--bare" => options.choose(SimWorld::Bare)?,
                "--pods" => options.choose(SimWorld::Pods(flags.number(word)?))?,
                "--churn" => options.order.churn = Some(flags.number(word)?),
                "--release" => options.release = true,
                "--help" | "-h" => return Ok(None),
                other => return Err(flags.unknown(other)),
            }
        }
        if options.order.churn.is_some_and(|rate| !(0.1..=5000.0).contains(&rate)) {
            bail!("--churn takes changes per second between 0.1 and 5000");
        }
        Ok(Some(options))
    }

    fn choose(&mut self, world: SimWorld) -> Result<()> {
        if self.order.world != SimWorld::default() {
            bail!("--bare and --pods exclude each other");
        }
        self.order.world = world;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let seen = match Options::parse(&args) {
            Ok(None) => "help".to_owned(),
            Ok(Some(options)) => serde_json::to_string(&options.order).unwrap(),
            Err(error) => error.to_string(),
        };
        assert_eq!(seen, expect, "{line}");
    }

    #[test]
    fn the_flags_become_an_order_or_a_sentence() {
        check("", r#"{"port":0,"seed":0,"world":"Demo","churn":null}"#);
        check("--port 8001 --seed 7 --bare", r#"{"port":8001,"seed":7,"world":"Bare","churn":null}"#);
        check("--pods 9 --churn 2", r#"{"port":0,"seed":0,"world":{"Pods":9},"churn":2.0}"#);
        check("--pods 9 --bare", "--bare and --pods exclude each other");
        check("--churn NaN", "--churn takes changes per second between 0.1 and 5000");
        check("--port", "--port needs a value; `cargo xtask sim --help` shows how");
        check("--pot 1", "sim does not know `--pot`; `cargo xtask sim --help` lists its flags");
        check("--port 1 --help", "help");
    }
}
