//! Whoever is called may call anything: every public method from inside every callback.

mod informing;

use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
    time::Duration,
};

use informing::{Log, World, log_to, ours, take};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{
        EventHandler, Filtered, InformerFactory, InformerOptions, Initial, Lister, ListerWatcher, Notification, Object,
        ObjectKey, QueueKind, ReflectorOptions, Registration, SharedInformer, WatchError,
    },
    labels::Selector,
    rest::{Config, RestClient, WarningHandler},
    runtime::Chance,
    typed::Client,
};
use masthead_sim::{Damage, Effect, Fault};

/// Calls something at every callback.
#[derive(Default)]
struct Caller {
    chance: OnceCell<Chance>,
    informer: OnceCell<SharedInformer<ConfigMap>>,
    factory: InformerFactory,
    registrations: RefCell<Vec<Registration<ConfigMap>>>,
    /// How many callbacks are being called: what a callback calls may call back, and that once more.
    depth: Cell<u32>,
    calls: Cell<u32>,
    /// From which callbacks something was called.
    from: RefCell<Vec<&'static str>>,
}

impl Caller {
    /// Calls a method of chance from the callback `from`.
    fn call(self: &Rc<Self>, from: &'static str) {
        let (Some(informer), Some(chance)) = (self.informer.get(), self.chance.get()) else { return };
        if self.depth.get() == 3 {
            return;
        }
        if !self.from.borrow().contains(&from) {
            self.from.borrow_mut().push(from);
        }
        self.depth.set(self.depth.get() + 1);
        self.calls.set(self.calls.get() + 1);
        match (chance.next() * 10.0) as u32 {
            0..3 => self.read(informer, chance),
            3..5 => self.search(informer),
            5..7 => self.index(informer, chance),
            7 => self.register(informer, chance),
            8 => self.share(informer),
            _ => self.run(informer, chance),
        }
        self.depth.set(self.depth.get() - 1);
    }

    fn read(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>, chance: &Chance) {
        let store = informer.store();
        let keys = store.keys();
        let any = keys.get((chance.next() * 6.0) as usize).cloned().unwrap_or_else(|| ObjectKey::new("", "none"));
        let _ = (store.get(&any), store.list().len(), store.len(), store.is_empty(), store.resource_version());
        drop((store.by_index("namespace", "default"), store.index_keys("names", "a"), store.index_values("names")));
        let _ = (informer.has_synced(), informer.depth(), informer.last_sync_version(), informer.is_running());
        let _ = (informer.resync_check_period(), informer.runtime(), format!("{informer:?} {store:?}"));
        let _ = (store.stale_objects().len(), store.stale_object(&any).is_some());
        store.for_each(|_| self.call("visitor"));
    }

    fn search(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>) {
        let lister = Lister::new(informer.store(), "configmaps");
        drop((lister.get("a"), lister.list(&Selector::everything()), lister.namespace("default").get("a")));
        let within = lister.namespace("default");
        let _ = within.selecting(&ConfigMap::default(), |_| {
            self.call("selector");
            None
        });
    }

    fn index(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>, chance: &Chance) {
        let (name, caller) = (["names", "more", "last"][(chance.next() * 3.0) as usize], Rc::clone(self));
        let added = informer.store().add_index(name, move |map: &ConfigMap| {
            caller.call("index function");
            map.metadata.name.clone()
        });
        assert!(added.is_ok() || informer.store().index_values(name).is_ok());
    }

    fn register(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>, chance: &Chance) {
        let dropped = if chance.next() < 0.5 { self.registrations.borrow_mut().pop() } else { None };
        drop(dropped);
        let registered = self.registrations.borrow().len();
        let period = Duration::from_secs(if chance.next() < 0.5 { 0 } else { 3 });
        if registered < 4
            && let Ok(registration) = informer.add_handler_with_resync(self.handler(), period)
        {
            let _ = (registration.has_synced(), registration.depth(), registration.failures());
            self.registrations.borrow_mut().push(registration);
        }
    }

    fn share(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>) {
        let shared = self.factory.share("maps", || {
            self.call("maker");
            informer.clone()
        });
        let _ = (self.factory.len(), self.factory.is_empty(), shared.is_same(informer), format!("{:?}", self.factory));
        self.factory.start();
        self.factory.stop();
        informer.start();
        self.factory.forget(&shared);
    }

