//! Informers on the simulated server.

mod informing;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use informing::{Log, World, log_to, take};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    cache::{Filtered, Handlers, InformerOptions, Notification, Object, QueueKind, Registration, WatchError},
};
use masthead_sim::{Effect, Fault};

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

const QUEUES: [QueueKind; 3] = [QueueKind::RealFifo, QueueKind::RealFifoPerObject, QueueKind::DeltaFifo];

fn resyncing(seconds: u64) -> InformerOptions<ConfigMap> {
    InformerOptions { resync: Duration::from_secs(seconds), ..InformerOptions::default() }
}

// SI-01, SI-02: the second differs from the first by a late start, which here every run has.
#[test]
fn si_01_02_each_handler_has_its_own_resync() -> Result<(), Error> {
    for queue in QUEUES {
        let world = World::new();
        world.put("one", 1);
        world.put("two", 1);
        let informer = world.informer(InformerOptions { queue, ..resyncing(1) });
        let logs = [Log::default(), Log::default(), Log::default()];
        let mut registrations = Vec::new();
        for (log, period) in logs.iter().zip([0, 2, 3]) {
            registrations.push(informer.add_handler_with_resync(log_to(log), Duration::from_secs(period))?);
        }
        informer.start();
        let told = || logs.iter().map(|log| take(log).len()).collect::<Vec<_>>();
        world.time.advance(Duration::from_millis(500));
        assert_eq!(told(), [2, 2, 2]);
        world.seconds(1);
        assert_eq!(told(), [0, 0, 0]);
        world.seconds(1);
        assert_eq!(told(), [0, 2, 0]);
        world.seconds(1);
        assert_eq!(told(), [0, 0, 2]);
    }
    Ok(())
}

#[test]
fn si_03_a_handler_may_shorten_the_time_between_looks_before_the_start() -> Result<(), Error> {
    let world = World::new();
    let informer = world.informer(resyncing(12 * 3600));
    let mut kept: Vec<Registration<ConfigMap>> = Vec::new();
    for (asked, expect) in [(0, 12 * 3600), (60, 60), (55, 55), (5, 5)] {
        kept.push(informer.add_handler_with_resync(log_to(&Log::default()), Duration::from_secs(asked))?);
        assert_eq!(informer.resync_check_period(), Duration::from_secs(expect));
    }
    informer.start();
    kept.push(informer.add_handler_with_resync(log_to(&Log::default()), Duration::from_secs(1))?);
    assert_eq!(informer.resync_check_period(), Duration::from_secs(5));
    Ok(())
}

#[test]
fn si_05_a_refused_list_is_told_and_ends_the_wait() -> Result<(), Error> {
    let world = World::new();
    let forbidden = Effect::Status { code: 403, retry_after: None };
    world.sim.fault(Fault { method: None, part_of_url: String::new(), times: 1, effect: forbidden });
    let troubles: Log = Log::default();
    let told = Rc::clone(&troubles);
    let on_watch_error: Rc<dyn Fn(&WatchError)> =
        Rc::new(move |trouble| told.borrow_mut().push(format!("{trouble:?}")));
    let informer =
        world.informer(InformerOptions { on_watch_error: Some(on_watch_error), ..InformerOptions::default() });
    informer.start();
    let error = world.time.run(informer.synced()).expect_err("it is refused");
    assert!(error.is_forbidden(), "{error}");
    assert_eq!(troubles.borrow().len(), 1, "{troubles:?}");
    world.seconds(5);
    world.time.run(informer.synced())
}

