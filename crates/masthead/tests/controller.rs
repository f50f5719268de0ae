//! Controllers on the simulated server.

mod informing;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
    time::Duration,
};

use informing::World;
use k8s_openapi::api::{
    apps::v1::{Deployment, ReplicaSet},
    core::v1::{ConfigMap, Namespace, Secret},
};
use masthead::{
    Error,
    cache::{InformerOptions, ObjectKey, SharedInformer},
    controller::{Controller, ControllerOptions, Counts, Failure, Outcome, Running},
    rest::{DeleteOptions, ListOptions},
    runtime::Instant,
    typed::Client,
    workqueue::MetricsRegistry,
};
use masthead_sim::{Effect, Fault};
use serde_json::json;

const SECOND: Duration = Duration::from_secs(1);

/// When which key was worked on, in milliseconds.
type Log = Rc<RefCell<Vec<(u128, String)>>>;

/// A controller that notes its keys and gives what `outcome` says.
fn run(
    world: &World,
    controller: Controller<ConfigMap>,
    outcome: impl Fn(usize) -> Result<Outcome, Failure> + 'static,
) -> (Running, Log) {
    let (log, runtime) = (Log::default(), world.time.runtime());
    let noted = Rc::clone(&log);
    let running = controller.run(async move |key: ObjectKey| {
        noted.borrow_mut().push(((runtime.now() - Instant::ORIGIN).as_millis(), key.name().to_owned()));
        outcome(noted.borrow().len())
    });
    (running.expect("the informers run"), log)
}

fn names(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.borrow_mut()).into_iter().map(|(_, name)| name).collect()
}

#[test]
fn every_change_is_worked_on_and_the_beginning_too() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    world.put("b", 1);
    let informer = world.informer(InformerOptions::default());
    let (running, log) = run(&world, Controller::new(&informer), |_| Ok(Outcome::Done));
    world.time.run(running.started())?;
    world.seconds(1);
    assert_eq!(names(&log), ["a", "b"]);
    world.put("c", 1);
    world.seconds(1);
    world.put("a", 2);
    world.seconds(1);
    world.time.run(world.maps.delete("b", &DeleteOptions::default()))?;
    world.seconds(1);
    assert_eq!(names(&log), ["c", "a", "b"]);
    running.enqueue(ObjectKey::new("default", "a"));
    world.seconds(1);
    assert_eq!(names(&log), ["a"]);
    assert_eq!(running.counts(), Counts { success: 6, ..Counts::default() });
    assert_eq!((running.depth(), running.working()), (0, 0));
    drop(running);
    world.put("d", 1);
    world.seconds(1);
    assert_eq!(names(&log), [""; 0], "it ended when it was dropped");
    assert!(informer.is_running(), "the informer is not the controller's own");
    Ok(())
}

/// When the first key is worked on, from its first time.
fn times(world: &World, log: &Log) -> Vec<u128> {
    world.seconds(60);
    let log = log.borrow();
    log.iter().map(|(at, _)| at - log[0].0).collect()
}

#[test]
fn a_failure_comes_again_ever_later_and_success_forgets() {
    let world = World::new();
    world.put("a", 1);
    let controller = Controller::new(&world.informer(InformerOptions::default()));
    let (running, log) = run(&world, controller, |attempt| match attempt {
        1..=4 | 6 => Err("not yet".into()),
        5 => Ok(Outcome::RequeueAfter(10 * SECOND)),
        _ => Ok(Outcome::Done),
    });
    assert_eq!(times(&world, &log), [0, 5, 15, 35, 75, 10_075, 10_080], "after a success it counts from the start");
    assert_eq!(running.counts(), Counts { success: 1, requeue_after: 1, error: 5, ..Counts::default() });
}

#[test]
fn a_requeue_is_rate_limited_and_a_requeue_after_nothing_is_done() {
    let world = World::new();
    world.put("a", 1);
    let controller = Controller::new(&world.informer(InformerOptions::default()));
    let (running, log) = run(&world, controller, |attempt| match attempt {
        1..=3 => Ok(Outcome::Requeue),
        _ => Ok(Outcome::RequeueAfter(Duration::ZERO)),
    });
    assert_eq!(times(&world, &log), [0, 5, 15, 35]);
    assert_eq!(running.counts(), Counts { success: 1, requeue: 3, ..Counts::default() });
}

#[test]
fn a_terminal_failure_comes_again_only_with_a_change_and_is_told() {
    let world = World::new();
    world.put("a", 1);
    let told: Rc<RefCell<Vec<String>>> = Rc::default();
    let failures = Rc::clone(&told);
    let options = ControllerOptions {
        on_failure: Some(Rc::new(move |key, failure| failures.borrow_mut().push(format!("{key}: {failure}")))),
        ..ControllerOptions::default()
    };
    let controller = Controller::new(&world.informer(InformerOptions::default())).with(options);
    let (running, log) = run(&world, controller, |attempt| match attempt {
        1 => Err(Failure::terminal("no use")),
        2 => Err("once".into()),
        _ => Ok(Outcome::Done),
    });
    world.seconds(3600);
    assert_eq!(log.borrow().len(), 1);
    world.put("a", 2);
    world.seconds(3600);
    assert_eq!(running.counts(), Counts { success: 1, error: 2, terminal: 1, ..Counts::default() });
    assert_eq!(*told.borrow(), ["default/a: terminal error: no use", "default/a: once"]);
}

