//! The stages of `cargo xtask test`, cheapest first.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use masthead_tests::{Cluster, Remote};

use super::{tally::Tally, wasm::Wasm};
use crate::{
    browser,
    command::{command, run, run_reading, shown},
    generate,
    lease::Lease,
    npm, peer, serve, tidy, tool, workspace,
};

/// One part of the whole run.
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// Adds to the tally what ran; an error is a failure, counted or not.
    pub(super) run: fn(&mut Tally) -> Result<()>,
}

pub(super) const STAGES: &[Stage] = &[
    Stage { name: "fmt", what: "the formatter has nothing to change", run: fmt },
    Stage { name: "tidy", what: "invariants and file rules", run: tidy_rules },
    Stage { name: "gen", what: "generated files are what would be generated", run: generated },
    Stage { name: "clippy", what: "lints, on this machine", run: clippy },
    Stage { name: "clippy-wasm", what: "lints, on wasm32", run: clippy_wasm },
    Stage { name: "doc", what: "rustdoc without a warning, native and wasm32", run: doc },
    Stage { name: "native", what: "tests on this machine, without a network", run: native },
    Stage { name: "wasm-node", what: "the library and the simulator as WebAssembly in Node", run: wasm_node },
    Stage { name: "wasm-chromium", what: "both in headless Chromium", run: wasm_chromium },
    Stage { name: "cluster", what: "tests on a real control plane", run: real_cluster },
    Stage { name: "wasm-cluster", what: "the library in Node and Chromium on a real control plane", run: wasm_cluster },
    Stage { name: "browser", what: "the page in Chromium on a real control plane", run: page },
    Stage {
        name: "npm",
        what: "the npm package by everything that loads it, on a real control plane",
        run: npm_package,
    },
];

/// The crates that ship as WebAssembly.
#[rustfmt::skip]
const SHIPPED: &[&str] = &[
    "--package", "masthead", "--package", "masthead-demo", "--package", "masthead-js", "--package", "masthead-scan",
    "--package", "masthead-sim", "--package", "masthead-web",
];
const LIBRARY: &str = "crates/masthead";
const SIMULATOR: &str = "crates/masthead-sim";
const WASM32: &[&str] = &["--target", "wasm32-unknown-unknown"];

fn fmt(tally: &mut Tally) -> Result<()> {
    check(command("cargo").args(["fmt", "--all", "--check"]), tally)
}

fn tidy_rules(tally: &mut Tally) -> Result<()> {
    let (rules, findings) = tidy::check()?;
    tally.passed += rules.saturating_sub(findings);
    tally.failed += findings;
    Ok(())
}

fn generated(tally: &mut Tally) -> Result<()> {
    generate::check()?;
    tally.passed += 1;
    Ok(())
}

fn clippy(tally: &mut Tally) -> Result<()> {
    let mut cargo = command("cargo");
    cargo.args(["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"]);
    check(&mut cargo, tally)
}

fn clippy_wasm(tally: &mut Tally) -> Result<()> {
    tool::ensure_wasm_target()?;
    let mut cargo = command("cargo");
    cargo.args(["clippy", "--all-targets", "--locked"]).args(SHIPPED);
    cargo.args(["--package", "masthead-bench", "--package", "masthead-peer", "--package", "masthead-size"]);
    cargo.args(WASM32).args(["--", "-D", "warnings"]);
    check(&mut cargo, tally)
}

fn doc(tally: &mut Tally) -> Result<()> {
    tool::ensure_wasm_target()?;
    let documented = || {
        let mut cargo = command("cargo");
        cargo.args(["doc", "--no-deps", "--document-private-items", "--locked"]).env("RUSTDOCFLAGS", "-D warnings");
        cargo
    };
    check(documented().arg("--workspace"), tally)?;
    check(documented().args(SHIPPED).args(WASM32), tally)
}

fn native(tally: &mut Tally) -> Result<()> {
    let mut cargo = command("cargo");
    tests(cargo.args(["test", "--workspace", "--features", "masthead-tests/sim", "--locked"]), tally)
}

fn wasm_node(tally: &mut Tally) -> Result<()> {
    let wasm = Wasm::in_node(None)?;
    wasm.suites(LIBRARY, "node_", tally)?;
    wasm.suites(SIMULATOR, "wasm_", tally)
}

fn wasm_chromium(tally: &mut Tally) -> Result<()> {
    let wasm = Wasm::in_chromium(None)?;
    wasm.suites(LIBRARY, "browser_", tally)?;
    wasm.suites(SIMULATOR, "wasm_", tally)
}