// SI-06, DF-25.
#[test]
fn si_06_df_25_an_object_is_transformed_once_whatever_becomes_of_it() -> Result<(), Error> {
    for queue in QUEUES {
        let world = World::new();
        world.put("a", 1);
        let times = Rc::new(Cell::new(0));
        let counted = Rc::clone(&times);
        let options = InformerOptions {
            queue,
            transform: Some(Rc::new(move |mut map: ConfigMap| {
                counted.set(counted.get() + 1);
                if let Some(value) = map.data.as_mut().and_then(|data| data.get_mut("value")) {
                    value.push('!');
                }
                Ok(map)
            })),
            ..resyncing(10)
        };
        let informer = world.informer(options);
        let log = Log::default();
        let _registration = informer.add_handler(log_to(&log))?;
        informer.start();
        world.time.run(informer.synced())?;
        world.put("a", 2);
        world.seconds(15);
        world.time.run(world.maps.delete("a", &Default::default()))?;
        world.seconds(1);
        assert_eq!(take(&log), ["+a=1! initial", "a=1!>a=2!", "a=2!>a=2!", "-a"]);
        assert_eq!(times.get(), 3, "a list, a change and an end");
    }
    Ok(())
}

// SI-07, SI-08, SI-13.
#[test]
fn si_07_08_13_handlers_are_taken_out_one_by_one() -> Result<(), Error> {
    let world = World::new();
    let (informer, other) = (world.informer(InformerOptions::default()), world.informer(InformerOptions::default()));
    let (log, foreign) = (Log::default(), Log::default());
    let first = informer.add_handler(log_to(&log))?;
    let second = informer.add_handler(log_to(&log))?;
    let _theirs = other.add_handler(log_to(&foreign))?;
    informer.start();
    other.start();
    world.time.run(informer.synced())?;
    world.time.run(other.synced())?;
    world.put("a", 1);
    world.seconds(1);
    assert_eq!(take(&log), ["+a=1", "+a=1"]);
    drop(first);
    world.put("b", 1);
    world.seconds(1);
    assert_eq!(take(&log), ["+b=1"]);
    drop(second);
    world.put("c", 1);
    world.seconds(1);
    assert_eq!(take(&log), [""; 0]);
    assert_eq!(take(&foreign), ["+a=1", "+b=1", "+c=1"]);
    Ok(())
}

#[test]
fn si_09_a_late_handler_is_told_everything_that_is_there() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    world.put("b", 1);
    let informer = world.informer(InformerOptions::default());
    informer.start();
    world.time.run(informer.synced())?;
    let log = Log::default();
    let late = informer.add_handler(log_to(&log))?;
    assert!(!late.has_synced());
    assert_eq!(late.depth(), 2);
    world.time.run(late.synced());
    assert!(late.has_synced());
    let mut told = take(&log);
    told.sort();
    assert_eq!(told, ["+a=1 initial", "+b=1 initial"]);
    Ok(())
}

#[test]
fn si_10_a_stopped_informer_takes_no_handler_until_it_is_started_again() -> Result<(), Error> {
    let world = World::new();
    let informer = world.informer(InformerOptions::default());
    informer.start();
    informer.stop();
    let error = informer.add_handler(log_to(&Log::default())).expect_err("stopped").to_string();
    assert!(error.ends_with("was not added to shared informer because it has stopped already"), "{error}");
    informer.start();
    informer.add_handler(log_to(&Log::default())).map(drop)
}

#[test]
fn si_11_a_handler_that_fails_is_told_the_next_all_the_same() -> Result<(), Error> {
    let world = World::new();
    (0..5).for_each(|number| world.put(&format!("m{number}"), 1));
    let informer = world.informer(InformerOptions::default());
    let failing = |_: &Notification<ConfigMap>| Err(Error::invalid("test", "no"));
    let both = [informer.add_handler(failing)?, informer.add_handler(failing)?];
    informer.start();
    world.time.run(informer.synced())?;
    for registration in &both {
        world.time.run(registration.synced());
        assert_eq!(registration.failures(), 5);
    }
    Ok(())
}

#[test]
fn si_12_indexes_may_come_before_and_after_the_start() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    world.put("b", 2);
    let informer = world.informer(InformerOptions::default());
    let value = |map: &ConfigMap| map.data.clone().and_then(|data| data.get("value").cloned());
    informer.store().add_index("before", value)?;
    informer.start();
    world.time.run(informer.synced())?;
    informer.store().add_index("after", value)?;
    world.put("a", 2);
    world.seconds(1);
    for index in ["before", "after"] {
        let keys = informer.store().index_keys(index, "2")?;
        assert_eq!(keys.iter().map(|key| key.name()).collect::<Vec<_>>(), ["a", "b"]);
        assert!(informer.store().index_keys(index, "1")?.is_empty());
    }
    Ok(())
}