#[test]
fn as_many_keys_as_allowed_are_worked_on_at_once_and_none_twice() {
    let world = World::new();
    (0..20).for_each(|number| world.put(&format!("m{number}"), 1));
    let options = ControllerOptions { max_concurrent_reconciles: 4, ..ControllerOptions::default() };
    let controller = Controller::new(&world.informer(InformerOptions::default())).with(options);
    let (at_work, most, runtime) =
        (Rc::new(RefCell::new(BTreeSet::new())), Rc::new(Cell::new(0)), world.time.runtime());
    let (busy, peak) = (Rc::clone(&at_work), Rc::clone(&most));
    let running = controller.run(async move |key: ObjectKey| {
        assert!(busy.borrow_mut().insert(key.clone()), "{key} is worked on twice at once");
        peak.set(peak.get().max(busy.borrow().len()));
        runtime.sleep(SECOND).await;
        busy.borrow_mut().remove(&key);
        Ok(Outcome::Done)
    });
    let running = running.expect("the informers run");
    for round in 2..6 {
        (0..20).for_each(|number| world.put(&format!("m{number}"), round));
        world.time.advance(SECOND / 3);
    }
    world.seconds(30);
    assert_eq!(most.get(), 4);
    assert!((20..=100).contains(&running.counts().success), "{:?}", running.counts());
    assert_eq!((running.depth(), running.working()), (0, 0));
}

#[test]
fn what_an_object_owns_and_what_it_is_mapped_to_lead_to_it() -> Result<(), Error> {
    let world = World::new();
    let (owner, mapped) = (world.informer(InformerOptions::default()), world.informer(InformerOptions::default()));
    let owned = Client::<Secret>::namespaced(&world.client, "default").source(&ListOptions::default());
    let owned = SharedInformer::new(Rc::new(owned), InformerOptions::default());
    let controller = Controller::new(&owner).owns(&owned).watches(&mapped, |map: &ConfigMap| {
        let target = map.data.as_ref().and_then(|data| data.get("value").cloned());
        vec![ObjectKey::new("elsewhere", &format!("value-{}", target.unwrap_or_default()))]
    });
    let (running, log) = run(&world, controller, |_| Ok(Outcome::Done));
    world.time.run(running.started())?;
    let secret = |name: &str, owners: serde_json::Value| {
        let secret = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": name, "namespace": "default",
            "ownerReferences": owners } });
        assert!(world.sim.insert(secret));
        world.seconds(1);
    };
    let reference = |version: &str, kind: &str, name: &str, controller: bool| json!({ "apiVersion": version, "kind": kind, "name": name, "uid": "1", "controller": controller });
    secret("s1", json!([reference("v1", "Pod", "no", false), reference("v1", "ConfigMap", "mine", true)]));
    assert_eq!(names(&log), ["mine"]);
    secret("s2", json!([reference("v1", "ConfigMap", "not-controlled", false)]));
    secret("s3", json!([reference("example.com/v1", "ConfigMap", "other-group", true)]));
    secret("s4", json!([]));
    assert_eq!(names(&log), [""; 0]);
    // Given to another: both have to look.
    secret("s1", json!([reference("v1", "ConfigMap", "theirs", true)]));
    assert_eq!(names(&log), ["mine", "theirs"]);
    let secrets = Client::<Secret>::namespaced(&world.client, "default");
    world.time.run(secrets.delete("s1", &DeleteOptions::default()))?;
    world.seconds(1);
    assert_eq!(names(&log), ["theirs"]);
    world.put("m", 1);
    world.seconds(1);
    world.put("m", 2);
    world.seconds(1);
    let mut all = names(&log);
    all.sort();
    assert_eq!(all, ["m", "m", "value-1", "value-1", "value-2"]);
    Ok(())
}

