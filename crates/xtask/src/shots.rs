//! `cargo xtask shots`: pictures of the dashboard.

use anyhow::Result;

use crate::{
    browser,
    command::{command, run as run_program},
    flags::Flags,
    npm, running, serve, workspace,
};

const USAGE: &str = "\
cargo xtask shots

Builds the page, opens its demo cluster in Chromium and photographs eight pages of it in both themes, into web/screenshots.
Clock and chance are the same in every run, so that only what changed in the page changes in the pictures.";

pub(crate) fn run(args: &[String]) -> Result<()> {
    if Flags::new("shots", args).only_help(USAGE)? {
        return Ok(());
    }
    running::end_all_on_signal()?;
    let dist = workspace::target_dir().join("page");
    serve::build_page(&dist)?;
    let folder = workspace::root().join("tests/browser");
    npm::install(&folder)?;
    let mut node = command("node");
    node.current_dir(&folder)
        .arg("shots.mjs")
        .env("MASTHEAD_DIST", dist)
        .env("MASTHEAD_SHOTS", workspace::root().join("web/screenshots"))
        .env("MASTHEAD_XTASK", workspace::this_program()?)
        .env("CHROMIUM", browser::ensure()?.chromium);
    run_program(&mut node)
}
