//! Candidates for a lease: who leads, when it ends, and what goes over the wire for it.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod replies;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::{FutureExt, future::LocalBoxFuture, stream};
use masthead::{
    Error,
    leaderelection::{Change, Config, Elector, LeaseLock},
    record::FakeRecorder,
    rest::{self, Answer, Body, Headers, HttpRequest, Method, RestClient, Transport},
    runtime::{Task, VirtualTime},
};
use replies::{Reply, Script};
use serde_json::{Value, json};

/// One Lease and the rules of a server about its versions.
#[derive(Default)]
struct LeaseServer {
    lease: RefCell<Option<Value>>,
    version: Cell<u64>,
    is_down: Cell<bool>,
    requests: RefCell<Vec<Method>>,
}

impl LeaseServer {
    fn answer(&self, request: &HttpRequest) -> (u16, Value) {
        let sent: Option<Value> = request.body.as_ref().map(|body| serde_json::from_slice(body).unwrap());
        let held = self.lease.borrow().clone();
        let same =
            |sent: &Value, held: &Value| sent["metadata"]["resourceVersion"] == held["metadata"]["resourceVersion"];
        match (request.method, held, sent) {
            _ if self.is_down.get() => (503, json!({"message": "down"})),
            (Method::Get, Some(held), _) => (200, held),
            (Method::Post, None, Some(sent)) => (201, self.store(sent)),
            (Method::Post, Some(_), _) => (409, json!({"reason": "AlreadyExists"})),
            (Method::Put, Some(held), Some(sent)) if same(&sent, &held) => (200, self.store(sent)),
            (Method::Put, Some(_), _) => (409, json!({"reason": "Conflict"})),
            _ => (404, json!({"reason": "NotFound"})),
        }
    }

    fn store(&self, mut lease: Value) -> Value {
        self.version.set(self.version.get() + 1);
        lease["metadata"]["resourceVersion"] = self.version.get().to_string().into();
        self.lease.replace(Some(lease.clone()));
        lease
    }

    fn spec(&self, field: &str) -> Value {
        self.lease.borrow().as_ref().map_or(Value::Null, |lease| lease["spec"][field].clone())
    }
}

struct Wire(Rc<LeaseServer>);

impl Transport for Wire {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.0.requests.borrow_mut().push(request.method);
        let (code, body) = self.0.answer(&request);
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        let body = Body::new(stream::iter([Ok(body.to_string().into_bytes())]));
        let HttpRequest { operation, method, .. } = request;
        async move { Ok(Answer { operation, method, code, headers, body }) }.boxed_local()
    }
}

struct Candidate {
    elector: Rc<Elector>,
    changes: Rc<RefCell<Vec<String>>>,
    running: Option<Task>,
}

impl Candidate {
    fn start(time: &VirtualTime, server: &Rc<LeaseServer>, identity: &str) -> Candidate {
        let transport = Rc::new(Wire(Rc::clone(server)));
        let config = rest::Config { qps: -1.0, ..rest::Config::new("", transport, time.runtime()) };
        let lock = LeaseLock::new(&RestClient::new(config).unwrap(), "kube-system", "lock");
        let elector = Rc::new(Elector::new(lock, identity, Config::default()).unwrap());
        let changes: Rc<RefCell<Vec<String>>> = Rc::default();
        let (runs, seen) = (Rc::clone(&elector), Rc::clone(&changes));
        let running = time.runtime().spawn(async move {
            runs.run(|change| {
                // A report may ask: nothing is borrowed while it runs.
                let is_leader = runs.is_leader();
                seen.borrow_mut().push(match change {
                    Change::Leading => format!("leading {is_leader}"),
                    Change::NewLeader(leader) => format!("leader {leader}"),
                    Change::Failed(_) => "failed".to_owned(),
                    Change::Stopped => "stopped".to_owned(),
                });
            })
            .await;
        });
        Candidate { elector, changes, running: Some(running) }
    }

    fn changes(&self) -> Vec<String> {
        self.changes.take()
    }

