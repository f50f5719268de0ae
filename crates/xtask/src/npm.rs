//! `cargo xtask npm`: the npm package, as the tarball that would be published.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    command::{command, read, run as run_program},
    flags::Flags,
    serve,
    tool::{self, SearchPath},
    workspace,
};

const USAGE: &str = "\
cargo xtask npm [--page DIR]

Builds the npm package of crates/masthead-js with the dashboard inside, packs it, and prints where the tarball is.

  --page DIR   take the dashboard that `trunk build` made there instead of building it";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let mut page = None;
    let mut flags = Flags::new("npm", args);
    while let Some(word) = flags.word() {
        match word {
            "--help" | "-h" => {
                println!("{USAGE}");
                return Ok(());
            }
            "--page" => page = Some(PathBuf::from(flags.value(word)?)),
            other => return Err(flags.unknown(other)),
        }
    }
    println!("{}", pack(page.as_deref())?.display());
    Ok(())
}

/// Builds the library; gives the folder of the package, which has it in `dist`.
pub(crate) fn build() -> Result<PathBuf> {
    let folder = workspace::root().join("crates/masthead-js/npm");
    build_engine(&folder)?;
    install(&folder)?;
    run_program(command("node").arg("build.mjs").current_dir(&folder))?;
    Ok(folder)
}

/// Builds and packs the package with the dashboard in `page`, or with a fresh one; gives the tarball.
pub(crate) fn pack(page: Option<&Path>) -> Result<PathBuf> {
    let folder = build()?;
    let inside = folder.join("page");
    match page {
        Some(page) => copy(page, &inside)?,
        None => serve::build_page(&inside)?,
    }
    let licence = workspace::root().join("LICENSE");
    fs::copy(licence, folder.join("LICENSE")).context("could not copy LICENSE")?;
    let target = workspace::target_dir().join("package");
    fs::create_dir_all(&target).with_context(|| format!("could not make {}", target.display()))?;
    let mut npm = command("npm");
    npm.args(["pack", "--silent", "--pack-destination"]).arg(&target).current_dir(&folder);
    let name = read(&mut npm).context("npm pack")?;
    let name = name.lines().last().context("npm pack did not say what it made")?;
    Ok(target.join(name))
}

/// Installs what the lock file of a folder names.
pub(crate) fn install(folder: &Path) -> Result<()> {
    run_program(command("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder))
}

/// Unpacks a tarball as npm does, in place of what is in `folder`.
pub(crate) fn unpack(tarball: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("could not empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    run_program(
        command("tar").arg("--extract").arg("--file").arg(tarball).arg("--strip-components=1").arg("-C").arg(folder),
    )
}

/// Makes `dist/masthead.wasm` and the glue of it, unless they are newer than what they are made of.
fn build_engine(folder: &Path) -> Result<()> {
    tool::ensure_wasm_target()?;
    let mut cargo = command("cargo");
    cargo.args(["build", "--locked", "--profile", "npm", "--target", "wasm32-unknown-unknown"]);
    run_program(cargo.args(["--package", "masthead-js", "--config"]).arg(nameless()?))?;
    let made = workspace::target_dir().join("wasm32-unknown-unknown/npm/masthead_js.wasm");
    let (glue, engine) = (folder.join("src/glue"), folder.join("dist/masthead.wasm"));
    if is_newer(&engine, &made) && glue.join("masthead.js").exists() {
        return Ok(());
    }
    let dist = folder.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("could not empty {}", dist.display()))?;
    }
    fs::create_dir_all(&dist).with_context(|| format!("could not make {}", dist.display()))?;
    let tools = SearchPath::default().with(&tool::WASM_BINDGEN)?.with_wasm_opt()?;
    let mut bindgen = command("wasm-bindgen");
    // Where the module lies is for the facade to say: bundlers would look for it in the glue otherwise.
    bindgen.args(["--target", "web", "--omit-default-module-path", "--out-name", "masthead", "--out-dir"]).arg(&glue);
    run_program(bindgen.arg(&made).env("PATH", tools.value()?))?;
    let raw = glue.join("masthead_bg.wasm");
    let mut optimiser = command("wasm-opt");
    optimiser.arg("-O3").arg(&raw).arg("--output").arg(&engine).env("PATH", tools.value()?);
    run_program(&mut optimiser)?;
    fs::remove_file(&raw).with_context(|| format!("could not remove {}", raw.display()))
}

/// What keeps the paths of this machine out of the module, where panics would tell them.
fn nameless() -> Result<String> {
    let sources = tool::cargo_home()?.join("registry/src");
    let registries = sources.read_dir().with_context(|| format!("could not read {}", sources.display()))?;
    let flags = registries.flatten().map(|registry| format!("'--remap-path-prefix={}/='", registry.path().display()));
    Ok(format!("target.wasm32-unknown-unknown.rustflags=[{}]", flags.collect::<Vec<_>>().join(",")))
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    time(file).zip(time(than)).is_some_and(|(file, than)| file >= than)
}

/// Makes `to` a copy of the folder `from`.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.join("index.html").is_file() {
        bail!("{} holds no index.html: name the folder that `trunk build` made", from.display());
    }
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("could not empty {}", to.display()))?;
    }
    copy_files(from, to)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("could not make {}", to.display()))?;
    for entry in from.read_dir().with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry.with_context(|| format!("could not read {}", from.display()))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_files(&source, &target)?;
        } else {
            fs::copy(&source, &target).with_context(|| format!("could not copy {}", source.display()))?;
        }
    }
    Ok(())
}
