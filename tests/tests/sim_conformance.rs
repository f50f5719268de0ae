//! The simulator answers the conformance scripts as the real API server did, but for a list of known differences.

use std::{collections::BTreeSet, fs, path::Path, rc::Rc, time::Duration};

use anyhow::{Context, Result};
use futures::future::LocalBoxFuture;
use masthead::runtime::{Clock, Instant, Runtime, VirtualTime};
use masthead_sim::Sim;
use masthead_tests::{
    conformance::{Golden, Run, Script},
    reader_grants,
};

/// Set to write the list anew instead of comparing with it.
const RECORD: &str = "MASTHEAD_RECORD_SIM";

/// A run that cannot go on counts as one difference of this name.
const STOPPED: &str = "does not run to its end";

#[test]
fn the_simulator_differs_from_the_real_server_only_where_it_is_known_to() -> Result<()> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let known_path = dir.join("sim.differences");
    let (mut found, mut told) = (BTreeSet::new(), Vec::new());
    for script in Script::all(&dir)? {
        for difference in differences(&script, &dir)? {
            let title = difference.lines().next().unwrap_or_default();
            found.insert(format!("{}: {title}", script.name()));
            told.push(format!("{}: {difference}", script.name()));
        }
    }
    if std::env::var_os(RECORD).is_some() {
        let lines: Vec<&str> = found.iter().map(String::as_str).collect();
        return fs::write(&known_path, lines.join("\n") + "\n").context("cannot write the list");
    }
    let known = fs::read_to_string(&known_path).with_context(|| format!("{RECORD}=1 records the list"))?;
    let known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    let new: Vec<&String> = told.iter().filter(|it| !known.iter().any(|line| it.starts_with(line.as_str()))).collect();
    let mended: Vec<&String> = known.difference(&found).collect();
    assert!(new.is_empty(), "these differ and are not on the list:\n{new:#?}");
    assert!(mended.is_empty(), "these no longer differ; take them off the list ({RECORD}=1):\n{mended:#?}");
    Ok(())
}

/// What the simulator, new for each script, answers otherwise.
fn differences(script: &Script, dir: &Path) -> Result<Vec<String>> {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    let granted = reader_grants().into_iter().all(|object| sim.insert(object));
    assert!(granted, "the simulator knows the kinds of what the reader is granted");
    let clock = Rc::new(SimClock(time.runtime()));
    let run = Run::script(script, "script-run", Rc::new(sim), clock);
    // Virtual time ends when everything waits, which here means that an event never comes.
    let transcript = time.run(time.runtime().within(Duration::from_secs(3600), run));
    match transcript {
        Some(Ok(transcript)) => Golden::new(dir, script.name()).differences(&transcript),
        Some(Err(_)) | None => Ok(vec![STOPPED.to_owned()]),
    }
}

struct SimClock(Runtime);

impl Clock for SimClock {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn wall(&self) -> Duration {
        self.0.wall()
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        let runtime = self.0.clone();
        Box::pin(async move { runtime.sleep(duration).await })
    }
}
