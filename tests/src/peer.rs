//! client-go's own recorder, as a program to compare with.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{cache_dir, cluster::source_dir, unique_name::unique_name};

/// Lets client-go record its script of events in `namespace` of the server at `url`; `api` is core or events.
///
/// Builds the program if need be, by the Go module in `tests/peers`.
pub(crate) fn record_events(api: &str, namespace: &str, url: &str) -> Result<()> {
    let program = cache_dir()?.join("peers").join(unique_name("record"));
    let module = source_dir().join("../peers/client-go");
    let mut go = Command::new("go");
    go.args(["build", "-trimpath", "-buildvcs=false", "-o"]).arg(&program).arg("./record").current_dir(module);
    run(&mut go, "go build")?;
    let mut record = Command::new(&program);
    let outcome = run(record.args(["--api", api, "--namespace", namespace, "--url", url]), "client-go's recorder");
    std::fs::remove_file(&program).with_context(|| format!("cannot remove {}", program.display()))?;
    outcome
}

fn run(command: &mut Command, what: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    if !output.status.success() {
        bail!("{what}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
