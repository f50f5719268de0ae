//! What an informer holds, as readers, writers and factories share it.

mod informing;

use std::{cell::RefCell, rc::Rc, time::Duration};

use informing::{Log, World, log_to, ours, take};
use k8s_openapi::api::core::v1::ConfigMap;
use kube_core::GroupVersionResource;
use masthead::{
    Error,
    cache::{
        GenericInformer, InformerFactory, InformerOptions, InformerScope, Lister, ListerWatcher, Object, SharedInformer,
    },
    dynamic::DynamicClient,
    labels::Selector,
    metadata::MetadataClient,
    rest::ListOptions,
    typed::Client,
};
use serde_json::json;

#[test]
fn a_writer_can_wait_for_its_own_write() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let informer = world.informer(InformerOptions::default());
    informer.start();
    world.time.run(informer.synced())?;
    let mut map = world.time.run(world.maps.get("a", &Default::default()))?;
    map.data.get_or_insert_default().insert("value".to_owned(), "9".to_owned());
    let written = world.time.run(world.maps.update(&map, &Default::default()))?;
    let (store, runtime) = (informer.store(), world.time.runtime());
    let waited = runtime.within(Duration::from_secs(60), store.wait_for(&written));
    assert!(world.time.run(waited).is_some(), "the watch tells it");
    let seen = informer.store().get(&written.key()).expect("it is there");
    assert_eq!(seen.metadata.resource_version, written.metadata.resource_version);
    Ok(())
}

#[test]
fn a_write_that_comes_back_in_a_list_is_seen_too() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let informer = world.informer(InformerOptions::default());
    informer.start();
    world.time.run(informer.synced())?;
    informer.stop();
    let mut map = world.time.run(world.maps.get("a", &Default::default()))?;
    map.data.get_or_insert_default().insert("value".to_owned(), "9".to_owned());
    let written = world.time.run(world.maps.update(&map, &Default::default()))?;
    let (store, runtime) = (informer.store(), world.time.runtime());
    let waited = runtime.within(Duration::from_secs(60), async {
        informer.start();
        store.wait_for(&written).await;
    });
    assert!(world.time.run(waited).is_some(), "the list that follows the start has it");
    Ok(())
}

#[test]
fn several_namespaces_are_one_informer() -> Result<(), Error> {
    let world = World::new();
    for namespace in ["red", "blue", "green"] {
        world.sim.insert(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } }));
        world.put_in(namespace, "a", 1);
    }
    let origin = |namespace: &str| -> (String, Rc<dyn ListerWatcher<ConfigMap>>) {
        let maps = Client::<ConfigMap>::namespaced(&world.client, namespace);
        (namespace.to_owned(), Rc::new(maps.source(&ours())))
    };
    let informer = SharedInformer::of_namespaces([origin("red"), origin("blue")], InformerOptions::default());
    let log = Log::default();
    let _registration = informer.add_handler(log_to(&log))?;
    informer.start();
    world.time.run(informer.synced())?;
    assert_eq!(format!("{:?}", informer.store().keys()), "[blue/a, red/a]");
    // A new list of one namespace says nothing of the other.
    world.put_in("red", "b", 1);
    world.sim.restart();
    world.put_in("blue", "b", 1);
    world.sim.compact();
    world.seconds(30);
    assert_eq!(format!("{:?}", informer.store().keys()), "[blue/a, blue/b, red/a, red/b]");
    assert_eq!(take(&log).len(), 4);
    let lister = Lister::new(informer.store(), "configmaps");
    let everything = Selector::default();
    assert_eq!((lister.list(&everything).len(), lister.namespace("blue").list(&everything).len()), (4, 2));
    let missing = lister.namespace("green").get("a").expect_err("nobody reads green");
    assert!(missing.is_not_found(), "{missing}");
    assert!(missing.to_string().contains("configmaps \"a\" not found"), "{missing}");
    lister.namespace("red").get("b").map(drop)
}

