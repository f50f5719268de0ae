//! Keys that are to be worked on.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures::FutureExt;
use masthead::{
    Error,
    runtime::Runtime,
    workqueue::{
        AddOptions, Item, PriorityQueue, PriorityQueueConfig, QueueConfig, RateLimitingQueue,
        rate_limiters::{Bucket, ItemExponentialFailure, MaxOf},
    },
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    given::Given,
    pending::Pending,
    settings::seconds,
    thrown::{refused, thrown},
};

/// A work queue of keys.
#[wasm_bindgen]
pub struct Queue {
    keys: Keys,
}

/// The keys of a queue: in their order, or those of a higher priority first.
enum Keys {
    InOrder(RateLimitingQueue<String>),
    Ranked(PriorityQueue<String>),
}

impl Queue {
    pub(crate) fn new(runtime: &Runtime, limits: &str) -> Result<Queue, Error> {
        // Those of client-go for controllers where nothing is said.
        let limits = Given::parse("make work queue", limits)?;
        let number = |name: &str, usual: f64| limits.number(name).unwrap_or(usual);
        let each = ItemExponentialFailure::new(
            seconds("base", number("base", 0.005))?,
            seconds("max", number("max", 1000.0))?,
        );
        let all = Bucket::new(number("qps", 10.0), number("burst", 100.0) as u32);
        let limiter = Rc::new(MaxOf::new(vec![Rc::new(each), Rc::new(all)]));
        let keys = if limits.flag("priority") {
            let config = PriorityQueueConfig { rate_limiter: limiter, ..PriorityQueueConfig::default() };
            Keys::Ranked(PriorityQueue::new(runtime, config))
        } else {
            Keys::InOrder(RateLimitingQueue::new(runtime, limiter, QueueConfig::default()))
        };
        Ok(Queue { keys })
    }
}

#[wasm_bindgen]
impl Queue {
    /// Marks a key as to be worked on after so many seconds, or once the limiter lets it.
    pub fn add(&self, key: String, delay: f64, limited: bool, priority: Option<i32>) -> Result<(), JsValue> {
        let after = seconds("delay", delay).map_err(|error| thrown(&error))?;
        match (&self.keys, priority) {
            (Keys::InOrder(_), Some(_)) => {
                return Err(refused("add work", "the queue has no priorities: make it with `priority: true`"));
            }
            (Keys::InOrder(queue), None) if limited => queue.add_rate_limited(key),
            (Keys::InOrder(queue), None) => queue.add_after(key, after),
            (Keys::Ranked(queue), priority) => {
                let priority = priority.unwrap_or_default();
                queue.add_with(AddOptions { after, rate_limited: limited, priority }, key);
            }
        }
        Ok(())
    }

    /// Ends the counting of a key.
    pub fn forget(&self, key: String) {
        match &self.keys {
            Keys::InOrder(queue) => queue.forget(&key),
            Keys::Ranked(queue) => queue.forget(&key),
        }
    }

    /// How often a key was added with a limit since it was forgotten.
    pub fn requeues(&self, key: String) -> u32 {
        match &self.keys {
            Keys::InOrder(queue) => queue.num_requeues(&key),
            Keys::Ranked(queue) => queue.num_requeues(&key),
        }
    }

    /// Gives the next `Work`; nothing once the queue is shut down and has nothing more to hand out.
    pub fn get(&self) -> Pending {
        let next = match &self.keys {
            Keys::InOrder(queue) => queue.get(),
            Keys::Ranked(queue) => queue.get(),
        };
        Pending::begin("get work", next.map(|item| Ok(item.map_or(JsValue::UNDEFINED, |item| Work::new(item).into()))))
    }

    /// How many keys wait for a worker.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        match &self.keys {
            Keys::InOrder(queue) => queue.len(),
            Keys::Ranked(queue) => queue.len(),
        }
    }

    /// How many keys are being worked on.
    #[wasm_bindgen(getter)]
    pub fn working(&self) -> usize {
        match &self.keys {
            Keys::InOrder(queue) => queue.processing(),
            Keys::Ranked(queue) => queue.processing(),
        }
    }

    /// Takes nothing more.
    #[wasm_bindgen(js_name = shutDown)]
    pub fn shut_down(&self) {
        match &self.keys {
            Keys::InOrder(queue) => queue.shut_down(),
            Keys::Ranked(queue) => queue.shut_down(),
        }
    }

    /// Takes nothing more, and waits until all is done; gives how much is left after so many seconds.
    pub fn drain(&self, limit: f64) -> Pending {
        // More than a timer can do is for ever.
        let limit = Duration::try_from_secs_f64(limit).unwrap_or(Duration::MAX);
        let drained = match &self.keys {
            Keys::InOrder(queue) => {
                let queue = queue.clone();
                async move { queue.shut_down_with_drain(limit).await }.boxed_local()
            }
            Keys::Ranked(queue) => {
                let queue = queue.clone();
                async move { queue.shut_down_with_drain(limit).await }.boxed_local()
            }
        };
        Pending::begin("drain work queue", drained.map(|left| Ok(JsValue::from_f64(left as f64))))
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

    /// The priority it was handed out with.
    #[wasm_bindgen(getter)]
    pub fn priority(&self) -> i32 {
        self.item.borrow().as_ref().map_or(0, Item::priority)
    }

    /// The work is done.
    pub fn done(&self) {
        let item = self.item.take();
        if let Some(item) = item {
            item.done();
        }
    }
}
