//! Informers on a server where everything goes wrong: whatever happens, the store ends equal to the server's state, and
//! what handlers were told adds up to it.

mod informing;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    time::Duration,
};

use informing::{World, ours};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{InformerOptions, Initial, Notification, Object, ObjectKey, QueueKind, ReflectorOptions, SharedInformer},
    rest::Method,
    runtime::Chance,
};
use masthead_sim::{Damage, Effect, Fault};

/// Objects at their versions.
type Versions = BTreeMap<ObjectKey, String>;

/// What a handler was told, held against the rules as it comes.
#[derive(Default)]
struct Ledger {
    /// The objects there are by what was told, at their versions.
    told: Versions,
    broken: Vec<String>,
}

impl Ledger {
    fn hear(&mut self, notification: &Notification<ConfigMap>) {
        let version = |map: &Rc<ConfigMap>| map.resource_version().to_owned();
        match notification {
            Notification::Added { object, .. } => {
                if self.told.insert(object.key(), version(object)).is_some() {
                    self.broken.push(format!("{} came twice", object.key()));
                }
            }
            Notification::Updated { old, new } => {
                let before = self.told.insert(new.key(), version(new));
                if before.as_deref() != Some(old.resource_version()) {
                    self.broken.push(format!("{} changed from {} and was {before:?}", new.key(), version(old)));
                }
            }
            Notification::Deleted(tombstone) => {
                if self.told.remove(&tombstone.key()).is_none() {
                    self.broken.push(format!("{} went and was not there", tombstone.key()));
                }
            }
        }
    }
}

/// One run: a server, an informer, and what happens to them by chance.
struct Run {
    world: World,
    chance: Chance,
    informer: SharedInformer<ConfigMap>,
    ledger: Rc<RefCell<Ledger>>,
    /// Whether something came of which nobody can tell whose state it is.
    nameless: Cell<bool>,
    script: Vec<String>,
}

impl Run {
    fn new(seed: u64) -> Run {
        let (world, chance) = (World::seeded(seed), Chance::new(seed));
        let pick = |many: usize| (chance.next() * many as f64) as usize;
        let queue = [QueueKind::RealFifo, QueueKind::RealFifoPerObject, QueueKind::DeltaFifo][pick(3)];
        let initial = [Initial::Pages, Initial::Cached, Initial::Stream][pick(3)];
        let reflector =
            ReflectorOptions { initial, page_size: [None, Some(2), Some(3)][pick(3)], ..ReflectorOptions::default() };
        let resync = Duration::from_secs([0, 0, 7][pick(3)]);
        let progressive = pick(2) == 0;
        let informer =
            world.informer(InformerOptions { reflector, queue, resync, progressive, ..InformerOptions::default() });
        let ledger = Rc::new(RefCell::new(Ledger::default()));
        let heard = Rc::clone(&ledger);
        let handler = move |notification: &Notification<ConfigMap>| {
            heard.borrow_mut().hear(notification);
            Ok(())
        };
        informer.add_handler(handler).expect("it is new").forget();
        let script = vec![format!("{queue:?} {initial:?} resync {resync:?} progressive {progressive}")];
        Run { world, chance, informer, ledger, nameless: Cell::new(false), script }
    }

    fn pick(&self, many: usize) -> usize {
        (self.chance.next() * many as f64) as usize
    }

    fn step(&mut self) {
        let name = ["a", "b", "c", "d", "e", "f", "g"][self.pick(7)];
        let what = match self.pick(12) {
            0..5 => {
                let value = self.pick(1000) as u32;
                self.world.put(name, value);
                format!("put {name} {value}")
            }
            5..7 => {
                // What is not there cannot be deleted, which is no fault of the informer's; and a fault may hit this, too.
                self.world.time.run(self.world.maps.delete(name, &Default::default())).ok();
                format!("delete {name}")
            }
            7 => {
                self.world.sim.compact();
                "compact".to_owned()
            }
            8 => {
                self.world.sim.restart();
                "restart".to_owned()
            }
            9 => self.fault(),
            10 => {
                let milliseconds = self.pick(400) as u64;
                self.world.time.advance(Duration::from_millis(milliseconds));
                format!("{milliseconds} ms pass")
            }
            _ => {
                let seconds = self.pick(200) as u64;
                self.world.seconds(seconds);
                format!("{seconds} s pass")
            }
        };
        self.script.push(what);
    }

