//! The rules about what is depended on, which cargo answers.

use anyhow::{Context, Result};

use crate::{
    command::{command, read},
    tool, workspace,
};

/// How many rules `check` looks at.
pub(super) const RULES: usize = 2;

/// Each rule with its findings.
pub(super) fn check() -> Result<[(&'static str, Vec<String>); RULES]> {
    Ok([
        ("what ships has no async runtime but the browser's", runtimes()?),
        ("wasm-bindgen is the same in the library and in the tools", versions()?),
    ])
}

fn runtimes() -> Result<Vec<String>> {
    let mut cargo = command("cargo");
    cargo.args(["tree", "--locked", "--edges", "normal", "--target", "wasm32-unknown-unknown", "--prefix", "none"]);
    let tree = read(cargo.args(["--package", "masthead", "--package", "masthead-web"])).context("cargo tree")?;
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let mut found: Vec<String> =
        names.filter(|name| matches!(*name, "tokio" | "async-std" | "smol")).map(str::to_owned).collect();
    found.dedup();
    Ok(found)
}

fn versions() -> Result<Vec<String>> {
    let manifest =
        std::fs::read_to_string(workspace::root().join("Cargo.toml")).context("could not read Cargo.toml")?;
    let trunk = std::fs::read_to_string(workspace::root().join("Trunk.toml")).context("could not read Trunk.toml")?;
    let pinned = tool::WASM_BINDGEN.version();
    let expected = [
        (&manifest, "Cargo.toml", format!("wasm-bindgen = \"={pinned}\"")),
        (&trunk, "Trunk.toml", format!("wasm_bindgen = \"{pinned}\"")),
    ];
    let missing = expected.into_iter().filter(|(text, _, line)| !text.lines().any(|l| l == line));
    Ok(missing.map(|(_, file, line)| format!("{file} has no line `{line}`")).collect())
}
