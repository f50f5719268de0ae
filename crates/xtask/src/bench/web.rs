//! The dashboard in Chromium, in front of the simulator, beside what was measured of other dashboards.

mod bytes;
mod figure;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use masthead_tests::{SimOrder, SimWorld};
use serde_json::Value;

use crate::{
    browser,
    command::{command, run_reading},
    flags::Flags,
    npm, serve, sim, workspace,
};

pub(super) const WHAT: &str = "\
the dashboard in Chromium, before the simulator: first rows, filters, sorting, scrolling, memory, bytes
            --pods N,N    how many pods (default 5000,10000,50000,100000)
            --rounds N    the best of how many visits counts (default 3)
            --churn R     pods that change a second (default 1000)
            --dist DIR    measure this finished build, build nothing";

struct Options {
    pods: Vec<usize>,
    rounds: usize,
    churn: f64,
    dist: Option<PathBuf>,
}

impl Options {
    fn parse(mut flags: Flags<'_>) -> Result<Options> {
        let pods = vec![5_000, figure::PEERS_PODS, 50_000, 100_000];
        let mut options = Options { pods, rounds: 3, churn: 1000.0, dist: None };
        while let Some(word) = flags.word() {
            match word {
                "--pods" => options.pods = flags.numbers(word)?,
                "--rounds" => options.rounds = flags.number(word)?,
                "--churn" => options.churn = flags.number(word)?,
                "--dist" => options.dist = Some(flags.value(word)?.into()),
                other => return Err(flags.unknown(other)),
            }
        }
        Ok(options)
    }
}

pub(super) fn run(flags: Flags<'_>) -> Result<()> {
    let options = Options::parse(flags)?;
    let dist = match &options.dist {
        Some(dist) => dist.clone(),
        None => {
            let dist = workspace::target_dir().join("page");
            serve::build_page(&dist)?;
            dist
        }
    };
    npm::install(&workspace::root().join("tests/browser"))?;
    let mut columns = Vec::new();
    for pods in &options.pods {
        columns.push((*pods, measure(*pods, &options, &dist)?));
    }
    println!("\n{} changes a second, the best of {}", options.churn, options.rounds);
    println!("{}{}\n\n{}", figure::table(&columns), timeline(&dist)?, bytes::table(&dist)?);
    Ok(())
}

/// The figures of the page with so many pods, by name.
fn measure(pods: usize, options: &Options, dist: &Path) -> Result<Value> {
    let order = SimOrder { world: SimWorld::Pods(pods), churn: Some(options.churn), ..SimOrder::default() };
    told("web.mjs", &order, dist, &[pods, options.rounds])
}

/// How long the timeline takes to draw a frame: the median, one of twenty, and the longest.
fn timeline(dist: &Path) -> Result<String> {
    let order = SimOrder { world: SimWorld::Pods(TIMELINE_PODS), ..SimOrder::default() };
    let figures = told("timeline.mjs", &order, dist, &[])?;
    let [points, work] = ["points", "work"].map(|name| &figures[name]);
    Ok(format!("timeline with {points} points, ms a frame (median, p95, max): {work}"))
}

/// The timeline makes points of its own; with a busy cluster besides, that cluster would be measured.
const TIMELINE_PODS: usize = 100;

/// What a script tells of the page in front of a simulator: a JSON line.
fn told(script: &str, order: &SimOrder, dist: &Path, numbers: &[usize]) -> Result<Value> {
    let simulator = sim::Simulator::start(order, true)?;
    let server = serve::present(dist, &simulator.url)?;
    let mut node = command("node");
    // Every user of the machine reads arguments, and this one opens the API.
    node.current_dir(workspace::root().join("tests/browser/bench")).arg(script);
    node.env("MASTHEAD_ADDRESS", server.api_address());
    node.args(numbers.iter().map(usize::to_string)).arg(browser::ensure()?.chromium);
    let mut figures = None;
    let done = run_reading(&mut node, |line| figures = serde_json::from_str(line).ok())?;
    match figures.filter(|_| done) {
        Some(figures) => Ok(figures),
        None => bail!("the page could not be measured; what {script} says above is the reason"),
    }
}
