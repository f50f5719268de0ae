//! Informers and objects that cannot be decoded: nothing is lost, and nothing stays that is gone.

mod informing;

use std::{cell::RefCell, rc::Rc};

use futures::StreamExt;
use informing::{Log, World, log_to, ours};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{
        InformerOptions, Initial, ListPart, Object, ObjectKey, QueueKind, ReflectorOptions, SharedInformer, WatchError,
    },
    rest::Watch,
};
use masthead_sim::{Damage, Effect, Fault};

const QUEUES: [QueueKind; 3] = [QueueKind::RealFifo, QueueKind::RealFifoPerObject, QueueKind::DeltaFifo];

/// An informer of the maps `a=1` and `b=1`, complete, with what its handler and its options were told.
struct Informed {
    world: World,
    informer: SharedInformer<ConfigMap>,
    log: Log,
    reports: Rc<RefCell<Vec<String>>>,
}

impl Informed {
    fn new(queue: QueueKind, initial: Initial) -> Result<Informed, Error> {
        let informed = Informed::unstarted(queue, initial)?;
        informed.start()?;
        Ok(informed)
    }

    fn unstarted(queue: QueueKind, initial: Initial) -> Result<Informed, Error> {
        let world = World::new();
        world.put("a", 1);
        world.put("b", 1);
        let reports: Rc<RefCell<Vec<String>>> = Rc::default();
        let reported = Rc::clone(&reports);
        let informer = world.informer(InformerOptions {
            queue,
            reflector: ReflectorOptions { initial, ..ReflectorOptions::default() },
            on_watch_error: Some(Rc::new(move |trouble| {
                reported.borrow_mut().push(match trouble {
                    WatchError::Stale(stale) => format!("stale {}", stale.error),
                    WatchError::Skipped(error) => format!("skipped {error}"),
                    other => format!("{other:?}"),
                });
            })),
            ..InformerOptions::default()
        });
        let log = Log::default();
        informer.add_handler(log_to(&log))?.forget();
        Ok(Informed { world, informer, log, reports })
    }

    fn start(&self) -> Result<(), Error> {
        self.informer.start();
        self.world.time.run(self.informer.synced())?;
        self.world.seconds(1);
        Ok(())
    }

    /// The next thing that fits comes damaged: a fault is of a request, so the watch is opened anew.
    fn damage_next_event(&self, damage: Damage) {
        self.world.sim.restart();
        self.fault("watch=", 1, damage);
        self.world.seconds(20);
    }

    fn fault(&self, part_of_url: &str, nth: u32, damage: Damage) {
        let effect = Effect::Damage { nth, damage };
        self.world.sim.fault(Fault { part_of_url: part_of_url.to_owned(), ..Fault::next(effect) });
    }

    fn delete(&self, name: &str) {
        self.world.time.run(self.world.maps.delete(name, &Default::default())).expect("it is there");
        self.world.seconds(1);
    }

    /// Makes the informer list again.
    fn relist(&self) {
        self.world.sim.compact();
        self.world.sim.restart();
        self.world.put("marker", 1);
        self.world.sim.compact();
        self.world.seconds(60);
        assert!(self.informer.store().get(&key("marker")).is_some(), "it was listed again");
        self.delete("marker");
    }

    /// What the store has: name=value, with a `?` where it is stale.
    fn state(&self) -> String {
        let store = self.informer.store();
        let mut all: Vec<String> = Vec::new();
        store.for_each(|map| {
            let value = map.data.as_ref().and_then(|data| data.get("value").cloned()).unwrap_or_default();
            let stale = if store.stale_object(&map.key()).is_some() { "?" } else { "" };
            all.push(format!("{}={value}{stale}", map.key().name()));
        });
        all.extend(
            store
                .stale_objects()
                .iter()
                .filter(|stale| store.get(&stale.key).is_none())
                .map(|stale| format!("{}?", stale.key.name())),
        );
        all.sort();
        all.join(" ")
    }

    fn told(&self) -> Vec<String> {
        self.log.borrow().iter().filter(|line| !line.contains("marker")).cloned().collect()
    }
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new("default", name)
}

