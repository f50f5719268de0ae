//! Lists are read while they stream, by every form of decoder, from the request to the cache.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{cell::RefCell, collections::VecDeque, rc::Rc, time::Duration};

use futures::{
    FutureExt, StreamExt,
    channel::mpsc,
    future::{self, LocalBoxFuture},
};
use k8s_openapi::api::core::v1::Pod;
use masthead::{
    Error,
    cache::{InformerOptions, ListPart, ListerWatcher, Object, ObjectKey, SharedInformer},
    lean::{Interned, Lean, Projector, Row},
    packed::{Packed, Packer},
    rest::{
        Answer, Body, Config, Decoder, Headers, HttpRequest, Json, ListOptions, PatchKind, Request, RestClient,
        Transport,
    },
    runtime::{Runtime, VirtualTime},
    watch::Source,
};
use masthead_sim::Sim;
use serde_json::json;

#[derive(Lean)]
struct PodRow {
    #[lean("spec.nodeName")]
    node: Interned,
    #[lean("metadata.labels.team")]
    team: Interned,
}

fn pods(transport: Rc<dyn Transport>, runtime: Runtime) -> Request {
    let config = Config { qps: -1.0, ..Config::new("http://server", transport, runtime) };
    RestClient::new(config).unwrap().group_version("", "v1").get().called("list").resource("pods")
}

/// Answers one request with what the test sends.
struct Dripping {
    body: RefCell<Option<Body>>,
    content_type: &'static str,
}

impl Transport for Dripping {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let HttpRequest { operation, method, .. } = request;
        let body = self.body.take().expect("one request");
        let mut headers = Headers::default();
        headers.add("Content-Type", self.content_type);
        async move { Ok(Answer { operation, method, code: 200, headers, body }) }.boxed_local()
    }
}

fn told(part: Result<ListPart<Pod>, Error>) -> String {
    match part {
        Ok(ListPart::Objects(pods)) => {
            let names: Vec<String> = pods.into_iter().map(|pod| pod.metadata.name.unwrap_or_default()).collect();
            names.join(" ")
        }
        Ok(ListPart::Skipped(error)) => format!("skipped: {error}"),
        Ok(ListPart::Next(token)) => format!("next at {token}"),
        Ok(ListPart::End { resource_version, continue_token, remaining }) => {
            format!("end @{resource_version} {continue_token:?} {remaining:?}")
        }
        Err(error) => format!("error: {error}"),
    }
}

/// What a source says after each chunk; `-` where it waits for more.
fn after_each(chunks: &[&str], timeout: Option<Duration>, content_type: &'static str) -> Vec<String> {
    let (sender, receiver) = mpsc::unbounded();
    let time = VirtualTime::new();
    let transport = Rc::new(Dripping { body: RefCell::new(Some(Body::new(receiver))), content_type });
    let mut request = pods(transport, time.runtime());
    if let Some(timeout) = timeout {
        request = request.timeout(timeout);
    }
    let source = Source::<Pod>::new(request);
    let mut parts = ListerWatcher::list(&source, ListOptions::default()).fuse();
    let mut said = Vec::new();
    for chunk in chunks {
        sender.unbounded_send(Ok(chunk.as_bytes().to_vec())).unwrap();
        while let Some(Some(part)) = parts.next().now_or_never() {
            said.push(told(part));
        }
        said.push("-".to_owned());
    }
    if timeout.is_none() {
        drop(sender);
    }
    while let Some(part) = time.run(parts.next()) {
        said.push(told(part));
    }
    said
}

const JSON: &str = "application/json";

#[test]
fn objects_leave_while_the_body_still_streams() {
    let chunks = [
        r#"{"kind":"PodList","metadata":{"resourceVersion":"7","#,
        r#""continue":"x","remainingItemCount":3},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}},{"meta"#,
        r#"data":{"name":"c"}},{"metadata":5},{"metadata":{"name":"d"}}"#,
        "]}",
    ];
    let said = after_each(&chunks, None, JSON);
    let (skipped, rest): (Vec<String>, Vec<String>) = said.into_iter().partition(|line| line.starts_with("skipped"));
    assert_eq!(rest, ["-", "next at x", "a b", "-", "c d", "-", "-", "end @7 Some(\"x\") Some(3)"]);
    assert_eq!(skipped.len(), 1);
    assert!(
        skipped[0].starts_with("skipped: list pods: metadata: undecodable: invalid type: integer `5`"),
        "{skipped:?}"
    );
}

#[test]
fn what_goes_wrong_is_the_last_part() {
    let begin = r#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}"#;
    let cut = "error: list pods: the stream was cut inside a value, after 45 bytes of it";
    assert_eq!(after_each(&[begin], None, JSON), ["a", "-", cut]);
    let late = "error: list pods: no answer within 9 s";
    assert_eq!(after_each(&[begin], Some(Duration::from_secs(9)), JSON), ["a", "-", late]);
    let page = "error: list pods: expected JSON, got text/html: this address is not an API server";
    assert_eq!(after_each(&["<html>"], None, "text/html"), [page, "-"]);
}

