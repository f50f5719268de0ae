//! The clients, listers and informers of a package that uses every tag, on a simulated server.
#![allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "generated for a library, and used as far as it is tested"
)]

#[path = "shop/src/api/mod.rs"]
mod api;
#[path = "shop/src/fake.rs"]
mod fake;
#[path = "shop/src/generated/mod.rs"]
mod generated;

use std::{cell::RefCell, rc::Rc};

use api::v1::{Cart, Region, Widget, WidgetSpec, WidgetStatus};
use fake::FakeClientSet;
use generated::informers::SharedInformerFactory;
use kube_core::{GroupVersionResource, ObjectMeta, TypeMeta};
use masthead::{
    Error,
    cache::{InformerFactory, InformerScope},
    labels::Selector,
    rest::{ApplyOptions, ListOptions, PatchKind, UpdateOptions, WatchEvent},
    runtime::VirtualTime,
};
use serde_json::{Value, json};

fn shop(objects: impl IntoIterator<Item = Value>) -> (VirtualTime, FakeClientSet) {
    let time = VirtualTime::new();
    let clients = FakeClientSet::new(time.runtime(), objects).expect("objects of the shop");
    (time, clients)
}

fn widget(name: &str, replicas: i32) -> Widget {
    Widget {
        types: TypeMeta::resource::<Widget>(),
        metadata: ObjectMeta { name: Some(name.into()), ..Default::default() },
        spec: WidgetSpec { colour: "red".into(), replicas },
        status: None,
    }
}

fn stored(kind: &str, namespace: Option<&str>, name: &str) -> Value {
    json!({ "apiVersion": "shop.example.com/v1", "kind": kind, "metadata": { "name": name, "namespace": namespace } })
}

#[test]
fn verbs_status_and_scale_reach_the_server() -> Result<(), Error> {
    let (time, clients) = shop([]);
    let widgets = clients.shop_v1().widgets("default");
    time.run(async {
        let made = widgets.create(&widget("a", 2), &Default::default()).await?;
        assert_eq!(made.spec.replicas, 2);
        let status = Some(WidgetStatus { phase: "Made".into(), replicas: 2 });
        let told = widgets.update_status(&Widget { status, ..made }, &Default::default()).await?;
        assert_eq!(told.status.map(|status| status.phase).as_deref(), Some("Made"));

        let mut scale = widgets.get_scale("a", &Default::default()).await?;
        assert_eq!(scale.status.as_ref().map(|status| status.replicas), Some(2));
        scale.spec.get_or_insert_default().replicas = Some(5);
        widgets.update_scale("a", &scale, &UpdateOptions::default()).await?;
        let patch = json!({ "spec": { "replicas": 6 } });
        widgets.patch_scale("a", PatchKind::Merge, &patch, &Default::default()).await?;
        assert_eq!(widgets.get("a", &Default::default()).await?.spec.replicas, 6);

        let configuration = json!({ "apiVersion": "shop.example.com/v1", "kind": "Widget",
            "metadata": { "name": "a" }, "spec": { "colour": "blue" } });
        let options = ApplyOptions { field_manager: "test".into(), force: true, ..Default::default() };
        assert_eq!(widgets.apply(&configuration, &options).await?.spec.colour, "blue");
        assert_eq!(widgets.get_opt("b", &Default::default()).await?, None);
        widgets.delete_collection(&Default::default(), &ListOptions::default()).await?;
        assert!(widgets.list(&ListOptions::default()).await?.items.is_empty());
        Ok(())
    })
}

#[test]
fn methods_take_and_give_the_types_of_their_tags() {
    let (time, clients) = shop([stored("Receipt", Some("default"), "r")]);
    let orders = clients.shop_v1().orders("default");
    // An order is placed by a cart, which names no object: the server's refusal shows that it got there.
    let refused = time.run(orders.place(&Cart { widgets: vec!["a".into()] }, &Default::default())).unwrap_err();
    assert!(refused.to_string().contains("orders"), "{refused}");
    let below = time.run(orders.pay("o", &Cart::default(), &Default::default())).unwrap_err();
    assert!(below.is_not_found(), "{below}");
    let everything = time.run(orders.everything(&ListOptions::default())).unwrap();
    assert!(everything.items.is_empty());
    let receipts = time.run(clients.shop_v1().receipts("default").list(&ListOptions::default())).unwrap();
    assert_eq!(receipts.items[0].metadata.name.as_deref(), Some("r"), "under the name that +resourceName gives");
}

#[test]
fn an_expansion_is_part_of_its_client() {
    let (time, clients) = shop([]);
    let audits = clients.shop_v1().audits("default");
    let missing = time.run(audits.count()).unwrap_err();
    assert!(missing.is_not_found(), "nobody serves audits: {missing}");
}

#[test]
fn kinds_without_namespaces_have_none_in_their_paths() -> Result<(), Error> {
    let (time, clients) = shop([stored("Region", None, "north")]);
    let regions = clients.shop_v1().regions();
    let region = time.run(regions.get("north", &Default::default()))?;
    let changed = Region { status: Some(json!({ "open": true })), ..region };
    let kept = time.run(regions.update(&changed, &Default::default()))?;
    assert_eq!(
        kept.status,
        Some(json!({ "open": true })),
        "without the subresource, the status is a field like others"
    );
    Ok(())
}

