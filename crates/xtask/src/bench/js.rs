//! The npm package: its size, and its informer beside client-node's on the same simulated pods.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, bail};
use masthead_tests::{SimOrder, SimWorld};
use serde_json::Value;

use crate::{
    command::{command, read, run_reading},
    flags::Flags,
    npm, sim, workspace,
};

pub(super) const WHAT: &str = "\
the npm package: size; sync, memory and changes of its informer beside client-node's, in Node
            --pods N,N    how many pods (default 10000,50000)
            --rounds N    the best of how many runs counts (default 3)
            --events N    over how many changes CPU is measured (default 10000)";

/// Changes a second: what a busy cluster of ten thousand pods has.
const CHURN: f64 = 500.0;

/// Whose informer: client-node's, and the package's with a listener that looks at fields, and at whole objects.
const CLIENTS: [&str; 3] = ["client-node", "rows", "objects"];

struct Options {
    pods: Vec<usize>,
    rounds: usize,
    events: u32,
}

impl Options {
    fn parse(mut flags: Flags<'_>) -> Result<Options> {
        let mut options = Options { pods: vec![10_000, 50_000], rounds: 3, events: 10_000 };
        while let Some(word) = flags.word() {
            match word {
                "--pods" => {
                    let given = flags.value(word)?;
                    let pods: Result<Vec<usize>, _> = given.split(',').map(str::parse).collect();
                    options.pods =
                        pods.with_context(|| format!("--pods takes numbers with commas between, not `{given}`"))?;
                }
                "--rounds" => options.rounds = flags.number(word)?,
                "--events" => options.events = flags.number(word)?,
                other => return Err(flags.unknown(other)),
            }
        }
        Ok(options)
    }
}

pub(super) fn run(flags: Flags<'_>) -> Result<()> {
    let options = Options::parse(flags)?;
    let folder = npm::build()?;
    let scripts = workspace::root().join("tests/peers/javascript");
    npm::install(&scripts)?;
    let sizes = sizes(&folder)?;
    let mut tables = Vec::new();
    for pods in &options.pods {
        tables.push(table(*pods, &measure(*pods, &options, &scripts, &folder)?)?);
    }
    println!("\n{sizes}\n{}", tables.join("\n"));
    Ok(())
}

/// The best run of each, one after the other in every round: what slows the machine down slows all of them down.
fn measure(pods: usize, options: &Options, scripts: &Path, folder: &Path) -> Result<Vec<Value>> {
    let order = SimOrder { world: SimWorld::Pods(pods), churn: Some(CHURN), ..SimOrder::default() };
    let simulator = sim::Simulator::start(&order, true)?;
    let mut best: BTreeMap<usize, Value> = BTreeMap::new();
    for _ in 0..options.rounds {
        for (place, client) in CLIENTS.iter().enumerate() {
            let mut node = command("node_modules/.bin/node");
            node.current_dir(scripts).args(["--expose-gc", "--max-old-space-size=8192", "informer.mjs", client]);
            node.arg(&simulator.url).arg(options.events.to_string()).arg(folder);
            let mut figures = None;
            let done = run_reading(&mut node, |line| figures = serde_json::from_str::<Value>(line).ok())?;
            let Some(figures) = figures.filter(|_| done) else {
                bail!("{client} failed; what it says above is the reason");
            };
            let faster = |known: &Value| figures["seconds"].as_f64() < known["seconds"].as_f64();
            if best.get(&place).is_none_or(faster) {
                best.insert(place, figures);
            }
        }
    }
    Ok(best.into_values().collect())
}

fn table(pods: usize, rows: &[Value]) -> Result<String> {
    let mut table = format!(
        "{pods} pods, {CHURN} changes a second\n{:<12} {:>9} {:>7} {:>9} {:>9} {:>9} {:>15}\n",
        "informer", "synced s", "CPU s", "live MB", "peak MB", "B/pod", "CPU s/10k events"
    );
    for row in rows {
        let number = |name: &str| row[name].as_f64().with_context(|| format!("no number {name} in {row}"));
        table.push_str(&format!(
            "{:<12} {:>9.2} {:>7.2} {:>9.1} {:>9.1} {:>9.0} {:>15.2}\n",
            row["client"].as_str().unwrap_or_default(),
            number("seconds")?,
            number("cpu")?,
            number("live")? / 1e6,
            number("peak")? / 1e6,
            number("live")? / number("objects")?,
            number("steady")?,
        ));
    }
    Ok(table)
}

/// What a page loads: the engine, and the modules of the web entry.
fn sizes(folder: &Path) -> Result<String> {
    let mut node = command("node");
    read(node.arg(workspace::root().join("tests/bench/package-size.mjs")).arg(folder))
}
