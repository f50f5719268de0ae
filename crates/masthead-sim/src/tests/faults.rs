//! Faults as the real clients meet them.

use std::time::Duration;

use super::wire::Wire;
use crate::{Damage, Effect, Fault};
use futures::StreamExt;
use k8s_openapi::api::core::v1::Namespace;
use masthead::{
    rest::{ListOptions, Method, WatchEvent},
    runtime::Instant,
    typed,
};

fn list(wire: &Wire) -> Result<usize, masthead::Error> {
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    wire.time.run(namespaces.list(&ListOptions::default())).map(|list| list.items.len())
}

#[test]
fn a_busy_server_is_asked_again_after_its_delay() {
    let wire = Wire::new();
    wire.sim.fault(Fault { times: 2, ..Fault::next(Effect::Status { code: 429, retry_after: Some(3) }) });
    assert_eq!(list(&wire).unwrap(), 4);
    assert_eq!(wire.time.now().since(Instant::ORIGIN), Duration::from_secs(6));
}

#[test]
fn any_status_can_be_had_for_the_requests_that_fit() {
    let wire = Wire::new();
    wire.sim.fault(Fault {
        method: Some(Method::Get),
        part_of_url: "/namespaces".into(),
        times: u32::MAX,
        effect: Effect::Status { code: 403, retry_after: None },
    });
    assert!(list(&wire).unwrap_err().is_forbidden());
    assert_eq!(wire.ask(Method::Get, "/version", &[], "").code, 200);
    wire.sim.clear_faults();
    assert_eq!(list(&wire).unwrap(), 4);
}

#[test]
fn latency_passes_on_the_clock() {
    let wire = Wire::new();
    wire.sim.fault(Fault::next(Effect::Latency(Duration::from_millis(250))));
    assert_eq!(list(&wire).unwrap(), 4);
    assert_eq!(wire.time.now().since(Instant::ORIGIN), Duration::from_millis(250));
}

#[test]
fn any_chunks_make_the_same_list() {
    let wire = Wire::new();
    for size in [1, 7, 64, 100_000] {
        wire.sim.fault(Fault::next(Effect::Chunks(size)));
        assert_eq!(list(&wire).unwrap(), 4);
    }
}

#[test]
fn a_cut_or_frozen_stream_ends_as_its_reader_sees_fit() {
    let wire = Wire::new();
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    wire.sim.fault(Fault::next(Effect::CutAfter(1000)));
    let mut watch = wire.time.run(namespaces.watch(&ListOptions::default())).unwrap();
    let last = loop {
        match wire.time.run(watch.next()).unwrap() {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert!(last.is_network(), "{last}");
    wire.sim.fault(Fault::next(Effect::FreezeAfter(0)));
    let watch = wire.time.run(namespaces.watch(&ListOptions::default())).unwrap();
    let mut watch = watch.idle_limit(wire.time.runtime(), Duration::from_secs(90));
    let last = wire.time.run(watch.next()).unwrap();
    assert!(last.unwrap_err().is_timeout());
}

#[test]
fn an_unreadable_object_does_not_end_a_watch() {
    let wire = Wire::new();
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    for damage in [Damage::Field, Damage::Text, Damage::Metadata, Damage::EventType] {
        wire.sim.fault(Fault::next(Effect::Damage { nth: 2, damage }));
        let mut watch = wire.time.run(namespaces.watch(&ListOptions::default())).unwrap();
        assert!(wire.time.run(watch.next()).unwrap().is_ok());
        let error = wire.time.run(watch.next()).unwrap().unwrap_err();
        assert!(error.is_undecodable(), "{error}");
        let identified = matches!(damage, Damage::Field | Damage::Text);
        assert_eq!(error.undecodable_object().is_some(), identified, "{damage:?}: {error}");
        assert!(wire.time.run(watch.next()).unwrap().is_ok());
    }
}

#[test]
fn an_unreadable_item_costs_a_list_that_item() {
    let wire = Wire::new();
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    for damage in [Damage::Field, Damage::Text] {
        wire.sim.fault(Fault::next(Effect::Damage { nth: 2, damage }));
        let page = wire.time.run(namespaces.list(&ListOptions::default())).unwrap();
        assert_eq!((page.items.len(), page.skipped.len()), (3, 1));
        let told = page.skipped[0].to_string();
        assert!(told.contains("kube-node-lease") && told.contains("metadata.creationTimestamp"), "{told}");
    }
}

#[test]
fn an_unreachable_server_is_a_network_error() {
    let wire = Wire::new();
    wire.sim.fault(Fault { times: 100, ..Fault::next(Effect::Unreachable) });
    assert!(list(&wire).unwrap_err().is_network());
}

#[test]
fn a_paused_stream_goes_on() {
    let wire = Wire::new();
    let whole = wire.ask(Method::Get, "/api/v1/namespaces", &[], "").body;
    for after in [0, 100, whole.len(), whole.len() + 1] {
        let start = wire.time.now();
        wire.sim.fault(Fault::next(Effect::Pause { after, pause: Duration::from_secs(7) }));
        assert_eq!(wire.ask(Method::Get, "/api/v1/namespaces", &[], "").body, whole, "{after}");
        let expect = if after > whole.len() { 0 } else { 7 };
        assert_eq!(wire.time.now().since(start), Duration::from_secs(expect), "{after}");
    }
}

#[test]
fn a_busy_server_says_when_to_ask_again() {
    let wire = Wire::new();
    wire.sim.fault(Fault { times: 2, ..Fault::next(Effect::Status { code: 429, retry_after: Some(3) }) });
    let refused = wire.ask(Method::Get, "/api/v1/namespaces", &[], "");
    assert_eq!((refused.code, refused.headers.get("Retry-After")), (429, Some("3")));
    assert_eq!(list(&wire).unwrap(), 4);
    assert_eq!(wire.time.now().since(Instant::ORIGIN), Duration::from_secs(3));
}

#[test]
fn a_version_can_expire_in_the_answer_or_in_the_stream() {
    let wire = Wire::new();
    wire.sim.fault(Fault::next(Effect::Status { code: 410, retry_after: None }));
    assert!(list(&wire).unwrap_err().is_gone());
    let namespaces = typed::Client::<Namespace>::cluster(&wire.client);
    wire.sim.fault(Fault::next(Effect::ErrorEvent(410)));
    let mut watch = wire.time.run(namespaces.watch(&ListOptions::default())).unwrap();
    let Some(Ok(WatchEvent::Error(status))) = wire.time.run(watch.next()) else { panic!("no error in the stream") };
    assert_eq!(status.code, 410);
    assert!(wire.time.run(watch.next()).is_none());
}