#[test]
fn owners_without_a_namespace_are_found_too() {
    let world = World::new();
    let deployments = Client::<Deployment>::all_namespaces(&world.client).source(&ListOptions::default());
    let deployments = SharedInformer::<Deployment>::new(Rc::new(deployments), InformerOptions::default());
    let sets = Client::<ReplicaSet>::all_namespaces(&world.client).source(&ListOptions::default());
    let sets = SharedInformer::<ReplicaSet>::new(Rc::new(sets), InformerOptions::default());
    let namespaces = Client::<Namespace>::cluster(&world.client).source(&ListOptions::default());
    let namespaces = SharedInformer::<Namespace>::new(Rc::new(namespaces), InformerOptions::default());
    let keys: Rc<RefCell<BTreeSet<String>>> = Rc::default();
    let (first, second) = (Rc::clone(&keys), Rc::clone(&keys));
    let running = [
        Controller::new(&deployments).owns(&sets).run(async move |key: ObjectKey| {
            first.borrow_mut().insert(format!("deployment {key}"));
            Ok(Outcome::Done)
        }),
        Controller::new(&namespaces).owns(&sets).run(async move |key: ObjectKey| {
            second.borrow_mut().insert(format!("namespace {key}"));
            Ok(Outcome::Done)
        }),
    ];
    world.seconds(1);
    keys.borrow_mut().clear();
    for (name, version, kind) in [("one", "apps/v1beta1", "Deployment"), ("two", "v1", "Namespace")] {
        let set = json!({ "apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": { "name": name, "namespace": "default", "ownerReferences": [
                { "apiVersion": version, "kind": kind, "name": "it", "uid": "1", "controller": true }] },
            "spec": { "selector": { "matchLabels": { "a": "b" } }, "template": { "metadata": { "labels": { "a": "b" } },
                "spec": { "containers": [{ "name": "c", "image": "i" }] } } } });
        assert!(world.sim.insert(set));
    }
    world.seconds(1);
    let keys: Vec<String> = keys.borrow().iter().cloned().collect();
    assert_eq!(keys, ["deployment default/it", "namespace it"]);
    drop(running);
}

#[test]
fn a_change_goes_before_what_was_there_at_the_beginning() -> Result<(), Error> {
    let world = World::new();
    (0..5).for_each(|number| world.put(&format!("old{number}"), 1));
    let (log, runtime) = (Log::default(), world.time.runtime());
    let noted = Rc::clone(&log);
    let running = Controller::new(&world.informer(InformerOptions::default())).run(async move |key: ObjectKey| {
        noted.borrow_mut().push((0, key.name().to_owned()));
        runtime.sleep(10 * SECOND).await;
        Ok(Outcome::Done)
    })?;
    world.time.run(running.started())?;
    world.seconds(1);
    world.put("new", 1);
    world.put("old4", 2);
    world.seconds(100);
    assert_eq!(names(&log), ["old0", "new", "old4", "old1", "old2", "old3"]);
    Ok(())
}

#[test]
fn a_stop_lets_workers_finish_for_a_while() {
    let check = |limit: Duration, left: usize, finished: bool| {
        let world = World::new();
        world.put("a", 1);
        world.put("b", 1);
        let (runtime, done) = (world.time.runtime(), Rc::new(RefCell::new(Vec::new())));
        let noted = Rc::clone(&done);
        let running = Controller::new(&world.informer(InformerOptions::default())).run(async move |key: ObjectKey| {
            runtime.sleep(10 * SECOND).await;
            noted.borrow_mut().push(key.name().to_owned());
            Ok(Outcome::Done)
        });
        let running = running.expect("the informers run");
        world.seconds(5);
        assert_eq!(running.working(), 1);
        assert_eq!(world.time.run(running.stop(limit)), left);
        world.seconds(60);
        assert_eq!(*done.borrow(), if finished { vec!["a"] } else { vec![] }, "nothing begins after the end");
    };
    check(6 * SECOND, 0, true);
    check(4 * SECOND, 1, false);
    check(Duration::ZERO, 1, false);
}

#[test]
fn what_keeps_a_controller_from_starting_is_told() {
    let world = World::new();
    let part_of_url = "configmaps".to_owned();
    world.sim.fault(Fault { method: None, part_of_url, times: u32::MAX, effect: Effect::Unreachable });
    let options = ControllerOptions { cache_sync_timeout: 30 * SECOND, ..ControllerOptions::default() };
    let controller = Controller::new(&world.informer(InformerOptions::default())).with(options);
    let (running, log) = run(&world, controller, |_| Ok(Outcome::Done));
    let error = world.time.run(running.started()).expect_err("nobody answers");
    assert!(error.is_timeout(), "{error}");
    assert_eq!(world.time.now(), Instant::ORIGIN + 30 * SECOND);
    world.seconds(1);
    assert!(running.is_over());
    assert!(log.borrow().is_empty());

    let stopped = world.informer(InformerOptions::default());
    stopped.start();
    stopped.stop();
    let refused = Controller::new(&stopped).run(async |_: ObjectKey| Ok(Outcome::Done)).expect_err("it is stopped");
    assert!(refused.to_string().contains("has stopped already"), "{refused}");
}

#[test]
fn a_controller_with_a_name_has_metrics() {
    let (world, registry) = (World::new(), MetricsRegistry::default());
    world.put("a", 1);
    let options = ControllerOptions {
        name: "maps".into(),
        metrics: Some(Rc::new(registry.clone())),
        ..ControllerOptions::default()
    };
    let controller = Controller::new(&world.informer(InformerOptions::default())).with(options);
    let (_running, _log) =
        run(&world, controller, |attempt| if attempt < 3 { Err("no".into()) } else { Ok(Outcome::Done) });
    world.seconds(5);
    let stats = registry.stats("maps").expect("it runs");
    assert_eq!((stats.adds, stats.retries, stats.work_duration.count, stats.depth()), (3, 2, 3, 0));
}
