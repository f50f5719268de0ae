//! client-go's own recorder, as a program to compare with: the Go module in `tests/peers`.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result, bail};

use crate::{cache_dir, cluster::source_dir, unique_name::unique_name};

/// Compiles what [`Remote`](crate::Remote) needs of client-go, which takes minutes the first time: more than a test in a page
/// has.
pub fn compile_client_go() -> Result<()> {
    eprintln!("compiling client-go's recorder (a first time takes about 2 min) ...");
    build(Path::new("/dev/null"))
}

/// Lets client-go record its script of events in `namespace` of the server at `url`; `api` is core or events.
pub(crate) fn record_events(api: &str, namespace: &str, url: &str) -> Result<()> {
    let program = cache_dir()?.join("peers").join(unique_name("record"));
    build(&program)?;
    let mut record = Command::new(&program);
    let outcome = run(record.args(["--api", api, "--namespace", namespace, "--url", url]), "client-go's recorder");
    fs::remove_file(&program).with_context(|| format!("cannot remove {}", program.display()))?;
    outcome
}

fn build(program: &Path) -> Result<()> {
    let mut go = Command::new("go");
    go.args(["build", "-trimpath", "-buildvcs=false", "-o"]).arg(program).arg("./record");
    run(go.current_dir(source_dir().join("../peers/client-go")).env("GOWORK", "off"), "go build")
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    if !output.status.success() {
        bail!("{what}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
