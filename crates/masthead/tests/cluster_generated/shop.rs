//! A package of custom kinds, by its own ClientSet and informers.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube_core::{ObjectMeta, TypeMeta};
use masthead::{
    cache::{InformerFactory, InformerScope},
    kubernetes,
    rest::{ApplyOptions, DeleteOptions, ListOptions, PatchKind, RestClient},
    retry,
};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::{
    api::v1::{Receipt, Region, Widget, WidgetSpec, WidgetStatus},
    generated::{clientset::ClientSet, informers::SharedInformerFactory},
    remote::{self, Proxy},
};

/// Defines a kind of the shop, if it is not, and waits until it is served.
async fn define(client: &RestClient, kind: &str, plural: &str, scope: &str, subresources: Value) {
    let definitions = kubernetes::ClientSet::new(client).apiextensions_v1().custom_resource_definitions();
    let definition: CustomResourceDefinition = serde_json::from_value(json!({
        "metadata": { "name": format!("{plural}.shop.example.com") },
        "spec": {
            "group": "shop.example.com", "scope": scope,
            "names": { "kind": kind, "plural": plural, "singular": kind.to_lowercase() },
            "versions": [{ "name": "v1", "served": true, "storage": true, "subresources": subresources, "schema": {
                "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } } }],
        },
    }))
    .unwrap();
    match definitions.create(&definition, &Default::default()).await {
        Err(error) if error.is_already_exists() => {}
        made => drop(made.unwrap()),
    }
    let rest = client.group_version("shop.example.com", "v1");
    while let Err(error) = rest.get().resource(plural).send().await {
        assert!(error.is_not_found(), "{error}");
        client.config().runtime.sleep(std::time::Duration::from_millis(100)).await;
    }
}

fn named<T>(make: impl FnOnce(TypeMeta, ObjectMeta) -> T, types: TypeMeta, name: &str) -> T {
    make(types, ObjectMeta { name: Some(name.into()), ..Default::default() })
}

#[wasm_bindgen_test]
async fn a_kind_with_status_and_scale() {
    let client = Proxy::start("admin").await.client();
    let namespace = remote::namespace(&client).await;
    let scale = json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" });
    define(&client, "Widget", "widgets", "Namespaced", json!({ "status": {}, "scale": scale })).await;
    let clients = ClientSet::new(&client);
    let widgets = clients.shop_v1().widgets(&namespace);
    let scope = InformerScope::new(&client, &InformerFactory::default()).namespace(&namespace);
    let factory = SharedInformerFactory::within(scope);
    let informer = factory.shop().v1().widgets();
    factory.start();
    factory.synced().await.unwrap();

    let spec = WidgetSpec { colour: "red".into(), replicas: 1 };
    let widget = named(
        |types, metadata| Widget { types, metadata, spec, status: Some(WidgetStatus::default()) },
        TypeMeta::resource::<Widget>(),
        "a",
    );
    let made = widgets.create(&widget, &Default::default()).await.unwrap();
    assert_eq!(made.status, None, "a status is not created");
    let status = Some(WidgetStatus { phase: "Made".into(), replicas: 1 });
    let told = widgets.update_status(&Widget { status, ..made }, &Default::default()).await.unwrap();
    assert_eq!(told.status.unwrap().phase, "Made");

    let set = async || {
        let mut scale = widgets.get_scale("a", &Default::default()).await?;
        scale.spec.get_or_insert_default().replicas = Some(3);
        widgets.update_scale("a", &scale, &Default::default()).await
    };
    retry::on_conflict(&client.config().runtime, retry::Backoff::BACKOFF, set).await.unwrap();
    let patch = json!({ "spec": { "replicas": 4 } });
    let patched = widgets.patch_scale("a", PatchKind::Merge, &patch, &Default::default()).await.unwrap();
    assert_eq!(patched.spec.unwrap().replicas, Some(4));
    let configuration = json!({ "apiVersion": "shop.example.com/v1", "kind": "Widget", "metadata": { "name": "a" },
        "spec": { "colour": "blue" } });
    let options = ApplyOptions { field_manager: "test".into(), force: true, ..Default::default() };
    let applied = widgets.apply(&configuration, &options).await.unwrap();
    assert_eq!((applied.spec.colour.as_str(), applied.spec.replicas), ("blue", 4));

    informer.informer().store().wait_for(&applied).await;
    assert_eq!(informer.lister().namespace(&namespace).get("a").unwrap().spec.colour, "blue");
    widgets.delete_collection(&DeleteOptions::default(), &ListOptions::default()).await.unwrap();
    assert_eq!(widgets.get_opt("a", &Default::default()).await.unwrap(), None);
    remote::forget(&client, &namespace).await;
}

#[wasm_bindgen_test]
async fn a_kind_without_namespaces() {
    let client = Proxy::start("admin").await.client();
    define(&client, "Region", "regions", "Cluster", json!({})).await;
    let regions = ClientSet::new(&client).shop_v1().regions();
    let factory = SharedInformerFactory::new(&client);
    let informer = factory.shop().v1().regions();
    factory.start();
    factory.synced().await.unwrap();
    let metadata = ObjectMeta { generate_name: Some("region-".into()), ..Default::default() };
    let region = Region { types: TypeMeta::resource::<Region>(), metadata, status: None };
    let made = regions.create(&region, &Default::default()).await.unwrap();
    let name = made.metadata.name.clone().unwrap();
    informer.informer().store().wait_for(&made).await;
    assert_eq!(informer.lister().get(&name).unwrap().metadata.uid, made.metadata.uid);
    regions.delete(&name, &Default::default()).await.unwrap();
    assert_eq!(regions.get_opt(&name, &Default::default()).await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn a_kind_that_is_only_read() {
    let client = Proxy::start("admin").await.client();
    let namespace = remote::namespace(&client).await;
    define(&client, "Receipt", "bills", "Namespaced", json!({})).await;
    let receipts = ClientSet::new(&client).shop_v1().receipts(&namespace);
    // What its client cannot write, the generic one does.
    let written = masthead::typed::Client::<Receipt>::namespaced(&client, &namespace);
    let receipt = named(|types, metadata| Receipt { types, metadata, total: 7 }, TypeMeta::resource::<Receipt>(), "r");
    written.create(&receipt, &Default::default()).await.unwrap();
    assert_eq!(receipts.get("r", &Default::default()).await.unwrap().total, 7);
    assert_eq!(receipts.list(&ListOptions::default()).await.unwrap().items.len(), 1);
    remote::forget(&client, &namespace).await;
}
