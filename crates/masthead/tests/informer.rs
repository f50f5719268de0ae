//! Informers on the simulated server.

use std::{cell::RefCell, rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{InformerOptions, Notification, Object, SharedInformer},
    rest::{Config, ListOptions, RestClient},
    runtime::VirtualTime,
    typed::Client,
};
use masthead_sim::{Effect, Fault, Sim};
use serde_json::json;

struct World {
    time: VirtualTime,
    sim: Sim,
    maps: Client<ConfigMap>,
}

impl World {
    fn new() -> World {
        let time = VirtualTime::new();
        let sim = Sim::new(time.runtime());
        let client =
            RestClient::new(Config::new("http://sim", Rc::new(sim.clone()), time.runtime())).expect("a client");
        World { maps: Client::namespaced(&client, "default"), time, sim }
    }

    fn put(&self, name: &str, value: u32) {
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": "default" },
            "data": { "value": value.to_string() } });
        assert!(self.sim.insert(object));
    }

    fn informer(&self, options: InformerOptions<ConfigMap>) -> SharedInformer<ConfigMap> {
        SharedInformer::new(Rc::new(self.maps.source(&ListOptions::default())), options)
    }

    fn seconds(&self, seconds: u64) {
        self.time.advance(Duration::from_secs(seconds));
    }
}

type Log = Rc<RefCell<Vec<String>>>;

fn log_to(log: &Log) -> impl Fn(&Notification<ConfigMap>) -> Result<(), Error> + use<> {
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

fn take(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.borrow_mut())
}

#[test]
fn a_handler_is_told_what_is_there_and_what_changes() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let informer = world.informer(InformerOptions::default());
    let log = Log::default();
    let registration = informer.add_handler(log_to(&log))?;
    informer.start();
    world.time.run(informer.synced())?;
    world.time.run(registration.synced());
    assert_eq!(take(&log), ["+a=1 initial"]);
    world.put("b", 1);
    world.put("a", 2);
    world.seconds(1);
    assert_eq!(take(&log), ["+b=1", "a=1>a=2"]);
    world.time.run(world.maps.delete("a", &Default::default()))?;
    world.seconds(1);
    assert_eq!(take(&log), ["-a"]);
    assert_eq!(informer.store().len(), 1);
    Ok(())
}

#[test]
fn what_was_deleted_while_the_server_was_away_is_told() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    world.put("b", 1);
    let informer = world.informer(InformerOptions::default());
    let log = Log::default();
    let _registration = informer.add_handler(log_to(&log))?;
    informer.start();
    world.time.run(informer.synced())?;
    world.seconds(1);
    take(&log);
    world.sim.fault(Fault { method: None, part_of_url: String::new(), times: 3, effect: Effect::Unreachable });
    world.sim.restart();
    world.time.run(async { world.time.runtime().sleep(Duration::from_millis(10)).await });
    world.sim.clear_faults();
    world.time.run(world.maps.delete("a", &Default::default()))?;
    world.put("c", 1);
    world.sim.compact();
    world.seconds(60);
    assert_eq!(take(&log), ["-a unknown", "+c=1"]);
    Ok(())
}
