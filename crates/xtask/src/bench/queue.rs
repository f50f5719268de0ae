//! Work queues and the event correlator beside client-go's, in the same run.

use std::{collections::BTreeMap, process::Command};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    command::{command, run as run_program, run_reading},
    flags::Flags,
    tool::{self, SearchPath},
    workspace,
};

pub(super) const WHAT: &str = "work queues and the event correlator: client-go, and Masthead native and in Node";

/// Everyone runs this often, in turns: what slows the machine down for a while slows all of them down.
const ROUNDS: usize = 3;

/// How long something takes an item.
struct Figure {
    name: String,
    nanos: f64,
}

/// The best figures of one of those that are measured, by name, and the names in their order.
#[derive(Default)]
struct Best {
    order: Vec<String>,
    nanos: BTreeMap<String, f64>,
}

pub(super) fn run(mut flags: Flags<'_>) -> Result<()> {
    if let Some(word) = flags.word() {
        return Err(flags.unknown(word));
    }
    if tool::find_on_path("go").is_none() {
        bail!("`cargo xtask bench queue` needs go on PATH");
    }
    tool::ensure_wasm_target()?;
    let client_go = workspace::target_dir().join("peers/client-go");
    let mut go = command("go");
    go.args(["build", "-trimpath", "-o"]).arg(&client_go);
    run_program(go.current_dir(workspace::root().join("tests/peers/client-go")))?;
    let tools = SearchPath::default().with(&tool::WASM_BINDGEN)?;

    let mut best: [Best; 3] = Default::default();
    for round in 1..=ROUNDS {
        println!("round {round} of {ROUNDS}");
        let mut node = masthead("test", "queue_wasm");
        node.args(["--release", "--target", "wasm32-unknown-unknown", "--", "--nocapture"]);
        node.env("PATH", tools.value()?).env("WASM_BINDGEN_TEST_TIMEOUT", "600");
        let measured = [
            command(&client_go).arg("queue").env("GOMAXPROCS", "1"),
            &mut masthead("bench", "queue_native"),
            &mut node,
        ]
        .map(figures);
        for (best, measured) in best.iter_mut().zip(measured) {
            best.add(measured?);
        }
    }
    print!("\n{}", table(&best));
    Ok(())
}

/// Cargo with one of the library's benchmarks.
fn masthead(verb: &str, bench: &str) -> Command {
    let mut cargo = command("cargo");
    cargo.args([verb, "--locked", "--package", "masthead-peer", "--bench", bench]);
    cargo
}

/// What a program measures: a JSON array on a line, or an object a line, among whatever else it says.
fn figures(program: &mut Command) -> Result<Vec<Figure>> {
    let mut figures: Vec<Figure> = Vec::new();
    let done = run_reading(program, |line| match serde_json::from_str(line.trim()) {
        Ok(Value::Array(all)) => figures.extend(all.iter().filter_map(figure)),
        Ok(one) => figures.extend(figure(&one)),
        Err(_) => {}
    })?;
    if !done || figures.is_empty() {
        bail!("the measurement failed; what it says above is the reason");
    }
    Ok(figures)
}

fn figure(value: &Value) -> Option<Figure> {
    Some(Figure { name: value["name"].as_str()?.to_owned(), nanos: value["nanos"].as_f64()? })
}

impl Best {
    fn add(&mut self, figures: Vec<Figure>) {
        for Figure { name, nanos } in figures {
            if !self.order.contains(&name) {
                self.order.push(name.clone());
            }
            let best = self.nanos.entry(name).or_insert(nanos);
            *best = best.min(nanos);
        }
    }
}

fn table([client_go, native, node]: &[Best; 3]) -> String {
    let mut table = format!(
        "{:<36}{:>12}{:>12}{:>8}{:>12}{:>8}\n",
        "processor ns an item", "client-go", "native", "times", "Node", "times"
    );
    for name in &client_go.order {
        let line = || {
            let of = |best: &Best| best.nanos.get(name).copied().with_context(|| format!("no figure for {name}"));
            let (peer, native, node) = (of(client_go)?, of(native)?, of(node)?);
            let (faster, faster_in_node) = (peer / native, peer / node);
            Ok(format!("{name:<36}{peer:>12.0}{native:>12.0}{faster:>7.1}x{node:>12.0}{faster_in_node:>7.1}x\n"))
        };
        table.push_str(&line().unwrap_or_else(|error: anyhow::Error| format!("{error}\n")));
    }
    table
}
