//! The test files of what ships as WebAssembly, by wasm-pack.

use anyhow::{Context, Result, bail};

use super::{stages::tests, tally::Tally};
use crate::{
    browser,
    command::command,
    tool::{self, SearchPath},
    workspace,
};

/// One way to run them.
pub(super) struct Wasm<'a> {
    runner: Vec<String>,
    /// How the runner is told to take files that name no place of their own; in Node it takes them unasked.
    place: Option<&'static str>,
    tools: SearchPath,
    /// The remote control of the cluster they may use.
    remote: Option<&'a str>,
}

impl<'a> Wasm<'a> {
    pub(super) fn in_node(remote: Option<&'a str>) -> Result<Wasm<'a>> {
        Wasm::new(vec!["--node".to_owned()], None, remote)
    }

    pub(super) fn in_chromium(remote: Option<&'a str>) -> Result<Wasm<'a>> {
        let driver = browser::ensure()?.driver;
        let driver = driver.to_str().context("the path of chromedriver is not text")?;
        let runner = ["--headless", "--chrome", "--chromedriver", driver];
        Wasm::new(runner.map(str::to_owned).to_vec(), Some("WASM_BINDGEN_USE_BROWSER"), remote)
    }

    fn new(runner: Vec<String>, place: Option<&'static str>, remote: Option<&'a str>) -> Result<Wasm<'a>> {
        tool::ensure_wasm_target()?;
        let tools = SearchPath::default().with(&tool::WASM_PACK)?.with(&tool::WASM_BINDGEN)?;
        Ok(Wasm { runner, place, tools, remote })
    }

    /// Runs each test file of `package`, a crate's folder, whose name begins with `prefix`.
    ///
    /// Files for Node and files for a browser cannot be in one run, since either runner passes over the other's without a
    /// word.
    pub(super) fn suites(&self, package: &str, prefix: &str, tally: &mut Tally) -> Result<()> {
        let folder = workspace::root().join(package).join("tests");
        let files = folder.read_dir().with_context(|| format!("could not read {}", folder.display()))?;
        let mut suites: Vec<String> = files
            .filter_map(|file| file.ok()?.file_name().to_str()?.strip_suffix(".rs").map(str::to_owned))
            .filter(|name| name.starts_with(prefix))
            .collect();
        suites.sort();
        if suites.is_empty() {
            bail!("no test file begins with {prefix} in {}", folder.display());
        }
        for suite in &suites {
            let mut wasm_pack = command("wasm-pack");
            wasm_pack.arg("test").args(&self.runner).args(["--mode", "no-install", package, "--locked"]);
            wasm_pack.args(["--test", suite]).env("PATH", self.tools.value()?);
            wasm_pack.envs(self.place.map(|place| (place, "1")));
            if let Some(remote) = self.remote {
                // A page has no environment, so that the address is compiled in.
                wasm_pack.env("MASTHEAD_REMOTE", remote).env("WASM_BINDGEN_TEST_TIMEOUT", "300");
            }
            tests(&mut wasm_pack, tally)?;
        }
        Ok(())
    }
}
