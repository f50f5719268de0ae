//! What generated clients add to a program: the same task by the generic client and by the generated one, weighed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    command::{command, read, run as run_program},
    flags::Flags,
    tool::{self, SearchPath},
    workspace,
};

/// How much more a program on generated clients may weigh.
const MOST_PERCENT: f64 = 5.0;

/// Programs of `tests/bench/size` that do the same: by the generic client, and by what is generated.
const PAIRS: &[(&str, &str, &str)] =
    &[("list pods", "list-generic", "list-clientset"), ("informer of pods", "inform-generic", "inform-factory")];

/// Bytes of a program as it is, and compressed in two ways.
struct Weight {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

pub(super) fn run(mut flags: Flags<'_>) -> Result<()> {
    if let Some(word) = flags.word() {
        return Err(flags.unknown(word));
    }
    tool::ensure_wasm_target()?;
    let tools = SearchPath::default().with(&tool::WASM_BINDGEN)?.with_wasm_opt()?;
    let (mut lines, mut heavy) = (Vec::new(), Vec::new());
    for (task, generic, generated) in PAIRS {
        let (plain, named) = (weight(generic, &tools)?, weight(generated, &tools)?);
        let share = (named.raw as f64 / plain.raw as f64 - 1.0) * 100.0;
        lines.push(row(&format!("{task}, {generic}"), &plain));
        lines.push(format!("{}  {share:+.2}%", row(&format!("{task}, {generated}"), &named)));
        if share > MOST_PERCENT {
            heavy.push(format!("{generated} is {share:.1}% heavier than {generic}, at most {MOST_PERCENT}%"));
        }
    }
    println!("\n{:<38}{:>10}{:>10}{:>10}\n{}", ".wasm, bytes", "raw", "gzip", "brotli", lines.join("\n"));
    if !heavy.is_empty() {
        bail!("{}", heavy.join("; "));
    }
    Ok(())
}

fn row(name: &str, weight: &Weight) -> String {
    format!("{name:<38}{:>10}{:>10}{:>10}", weight.raw, weight.gzip, weight.brotli)
}

/// Builds a program as the page is built, and weighs it.
fn weight(program: &str, tools: &SearchPath) -> Result<Weight> {
    let folder = workspace::target_dir().join("size").join(program);
    let mut cargo = command("cargo");
    cargo.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown", "--package", "masthead-size"]);
    run_program(cargo.args(["--features", program]))?;
    let built = workspace::target_dir().join("wasm32-unknown-unknown/release/masthead_size.wasm");
    let mut bindgen = command("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(&folder).env("PATH", tools.value()?);
    run_program(bindgen.arg(built))?;
    let (bound, small) = (folder.join("masthead_size_bg.wasm"), folder.join("small.wasm"));
    let mut wasm_opt = command("wasm-opt");
    wasm_opt.args(["-Oz", "--all-features", "-o"]).arg(&small).arg(&bound).env("PATH", tools.value()?);
    run_program(&mut wasm_opt)?;
    weigh(&small)
}

fn weigh(file: &Path) -> Result<Weight> {
    const SCRIPT: &str = "const z = require('zlib'), b = require('fs').readFileSync(process.argv[1]); \
                          console.log(z.gzipSync(b, { level: 9 }).length, z.brotliCompressSync(b).length)";
    let raw = fs::metadata(file).with_context(|| format!("{} was not built", file.display()))?.len();
    let told = read(command("node").args(["-e", SCRIPT]).arg(PathBuf::from(file)))?;
    let numbers: Vec<u64> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [gzip, brotli] = numbers[..] else { bail!("node told `{told}` instead of two sizes") };
    Ok(Weight { raw, gzip, brotli })
}