    fn is_running(&self) -> bool {
        self.running.as_ref().is_some_and(|task| !task.is_finished())
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn the_first_acquires_and_the_second_waits_until_it_is_gone() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let mut a = Candidate::start(&time, &server, "a");
    time.settle();
    let b = Candidate::start(&time, &server, "b");
    time.advance(60 * SECOND);
    assert_eq!(a.changes(), ["leader a", "leading true"]);
    assert_eq!(b.changes(), ["leader a"]);
    assert_eq!(b.elector.leader().as_deref(), Some("a"));
    assert_eq!((server.spec("holderIdentity"), server.spec("leaseTransitions")), (json!("a"), json!(0)));
    let acquired = server.spec("acquireTime");
    assert_ne!(server.spec("renewTime"), acquired);

    a.running = None;
    assert_eq!(a.changes(), ["stopped"], "a run that is dropped tells of its end");
    time.advance(10 * SECOND);
    assert!(!b.elector.is_leader(), "the lease lasts although nobody renews it");
    time.advance(10 * SECOND);
    assert_eq!(b.changes(), ["leader b", "leading true"]);
    assert_eq!((server.spec("holderIdentity"), server.spec("leaseTransitions")), (json!("b"), json!(1)));
    assert_ne!(server.spec("acquireTime"), acquired);
}

#[test]
fn leading_begins_and_ends_with_an_event_about_the_lease() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let config = rest::Config::new("http://localhost:8001", Rc::new(Wire(Rc::clone(&server))), time.runtime());
    let mut lock = LeaseLock::new(&RestClient::new(config).unwrap(), "kube-system", "lock");
    let fake = FakeRecorder::new(10);
    lock.recorder = Some(fake.recorder());
    let elector = Elector::new(lock, "me", Config::default()).unwrap();
    assert_eq!(time.run(time.runtime().within(5 * SECOND, elector.run(|_| {}))), None);
    let events = fake.events();
    let said: Vec<_> = events.iter().map(|event| event.message.as_deref().unwrap()).collect();
    assert_eq!(said, ["me became leader", "me stopped leading"]);
    let (about, reason) = (&events[0].involved_object, &events[0].reason);
    assert_eq!((about.kind.as_deref(), about.name.as_deref()), (Some("Lease"), Some("lock")));
    assert_eq!(reason.as_deref(), Some("LeaderElection"));
}

#[test]
fn a_released_lock_is_taken_at_the_next_attempt() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let mut a = Candidate::start(&time, &server, "a");
    time.settle();
    let b = Candidate::start(&time, &server, "b");
    time.advance(5 * SECOND);
    a.running = None;
    assert!(time.run(a.elector.release()).unwrap());
    assert_eq!((server.spec("holderIdentity"), server.spec("leaseDurationSeconds")), (json!(""), json!(1)));
    assert!(!a.elector.is_leader());
    time.advance(5 * SECOND);
    assert!(b.elector.is_leader());
    assert!(!time.run(a.elector.release()).unwrap(), "what another holds is not released");
    assert_eq!(server.spec("holderIdentity"), json!("b"));
}

#[test]
fn leading_ends_when_renewing_fails_until_the_deadline() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let a = Candidate::start(&time, &server, "a");
    time.advance(7 * SECOND);
    assert_eq!(a.changes(), ["leader a", "leading true"]);
    server.is_down.set(true);
    time.advance(5 * SECOND);
    server.is_down.set(false);
    time.advance(20 * SECOND);
    assert!(a.is_running() && a.elector.is_leader(), "a short failure is bridged");
    let bridged = a.changes();
    assert!(!bridged.is_empty() && bridged.iter().all(|change| change == "failed"), "{bridged:?}");
    server.is_down.set(true);
    time.advance(9 * SECOND);
    assert!(a.is_running());
    time.advance(4 * SECOND);
    assert!(!a.is_running());
    assert_eq!(a.changes().last().map(String::as_str), Some("stopped"));
    assert!(a.elector.is_leader(), "it gave up before others may take over");
    time.advance(5 * SECOND);
    assert!(!a.elector.is_leader());
}

#[test]
fn leading_ends_at_once_when_another_has_the_lock() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let a = Candidate::start(&time, &server, "a");
    time.advance(7 * SECOND);
    let mut taken = server.lease.borrow().clone().unwrap();
    taken["spec"]["holderIdentity"] = json!("thief");
    server.store(taken);
    time.advance(3 * SECOND);
    assert!(!a.is_running());
    assert_eq!(a.changes(), ["leader a", "leading true", "leader thief", "stopped"]);
    assert_eq!(server.spec("holderIdentity"), json!("thief"));
}

#[test]
fn of_two_that_try_at_once_one_leads() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let candidates: Vec<Candidate> =
        ["a", "b", "c"].iter().map(|identity| Candidate::start(&time, &server, identity)).collect();
    for _ in 0..100 {
        time.advance(SECOND);
        assert_eq!(candidates.iter().filter(|candidate| candidate.elector.is_leader()).count(), 1);
    }
}