    fn run(self: &Rc<Self>, informer: &SharedInformer<ConfigMap>, chance: &Chance) {
        match (chance.next() * 3.0) as u32 {
            0 => informer.stop(),
            1 => informer.start(),
            _ => {
                informer.stop();
                informer.start();
            }
        }
    }

    /// Calls at everything it is told, and at being asked whether it wants to be told.
    fn handler(self: &Rc<Self>) -> impl EventHandler<ConfigMap> + use<> {
        let (caller, asked) = (Rc::clone(self), Rc::clone(self));
        let handle = move |notification: &Notification<ConfigMap>| {
            caller.call(match notification {
                Notification::Added { .. } => "added",
                Notification::Updated { .. } => "updated",
                Notification::Deleted(_) => "deleted",
            });
            Err(Error::invalid("handle", "so that the trouble handler is called"))
        };
        let keep = move |_: &ConfigMap| {
            asked.call("filter");
            true
        };
        Filtered::new(keep, handle)
    }

    fn options(self: &Rc<Self>, queue: QueueKind, initial: Initial) -> InformerOptions<ConfigMap> {
        let (transforming, troubled) = (Rc::clone(self), Rc::clone(self));
        InformerOptions {
            queue,
            reflector: ReflectorOptions { initial, ..ReflectorOptions::default() },
            resync: Duration::from_secs(7),
            transform: Some(Rc::new(move |map: ConfigMap| {
                transforming.call("transform");
                let unlucky = map.metadata.name.as_deref() == Some("e") && transforming.depth.get() < 3;
                if unlucky { Err(Error::invalid("transform", "so that an object is stale")) } else { Ok(map) }
            })),
            on_watch_error: Some(Rc::new(move |_: &WatchError| troubled.call("trouble handler"))),
            ..InformerOptions::default()
        }
    }

    /// What lists and watches a namespace by a client whose own callbacks call too.
    fn source(self: &Rc<Self>, world: &World, namespace: &str) -> Rc<dyn ListerWatcher<ConfigMap>> {
        let (observing, warned) = (Rc::clone(self), Rc::clone(self));
        let config = Config {
            observer: Some(Rc::new(move |_| observing.call("observer"))),
            warnings: WarningHandler::once(move |_| warned.call("warning handler")),
            ..Config::new("http://sim", Rc::new(world.sim.clone()), world.time.runtime())
        };
        let client = RestClient::new(config).expect("a client");
        Rc::new(Client::<ConfigMap>::namespaced(&client, namespace).source(&ours()))
    }
}

/// How an informer of a history is made.
#[derive(Clone, Copy, Debug)]
struct Way {
    queue: QueueKind,
    initial: Initial,
    /// Whether it is of two namespaces, of which one is empty.
    parts: bool,
}

/// Changes, outages and lists, during all of which every callback calls something; then rest.
fn history(seed: u64, way: Way) -> Rc<Caller> {
    let (world, caller) = (World::seeded(seed), Rc::new(Caller::default()));
    caller.chance.get_or_init(|| Chance::new(seed));
    let options = caller.options(way.queue, way.initial);
    let informer = if way.parts {
        let part = |namespace: &str| (namespace.to_owned(), caller.source(&world, namespace));
        SharedInformer::of_namespaces(["default", "kube-public"].map(part), options)
    } else {
        SharedInformer::new(caller.source(&world, "default"), options)
    };
    caller.informer.get_or_init(|| informer.clone());
    caller.registrations.borrow_mut().push(informer.add_handler(caller.handler()).expect("a handler"));
    let server = Chance::new(seed + 1);
    for turn in 0..20 {
        informer.start();
        let name = ["a", "b", "c", "d", "e"][(server.next() * 5.0) as usize];
        match (server.next() * 7.0) as u32 {
            0..3 => world.put(name, turn),
            3 => drop(world.time.run(world.maps.delete(name, &Default::default()))),
            4 => {
                world.sim.fault(Fault::next(Effect::Unreachable));
                world.sim.restart();
                world.sim.compact();
            }
            5 => {
                let damage = [Damage::Field, Damage::Metadata][(server.next() * 2.0) as usize];
                world.sim.fault(Fault::next(Effect::Damage { nth: 1, damage }));
                world.sim.restart();
            }
            _ => world.seconds(8),
        }
        world.time.advance(Duration::from_millis(20));
    }
    // Nobody calls any more, and what the informer knows becomes what the server has.
    caller.depth.set(3);
    world.sim.clear_faults();
    let left = caller.registrations.take();
    drop(left);
    informer.stop();
    informer.start();
    world.seconds(120);
    let values = |maps: Vec<Rc<ConfigMap>>| {
        let mut all: Vec<_> = maps.iter().map(|map| (map.key(), map.resource_version().to_owned())).collect();
        all.sort();
        all
    };
    let served = world.time.run(world.maps.list(&ours())).expect("a list").items;
    let store = informer.store();
    assert_eq!(values(store.list()), values(served.into_iter().map(Rc::new).collect()), "seed {seed} {way:?}");
    for name in ["names", "more", "last"] {
        let Ok(names) = store.index_values(name) else { continue };
        let indexed: usize = names.iter().map(|value| store.index_keys(name, value).map_or(0, |keys| keys.len())).sum();
        assert_eq!(indexed, store.len(), "seed {seed} {way:?}: index {name}");
    }
    caller
}

