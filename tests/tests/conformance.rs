//! The real API server still answers every conformance script as it did when the answers were recorded.

use std::{path::Path, rc::Rc};

use anyhow::Result;
use futures::executor::block_on;
use masthead_tests::{
    Testbed, User,
    conformance::{Golden, Loopback, Run, Script, WallClock},
};

#[test]
fn the_real_server_answers_as_recorded() -> Result<()> {
    let bed = Testbed::new();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let transport = Rc::new(Loopback::new(&bed.cluster().proxy_url(User::Admin)?));
    let clock = Rc::new(WallClock::new());
    let mut differences = Vec::new();
    for script in Script::all(&dir)? {
        let namespace = format!("{}-{}", bed.namespace(), script.name());
        let transcript = block_on(Run::script(&script, &namespace, transport.clone(), clock.clone()));
        let checked = transcript.and_then(|transcript| Golden::new(&dir, script.name()).check(&transcript));
        differences.extend(checked.err().map(|error| format!("{error:#}")));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    Ok(())
}
