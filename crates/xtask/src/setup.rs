//! `cargo xtask setup`: installs what `serve` and `test` would install when they need it.

use anyhow::Result;

use crate::{browser, flags::Flags, running, tool};

const USAGE: &str = "\
cargo xtask setup

Installs, from the package registries and only when missing: the compiler's wasm32 target, trunk, wasm-bindgen, wasm-pack,
wasm-opt, and (as root on Debian) Chromium with its driver. Afterwards plain `trunk serve` works beside `kubectl proxy`.";

pub(crate) fn run(args: &[String]) -> Result<()> {
    if Flags::new("setup", args).only_help(USAGE)? {
        return Ok(());
    }
    running::end_all_on_signal()?;
    tool::ensure_wasm_target()?;
    tool::SearchPath::default()
        .with(&tool::TRUNK)?
        .with(&tool::WASM_BINDGEN)?
        .with(&tool::WASM_PACK)?
        .with_wasm_opt()?;
    browser::ensure()?;
    println!("everything is installed; next: cargo xtask serve");
    Ok(())
}