#[test]
fn one_kind_in_two_versions_is_one_object() -> Result<(), Error> {
    let (time, clients) = shop([]);
    time.run(clients.shop_v1().widgets("default").create(&widget("a", 1), &Default::default()))?;
    let before = time.run(clients.shop_v1beta1().widgets("default").get("a", &Default::default()))?;
    assert_eq!(before.types.api_version, "shop.example.com/v1beta1");
    assert_eq!(before.spec.unwrap()["colour"], "red");
    Ok(())
}

#[test]
fn informers_are_shared_and_their_listers_read_them() -> Result<(), Error> {
    let (time, clients) = shop([stored("Region", None, "north"), stored("Receipt", Some("default"), "r")]);
    let factory = SharedInformerFactory::new(clients.rest_client());
    let widgets = factory.shop().v1().widgets();
    let (regions, receipts) = (factory.shop().v1().regions(), factory.shop().v1().receipts());
    assert!(widgets.informer().is_same(factory.shop().v1().widgets().informer()));
    let told = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&told);
    let generic = factory.for_resource(&GroupVersionResource::gvr("shop.example.com", "v1", "widgets"));
    let generic = generic.expect("an informer of that name");
    let _registration = generic.on_change(move |key| {
        log.borrow_mut().push(key.to_string());
        Ok(())
    })?;
    factory.start();
    time.run(factory.synced())?;
    assert_eq!(factory.scope().factory().len(), 3, "the one by its name is not another one");

    let client = clients.shop_v1().widgets("default");
    let labelled = |name: &str| {
        let mut widget = widget(name, 1);
        widget.metadata.labels = Some([("line".to_owned(), name.to_owned())].into());
        widget
    };
    time.run(client.create(&labelled("a"), &Default::default()))?;
    let last = time.run(client.create(&labelled("b"), &Default::default()))?;
    time.run(widgets.informer().store().wait_for(&last));
    let lister = widgets.lister();
    assert_eq!(lister.namespace("default").get("a")?.spec.colour, "red");
    let selected = lister.list(&"line=b".parse::<Selector>().unwrap());
    assert_eq!(selected.iter().map(|it| it.metadata.name.as_deref()).collect::<Vec<_>>(), [Some("b")]);
    let absent = lister.namespace("other").get("a").unwrap_err();
    assert!(absent.is_not_found() && absent.to_string().contains("widgets.shop.example.com"), "{absent}");
    assert_eq!(regions.lister().get("north")?.metadata.name.as_deref(), Some("north"));
    assert_eq!(receipts.lister().list(&Selector::everything()).len(), 1);
    assert_eq!(*told.borrow(), ["default/a", "default/b"]);
    Ok(())
}

#[test]
fn what_no_version_has_has_no_informer() {
    let (_time, clients) = shop([]);
    let factory = SharedInformerFactory::new(clients.rest_client());
    for (version, resource) in [("v1", "orders"), ("v1", "audits"), ("v2", "widgets"), ("v1", "pods")] {
        let resource = GroupVersionResource::gvr("shop.example.com", version, resource);
        assert!(factory.for_resource(&resource).is_none(), "{resource:?}");
    }
    assert!(factory.scope().factory().is_empty());
}

#[test]
fn a_factory_of_a_namespace_sees_no_other() -> Result<(), Error> {
    let mine = [("default", "a"), ("kube-system", "b")].map(|(namespace, name)| {
        let mut object = stored("Widget", Some(namespace), name);
        object["spec"] = json!({ "colour": "red", "replicas": 1 });
        object
    });
    let (time, clients) = shop(mine);
    let scope = InformerScope::new(clients.rest_client(), &InformerFactory::default()).namespace("default");
    let factory = SharedInformerFactory::within(scope);
    let widgets = factory.shop().v1().widgets();
    factory.start();
    time.run(factory.synced())?;
    assert_eq!(widgets.informer().store().keys().iter().map(ToString::to_string).collect::<Vec<_>>(), ["default/a"]);
    Ok(())
}

#[test]
fn a_watch_is_typed() -> Result<(), Error> {
    let (time, clients) = shop([]);
    let sheep = clients.shop_v1().sheep("default");
    let listed = time.run(sheep.list(&ListOptions::default()))?;
    let from = ListOptions { resource_version: listed.resource_version, ..Default::default() };
    let mut watch = time.run(sheep.watch(&from))?;
    clients.sim().insert(stored("Sheep", Some("default"), "dolly"));
    let Some(WatchEvent::Added(dolly)) = time.run(futures::StreamExt::next(&mut watch)).transpose()? else {
        panic!("the sheep was added")
    };
    assert_eq!(dolly.metadata.name.as_deref(), Some("dolly"));
    Ok(())
}

#[test]
fn a_fake_refuses_what_its_server_would_not_store() {
    let time = VirtualTime::new();
    let refused = FakeClientSet::new(time.runtime(), [stored("Unicorn", None, "u")]).unwrap_err();
    assert!(refused.to_string().contains("Unicorn"), "{refused}");
}
