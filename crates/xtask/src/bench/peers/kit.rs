//! The programs that are measured, built.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{
    browser,
    command::{command, run},
    peer, tool, workspace,
};

/// What the peers are run with.
pub(super) struct Kit {
    client_go: PathBuf,
    scripts: PathBuf,
    page: PathBuf,
    chromium: PathBuf,
}

/// What the page is made of, beside what wasm-bindgen makes.
const PAGE: &[&str] = &["index.html", "page.mjs", "pods.mjs", "heartbeat.mjs"];

impl Kit {
    /// Builds or installs everything.
    pub(super) fn make() -> Result<Kit> {
        for program in ["curl", "go", "npm"] {
            if tool::find_on_path(program).is_none() {
                bail!("`cargo xtask bench peers` needs {program} on PATH");
            }
        }
        let chromium = browser::ensure()?.chromium;
        let source = workspace::root().join("tests/peers");
        let built = workspace::target_dir().join("peers");
        fs::create_dir_all(&built).with_context(|| format!("could not make {}", built.display()))?;
        // Programs are started in other folders than this one.
        let built = built.canonicalize().with_context(|| format!("could not find {}", built.display()))?;

        let client_go = built.join("client-go");
        let mut go = command("go");
        run(go.args(["build", "-trimpath", "-o"]).arg(&client_go).current_dir(source.join("client-go")))?;

        let scripts = source.join("javascript");
        run(command("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&scripts))?;

        let page = built.join("page");
        peer::build(&page, peer::Profile::Release)?;
        for file in PAGE {
            fs::copy(scripts.join(file), page.join(file)).with_context(|| format!("could not copy {file}"))?;
        }
        Ok(Kit { client_go, scripts, page, chromium })
    }

    /// The folder of the page, and of the module that Node runs.
    pub(super) fn page(&self) -> &Path {
        &self.page
    }

    pub(super) fn chromium(&self) -> &Path {
        &self.chromium
    }

    /// client-go's program.
    pub(super) fn client_go(&self) -> Command {
        command(&self.client_go)
    }

    /// A script, in the Node that client-node needs: it may be newer than the one that all else makes do with.
    pub(super) fn node(&self, script: &str) -> Command {
        let mut node = command("node_modules/.bin/node");
        node.current_dir(&self.scripts).args(["--expose-gc", script]);
        node
    }

    /// A file that one run writes and the next one may write again.
    pub(super) fn scratch(&self) -> PathBuf {
        self.client_go.with_file_name("scratch")
    }
}
