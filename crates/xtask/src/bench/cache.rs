//! Caches of pods, by `tests/bench`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    browser,
    command::{command, run as run_program, run_reading},
    flags::Flags,
    tool::{self, SearchPath},
    workspace,
};

pub(super) const WHAT: &str = "\
ingest, memory and updates of pods: JSON.parse into a Map, and informers of typed, lean and packed pods
            --pods N,N    how many pods (default 5000,50000,100000)
            --rounds N    the best of how many runs counts (default 3)
            --node        in Node alone
            --chromium    in Chromium alone";

/// How much is measured, and where.
struct Options {
    pods: String,
    rounds: u32,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Both,
    Node,
    Chromium,
}

impl Options {
    fn parse(mut flags: Flags<'_>) -> Result<Options> {
        let mut options = Options { pods: "5000,50000,100000".to_owned(), rounds: 3, place: Place::Both };
        while let Some(word) = flags.word() {
            match word {
                "--pods" => {
                    flags.value(word)?.clone_into(&mut options.pods);
                    if options.pods.split(',').any(|count| count.parse::<u32>().is_err()) {
                        bail!("--pods takes numbers with commas between, not `{}`", options.pods);
                    }
                }
                "--rounds" => options.rounds = flags.number(word)?,
                "--node" => options.place = Place::Node,
                "--chromium" => options.place = Place::Chromium,
                other => return Err(flags.unknown(other)),
            }
        }
        Ok(options)
    }
}

pub(super) fn run(flags: Flags<'_>) -> Result<()> {
    let options = &Options::parse(flags)?;
    let folder = build()?;
    let mut tables = Vec::new();
    if options.place != Place::Chromium {
        let script = ["--expose-gc", "--max-old-space-size=8192", "tests/bench/node.mjs"];
        tables.push(("Node", rows(&script, &folder, options, None)?));
    }
    if options.place != Place::Node {
        let chromium = browser::ensure()?.chromium;
        tables.push(("Chromium", rows(&["tests/bench/chromium.mjs"], &folder, options, Some(&chromium))?));
    }
    for (place, rows) in tables {
        println!("\n{}", table(place, &rows));
    }
    Ok(())
}

/// Builds the measured module; gives the folder it is in.
fn build() -> Result<PathBuf> {
    tool::ensure_wasm_target()?;
    let mut cargo = command("cargo");
    cargo.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown", "--package", "masthead-bench"]);
    run_program(&mut cargo)?;
    let (target, tools) = (workspace::target_dir(), SearchPath::default().with(&tool::WASM_BINDGEN)?);
    let folder = target.join("bench");
    let mut bindgen = command("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(&folder).env("PATH", tools.value()?);
    run_program(bindgen.arg(target.join("wasm32-unknown-unknown/release/masthead_bench.wasm")))?;
    Ok(folder)
}

/// Runs a script of `tests/bench`, which prints a row of the table a line.
fn rows(script: &[&str], folder: &Path, options: &Options, browser: Option<&Path>) -> Result<Vec<Value>> {
    let mut node = command("node");
    node.args(script).arg(folder).arg(&options.pods).arg(options.rounds.to_string()).args(browser);
    let mut rows = Vec::new();
    let done = run_reading(&mut node, |line| rows.extend(serde_json::from_str::<Value>(line)))?;
    if !done || rows.is_empty() {
        bail!("the measurement failed; what it says above is the reason");
    }
    Ok(rows)
}

fn table(place: &str, rows: &[Value]) -> String {
    let mut table = format!(
        "{place}\n{:>7} {:<7} {:>8} {:>7} {:>6} {:>10} {:>7} {:>7} {:>10} {:>10}\n",
        "pods", "form", "seconds", "MB/s", "times", "live MB", "B/pod", "memory", "update µs", "unpack µs"
    );
    for row in rows {
        let floor = rows.iter().find(|floor| floor["form"] == "js" && floor["size"] == row["size"]);
        table.push_str(&line(row, floor.unwrap_or(row)).unwrap_or_else(|error| format!("{row}: {error}\n")));
    }
    table
}

fn line(row: &Value, floor: &Value) -> Result<String> {
    let number = |row: &Value, name: &str| row[name].as_f64().with_context(|| format!("no number {name}"));
    let optional = |name: &str| row[name].as_f64().map_or(String::new(), |value| format!("{value:.1}"));
    let (live, count) = (number(row, "live")?, number(row, "count")?);
    Ok(format!(
        "{:>7} {:<7} {:>8.2} {:>7.0} {:>5.1}x {:>10.1} {:>7.0} {:>7} {:>10} {:>10}\n",
        number(row, "size")?,
        row["form"].as_str().unwrap_or_default(),
        number(row, "seconds")?,
        number(row, "speed")?,
        number(row, "speed")? / number(floor, "speed")?,
        live / 1e6,
        live / count,
        format!("1/{:.1}", number(floor, "live")? / live),
        optional("update"),
        optional("unpack"),
    ))
}
