//! Chromium and its driver, which the browser tests run in.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{
    command::{command, run},
    tool::find_on_path,
};

/// The two programs of a browser under test.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds Chromium and its driver, installing Debian's packages when they are missing and that is possible.
pub(crate) fn ensure() -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if find_on_path("apt-get").is_none() || !rustix::process::geteuid().is_root() {
        bail!(
            "the browser tests need Chromium and its driver on PATH: install the packages `chromium` and \
             `chromium-driver` (Debian, as root) or their like on this system, then run this again"
        );
    }
    println!("installing Chromium and its driver from Debian (about a minute, once)");
    run(command("apt-get").args(["update", "--quiet"]))?;
    let mut install = command("apt-get");
    install.args(["install", "--yes", "--quiet", "--no-install-recommends", "chromium", "chromium-driver"]);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))?;
    find().context("Debian's chromium and chromium-driver are installed but not on PATH")
}

fn find() -> Option<Browser> {
    let chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    Some(Browser { chromium: chromium.into_iter().find_map(find_on_path)?, driver: find_on_path("chromedriver")? })
}
