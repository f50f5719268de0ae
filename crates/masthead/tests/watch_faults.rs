//! A watch through everything that can go wrong on its way: whatever ends a connection, no event is lost and none doubled.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{cell::Cell, rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    rest::{Answer, Body, Config, Headers, HttpRequest, RestClient, Transport, WatchEvent},
    runtime::{Chance, Runtime, VirtualTime},
    watch::{RetryWatcher, Source},
};

const EVENTS: usize = 40;

/// A server with a history of changes, whose connections end in every way there is.
struct Faulty {
    chance: Rc<Chance>,
    runtime: Runtime,
    watches: Cell<usize>,
    probes: Cell<usize>,
}

/// How a connection ends once it has sent what it sends.
#[derive(Clone, Copy)]
enum End {
    Clean,
    Lost,
    InsideAnEvent,
    Told,
    Silent,
}

impl Faulty {
    fn below(&self, bound: usize) -> usize {
        (self.chance.next() * bound as f64) as usize
    }

    /// Some of the events behind `version`, with bookmarks between them, in chunks cut anywhere.
    fn chunks(&self, version: usize, end: End) -> Vec<Vec<u8>> {
        let mut text = String::new();
        let last = (version + self.below(6)).min(EVENTS);
        for version in version + 1..=last {
            let object = format!(r#"{{"metadata":{{"name":"é{version}","resourceVersion":"{version}"}}}}"#);
            text += &format!(r#"{{"type":"MODIFIED","object":{object}}}"#);
            if self.below(3) == 0 {
                text += &format!(r#"{{"type":"BOOKMARK","object":{object}}}"#);
            }
        }
        match end {
            End::InsideAnEvent => text += r#"{"type":"MODIFIED","object":{"metadata":{"name":"é"#,
            End::Told => text += r#"{"type":"ERROR","object":{"kind":"Status","code":500}}"#,
            End::Clean | End::Lost | End::Silent => {}
        }
        let size = 1 + self.below(200);
        text.into_bytes().chunks(size).map(<[u8]>::to_vec).collect()
    }

    fn answer(&self, request: &HttpRequest, code: u16, body: Body) -> Answer {
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        Answer { operation: Rc::clone(&request.operation), method: request.method, code, headers, body }
    }
}

impl Transport for Faulty {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.probes.set(self.probes.get() + 1);
        let answer = self.answer(&request, 200, Body::new(stream::iter([Ok(b"{}".to_vec())])));
        async { Ok(answer) }.boxed_local()
    }

    fn watch(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        self.watches.set(self.watches.get() + 1);
        let version = request.url.split(['?', '&']).find_map(|pair| pair.strip_prefix("resourceVersion=")).unwrap();
        let operation = Rc::clone(&request.operation);
        let end = match self.below(8) {
            0 => return async move { Err(Error::network(&operation, "Failed to fetch")) }.boxed_local(),
            1 => {
                let answer = self.answer(&request, 503, Body::new(stream::empty()));
                return async { Ok(answer) }.boxed_local();
            }
            2 => return std::future::pending().boxed_local(),
            3 => End::Lost,
            4 => End::InsideAnEvent,
            5 => End::Told,
            6 => End::Silent,
            _ => End::Clean,
        };
        let (runtime, pause) = (self.runtime.clone(), Duration::from_secs(self.below(30) as u64));
        let chunks = stream::iter(self.chunks(version.parse().unwrap(), end)).then(move |chunk| {
            let runtime = runtime.clone();
            async move {
                runtime.sleep(pause).await;
                Ok(chunk)
            }
        });
        let lost = stream::iter([Err(Error::network(&operation, "network error"))]);
        let body = match end {
            End::Silent => Body::new(chunks.chain(stream::pending())),
            End::Lost => Body::new(chunks.chain(lost)),
            _ => Body::new(chunks),
        };
        let answer = self.answer(&request, 200, body);
        async { Ok(answer) }.boxed_local()
    }
}

#[test]
fn no_event_is_lost_and_none_doubled_however_connections_end() {
    let (mut watches, mut probes) = (0, 0);
    for seed in 0..150 {
        let time = VirtualTime::seeded(seed);
        let server = Rc::new(Faulty {
            chance: Rc::new(Chance::new(seed)),
            runtime: time.runtime(),
            watches: Cell::default(),
            probes: Cell::default(),
        });
        let config = Config { qps: -1.0, ..Config::new("", Rc::clone(&server) as _, time.runtime()) };
        let request = RestClient::new(config).unwrap().get().resource("configmaps").max_retries(0);
        // Version 1 is the first that a watch may begin behind.
        let watcher = RetryWatcher::<ConfigMap>::new(Source::new(request), "1").unwrap();
        let seen: Vec<String> = time.run(
            watcher
                .map(|item| match item.unwrap() {
                    WatchEvent::Modified(object) => object.metadata.resource_version.unwrap(),
                    other => panic!("{other:?}"),
                })
                .take(EVENTS - 1)
                .collect(),
        );
        let expected: Vec<String> = (2..=EVENTS).map(|version| version.to_string()).collect();
        assert_eq!(seen, expected, "seed {seed}");
        watches += server.watches.get();
        probes += server.probes.get();
    }
    assert!(watches > 1000 && probes > 100, "{watches} watches and {probes} probes are too few to mean anything");
}