#[test]
fn a_factory_gives_everyone_who_asks_for_the_same_the_same_informer() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let factory = InformerFactory::default();
    let maps = factory.informer(&world.maps, &ours());
    assert!(maps.is_same(&factory.informer(&world.maps, &ours())));
    let chosen = ListOptions { label_selector: "app=web".to_owned(), ..ListOptions::default() };
    let web = factory.informer(&world.maps, &chosen);
    assert!(!maps.is_same(&web));
    let resource = GroupVersionResource::gvr("", "v1", "configmaps");
    let dynamic = DynamicClient::new(&world.client).resource(&resource).namespace("default");
    let metadata = MetadataClient::new(&world.client).resource(&resource).namespace("default");
    let (objects, heads) = (factory.informer(&dynamic, &ours()), factory.metadata(&metadata, &ours()));
    assert_eq!(factory.len(), 4);
    factory.start();
    world.time.run(factory.synced())?;
    assert_eq!((maps.store().len(), web.store().len(), objects.store().len(), heads.store().len()), (1, 0, 1, 1));
    factory.forget(&maps);
    assert!(!maps.is_same(&factory.informer(&world.maps, &ours())));
    world.put("b", 1);
    world.seconds(1);
    assert_eq!((maps.store().len(), heads.store().len()), (2, 2), "who holds it keeps it running");
    factory.stop();
    world.put("c", 1);
    world.seconds(1);
    assert_eq!((maps.store().len(), heads.store().len()), (3, 2));
    Ok(())
}

#[test]
fn an_informer_of_whatever_type_runs_and_tells_keys() -> Result<(), Error> {
    let world = World::new();
    world.put("a", 1);
    let typed = world.informer(InformerOptions::default());
    let generic = GenericInformer::new(&typed);
    let told = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&told);
    let registration = generic.on_change(move |key| {
        log.borrow_mut().push(key.to_string());
        Ok(())
    })?;
    generic.start();
    world.time.run(generic.synced())?;
    assert!(typed.is_running() && generic.has_synced());
    world.put("b", 1);
    world.put("a", 2);
    world.seconds(1);
    assert_eq!(std::mem::take(&mut *told.borrow_mut()), ["default/a", "default/b", "default/a"]);
    assert_eq!(generic.keys().iter().map(ToString::to_string).collect::<Vec<_>>(), ["default/a", "default/b"]);
    world.time.run(world.maps.delete("a", &Default::default()))?;
    world.seconds(1);
    assert_eq!(*told.borrow(), ["default/a"]);
    drop(registration);
    world.put("c", 1);
    world.seconds(1);
    assert_eq!(told.borrow().len(), 1, "who has gone is told nothing");
    assert!(generic.downcast::<ConfigMap>().expect("that is what it is of").is_same(&typed));
    assert!(generic.downcast::<k8s_openapi::api::core::v1::Pod>().is_none());
    generic.stop();
    assert!(!typed.is_running());
    Ok(())
}

#[test]
fn a_scope_is_a_namespace_and_a_selection_of_one_factory() -> Result<(), Error> {
    let world = World::new();
    world.sim.insert(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "red" } }));
    world.put("a", 1);
    world.put_in("red", "b", 1);
    let factory = InformerFactory::default();
    let all = InformerScope::new(&world.client, &factory).selecting(ours());
    let red = all.namespace("red");
    let (all, red) = (all.namespaced::<ConfigMap>("", "v1", "configmaps"), red.namespaced("", "v1", "configmaps"));
    assert!(!all.is_same(&red));
    let again = InformerScope::new(&world.client, &factory).namespace("red").selecting(ours());
    assert!(again.namespaced("", "v1", "configmaps").is_same(&red));
    let nodes = again.cluster::<k8s_openapi::api::core::v1::Node>("", "v1", "nodes");
    factory.start();
    world.time.run(factory.synced())?;
    let names = |informer: &SharedInformer<ConfigMap>| -> Vec<String> {
        informer.store().keys().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        (names(&all), names(&red)),
        (vec!["default/a".to_owned(), "red/b".to_owned()], vec!["red/b".to_owned()])
    );
    assert!(nodes.has_synced() && nodes.store().is_empty(), "a selection goes for every kind");
    Ok(())
}
