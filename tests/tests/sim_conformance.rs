//! The simulator answers the conformance scripts as the real API server did, but for a list of known differences.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    rc::Rc,
    time::Duration,
};

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

/// What the list says of itself.
const HEAD: &str =
    "# Where the simulator answers otherwise than the real API server, and why that is meant to be so.\n";

/// Stands between a difference and its reason.
const BECAUSE: &str = "  # ";

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
    let known = fs::read_to_string(&known_path).with_context(|| format!("{RECORD}=1 records the list"))?;
    let known = reasons(&known);
    if std::env::var_os(RECORD).is_some() {
        let reason = |title: &String| {
            known
                .get(title)
                .filter(|reason| !reason.is_empty())
                .map_or_else(String::new, |reason| format!("{BECAUSE}{reason}"))
        };
        let lines = found.iter().map(|title| format!("{title}{}\n", reason(title)));
        return fs::write(&known_path, HEAD.to_owned() + &lines.collect::<String>()).context("cannot write the list");
    }
    let new: Vec<&String> = told.iter().filter(|it| !known.keys().any(|title| it.starts_with(title))).collect();
    let mended: Vec<&String> = known.keys().filter(|title| !found.contains(*title)).collect();
    let idle: Vec<&String> = known.iter().filter(|(_, reason)| reason.is_empty()).map(|(title, _)| title).collect();
    assert!(new.is_empty(), "these differ and are not on the list:\n{new:#?}");
    assert!(mended.is_empty(), "these no longer differ; take them off the list ({RECORD}=1):\n{mended:#?}");
    assert!(idle.is_empty(), "these differ and nobody says why, behind `{BECAUSE}`:\n{idle:#?}");
    Ok(())
}

/// Every difference that is on the list, and why it is there.
fn reasons(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.map(|line| line.split_once(BECAUSE).unwrap_or((line, "")));
    parts.map(|(title, reason)| (title.to_owned(), reason.to_owned())).collect()
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
