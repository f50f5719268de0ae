//! Keys that are to be worked on.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::FutureExt;
use masthead::{
    Error,
    runtime::Runtime,
    workqueue::{
        Item, QueueConfig, RateLimitingQueue,
        limiter::{Bucket, ItemExponentialFailure, MaxOf},
    },
};
use serde::Deserialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{pending::Pending, settings::seconds, thrown::thrown};

/// A work queue of keys.
#[wasm_bindgen]
pub struct Queue {
    queue: RateLimitingQueue<String>,
}

/// How long keys wait that are added again; client-go's for controllers where nothing is said.
#[derive(Deserialize)]
#[serde(default)]
struct Limits {
    /// In seconds.
    base: f64,
    /// In seconds.
    max: f64,
    qps: f64,
    burst: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { base: 0.005, max: 1000.0, qps: 10.0, burst: 100 }
    }
}

impl Queue {
    pub(crate) fn new(runtime: &Runtime, limits: &str) -> Result<Queue, Error> {
        let limits: Limits =
            serde_json::from_str(limits).map_err(|error| Error::invalid("make work queue", error.to_string()))?;
        let each = ItemExponentialFailure::new(seconds("base", limits.base)?, seconds("max", limits.max)?);
        let all = Bucket::new(limits.qps, limits.burst);
        let limiter = MaxOf::new(vec![Rc::new(each), Rc::new(all)]);
        Ok(Queue { queue: RateLimitingQueue::new(runtime, Rc::new(limiter), QueueConfig::default()) })
    }
}

#[wasm_bindgen]
impl Queue {
    /// Marks a key as to be worked on.
    pub fn add(&self, key: String) {
        self.queue.add(key);
    }

    /// Marks a key after so many seconds.
    #[wasm_bindgen(js_name = addAfter)]
    pub fn add_after(&self, key: String, delay: f64) -> Result<(), JsValue> {
        let delay = seconds("delay", delay).map_err(|error| thrown(&error))?;
        self.queue.add_after(key, delay);
        Ok(())
    }

    /// Marks a key once the limiter lets it.
    #[wasm_bindgen(js_name = addRateLimited)]
    pub fn add_rate_limited(&self, key: String) {
        self.queue.add_rate_limited(key);
    }

    /// Ends the counting of a key.
    pub fn forget(&self, key: String) {
        self.queue.forget(&key);
    }

    /// How often a key was added with a limit since it was forgotten.
    pub fn requeues(&self, key: String) -> u32 {
        self.queue.num_requeues(&key)
    }

    /// Gives the next `Work`; nothing once the queue is shut down and empty.
    pub fn get(&self) -> Pending {
        let next = self.queue.get();
        Pending::begin("get work", next.map(|item| Ok(item.map_or(JsValue::UNDEFINED, |item| Work::new(item).into()))))
    }

    /// How many keys wait for a worker.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.queue.len()
    }

    /// How many keys are being worked on.
    #[wasm_bindgen(getter)]
    pub fn working(&self) -> usize {
        self.queue.working()
    }

    /// Takes nothing more.
    #[wasm_bindgen(js_name = shutDown)]
    pub fn shut_down(&self) {
        self.queue.shut_down();
    }

    /// Takes nothing more, and waits until all is done; gives how much is left after so many seconds.
    pub fn drain(&self, limit: f64) -> Pending {
        let queue = self.queue.clone();
        // More than a timer can do is for ever.
        let limit = Duration::try_from_secs_f64(limit).unwrap_or(Duration::MAX);
        Pending::begin("drain work queue", async move {
            Ok(JsValue::from_f64(queue.shut_down_with_drain(limit).await as f64))
        })
    }
}

/// A key that nobody else works on. Freed before it is done, it goes back to the queue.
#[wasm_bindgen]
pub struct Work {
    item: RefCell<Option<Item<String>>>,
}

impl Work {
    fn new(item: Item<String>) -> Work {
        Work { item: RefCell::new(Some(item)) }
    }
}

#[wasm_bindgen]
impl Work {
    /// The key; nothing once it is done.
    #[wasm_bindgen(getter)]
    pub fn key(&self) -> Option<String> {
        self.item.borrow().as_ref().map(|item| (**item).clone())
    }

    /// The work is done.
    pub fn done(&self) {
        let item = self.item.take();
        if let Some(item) = item {
            item.done();
        }
    }
}