#[test]
fn a_deletion_whose_last_state_cannot_be_decoded_is_a_deletion() -> Result<(), Error> {
    for queue in QUEUES {
        for damage in [Damage::Field, Damage::Text] {
            let informed = Informed::new(queue, Initial::Pages)?;
            informed.damage_next_event(damage);
            informed.delete("a");
            assert_eq!(informed.state(), "b=1", "{queue:?}");
            assert_eq!(informed.told().last().map(String::as_str), Some("-a unknown"), "{queue:?}");
            let reports = informed.reports.borrow();
            let report = reports.last().map_or("", String::as_str);
            assert!(
                report.starts_with("skipped ") && report.contains("default/a: metadata.creationTimestamp"),
                "{report}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_change_that_cannot_be_decoded_leaves_the_object_stale_until_the_next_one() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        informed.damage_next_event(Damage::Field);
        informed.world.put("a", 2);
        informed.world.seconds(1);
        assert_eq!(informed.state(), "a=1? b=1", "{queue:?}");
        let stale = informed.informer.store().stale_object(&key("a")).expect("it is stale");
        let server = informed.world.time.run(informed.world.maps.get("a", &Default::default()))?;
        assert_eq!((&stale.key, stale.resource_version.as_str()), (&key("a"), server.resource_version()));
        assert_eq!(stale.uid, server.uid());
        let report = informed.reports.borrow().last().cloned().unwrap_or_default();
        assert!(report.starts_with("stale ") && report.contains("default/a: metadata.creationTimestamp"), "{report}");
        let told = informed.told().len();
        informed.world.put("a", 3);
        informed.world.seconds(1);
        assert_eq!(informed.state(), "a=3 b=1");
        assert_eq!(informed.told()[told..], ["a=1>a=3"]);
    }
    Ok(())
}

#[test]
fn who_waits_for_a_write_that_cannot_be_decoded_does_not_wait_for_ever() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        informed.damage_next_event(Damage::Field);
        informed.world.put("a", 2);
        let written = informed.world.time.run(informed.world.maps.get("a", &Default::default()))?;
        informed.world.time.run(informed.informer.store().wait_for(&written));
        assert_eq!(informed.state(), "a=1? b=1", "{queue:?}");
    }
    Ok(())
}

#[test]
fn an_object_that_could_never_be_decoded_is_known_to_exist_until_it_is_gone() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        let told = informed.told().len();
        informed.damage_next_event(Damage::Text);
        informed.world.put("c", 1);
        informed.world.seconds(1);
        assert_eq!(informed.state(), "a=1 b=1 c?", "{queue:?}");
        informed.delete("c");
        assert_eq!(informed.state(), "a=1 b=1", "{queue:?}");
        assert_eq!(informed.told()[told..], [""; 0], "it was never told of");
    }
    Ok(())
}

#[test]
fn an_item_of_a_list_that_cannot_be_decoded_is_not_deleted() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        let told = informed.told().len();
        informed.fault("limit=", 1, Damage::Field);
        informed.relist();
        assert_eq!(informed.state(), "a=1 b=1", "{queue:?}: the state that is here is the one that was listed");
        assert!(!informed.told()[told..].iter().any(|line| line.starts_with(['-', '+'])), "{:?}", informed.told());
    }
    Ok(())
}

#[test]
fn an_item_that_changed_unseen_and_cannot_be_decoded_is_stale() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        let told = informed.told().len();
        informed.fault("limit=", 1, Damage::Field);
        informed.world.sim.restart();
        informed.world.put("a", 2);
        informed.world.sim.compact();
        informed.world.seconds(60);
        assert_eq!(informed.state(), "a=1? b=1", "{queue:?}");
        let report = informed.reports.borrow().iter().filter(|report| report.starts_with("stale")).count();
        assert_eq!(report, 1, "{:?}", informed.reports);
        informed.relist();
        assert_eq!(informed.state(), "a=2 b=1", "{queue:?}: the next list can be decoded");
        assert_eq!(informed.told()[told..].iter().filter(|line| line.contains("a=1>a=2")).count(), 1);
        assert!(!informed.told()[told..].iter().any(|line| line.starts_with("-a")), "{:?}", informed.told());
    }
    Ok(())
}

#[test]
fn another_object_of_the_same_name_ends_the_one_that_was_known() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        informed.fault("limit=", 1, Damage::Field);
        informed.world.sim.restart();
        informed.world.time.run(informed.world.maps.delete("a", &Default::default()))?;
        informed.world.put("a", 2);
        informed.world.sim.compact();
        informed.world.seconds(60);
        assert_eq!(informed.state(), "a? b=1", "{queue:?}");
        assert!(informed.told().iter().any(|line| line == "-a unknown"), "{:?}", informed.told());
    }
    Ok(())
}