fn wasm_cluster(tally: &mut Tally) -> Result<()> {
    masthead_tests::compile_client_go()?;
    let lease = Lease::fresh()?;
    let cluster = Cluster::open(lease.cluster().dir())?.context("the cluster that just started is gone")?;
    let remote = Remote::start(cluster)?;
    Wasm::in_node(Some(remote.url()))?.suites(LIBRARY, "cluster_", tally)?;
    Wasm::in_chromium(Some(remote.url()))?.suites(LIBRARY, "cluster_", tally)
}

fn real_cluster(tally: &mut Tally) -> Result<()> {
    let lease = Lease::fresh()?;
    let cargo = || {
        let mut cargo = command("cargo");
        cargo.args(["test", "--package", "masthead-tests", "--features", "cluster", "--locked"]);
        cargo.env("MASTHEAD_CLUSTER", lease.cluster().dir());
        cargo
    };
    tests(cargo().args(["--test", "cluster"]), tally)?;
    // It prints what the server serves, so that it goes before those that add kinds.
    tests(cargo().args(["--test", "kubectl"]), tally)?;
    tests(cargo().args(["--test", "clientset_real"]), tally)?;
    tests(cargo().args(["--test", "conformance"]), tally)?;
    tests(cargo().args(["--test", "sim_schema"]), tally)?;
    tests(cargo().args(["--test", "sim_tables"]), tally)?;
    // These send away or stop what all tests share.
    tests(cargo().args(["--test", "cluster_load", "--", "--test-threads=1"]), tally)?;
    tests(cargo().args(["--test", "cluster_faults", "--", "--test-threads=1"]), tally)
}

fn page(tally: &mut Tally) -> Result<()> {
    let dist = workspace::target_dir().join("page");
    serve::build_page(&dist)?;
    peer::build(&candidates(), peer::Profile::Dev)?;
    let folder = workspace::root().join("tests/browser");
    npm::install(&folder)?;
    let lease = Lease::fresh()?;
    tests(&mut node_tests(&folder, &dist, &lease)?, tally)
}

fn npm_package(tally: &mut Tally) -> Result<()> {
    let dist = workspace::target_dir().join("page");
    serve::build_page(&dist)?;
    let tarball = npm::pack(Some(&dist))?;
    let folder = workspace::root().join("tests/npm");
    npm::install(&workspace::root().join("tests/browser"))?;
    npm::install(&folder)?;
    npm::unpack(&tarball, &folder.join("node_modules/masthead"))?;
    let lease = Lease::fresh()?;
    let cluster = Cluster::open(lease.cluster().dir())?.context("the cluster that just started is gone")?;
    let remote = Remote::start(cluster)?;
    let mut node = node_tests(&folder, &dist, &lease)?;
    tests(node.env("MASTHEAD_TARBALL", &tarball).env("MASTHEAD_REMOTE", remote.url()), tally)
}

/// Where the pages are built that compete for a lease.
fn candidates() -> PathBuf {
    workspace::target_dir().join("candidates")
}

/// Node's test runner on the tests in `folder`, with all that they are told of the page and the cluster.
fn node_tests(folder: &Path, dist: &Path, lease: &Lease) -> Result<Command> {
    let mut node = command("node");
    node.current_dir(folder)
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .env("MASTHEAD_KUBECTL", lease.cluster().kubectl())
        .env("MASTHEAD_KUBECONFIGS", lease.cluster().dir().join("users"))
        .env("MASTHEAD_POD_LOG", lease.cluster().pod_log())
        .env("MASTHEAD_DIST", dist)
        .env("MASTHEAD_CANDIDATES", candidates())
        .env("MASTHEAD_BUILD_PATH", serve::build_path()?)
        .env("MASTHEAD_XTASK", workspace::this_program()?)
        .env("CHROMIUM", browser::ensure()?.chromium);
    Ok(node)
}

/// Runs a command that is one check.
fn check(command: &mut Command, tally: &mut Tally) -> Result<()> {
    run(command)?;
    tally.passed += 1;
    Ok(())
}

/// Runs a command that is a test runner, which must run at least one test and leave out none.
pub(super) fn tests(command: &mut Command, tally: &mut Tally) -> Result<()> {
    let mut counted = Tally::default();
    let success = run_reading(command, |line| counted.read(line))?;
    *tally += counted;
    if !success {
        bail!("`{}` failed", shown(command));
    }
    match counted {
        Tally { passed: 0, failed: 0, .. } => bail!("`{}` ran no test", shown(command)),
        Tally { skipped: 1.., .. } => bail!("`{}` left out {} tests", shown(command), counted.skipped),
        _ => Ok(()),
    }
}
