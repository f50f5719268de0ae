//! The simulator: what many pods cost, and what lists, watches and writes do.

use anyhow::Result;

use crate::{
    command::{command, run},
    flags::Flags,
    tool::{self, SearchPath},
};

/// Measures natively, then the same as WebAssembly in Node.
pub(super) fn run_both(mut flags: Flags<'_>) -> Result<()> {
    if let Some(word) = flags.word() {
        return Err(flags.unknown(word));
    }
    run(command("cargo").args(["bench", "--locked", "--package", "masthead-sim", "--bench", "native"]))?;
    tool::ensure_wasm_target()?;
    let tools = SearchPath::default().with(&tool::WASM_BINDGEN)?;
    let mut cargo = command("cargo");
    // Not `cargo bench`: the runner would look for benchmarks of its own kind and find none.
    cargo.args(["test", "--release", "--locked", "--package", "masthead-sim", "--target", "wasm32-unknown-unknown"]);
    cargo.args(["--bench", "wasm", "--", "--nocapture"]);
    run(cargo.env("PATH", tools.value()?).env("WASM_BINDGEN_TEST_TIMEOUT", "1800"))
}
