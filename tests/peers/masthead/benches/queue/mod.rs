//! What work queues and the event correlator cost, an item. The same in client-go: `../../../client-go/queue.go`.

use std::{hint::black_box, rc::Rc, time::Duration};

use futures::FutureExt;
use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use masthead::{
    cache::ObjectKey,
    record::EventCorrelator,
    runtime::{Instant, Runtime},
    workqueue::{
        QueueConfig, RateLimitingQueue, WorkQueue,
        rate_limiters::{ItemExponentialFailure, RateLimiter},
    },
};

const ITEMS: usize = 100_000;
/// The machine does other things too: of this many runs the best one counts.
const RUNS: usize = 5;

/// Where it is measured.
pub(crate) struct Place<'a> {
    pub(crate) runtime: Runtime,
    /// How long this program has been on a processor: what else the machine does is not counted.
    pub(crate) now: &'a dyn Fn() -> Duration,
    /// Gets a JSON line for each figure.
    pub(crate) report: &'a dyn Fn(&str),
}

impl Place<'_> {
    pub(crate) fn measure(&self) {
        let keys = keys();
        self.figure(
            "add all, then get and done",
            ITEMS,
            || self.queue(),
            |queue| {
                keys.iter().for_each(|key| queue.add(key.clone()));
                while let Some(item) = queue.get().now_or_never().flatten() {
                    black_box(&*item);
                    item.done();
                }
            },
        );
        self.figure(
            "add, get and done, one by one",
            ITEMS,
            || self.queue(),
            |queue| {
                for key in &keys {
                    queue.add(key.clone());
                    if let Some(item) = queue.get().now_or_never().flatten() {
                        black_box(&*item);
                        item.done();
                    }
                }
            },
        );
        let full = || {
            let queue = self.queue();
            keys.iter().for_each(|key| queue.add(key.clone()));
            queue
        };
        self.figure("add what is queued already", ITEMS, full, |queue| {
            keys.iter().for_each(|key| queue.add(key.clone()));
        });
        self.figure(
            "add rate limited",
            ITEMS,
            || self.limited(),
            |queue| {
                keys.iter().for_each(|key| queue.add_rate_limited(key.clone()));
            },
        );
        self.figure("limiter: when and forget", ITEMS, limiter, |limiter| {
            for key in &keys {
                black_box(limiter.when(key, Instant::ORIGIN));
                limiter.forget(key);
            }
        });
        let once: Vec<Event> = (0..10_000).map(event).collect();
        self.figure("events of 10,000 objects", once.len(), EventCorrelator::default, |correlator| {
            correlate(correlator, &once);
        });
        let often: Vec<Event> = (0..10_000).map(|number| event(number % 1000)).collect();
        self.figure("events of 1,000 objects, ten each", often.len(), EventCorrelator::default, |correlator| {
            correlate(correlator, &often);
        });
    }

    /// Reports how long `run` takes an item.
    fn figure<S>(&self, name: &str, items: usize, start: impl Fn() -> S, run: impl Fn(&mut S)) {
        let runs = (0..RUNS).map(|_| {
            let mut state = start();
            let began = (self.now)();
            run(&mut state);
            (self.now)() - began
        });
        let best = runs.min().unwrap_or_default();
        let figure = serde_json::json!({ "name": name, "nanos": best.as_secs_f64() * 1e9 / items as f64 });
        (self.report)(&figure.to_string());
    }

    fn queue(&self) -> WorkQueue<ObjectKey> {
        WorkQueue::new(&self.runtime, QueueConfig::default())
    }

    fn limited(&self) -> RateLimitingQueue<ObjectKey> {
        // So long that none of them comes while it is measured.
        let limiter = ItemExponentialFailure::new(Duration::from_secs(3600), Duration::from_secs(7200));
        RateLimitingQueue::new(&self.runtime, Rc::new(limiter), QueueConfig::default())
    }
}

fn limiter() -> ItemExponentialFailure<ObjectKey> {
    ItemExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000))
}

fn keys() -> Vec<ObjectKey> {
    (0..ITEMS)
        .map(|number| ObjectKey::new(&format!("namespace-{}", number % 100), &format!("pod-{number:06}")))
        .collect()
}

/// What a recorder does with each: decides, and writes the patch where it is one.
fn correlate(correlator: &mut EventCorrelator, events: &[Event]) {
    for event in events {
        let write = correlator.correlate(event, Instant::ORIGIN);
        let patch = write.as_ref().and_then(masthead::record::EventWrite::patch);
        black_box(patch.map(|patch| patch.to_string()));
        black_box(write);
    }
}

fn event(number: usize) -> Event {
    let namespace = format!("namespace-{}", number % 100);
    let metadata = ObjectMeta {
        name: Some(format!("pod-{number:06}.17a2b3c4d5e6f708")),
        namespace: Some(namespace.clone()),
        ..ObjectMeta::default()
    };
    let involved_object = ObjectReference {
        api_version: Some("v1".into()),
        kind: Some("Pod".into()),
        name: Some(format!("pod-{number:06}")),
        namespace: Some(namespace),
        uid: Some(format!("0a1b2c3d-0000-4000-8000-{number:012}")),
        ..ObjectReference::default()
    };
    Event {
        metadata,
        involved_object,
        reason: Some("Pulled".into()),
        message: Some("Container image \"registry.example/app:1.2.3\" already present on machine".into()),
        source: Some(EventSource { component: Some("kubelet".into()), host: Some("node-1".into()) }),
        type_: Some("Normal".into()),
        count: Some(1),
        ..Event::default()
    }
}
