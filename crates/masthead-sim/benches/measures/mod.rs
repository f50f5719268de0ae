//! What is measured, on whatever clock there is.

use std::{rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt};
use masthead::{
    rest::{Answer, Body, Headers, HttpRequest, Method, Transport},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use serde_json::{Value, json};

/// Where it is measured.
pub(crate) struct Place<'a> {
    /// The time since some origin.
    pub(crate) now: &'a dyn Fn() -> Duration,
    /// The memory in use, in bytes.
    pub(crate) memory: &'a dyn Fn() -> usize,
    /// The least that anybody could do with the bytes of a list.
    pub(crate) floor: &'a dyn Fn(&[u8]),
    pub(crate) floor_name: &'static str,
}

/// Copies the bytes.
#[allow(dead_code, reason = "the floor of one of the two places")]
pub(crate) fn copy(bytes: &[u8]) {
    std::hint::black_box(bytes.to_vec());
}

const PODS: &str = "/api/v1/pods";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

impl Place<'_> {
    /// Measures everything and prints a line for each figure.
    pub(crate) fn measure(&self, print: &mut dyn FnMut(String)) {
        for pods in [5_000, 50_000, 100_000] {
            let time = VirtualTime::new();
            let before = (self.memory)();
            let (sim, took) = self.timed(|| Sim::with_pods(time.runtime(), pods));
            let grown = (self.memory)().saturating_sub(before);
            let each = grown / pods;
            print(row(&format!("with_pods({pods})"), took, &format!("{}, {each} bytes a pod", megabytes(grown))));
            self.lists(&sim, pods, print);
        }
        self.fan_out(print);
        self.requests(print);
    }

    fn lists(&self, sim: &Sim, pods: usize, print: &mut dyn FnMut(String)) {
        let (whole, took) = self.timed(|| ask(sim, Method::Get, PODS, "", &Value::Null));
        let (_, floor) = self.timed(|| (self.floor)(&whole));
        let ratio = took.as_secs_f64() / floor.as_secs_f64();
        let size = megabytes(whole.len());
        print(row(&format!("LIST of {pods}, whole"), took, &format!("{size}, {ratio:.2} x {}", self.floor_name)));
        drop(whole);
        let (pages, took) = self.timed(|| paged(sim));
        let ratio = took.as_secs_f64() / floor.as_secs_f64();
        let told = format!("{pages} pages, {ratio:.2} x {}", self.floor_name);
        print(row(&format!("LIST of {pods}, pages of 500"), took, &told));
    }

    /// A hundred thousand changes, told to none, one and fifty.
    fn fan_out(&self, print: &mut dyn FnMut(String)) {
        let mut alone = Duration::ZERO;
        for watchers in [0, 1, 50] {
            let time = VirtualTime::new();
            let sim = Sim::new(time.runtime());
            ask(&sim, Method::Post, MAPS, "application/json", &map("a"));
            let url = format!("{MAPS}?watch=1&fieldSelector=metadata.name%3Da");
            let mut bodies: Vec<Body> =
                (0..watchers).map(|_| send(&sim, Method::Get, &url, "", &Value::Null).body).collect();
            let ((), took) = self.timed(|| {
                for change in 0..CHANGES {
                    touch(&sim, change);
                    if change % BEHIND == 0 {
                        bodies.iter_mut().for_each(|body| drop(drained(body)));
                    }
                }
                bodies.iter_mut().for_each(|body| drop(drained(body)));
            });
            if watchers == 0 {
                alone = took;
            }
            let told = match CHANGES * watchers {
                0 => format!("{:.1} us a change", took.as_secs_f64() * 1e6 / CHANGES as f64),
                events => {
                    let each = took.saturating_sub(alone).as_secs_f64() * 1e6 / events as f64;
                    format!("{each:.2} us an event beyond the changes themselves")
                }
            };
            print(row(&format!("{CHANGES} changes, {watchers} watchers"), took, &told));
        }
    }

    fn requests(&self, print: &mut dyn FnMut(String)) {
        let time = VirtualTime::new();
        let sim = Sim::new(time.runtime());
        let apply = |sim: &Sim, index: usize| {
            let body = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name(index) }, "data": { "k": index.to_string() } });
            let url = format!("{MAPS}/{}?fieldManager=bench&force=true", name(index));
            ask(sim, Method::Patch, &url, "application/apply-patch+yaml", &body);
        };
        let all: [Request<'_>; 5] = [
            ("create", &|sim, index| drop(ask(sim, Method::Post, MAPS, "application/json", &map(&name(index))))),
            ("get", &|sim, index| drop(ask(sim, Method::Get, &format!("{MAPS}/{}", name(index)), "", &Value::Null))),
            ("merge patch", &|sim, index| {
                let patch = json!({ "data": { "k": index.to_string() } });
                ask(sim, Method::Patch, &format!("{MAPS}/{}", name(index)), "application/merge-patch+json", &patch);
            }),
            ("apply", &apply),
            ("delete", &|sim, index| {
                drop(ask(sim, Method::Delete, &format!("{MAPS}/{}", name(index)), "", &Value::Null))
            }),
        ];
        for (what, request) in all {
            let ((), took) = self.timed(|| (0..REQUESTS).for_each(|index| request(&sim, index)));
            let rate = REQUESTS as f64 / took.as_secs_f64();
            print(row(&format!("{REQUESTS} x {what}"), took, &format!("{rate:.0} a second")));
        }
    }

    fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, Duration) {
        let began = (self.now)();
        let done = work();
        (done, (self.now)().saturating_sub(began))
    }
}