#[test]
fn a_list_with_an_item_of_no_name_ends_nothing() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::new(queue, Initial::Pages)?;
        let told = informed.told().len();
        // The list's own metadata is the first.
        let effect = Effect::Damage { nth: 2, damage: Damage::Metadata };
        informed.world.sim.fault(Fault { part_of_url: "limit=".to_owned(), times: u32::MAX, effect, method: None });
        informed.world.sim.restart();
        informed.world.put("b", 2);
        informed.world.sim.compact();
        informed.world.seconds(120);
        assert_eq!(informed.state(), "a=1? b=2", "{queue:?}");
        informed.world.put("b", 3);
        informed.world.seconds(1);
        assert_eq!(informed.state(), "a=1? b=3", "{queue:?}: what is damaged for ever is no reason not to watch");
        let changed: Vec<_> = informed.told()[told..].iter().filter(|line| *line != "b=2>b=2").cloned().collect();
        assert_eq!(changed, ["b=1>b=2", "b=2>b=3"], "{queue:?}");
        informed.world.sim.clear_faults();
        informed.relist();
        assert_eq!(informed.state(), "a=1 b=3", "{queue:?}");
    }
    Ok(())
}

#[test]
fn a_list_with_an_item_of_no_name_is_asked_for_again() -> Result<(), Error> {
    for queue in QUEUES {
        let informed = Informed::unstarted(queue, Initial::Pages)?;
        informed.fault("limit=", 2, Damage::Metadata);
        informed.start()?;
        informed.world.seconds(10);
        assert_eq!(informed.state(), "a=1 b=1", "{queue:?}");
    }
    Ok(())
}

#[test]
fn an_event_of_nobody_knows_what_makes_it_list_again() -> Result<(), Error> {
    for queue in QUEUES {
        for damage in [Damage::Metadata, Damage::EventType] {
            let informed = Informed::new(queue, Initial::Pages)?;
            informed.damage_next_event(damage);
            informed.delete("a");
            informed.world.seconds(60);
            assert_eq!(informed.state(), "b=1", "{queue:?} {damage:?}");
            assert_eq!(informed.told().last().map(String::as_str), Some("-a unknown"));
        }
    }
    Ok(())
}