#[test]
fn every_callback_may_call_every_method() {
    let mut from = Vec::new();
    for seed in 0..20 {
        let queues = [
            (QueueKind::RealFifo, true),
            (QueueKind::RealFifo, false),
            (QueueKind::RealFifoPerObject, false),
            (QueueKind::DeltaFifo, false),
        ];
        for (queue, parts) in queues {
            let initial = [Initial::Pages, Initial::Cached, Initial::Stream][seed as usize % 3];
            let caller = history(seed, Way { queue, initial, parts });
            assert!(caller.calls.get() > 0);
            from.extend(caller.from.take());
        }
    }
    for callback in [
        "visitor",
        "selector",
        "index function",
        "maker",
        "added",
        "updated",
        "deleted",
        "filter",
        "transform",
        "trouble handler",
        "observer",
    ] {
        assert!(from.contains(&callback), "nothing was called from a {callback}");
    }
}

#[test]
fn an_index_that_comes_while_a_list_is_applied_stays() -> Result<(), Error> {
    let world = World::new();
    for number in 0..300 {
        world.put(&format!("map{number}"), 1);
    }
    let informer = world.informer(InformerOptions { progressive: false, ..InformerOptions::default() });
    let (store, once) = (informer.store(), Cell::new(true));
    let reader = store.clone();
    store.add_index("first", move |map: &ConfigMap| {
        if once.replace(false) {
            reader.add_index("second", |map: &ConfigMap| map.metadata.name.clone()).expect("no such index");
        }
        map.metadata.name.clone()
    })?;
    informer.start();
    world.time.run(informer.synced())?;
    assert_eq!(store.index_values("second")?.len(), 300);
    assert_eq!(store.index_values("first")?.len(), 300);
    Ok(())
}

#[test]
fn who_stops_an_informer_is_told_nothing_more_and_neither_is_anybody_else() -> Result<(), Error> {
    for queue in [QueueKind::RealFifo, QueueKind::RealFifoPerObject, QueueKind::DeltaFifo] {
        let world = World::new();
        ["a", "b", "c", "d", "e"].iter().for_each(|name| world.put(name, 1));
        let informer = world.informer(InformerOptions { queue, ..InformerOptions::default() });
        let (log, other, stopping) = (Log::default(), Log::default(), informer.clone());
        let tell = log_to(&log);
        let told = Rc::clone(&log);
        let first = informer.add_handler(move |notification: &Notification<ConfigMap>| {
            tell(notification)?;
            if told.borrow().len() == 2 {
                stopping.stop();
            }
            Ok::<(), Error>(())
        })?;
        let _second = informer.add_handler(log_to(&other))?;
        informer.start();
        world.seconds(60);
        assert_eq!((take(&log).len(), take(&other).len()), (2, 1), "{queue:?}");
        drop(first);
        world.put("f", 1);
        informer.start();
        world.seconds(60);
        assert!(take(&other).len() >= 5, "what was not told is told after the next start");
    }
    Ok(())
}
