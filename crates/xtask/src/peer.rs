//! Masthead's side of comparisons and of pages that are killed: the crate in `tests/peers`, as a module for a page.

use std::path::Path;

use anyhow::Result;

use crate::{
    command::{command, run},
    tool::{self, SearchPath},
    workspace,
};

/// How it is built.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// To be tested.
    Dev,
    /// To be measured.
    Release,
}

/// Builds the module into `folder`.
pub(crate) fn build(folder: &Path, profile: Profile) -> Result<()> {
    tool::ensure_wasm_target()?;
    let target = "wasm32-unknown-unknown";
    let (flag, name) = match profile {
        Profile::Dev => (None, "debug"),
        Profile::Release => (Some("--release"), "release"),
    };
    let mut cargo = command("cargo");
    run(cargo.args(["build", "--locked", "--package", "masthead-peer", "--target", target]).args(flag))?;
    let module = workspace::target_dir().join(target).join(name).join("masthead_peer.wasm");
    let tools = SearchPath::default().with(&tool::WASM_BINDGEN)?;
    let mut wasm_bindgen = command("wasm-bindgen");
    wasm_bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(folder).arg(module);
    run(wasm_bindgen.env("PATH", tools.value()?))
}