#[test]
fn the_first_state_has_what_can_be_decoded_and_knows_the_rest() -> Result<(), Error> {
    for queue in QUEUES {
        for initial in [Initial::Pages, Initial::Cached, Initial::Stream] {
            for (damage, expect) in [(Damage::Field, "a? b=1"), (Damage::Text, "a? b=1")] {
                let informed = Informed::unstarted(queue, initial)?;
                informed.fault("/configmaps", 1, damage);
                informed.start()?;
                assert_eq!(informed.state(), expect, "{queue:?} {initial:?}");
                informed.world.put("a", 2);
                informed.world.seconds(1);
                assert_eq!(informed.state(), "a=2 b=1", "{queue:?} {initial:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn an_error_whose_status_cannot_be_decoded_ends_the_watch() -> Result<(), Error> {
    let informed = Informed::new(QueueKind::RealFifo, Initial::Pages)?;
    informed.world.sim.restart();
    informed.world.sim.fault(Fault { part_of_url: "watch=".to_owned(), ..Fault::next(Effect::UndecodableErrorEvent) });
    informed.world.seconds(20);
    informed.world.put("a", 2);
    informed.world.seconds(60);
    assert_eq!(informed.state(), "a=2 b=1");
    let reports = informed.reports.borrow();
    assert!(
        reports.iter().any(|report| report.contains("unable to decode an event from the watch stream")),
        "{reports:?}"
    );
    Ok(())
}

#[test]
fn an_object_of_which_nothing_can_be_made_is_stale_and_its_deletion_is_one() -> Result<(), Error> {
    for queue in QUEUES {
        let world = World::new();
        world.put("a", 1);
        let log = Log::default();
        let informer = world.informer(InformerOptions {
            queue,
            transform: Some(Rc::new(|map: ConfigMap| match map.data.as_ref().and_then(|data| data.get("value")) {
                Some(value) if value == "2" => Err(Error::invalid("transform", "two is too many")),
                _ => Ok(map),
            })),
            ..InformerOptions::default()
        });
        informer.add_handler(log_to(&log))?.forget();
        informer.start();
        world.time.run(informer.synced())?;
        world.put("a", 2);
        world.seconds(1);
        let stale = informer.store().stale_objects();
        assert_eq!(stale.len(), 1, "{queue:?}");
        assert_eq!(stale[0].error.to_string(), "transform: default/a: two is too many");
        assert!(informer.store().get(&key("a")).is_some());
        world.time.run(world.maps.delete("a", &Default::default()))?;
        world.seconds(1);
        assert!(informer.store().is_empty() && informer.store().stale_objects().is_empty(), "{queue:?}");
        assert_eq!(log.borrow().last().map(String::as_str), Some("-a unknown"));
    }
    Ok(())
}

#[test]
fn a_list_of_one_namespace_leaves_the_marks_of_the_others() -> Result<(), Error> {
    let world = World::new();
    let parts = ["default", "kube-public"].map(|namespace| {
        world.put_in(namespace, "a", 1);
        let client = masthead::typed::Client::<ConfigMap>::namespaced(&world.client, namespace);
        (namespace.to_owned(), Rc::new(client.source(&ours())) as Rc<dyn masthead::cache::ListerWatcher<ConfigMap>>)
    });
    world.sim.fault(Fault {
        part_of_url: "namespaces/default/configmaps".to_owned(),
        ..Fault::next(Effect::Damage { nth: 1, damage: Damage::Field })
    });
    let informer = SharedInformer::of_namespaces(parts, InformerOptions::default());
    informer.start();
    world.time.run(informer.synced())?;
    let stale = || informer.store().stale_objects().iter().map(|stale| stale.key.to_string()).collect::<Vec<_>>();
    assert_eq!(stale(), ["default/a"]);
    world.sim.fault(Fault {
        part_of_url: "namespaces/kube-public/configmaps?watch".to_owned(),
        ..Fault::next(Effect::ErrorEvent(410))
    });
    world.sim.restart();
    world.seconds(60);
    assert_eq!(stale(), ["default/a"]);
    world.put_in("default", "a", 2);
    world.seconds(1);
    assert_eq!(stale(), [""; 0]);
    Ok(())
}

/// What a reader made of three config maps of which one has a byte that is no text.
#[track_caller]
fn check_reader(read: impl AsyncFn(&World) -> Result<(usize, Vec<Error>), Error>) {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.put(name, 1);
    }
    let effect = Effect::Damage { nth: 2, damage: Damage::Text };
    world.sim.fault(Fault { part_of_url: "/configmaps".to_owned(), ..Fault::next(effect) });
    let (items, skipped) = world.time.run(read(&world)).expect("one item costs no page");
    assert_eq!((items, skipped.len()), (2, 1), "{skipped:?}");
    assert_eq!(skipped[0].undecodable_object().map(|object| object.key()), Some(key("b")), "{}", skipped[0]);
}

#[test]
fn an_item_that_is_no_text_costs_that_item_in_every_reader() {
    let maps = || kube_core::GroupVersionResource::gvr("", "v1", "configmaps");
    check_reader(async |world| world.maps.list(&ours()).await.map(|list| (list.items.len(), list.skipped)));
    check_reader(async |world| {
        let client = masthead::dynamic::DynamicClient::new(&world.client).resource(&maps()).namespace("default");
        client.list(&ours()).await.map(|list| (list.items.len(), list.skipped))
    });
    check_reader(async |world| {
        let client = masthead::metadata::MetadataClient::new(&world.client).resource(&maps()).namespace("default");
        client.list(&ours()).await.map(|list| (list.items.len(), list.skipped))
    });
    check_reader(async |world| {
        let client = masthead::table::TableClient::new(&world.client).resource(&maps()).namespace("default");
        client.list(&ours()).await.map(|table| (table.rows.len(), table.skipped))
    });
    check_reader(async |world| world.maps.source(&ours()).list().await.map(|list| (list.items.len(), list.skipped)));
    check_reader(async |world| {
        let (mut items, mut skipped) = (0, Vec::new());
        let source = world.maps.source(&ours());
        let mut parts = masthead::cache::ListerWatcher::list(&source, Default::default());
        while let Some(part) = parts.next().await {
            match part? {
                ListPart::Objects(objects) => items += objects.len(),
                ListPart::Skipped(error) => skipped.push(error),
                ListPart::Next(_) | ListPart::End { .. } => {}
            }
        }
        Ok((items, skipped))
    });
}

#[test]
fn an_event_that_is_no_text_costs_that_event_in_every_reader() {
    /// The first three events of a watch from the beginning.
    async fn events<K>(watch: impl Future<Output = Result<Watch<K>, Error>>) -> Result<(usize, Vec<Error>), Error> {
        let events: Vec<_> = watch.await?.take(3).collect().await;
        let (read, skipped): (Vec<_>, Vec<_>) = events.into_iter().partition(Result::is_ok);
        Ok((read.len(), skipped.into_iter().filter_map(Result::err).collect()))
    }
    let maps = || kube_core::GroupVersionResource::gvr("", "v1", "configmaps");
    check_reader(async |world| events(world.maps.watch(&ours())).await);
    check_reader(async |world| {
        let client = masthead::dynamic::DynamicClient::new(&world.client).resource(&maps()).namespace("default");
        events(client.watch(&ours())).await
    });
    check_reader(async |world| {
        let client = masthead::metadata::MetadataClient::new(&world.client).resource(&maps()).namespace("default");
        events(client.watch(&ours())).await
    });
    check_reader(async |world| {
        let client = masthead::table::TableClient::new(&world.client).resource(&maps()).namespace("default");
        events(client.watch(&ours())).await
    });
}