    fn fault(&self) -> String {
        let bytes = self.pick(900);
        let effect = match self.pick(16) {
            0 => Effect::Latency(Duration::from_millis(self.pick(3000) as u64)),
            1 => Effect::Status { code: [401, 403, 404, 410, 429, 500, 503, 504][self.pick(8)], retry_after: None },
            2 => Effect::Status { code: 429, retry_after: Some(self.pick(3) as u32) },
            3 => Effect::Unreachable,
            4 => Effect::CutAfter(bytes),
            5 => Effect::FreezeAfter(bytes),
            6 => Effect::Chunks(self.pick(40) + 1),
            7 | 13..16 => {
                let damage = [Damage::Field, Damage::Text, Damage::Metadata, Damage::EventType][self.pick(4)];
                self.nameless.set(self.nameless.get() || damage == Damage::Metadata);
                Effect::Damage { nth: self.pick(4) as u32 + 1, damage }
            }
            8 => match self.pick(4) {
                0 => Effect::UndecodableErrorEvent,
                code => Effect::ErrorEvent([410, 429, 500][code - 1]),
            },
            9 => Effect::SkipBookmark(self.pick(3) as u32 + 1),
            10 => Effect::CloseBeforeBookmark,
            11 => Effect::Pause { after: bytes, pause: Duration::from_secs(self.pick(200) as u64) },
            _ => Effect::SkipBookmarks,
        };
        let part_of_url = ["", "watch=", "limit="][self.pick(3)].to_owned();
        let fault = Fault { method: Some(Method::Get), part_of_url, times: self.pick(3) as u32 + 1, effect };
        let shown = format!("{fault:?}");
        self.world.sim.fault(fault);
        shown
    }

    /// Lets everything heal but what could not be decoded, and compares.
    fn settle(&mut self) -> Result<(), String> {
        self.world.sim.clear_faults();
        self.world.seconds(1200);
        let (server, store, stale) = (self.server(), self.store(), self.stale());
        let fresh = |state: &Versions| -> Versions {
            state.iter().filter(|(key, _)| !stale.contains(*key)).map(|(key, at)| (key.clone(), at.clone())).collect()
        };
        let ghost = stale.iter().find(|key| !server.contains_key(*key) && !self.nameless.get());
        let broken = [
            (fresh(&store) != fresh(&server)).then(|| format!("store {store:?}, server {server:?}, stale {stale:?}")),
            ghost.map(|key| format!("{key} is said to be stale, and is gone")),
            self.broken(&store),
        ];
        broken.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    /// Lets it list again, of which all can be decoded, and compares.
    fn heal(&mut self) -> Result<(), String> {
        self.world.sim.restart();
        self.world.put("last", 1);
        self.world.sim.compact();
        self.world.seconds(1200);
        let (server, store, stale) = (self.server(), self.store(), self.stale());
        let broken = [
            (store != server).then(|| format!("healed: store {store:?}, server {server:?}")),
            (!stale.is_empty()).then(|| format!("healed: {stale:?} are stale")),
            self.broken(&store),
        ];
        broken.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    fn server(&self) -> Versions {
        let list = self.world.time.run(self.world.maps.list(&ours())).expect("nothing goes wrong now");
        list.items.iter().map(|map| (map.key(), map.resource_version().to_owned())).collect()
    }

    fn store(&self) -> Versions {
        let mut store = Versions::new();
        self.informer.store().for_each(|map| {
            store.insert(map.key(), map.resource_version().to_owned());
        });
        store
    }

    fn stale(&self) -> Vec<ObjectKey> {
        self.informer.store().stale_objects().iter().map(|stale| stale.key.clone()).collect()
    }

    /// What a handler was told is what the store has, and was told by the rules.
    fn broken(&self, store: &Versions) -> Option<String> {
        let ledger = self.ledger.borrow();
        let differs = (ledger.told != *store).then(|| format!("told {:?}, store {store:?}", ledger.told));
        differs.or_else(|| ledger.broken.first().cloned())
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "whoever looks at a run wants to know what it tried")]
fn whatever_goes_wrong_the_store_ends_equal_to_the_server() -> Result<(), Error> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let (first, many) = match (number("MASTHEAD_SEED"), number("MASTHEAD_SEEDS")) {
        (Some(seed), many) => (seed, many.unwrap_or(1)),
        (None, many) => (0, many.unwrap_or(1000)),
    };
    println!("MASTHEAD_SEED={first} MASTHEAD_SEEDS={many}");
    let mut undecodable = 0;
    for seed in first..first + many {
        let mut run = Run::new(seed);
        run.informer.start();
        for _ in 0..30 {
            run.step();
        }
        let settled = run.settle();
        undecodable += usize::from(!run.stale().is_empty());
        if let Err(broken) = settled.and_then(|()| run.heal()) {
            panic!("MASTHEAD_SEED={seed}: {broken}\n{}", run.script.join("\n"));
        }
    }
    println!("in {undecodable} of {many} sequences an object was stale at the end");
    assert!(many < 1000 || undecodable > 0, "no sequence damaged an event");
    Ok(())
}
