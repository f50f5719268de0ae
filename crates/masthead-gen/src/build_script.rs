//! The generators in a build script.

use std::{env, path::PathBuf};

use anyhow::{Context, Result};

use crate::{Generation, generation::INCLUDED};

/// Generates clients, listers and informers while cargo builds, for a crate that keeps no generated files.
///
/// In `build.rs`:
///
/// ```no_run
/// fn main() -> anyhow::Result<()> {
///     masthead_gen::build(&["src/api"])
/// }
/// ```
///
/// In the crate: `mod generated { include!(concat!(env!("OUT_DIR"), "/masthead.rs")); }`. Expansions are modules of the
/// crate then, since the generated ones lie elsewhere.
///
/// # Errors
///
/// What [`Generation::output`] fails with; being called by anything but cargo.
#[expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]
pub fn build(inputs: &[&str]) -> Result<()> {
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).context("cargo sets OUT_DIR for build scripts")?;
    let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
    for input in &inputs {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    let generation =
        Generation { root: Some(folder.join(INCLUDED)), format: false, ..Generation::all(&inputs, &folder) };
    generation.output()?.write().map(drop)
}
