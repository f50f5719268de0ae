//! Informers on a server where everything goes wrong: whatever happens, the store ends equal to the server's state, and
//! what handlers were told adds up to it.

mod informing;

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use informing::{World, ours};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{InformerOptions, Initial, Notification, Object, ObjectKey, QueueKind, ReflectorOptions, SharedInformer},
    rest::Method,
    runtime::Chance,
};
use masthead_sim::{Effect, Fault};

/// What a handler was told, held against the rules as it comes.
#[derive(Default)]
struct Ledger {
    /// The objects there are by what was told, at their versions.
    told: BTreeMap<ObjectKey, String>,
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
    script: Vec<String>,
}

impl Run {
    fn new(seed: u64) -> Run {
        let (world, chance) = (World::seeded(seed), Chance::new(seed));
        let pick = |many: usize| (chance.next() * many as f64) as usize;
        let queue = [QueueKind::Real, QueueKind::RealApart, QueueKind::Delta][pick(3)];
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
        Run { world, chance, informer, ledger, script }
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
        let effect = match self.pick(13) {
            0 => Effect::Latency(Duration::from_millis(self.pick(3000) as u64)),
            1 => Effect::Status { code: [401, 403, 404, 410, 429, 500, 503, 504][self.pick(8)], retry_after: None },
            2 => Effect::Status { code: 429, retry_after: Some(self.pick(3) as u32) },
            3 => Effect::Unreachable,
            4 => Effect::CutAfter(bytes),
            5 => Effect::FreezeAfter(bytes),
            6 => Effect::Chunks(self.pick(40) + 1),
            7 => Effect::UndecodableEvent,
            8 => Effect::ErrorEvent([410, 429, 500][self.pick(3)]),
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

    /// Lets everything heal, and compares.
    fn settle(&mut self) -> Result<(), String> {
        self.world.sim.clear_faults();
        self.world.seconds(1200);
        let list = self.world.time.run(self.world.maps.list(&ours())).expect("nothing goes wrong now");
        let server: BTreeMap<ObjectKey, String> =
            list.items.iter().map(|map| (map.key(), map.resource_version().to_owned())).collect();
        let mut store = BTreeMap::new();
        self.informer.store().for_each(|map| {
            store.insert(map.key(), map.resource_version().to_owned());
        });
        let ledger = self.ledger.borrow();
        let broken = [
            (store != server).then(|| format!("store {store:?}, server {server:?}")),
            (ledger.told != server).then(|| format!("told {:?}, server {server:?}", ledger.told)),
            ledger.broken.first().cloned(),
        ];
        broken.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

#[test]
fn whatever_goes_wrong_the_store_ends_equal_to_the_server() -> Result<(), Error> {
    let first = std::env::var("MASTHEAD_SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = first.map_or(0..1000, |seed: u64| seed..seed + 1);
    for seed in seeds {
        let mut run = Run::new(seed);
        run.informer.start();
        for _ in 0..30 {
            run.step();
        }
        if let Err(broken) = run.settle() {
            panic!("MASTHEAD_SEED={seed}: {broken}\n{}", run.script.join("\n"));
        }
    }
    Ok(())
}