/// What it is called, and how it is made for the object of a number.
type Request<'a> = (&'a str, &'a dyn Fn(&Sim, usize));

const CHANGES: usize = 100_000;
/// How many changes a watcher is late, well within the history.
const BEHIND: usize = 500;
const REQUESTS: usize = 10_000;

fn row(what: &str, took: Duration, told: &str) -> String {
    format!("{what:<34} {:>10.1} ms   {told}", took.as_secs_f64() * 1e3)
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn name(index: usize) -> String {
    format!("map-{index:06}")
}

fn map(name: &str) -> Value {
    json!({ "metadata": { "name": name }, "data": { "k": "v" } })
}

fn touch(sim: &Sim, change: usize) {
    let patch = json!({ "data": { "k": change.to_string() } });
    ask(sim, Method::Patch, &format!("{MAPS}/a"), "application/merge-patch+json", &patch);
}

fn paged(sim: &Sim) -> usize {
    let (mut pages, mut next) = (0, String::new());
    loop {
        let page = ask(sim, Method::Get, &format!("{PODS}?limit=500{next}"), "", &Value::Null);
        pages += 1;
        match continued(&page) {
            Some(token) => next = format!("&continue={token}"),
            None => return pages,
        }
    }
}

/// The token in a list's metadata, found without reading the list: its cost is not what is measured.
fn continued(page: &[u8]) -> Option<&str> {
    let head = std::str::from_utf8(&page[..page.len().min(1000)]).ok()?;
    head.split_once("\"continue\":\"")?.1.split('"').next().filter(|token| !token.is_empty())
}

/// What a request is answered with. It must succeed, and at once.
fn ask(sim: &Sim, method: Method, url: &str, media: &str, body: &Value) -> Vec<u8> {
    drained(&mut send(sim, method, url, media, body).body)
}

fn send(sim: &Sim, method: Method, url: &str, media: &str, body: &Value) -> Answer {
    let mut headers = Headers::default();
    if !media.is_empty() {
        headers.add("Content-Type", media);
    }
    let body = (!body.is_null()).then(|| Rc::from(body.to_string().into_bytes()));
    let request = HttpRequest { operation: "bench".into(), method, url: url.into(), headers, body };
    let answer = sim.send(request).now_or_never().expect("nothing waits").expect("no fault is set");
    assert!(answer.is_success(), "{} {url}: {}", method.as_str(), answer.code);
    answer
}

/// All that is there to be read now.
fn drained(body: &mut Body) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(Some(Ok(chunk))) = body.next().now_or_never() {
        if bytes.is_empty() {
            bytes = chunk;
        } else {
            bytes.extend_from_slice(&chunk);
        }
    }
    bytes
}