#[test]
fn si_14_a_handler_may_take_itself_out() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    world.put("b", 1);
    let informer = world.informer(InformerOptions::default());
    let own: Rc<RefCell<Option<Registration<ConfigMap>>>> = Rc::default();
    let (mine, times) = (Rc::clone(&own), Rc::new(Cell::new(0)));
    let counted = Rc::clone(&times);
    *own.borrow_mut() = Some(informer.add_handler(move |_: &Notification<ConfigMap>| {
        counted.set(counted.get() + 1);
        drop(mine.borrow_mut().take());
        Ok(())
    })?);
    informer.start();
    world.seconds(1);
    assert_eq!(times.get(), 1);
    Ok(())
}

#[test]
fn a_handler_may_call_what_it_is_told_by() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let informer = world.informer(InformerOptions::default());
    let (inside, log) = (informer.clone(), Log::default());
    let inner = Rc::clone(&log);
    let handler = Handlers::new().added(move |map: &Rc<ConfigMap>, _| {
        assert!(inside.store().get(&map.key()).is_some(), "the store has what is told");
        inside.store().add_index(map.key().name(), |map: &ConfigMap| [map.key().to_string()])?;
        inside.add_handler(log_to(&inner))?.forget();
        inside.start();
        Ok(())
    });
    let _registration = informer.add_handler(handler)?;
    informer.start();
    world.time.run(informer.synced())?;
    world.seconds(1);
    assert_eq!(take(&log), ["+a=1 initial"]);
    assert_eq!(informer.store().index_keys("a", "default/a")?.len(), 1);
    Ok(())
}

#[test]
fn a_filter_turns_a_change_into_a_coming_or_going() -> Result<(), Error> {
    let world = World::new();
    let informer = world.informer(InformerOptions::default());
    let log = Log::default();
    let even = |map: &ConfigMap| {
        let value = map.data.as_ref().and_then(|data| data.get("value")?.parse::<u32>().ok());
        value.is_some_and(|value| value % 2 == 0)
    };
    let _registration = informer.add_handler(Filtered::new(even, log_to(&log)))?;
    informer.start();
    world.time.run(informer.synced())?;
    for value in [1, 2, 4, 5, 6] {
        world.put("a", value);
    }
    world.time.run(world.maps.delete("a", &Default::default()))?;
    world.seconds(1);
    assert_eq!(take(&log), ["+a=2", "a=2>a=4", "-a", "+a=6", "-a"]);
    Ok(())
}

#[test]
fn rf_18_what_comes_with_a_second_list_is_not_of_the_beginning() -> Result<(), Error> {
    for queue in QUEUES {
        let world = World::new();
        world.put("a", 1);
        let informer = world.informer(InformerOptions { queue, ..InformerOptions::default() });
        let log = Log::default();
        let _registration = informer.add_handler(log_to(&log))?;
        informer.start();
        world.time.run(informer.synced())?;
        world.seconds(1);
        informer.stop();
        world.put("b", 1);
        informer.start();
        world.seconds(1);
        assert_eq!(take(&log), ["+a=1 initial", "+b=1"]);
    }
    Ok(())
}

#[test]
fn dropping_the_last_handle_ends_the_requests() -> Result<(), Error> {
    let world = World::new();
    let informer = world.informer(InformerOptions::default());
    let log = Log::default();
    informer.add_handler(log_to(&log))?.forget();
    informer.start();
    world.time.run(informer.synced())?;
    drop(informer.clone());
    world.put("a", 1);
    world.seconds(1);
    assert_eq!(take(&log), ["+a=1"]);
    drop(informer);
    world.put("b", 1);
    world.seconds(1);
    assert_eq!(take(&log), [""; 0]);
    Ok(())
}
