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

/// Whose informer: none but the reading of the bytes, client-node's, and the package's with a listener that looks at fields,
/// and at whole objects.
const CLIENTS: [&str; 4] = ["fetch", "client-node", "rows", "objects"];

/// What the package is meant to do beside client-node: how many times less.
const GOALS: [(&str, &str, f64); 3] =
    [("sync", "seconds", 3.0), ("memory", "live", 5.0), ("CPU of events", "steady", 1.0)];

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
                "--pods" => options.pods = flags.numbers(word)?,
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

/// The best of each, one after the other in every round: what slows the machine down slows all of them down.
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
            match best.get_mut(&place) {
                Some(known) => keep_least(known, &figures),
                None => drop(best.insert(place, figures)),
            }
        }
    }
    Ok(best.into_values().collect())
}

/// The least of each figure: whatever else the machine does makes it more.
fn keep_least(known: &mut Value, figures: &Value) {
    for (name, value) in figures.as_object().into_iter().flatten() {
        if value.as_f64().zip(known[name].as_f64()).is_some_and(|(value, known)| value < known) {
            known[name] = value.clone();
        }
    }
}

fn table(pods: usize, rows: &[Value]) -> Result<String> {
    let mut table = format!(
        "{pods} pods, {CHURN} changes a second\n{:<12} {:>9} {:>7} {:>9} {:>9} {:>9} {:>15}\n",
        "informer", "synced s", "CPU s", "live MB", "peak MB", "B/pod", "CPU s/10k events"
    );
    for row in rows {
        let shown =
            |value: Option<f64>, digits: usize| value.map_or("–".to_owned(), |value| format!("{value:.digits$}"));
        let number = |name: &str| row[name].as_f64();
        let each = number("live").zip(number("objects")).map(|(live, objects)| live / objects);
        table.push_str(&format!(
            "{:<12} {:>9} {:>7} {:>9} {:>9} {:>9} {:>15}\n",
            row["client"].as_str().unwrap_or_default(),
            shown(number("seconds"), 2),
            shown(number("cpu"), 2),
            shown(number("live").map(|bytes| bytes / 1e6), 1),
            shown(number("peak").map(|bytes| bytes / 1e6), 1),
            shown(each, 0),
            shown(number("steady"), 2),
        ));
    }
    table.push_str(&verdicts(rows)?);
    Ok(table)
}

/// How many times less the package takes than client-node, for each goal.
fn verdicts(rows: &[Value]) -> Result<String> {
    let of = |client: &str, name: &str| {
        let row = rows.iter().find(|row| row["client"] == client);
        row.and_then(|row| row[name].as_f64()).with_context(|| format!("no number {name} of {client}"))
    };
    let mut lines = String::new();
    for (what, name, goal) in GOALS {
        let peer = of("client-node", name)?;
        let [fields, objects] = [peer / of("rows", name)?, peer / of("objects", name)?];
        let verdict = if fields >= goal { "met" } else { "missed" };
        lines.push_str(&format!("{what}: {fields:.1}x less ({objects:.1}x with objects), goal {goal}x: {verdict}\n"));
    }
    Ok(lines)
}

/// What a page loads: the engine, and the modules of the web entry.
fn sizes(folder: &Path) -> Result<String> {
    let mut node = command("node");
    read(node.arg(workspace::root().join("tests/bench/package-size.mjs")).arg(folder))
}
