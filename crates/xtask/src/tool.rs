//! The programs that building and testing need beside cargo, Node and Go, each pinned and installed when missing.
//!
//! A tool already on `PATH` in the pinned version is used. One that is missing goes where `cargo install` puts it, so
//! that plain `trunk serve` finds it too; one that is there in another version is left alone, and ours goes to a folder
//! of its own in the cache.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use masthead_tests::cache_dir;

use crate::command::{command, read, run};

/// A program that comes from the crates registry.
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: &'static str,
    install: &'static [&'static str],
    takes: &'static str,
}

pub(crate) const TRUNK: Tool = Tool {
    package: "trunk",
    program: "trunk",
    // 0.22 asks for a newer compiler than rust-toolchain.toml names.
    version: "0.21.14",
    install: &["--locked", "--no-default-features", "--features", "rustls"],
    takes: "three minutes",
};

pub(crate) const WASM_BINDGEN: Tool = Tool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    // The same as `wasm-bindgen` in Cargo.toml, which pins it exactly; `tidy` compares them.
    version: "0.2.130",
    // Not `--locked`: the lock file it was published with names a crate version that is no longer to be had.
    install: &["--no-default-features"],
    takes: "one minute",
};

pub(crate) const WASM_PACK: Tool =
    Tool { package: "wasm-pack", program: "wasm-pack", version: "0.15.1", install: &["--locked"], takes: "one minute" };

/// binaryen's version in the npm registry, which carries `wasm-opt` inside the package.
const BINARYEN: &str = "132.0.0";

/// The folders to search before `PATH`, in order, for the tools that were asked for.
#[derive(Default)]
pub(crate) struct SearchPath {
    folders: Vec<PathBuf>,
}

impl Tool {
    pub(crate) fn version(&self) -> &'static str {
        self.version
    }

    /// The folder that holds this tool in its pinned version, after installing it if need be.
    fn folder(&self) -> Result<PathBuf> {
        let found = find_on_path(self.program);
        if let Some(program) = &found
            && self.is_pinned_version(program)
        {
            return parent(program);
        }
        let own = cache_dir()?.join("tools").join(format!("{}-{}", self.package, self.version));
        let program = own.join("bin").join(self.program);
        if self.is_pinned_version(&program) {
            return parent(&program);
        }
        self.install(found.is_some().then_some(own.as_path()))?;
        match find_on_path(self.program).filter(|program| self.is_pinned_version(program)) {
            Some(program) => parent(&program),
            None if self.is_pinned_version(&program) => parent(&program),
            None => self.in_cargo_home(),
        }
    }

    fn install(&self, root: Option<&Path>) -> Result<()> {
        println!("installing {} {} (about {}, once)", self.package, self.version, self.takes);
        let mut cargo = command("cargo");
        cargo.args(["install", self.package, "--version", self.version]).args(self.install);
        if let Some(root) = root {
            cargo.arg("--root").arg(root);
        }
        // A tool that runs for seconds is not worth minutes of optimising.
        cargo
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            .env_remove("CARGO_TARGET_DIR");
        run(&mut cargo)
    }

    /// Where `cargo install` puts programs, when that folder is not on `PATH`.
    fn in_cargo_home(&self) -> Result<PathBuf> {
        let folder = cargo_home()?.join("bin");
        if !self.is_pinned_version(&folder.join(self.program)) {
            bail!("{} {} was installed but is not in {}", self.package, self.version, folder.display());
        }
        Ok(folder)
    }

    fn is_pinned_version(&self, program: &Path) -> bool {
        program.exists()
            && read(Command::new(program).arg("--version"))
                .is_ok_and(|text| text.split_whitespace().nth(1) == Some(self.version))
    }
}

/// Where cargo keeps what it installs and downloads.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    home.context("neither CARGO_HOME nor HOME is set")
}

impl SearchPath {
    /// Adds a tool, installing it when it is missing.
    pub(crate) fn with(mut self, tool: &Tool) -> Result<SearchPath> {
        self.folders.push(tool.folder()?);
        Ok(self)
    }

    /// Adds binaryen's `wasm-opt`.
    pub(crate) fn with_wasm_opt(mut self) -> Result<SearchPath> {
        let prefix = cache_dir()?.join("tools").join(format!("binaryen-{BINARYEN}"));
        let folder = prefix.join("node_modules").join(".bin");
        if !folder.join("wasm-opt").exists() {
            println!("installing binaryen {BINARYEN} from npm (a few seconds, once)");
            fs::create_dir_all(&prefix).with_context(|| format!("could not make {}", prefix.display()))?;
            let mut npm = command("npm");
            npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(&prefix);
            run(npm.arg(format!("binaryen@{BINARYEN}")))?;
        }
        self.folders.push(folder);
        Ok(self)
    }

    /// The value for a child's `PATH`.
    pub(crate) fn value(&self) -> Result<OsString> {
        let rest = env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned().chain(env::split_paths(&rest));
        env::join_paths(folders).context("a folder with a colon in its name cannot be on PATH")
    }
}

/// The first file of that name on `PATH`.
pub(crate) fn find_on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Makes the compiler able to build WebAssembly.
pub(crate) fn ensure_wasm_target() -> Result<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let installed = read(command("rustup").args(["target", "list", "--installed"]))
        .context("rustup is needed for the wasm32 target: install Rust with rustup")?;
    if installed.lines().any(|line| line == TARGET) {
        return Ok(());
    }
    println!("installing the compiler's {TARGET} target (a few seconds, once)");
    run(command("rustup").args(["target", "add", TARGET]))
}

fn parent(program: &Path) -> Result<PathBuf> {
    Ok(program.parent().context("a program lies in a folder")?.to_owned())
}
