//! The programs of the control plane: found, or built with Go from the modules in `tests/cluster`.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::wait::{Asked, Wait};
use crate::{Interrupt, cache_dir};

/// The version that the control plane is built from and reports.
pub(crate) const KUBERNETES: &str = "v1.36.3";

/// The programs of a cluster and where they were found.
#[derive(Debug)]
pub(crate) struct Binaries {
    found: BTreeMap<&'static str, PathBuf>,
}

/// One program: its file name, its Go package, the module under `tests/cluster` that pins it, and how long a first
/// build takes on two cores.
struct Source {
    name: &'static str,
    package: &'static str,
    module: &'static str,
    cold: &'static str,
}

const SOURCES: [Source; 7] = [
    Source { name: "etcd", package: "go.etcd.io/etcd/server/v3", module: ".", cold: "1 min" },
    Source { name: "kube-apiserver", package: "k8s.io/kubernetes/cmd/kube-apiserver", module: ".", cold: "4 min" },
    Source {
        name: "kube-controller-manager",
        package: "k8s.io/kubernetes/cmd/kube-controller-manager",
        module: ".",
        cold: "1 min",
    },
    Source { name: "kube-scheduler", package: "k8s.io/kubernetes/cmd/kube-scheduler", module: ".", cold: "10 s" },
    Source { name: "kubectl", package: "k8s.io/kubernetes/cmd/kubectl", module: ".", cold: "30 s" },
    Source { name: "signingkey", package: "./signingkey", module: ".", cold: "1 s" },
    Source { name: "kwok", package: "sigs.k8s.io/kwok/cmd/kwok", module: "kwok", cold: "1 min" },
];

impl Binaries {
    /// Takes each program from `$KUBEBUILDER_ASSETS` or from the cache, and builds those that are in neither.
    pub(crate) fn find_or_build(interrupt: &Interrupt) -> Result<Self> {
        let built = cache_dir()?.join("cluster-bin").join(key()?);
        let given = env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from);
        let find = |name: &str| {
            let places = given.iter().chain([&built]);
            places.map(|dir| dir.join(name)).find(|path| path.is_file())
        };
        let missing = || SOURCES.iter().filter(|source| find(source.name).is_none());
        if missing().next().is_some() {
            let names: Vec<&str> = missing().map(|source| source.name).collect();
            let go = find_go(&names)?;
            let _builder = lock_builds(&built, interrupt)?;
            // Asked again under the lock: another command may just have built them.
            missing().try_for_each(|source| build(&go, source, &built, interrupt))?;
        }
        let found = SOURCES.iter().filter_map(|source| Some((source.name, find(source.name)?))).collect();
        Ok(Self { found })
    }

    pub(crate) fn path(&self, name: &str) -> Result<&Path> {
        let path = self.found.get(name).with_context(|| format!("{name} is not among the cluster's programs"))?;
        Ok(path)
    }
}

/// Where the Go modules and the stages lie: in the clone that cargo runs in, which need not be the one this was compiled in
/// when two share a target folder.
pub(crate) fn source_dir() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).filter(|package| package.is_absolute());
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut folders = package.ancestors().map(|folder| folder.join("tests/cluster"));
    let running = folders.find(|dir| dir.join("go.mod").is_file());
    running.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster"))
}

/// Changes whenever a build would give something else.
fn key() -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for name in ["go.mod", "go.sum", "signingkey/main.go", "kwok/go.mod", "kwok/go.sum"] {
        let path = source_dir().join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?.hash(&mut hasher);
    }
    link_flags().hash(&mut hasher);
    env::consts::ARCH.hash(&mut hasher);
    Ok(format!("{KUBERNETES}-{:016x}", hasher.finish()))
}

/// Without these the server calls itself v0.0.0-master and kubectl refuses to work.
fn link_flags() -> String {
    let base = "k8s.io/component-base/version";
    format!(
        "-s -w -X {base}.gitVersion={KUBERNETES} -X {base}.gitMajor=1 -X {base}.gitMinor=36 \
         -X k8s.io/client-go/pkg/version.gitVersion={KUBERNETES}"
    )
}

fn find_go(missing: &[&str]) -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut candidates = env::split_paths(&path).map(|dir| dir.join("go"));
    candidates.find(|candidate| candidate.is_file()).with_context(|| {
        format!(
            "building {} needs Go, and there is no `go` on the PATH: install Go 1.26 or newer, or set KUBEBUILDER_ASSETS \
             to a directory that holds these programs",
            missing.join(", ")
        )
    })
}

fn lock_builds(dir: &Path, interrupt: &Interrupt) -> Result<File> {
    fs::create_dir_all(dir)
        .with_context(|| format!("cannot make {}; set MASTHEAD_CACHE to a directory of yours", dir.display()))?;
    let lock = File::create(dir.join(".lock")).with_context(|| format!("cannot write in {}", dir.display()))?;
    let wait = Wait { what: "another build of the cluster", limit: Duration::from_secs(3600), interrupt };
    wait.until(|| Ok(if lock.try_lock().is_ok() { Asked::Done(()) } else { Asked::NotYet("it goes on".into()) }))?;
    Ok(lock)
}

fn build(go: &Path, source: &Source, dir: &Path, interrupt: &Interrupt) -> Result<()> {
    eprintln!("building {} (a first time takes about {}) ...", source.name, source.cold);
    let began = Instant::now();
    let fresh = dir.join(format!("{}.new", source.name));
    let module = source_dir().join(source.module);
    let child = Command::new(go)
        .args(["build", "-trimpath", "-buildvcs=false", "-ldflags", &link_flags(), "-o"])
        .arg(&fresh)
        .arg(source.package)
        .current_dir(&module)
        .env("CGO_ENABLED", "0")
        .env("GOWORK", "off")
        .process_group(0)
        .spawn()
        .context("cannot run go")?;
    let outcome = finish(child, interrupt);
    if !matches!(outcome, Ok(true)) {
        // A half-written file must not be taken for a program by a later run; there may be none.
        fs::remove_file(&fresh).ok();
    }
    if !outcome? {
        bail!(
            "go could not build {}; its words are above. To try it alone: cd {} && go build {}",
            source.name,
            module.display(),
            source.package
        );
    }
    fs::rename(&fresh, dir.join(source.name)).with_context(|| format!("cannot keep {}", source.name))?;
    eprintln!("built {} in {} s", source.name, began.elapsed().as_secs());
    Ok(())
}

/// Waits for a build; on a signal the compilers it started end with it.
fn finish(mut child: Child, interrupt: &Interrupt) -> Result<bool> {
    let wait = Wait { what: "go build", limit: Duration::from_secs(3600), interrupt };
    let outcome = wait.until(|| {
        Ok(match child.try_wait()? {
            Some(status) => Asked::Done(status.success()),
            None => Asked::NotYet("it still runs".into()),
        })
    });
    if outcome.is_err() {
        kill_process_group(Pid::from_child(&child), Signal::KILL).ok();
        child.wait()?;
    }
    outcome
}
