//! Informers on streams that are written by hand: what no server of this project sends.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::Pod;
use masthead::{
    Error,
    cache::{
        InformerOptions, Initial, ListWatch, Notification, Object, ObjectKey, ReflectorOptions, SharedInformer,
        WatchError,
    },
    rest::{Body, Headers, List, ListOptions, Method, Response, Watch},
    runtime::VirtualTime,
};

/// What a server answers: one list body for every list, and the frames of one watch after the other.
struct Script {
    time: VirtualTime,
    lists: Rc<Cell<u32>>,
    watches: Rc<Cell<u32>>,
    troubles: Rc<RefCell<Vec<String>>>,
    resync: Duration,
}

impl Script {
    fn new() -> Script {
        Script {
            time: VirtualTime::new(),
            lists: Rc::default(),
            watches: Rc::default(),
            troubles: Rc::default(),
            resync: Duration::ZERO,
        }
    }

    /// An informer of what the script says; a watch stays open after its frames unless there is another one.
    fn informer(&self, initial: Initial, list: &'static str, watches: Vec<Vec<String>>) -> SharedInformer<Pod> {
        let (lists, opened) = (Rc::clone(&self.lists), Rc::clone(&self.watches));
        let answer = move |_: ListOptions| {
            lists.set(lists.get() + 1);
            let mut headers = Headers::default();
            headers.add("Content-Type", "application/json");
            let response =
                Response { operation: "list".into(), method: Method::Get, code: 200, headers, body: list.into() };
            async move { List::decode(&response) }
        };
        let watch = move |_: ListOptions| {
            let number = opened.get() as usize;
            opened.set(opened.get() + 1);
            let frames = watches.get(number).cloned().unwrap_or_default();
            let frames = stream::iter(frames.into_iter().map(|frame| Ok(frame.into_bytes())));
            let body = if number + 1 < watches.len() {
                frames.boxed_local()
            } else {
                frames.chain(stream::pending()).boxed_local()
            };
            async move { Ok(Watch::new("watch", Body::new(body))) }
        };
        let origin = ListWatch::new(self.time.runtime(), "testName", answer, watch);
        let troubles = Rc::clone(&self.troubles);
        let on_watch_error: Rc<dyn Fn(&WatchError)> =
            Rc::new(move |trouble| troubles.borrow_mut().push(format!("{trouble:?}")));
        let informer = SharedInformer::new(
            Rc::new(origin),
            InformerOptions {
                reflector: ReflectorOptions { initial, ..ReflectorOptions::default() },
                on_watch_error: Some(on_watch_error),
                resync: self.resync,
                ..InformerOptions::default()
            },
        );
        informer.start();
        informer
    }
}

fn event(kind: &str, object: &str) -> String {
    format!(r#"{{"type":"{kind}","object":{object}}}"#)
}

fn pod(name: &str, version: u32) -> String {
    let metadata = format!(r#"{{"name":"{name}","namespace":"ns","resourceVersion":"{version}"}}"#);
    format!(r#"{{"apiVersion":"v1","kind":"Pod","metadata":{metadata}}}"#)
}

fn versions(informer: &SharedInformer<Pod>) -> Vec<String> {
    let mut all = Vec::new();
    informer.store().for_each(|pod| all.push(format!("{}@{}", pod.key().name(), pod.resource_version())));
    all.sort();
    all
}

const FOO_BAR: &str = r#"{"metadata":{"resourceVersion":"1"},"items":[
    {"metadata":{"name":"foo","namespace":"ns","resourceVersion":"1"}},
    {"metadata":{"name":"bar","namespace":"ns","resourceVersion":"1"}}]}"#;

#[test]
fn re_13_an_object_of_another_kind_is_left_out_and_the_watch_goes_on() -> Result<(), Error> {
    let script = Script::new();
    let service =
        r#"{"apiVersion":"v1","kind":"Service","metadata":{"name":"rejected","namespace":"ns","resourceVersion":"9"}}"#;
    let frames = vec![
        event("ADDED", service),
        event("DELETED", &pod("foo", 54)),
        event("MODIFIED", &pod("bar", 55)),
        event("ADDED", &pod("baz", 32)),
    ];
    let informer = script.informer(Initial::Pages, FOO_BAR, vec![frames]);
    script.time.run(informer.synced())?;
    script.time.advance(Duration::from_secs(1));
    assert_eq!(versions(&informer), ["bar@55", "baz@32"]);
    assert_eq!(informer.last_sync_version(), "32");
    assert_eq!((script.lists.get(), script.watches.get()), (1, 1));
    assert_eq!(script.troubles.borrow().len(), 1, "{:?}", script.troubles);
    assert!(script.troubles.borrow()[0].starts_with("Stale"), "{:?}", script.troubles);
    assert_eq!(informer.store().stale_objects()[0].key, ObjectKey::new("ns", "rejected"));
    Ok(())
}

#[test]
fn re_15_a_resync_costs_no_request_and_ends_nothing() -> Result<(), Error> {
    let script = Script { resync: Duration::from_secs(5), ..Script::new() };
    let informer = script.informer(Initial::Pages, FOO_BAR, vec![vec![]]);
    let times = Rc::new(Cell::new(0));
    let told = Rc::clone(&times);
    let handler = move |_: &Notification<Pod>| {
        told.set(told.get() + 1);
        Ok(())
    };
    let _registration = informer.add_handler(handler)?;
    script.time.advance(Duration::from_secs(11));
    assert_eq!(times.get(), 2 + 2 * 2, "once as they come, and twice again");
    assert_eq!((script.lists.get(), script.watches.get()), (1, 1));
    Ok(())
}

#[test]
fn re_16_a_table_is_no_list_and_no_object() -> Result<(), Error> {
    for version in ["v1", "v1beta1"] {
        let script = Script::new();
        let table = format!(
            r#"{{"kind":"Table","apiVersion":"meta.k8s.io/{version}","metadata":{{"resourceVersion":"3"}},"rows":[]}}"#
        );
        let informer = script.informer(Initial::Pages, FOO_BAR, vec![vec![event("ADDED", &table)], vec![]]);
        script.time.run(informer.synced())?;
        script.time.advance(Duration::from_secs(1));
        assert_eq!(versions(&informer), ["bar@1", "foo@1"]);
        // It names no object, so that anything may have been missed.
        assert!(script.troubles.borrow()[0].starts_with("Watch"), "{:?}", script.troubles);
        script.time.advance(Duration::from_secs(60));
        assert_eq!(script.lists.get(), 2);
    }
    let script = Script::new();
    let table = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"3"},"rows":[]}"#;
    let informer = script.informer(Initial::Pages, table, vec![vec![]]);
    let error = script.time.run(informer.synced()).expect_err("a table is no list");
    assert!(error.is_undecodable(), "{error}");
    Ok(())
}