/// An informer of pods of the simulator, in sync.
fn informer<T: Object>(time: &VirtualTime, sim: &Sim, decoder: Rc<dyn Decoder<T>>) -> SharedInformer<T> {
    let source = Source::read_by(decoder, pods(Rc::new(sim.clone()), time.runtime()));
    let informer = SharedInformer::new(Rc::new(source), InformerOptions::default());
    informer.start();
    time.run(informer.synced()).unwrap();
    informer
}

#[test]
fn lean_and_packed_caches_have_what_a_typed_one_has_and_follow_changes() {
    let time = VirtualTime::new();
    let sim = Sim::with_pods(time.runtime(), 1200);
    let typed = informer::<Pod>(&time, &sim, Rc::new(Json::new()));
    let lean = informer::<Row<PodRow>>(&time, &sim, Rc::new(Projector::new()));
    let packer = Rc::new(Packer::new());
    let packed = informer::<Packed<PodRow>>(&time, &sim, packer.clone());
    let check = |key: &ObjectKey| {
        let mut pod = Pod::clone(&typed.store().get(key).unwrap());
        let (row, full) = (lean.store().get(key).unwrap(), packed.store().get(key).unwrap());
        assert_eq!(pod.spec.as_ref().unwrap().node_name.as_deref(), Some(row.node.as_str()));
        assert_eq!(pod.metadata.labels.as_ref().unwrap()["team"], *row.team);
        assert_eq!((row.uid(), row.resource_version()), (pod.uid(), pod.resource_version()));
        pod.metadata.managed_fields = None;
        assert_eq!(full.read::<Pod>().unwrap(), pod);
    };
    let keys = typed.store().keys();
    assert_eq!((keys.len(), lean.store().len(), packed.store().len()), (1200, 1200, 1200));
    keys.iter().for_each(check);

    let key = &keys[700];
    let patch = json!({ "metadata": { "labels": { "team": "elsewhere" } } });
    let client = pods(Rc::new(sim.clone()), time.runtime()).client().clone();
    let request = client.group_version("", "v1").patch(PatchKind::Merge).resource("pods");
    time.run(request.namespace(key.namespace()).name(key.name()).json(&patch).send()).unwrap();
    time.run(time.runtime().sleep(Duration::from_secs(1)));
    assert_eq!(lean.store().get(key).unwrap().team, "elsewhere");
    check(key);
    let (mut own, mut whole) = (0, 0);
    packed.store().for_each(|pod| {
        own += pod.bytes();
        whole += pod.json().unwrap().len();
    });
    assert!((own + packer.bytes()) * 3 < whole, "{own} and {} of {whole}", packer.bytes());
}

/// Answers requests in turn with what the test sends, and whatever comes then not at all.
#[derive(Default)]
struct Held {
    bodies: RefCell<VecDeque<Body>>,
    asked: RefCell<Vec<String>>,
}

impl Transport for Held {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.asked.borrow_mut().push(request.url.clone());
        let HttpRequest { operation, method, .. } = request;
        let Some(body) = self.bodies.borrow_mut().pop_front() else { return future::pending().boxed_local() };
        let mut headers = Headers::default();
        headers.add("Content-Type", JSON);
        async move { Ok(Answer { operation, method, code: 200, headers, body }) }.boxed_local()
    }
}

#[test]
fn the_next_page_is_asked_for_while_this_one_is_read() {
    let (time, held) = (VirtualTime::new(), Rc::new(Held::default()));
    let [(first, one), (second, two)] = [mpsc::unbounded(), mpsc::unbounded()];
    held.bodies.borrow_mut().extend([one, two].map(Body::new));
    let source = Source::<Pod>::new(pods(held.clone(), time.runtime()));
    let informer = SharedInformer::new(Rc::new(source), InformerOptions::default());
    informer.start();
    let send = |to: &mpsc::UnboundedSender<_>, text: &str| to.unbounded_send(Ok(text.as_bytes().to_vec())).unwrap();
    let turn = || time.run(time.runtime().sleep(Duration::from_millis(50)));
    turn();
    assert_eq!(held.asked.borrow().len(), 1);
    send(&first, r#"{"metadata":{"resourceVersion":"7","continue":"x"},"items":[{"metadata":{"name":"a"}},"#);
    turn();
    let asked = held.asked.borrow().clone();
    assert!(asked.len() == 2 && asked[1].contains("continue=x") && asked[1].contains("limit="), "{asked:?}");
    // What comes of it first is read after the rest of the page before it.
    send(&second, r#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"c"}}]}"#);
    send(&first, r#"{"metadata":{"name":"b"}}]}"#);
    drop((first, second));
    time.run(informer.synced()).unwrap();
    let keys = informer.store().keys();
    assert_eq!(keys.iter().map(ObjectKey::name).collect::<Vec<_>>(), ["a", "b", "c"]);
    turn();
    let asked = held.asked.borrow();
    assert!(asked.len() == 3 && asked[2].contains("watch=true"), "{asked:?}");
}
