//! A simulated server with config maps, and a log of what a handler is told.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::{cell::RefCell, rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{InformerOptions, Notification, Object, SharedInformer},
    rest::{Config, ListOptions, RestClient},
    runtime::VirtualTime,
    typed::Client,
};
use masthead_sim::Sim;
use serde_json::json;

pub(crate) struct World {
    pub(crate) time: VirtualTime,
    pub(crate) sim: Sim,
    pub(crate) client: RestClient,
    pub(crate) maps: Client<ConfigMap>,
}

impl World {
    pub(crate) fn new() -> World {
        World::seeded(0)
    }

    pub(crate) fn seeded(seed: u64) -> World {
        let time = VirtualTime::seeded(seed);
        let sim = Sim::new(time.runtime());
        let client =
            RestClient::new(Config::new("http://sim", Rc::new(sim.clone()), time.runtime())).expect("a client");
        World { maps: Client::namespaced(&client, "default"), time, sim, client }
    }

    pub(crate) fn put(&self, name: &str, value: u32) {
        self.put_in("default", name, value);
    }

    pub(crate) fn put_in(&self, namespace: &str, name: &str, value: u32) {
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": { "name": name, "namespace": namespace, "labels": { "app": "test" } }, "data": { "value": value.to_string() } });
        assert!(self.sim.insert(object));
    }

    pub(crate) fn informer(&self, options: InformerOptions<ConfigMap>) -> SharedInformer<ConfigMap> {
        SharedInformer::new(Rc::new(self.maps.source(&ours())), options)
    }

    pub(crate) fn seconds(&self, seconds: u64) {
        self.time.advance(Duration::from_secs(seconds));
    }
}

/// The objects of a test: every namespace has a config map of the server's own.
pub(crate) fn ours() -> ListOptions {
    ListOptions { label_selector: "app=test".to_owned(), ..ListOptions::default() }
}

pub(crate) type Log = Rc<RefCell<Vec<String>>>;

pub(crate) fn log_to(log: &Log) -> impl Fn(&Notification<ConfigMap>) -> Result<(), Error> + use<> {
    let log = Rc::clone(log);
    move |notification| {
        let value = |map: &ConfigMap| {
            let value = map.data.as_ref().and_then(|data| data.get("value").cloned());
            format!("{}={}", map.key().name(), value.unwrap_or_default())
        };
        log.borrow_mut().push(match notification {
            Notification::Added { object, initial } => {
                format!("+{}{}", value(object), if *initial { " initial" } else { "" })
            }
            Notification::Updated { old, new } => format!("{}>{}", value(old), value(new)),
            Notification::Deleted(tombstone) => {
                let unknown = matches!(tombstone, masthead::cache::Tombstone::FinalStateUnknown { .. });
                format!("-{}{}", tombstone.key().name(), if unknown { " unknown" } else { "" })
            }
        });
        Ok(())
    }
}

pub(crate) fn take(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.borrow_mut())
}