#[test]
fn re_17_an_error_that_is_no_status_ends_the_watch_all_the_same() -> Result<(), Error> {
    let script = Script::new();
    let informer = script.informer(Initial::Pages, FOO_BAR, vec![vec![event("ERROR", &pod("foo", 2))], vec![]]);
    script.time.run(informer.synced())?;
    script.time.advance(Duration::from_secs(60));
    assert_eq!((script.lists.get(), script.watches.get()), (2, 2), "it begins anew");
    assert_eq!(versions(&informer), ["bar@1", "foo@1"]);
    Ok(())
}

#[test]
fn wl_11_an_overdue_end_of_the_initial_state_is_told() {
    let script = Script::new();
    let _informer = script.informer(Initial::Stream, FOO_BAR, vec![vec![event("ADDED", &pod("foo", 2))]]);
    script.time.advance(Duration::from_secs(25));
    let troubles = script.troubles.borrow();
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(troubles[0].contains("testName: hasn't received required bookmark event"), "{troubles:?}");
}

#[test]
fn an_object_without_a_name_makes_it_list_again() -> Result<(), Error> {
    for nameless in
        [r#"{"metadata":{}}"#, r#"{"metadata":{"name":"","resourceVersion":"7"}}"#, r#"{"metadata":{"name":null}}"#]
    {
        let script = Script::new();
        let frames = vec![event("ADDED", &pod("cm1", 2)), event("DELETED", nameless)];
        let informer = script.informer(Initial::Pages, FOO_BAR, vec![frames, vec![]]);
        script.time.run(informer.synced())?;
        script.time.advance(Duration::from_secs(60));
        assert_eq!((script.lists.get(), script.watches.get()), (2, 2), "{nameless}");
        assert_eq!(versions(&informer), ["bar@1", "foo@1"]);
    }
    Ok(())
}

#[test]
fn a_list_with_an_object_without_a_name_deletes_nothing() -> Result<(), Error> {
    let list = r#"{"metadata":{"resourceVersion":"1"},"items":[
        {"metadata":{"name":"foo","namespace":"ns","resourceVersion":"1"}},{"metadata":{"name":null,"resourceVersion":"1"}}]}"#;
    let script = Script::new();
    let informer =
        script.informer(Initial::Pages, list, vec![vec![event("ADDED", &pod("bar", 2)), event("ERROR", "{}")], vec![]]);
    script.time.run(informer.synced())?;
    script.time.advance(Duration::from_secs(300));
    assert_eq!(versions(&informer), ["bar@2", "foo@1"]);
    assert!(informer.store().stale_object(&ObjectKey::new("ns", "bar")).is_some(), "it may be the one without a name");
    Ok(())
}

#[test]
fn a_stream_with_an_object_of_no_name_gives_way_to_lists() -> Result<(), Error> {
    let nameless = || vec![event("ADDED", &pod("foo", 2)), event("ADDED", r#"{"metadata":{"name":7}}"#)];
    let script = Script::new();
    let informer = script.informer(Initial::Stream, FOO_BAR, vec![nameless(), nameless(), nameless(), vec![]]);
    script.time.run(informer.synced())?;
    assert_eq!(versions(&informer), ["bar@1", "foo@1"]);
    Ok(())
}

#[test]
fn a_bookmark_without_a_version_is_none() -> Result<(), Error> {
    let script = Script::new();
    let mark = event("BOOKMARK", r#"{"metadata":{"resourceVersion":""}}"#);
    let informer = script.informer(Initial::Pages, FOO_BAR, vec![vec![mark], vec![]]);
    script.time.run(informer.synced())?;
    script.time.advance(Duration::from_secs(60));
    assert_eq!((script.lists.get(), script.watches.get()), (2, 2), "it lists again");
    assert_eq!(informer.last_sync_version(), "1");
    Ok(())
}

#[test]
fn df_24_whoever_waits_is_told_when_there_is_nothing_more_to_come() {
    let script = Script::new();
    let informer = script.informer(Initial::Stream, FOO_BAR, vec![vec![]]);
    let ended = Rc::new(Cell::new(0));
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let (informer, ended) = (informer.clone(), Rc::clone(&ended));
        tasks.push(script.time.runtime().spawn(async move {
            let error = informer.synced().await.expect_err("it never began");
            assert!(error.is_aborted(), "{error}");
            ended.set(ended.get() + 1);
        }));
    }
    script.time.settle();
    assert_eq!(ended.get(), 0);
    informer.stop();
    script.time.settle();
    assert_eq!(ended.get(), 10);
}