#[test]
fn the_leader_renews_without_reading() {
    let time = VirtualTime::new();
    let server = Rc::new(LeaseServer::default());
    let _a = Candidate::start(&time, &server, "a");
    time.advance(9 * SECOND);
    let renewals = [Method::Put; 5];
    assert_eq!(*server.requests.borrow(), [&[Method::Get, Method::Post][..], &renewals].concat());
}

#[test]
fn a_lease_of_others_is_written_back_with_what_it_had() {
    let time = VirtualTime::new();
    let free = r#"{"metadata":{"name":"lock","namespace":"ns","resourceVersion":"7","labels":{"x":"y"}},"spec":{}}"#;
    let script = Script::new(&time, [Reply::json(200, free), Reply::json(200, free), Reply::Silence]);
    let mut lock = LeaseLock::new(&script.client(), "ns", "lock");
    lock.labels.insert("mine".into(), "1".into());
    let elector = Elector::new(lock, "me", Config::default()).unwrap();
    let run = elector.run(|_| {});
    assert_eq!(time.run(time.runtime().within(SECOND, run)), None);
    assert_eq!(script.open(), 0, "dropping the run ends its request");
    let requests = script.requests();
    assert_eq!(
        requests[0].url,
        "http://localhost:8001/apis/coordination.k8s.io/v1/namespaces/ns/leases/lock?timeout=5s"
    );
    assert_eq!(requests[1].method, Method::Put);
    let written: Value = serde_json::from_slice(requests[1].body.as_ref().unwrap()).unwrap();
    assert_eq!(written["metadata"]["resourceVersion"], json!("7"));
    assert_eq!(written["metadata"]["labels"], json!({"mine": "1", "x": "y"}));
    assert_eq!(
        written["spec"],
        json!({
            "holderIdentity": "me",
            "leaseDurationSeconds": 15,
            "leaseTransitions": 1,
            "acquireTime": "2026-01-01T00:00:00.000000Z",
            "renewTime": "2026-01-01T00:00:00.000000Z",
        })
    );
}

#[test]
fn a_release_that_meets_another_write_is_made_again() {
    let time = VirtualTime::new();
    let own = r#"{"metadata":{"resourceVersion":"7"},"spec":{"holderIdentity":"me","leaseTransitions":3}}"#;
    let (read, conflict) = (|| Reply::json(200, own), || Reply::json(409, r#"{"reason":"Conflict"}"#));
    let elector = |script: &Rc<Script>| {
        Elector::new(LeaseLock::new(&script.client(), "ns", "lock"), "me", Config::default()).unwrap()
    };
    let script = Script::new(&time, [read(), conflict(), read(), read()]);
    assert!(time.run(elector(&script).release()).unwrap());
    let written: Value = serde_json::from_slice(script.requests()[3].body.as_ref().unwrap()).unwrap();
    assert_eq!((&written["spec"]["holderIdentity"], &written["spec"]["leaseTransitions"]), (&json!(""), &json!(3)));

    let script = Script::new(&time, (0..5).flat_map(|_| [read(), conflict()]));
    assert!(time.run(elector(&script).release()).unwrap_err().is_conflict());
    assert_eq!(script.count(), 10);
    let script = Script::then_always(&time, [], Reply::Silence);
    assert!(time.run(elector(&script).release()).unwrap_err().is_timeout());
}

#[test]
fn times_that_cannot_work_are_refused() {
    let time = VirtualTime::new();
    let script = Script::new(&time, []);
    let make = |identity: &str, seconds: [u64; 3]| {
        let [lease_duration, renew_deadline, retry_period] = seconds.map(Duration::from_secs);
        let config = Config { lease_duration, renew_deadline, retry_period };
        let made = Elector::new(LeaseLock::new(&script.client(), "ns", "lock"), identity, config);
        made.map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = |why: &str| Err(format!("configure leader election: {why}"));
    assert_eq!(make("me", [15, 10, 2]), Ok(()));
    assert_eq!(make("me", [10, 10, 2]), refused("leaseDuration must be greater than renewDeadline"));
    assert_eq!(make("me", [15, 12, 10]), refused("renewDeadline must be greater than retryPeriod*JitterFactor"));
    assert_eq!(make("me", [15, 13, 10]), Ok(()));
    assert_eq!(make("me", [15, 10, 0]), refused("retryPeriod must be greater than zero"));
    assert_eq!(make("me", [1, 0, 0]), refused("renewDeadline must be greater than retryPeriod*JitterFactor"));
    assert_eq!(make("", [15, 10, 2]), refused("Lock identity is empty"));
}
