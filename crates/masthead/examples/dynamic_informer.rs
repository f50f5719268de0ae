//! An informer of a kind that is defined at run time.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::{rc::Rc, time::Duration};

use kube_core::{DynamicObject, GroupVersionResource};
use masthead::{
    Error,
    cache::InformerFactory,
    dynamic::DynamicClient,
    rest::{Config, ListOptions, RestClient},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use serde_json::{Value, json};

async fn show(config: Config) -> Result<(), Error> {
    let runtime = config.runtime.clone();
    let dynamic = DynamicClient::new(&RestClient::new(config)?);
    let definitions =
        dynamic.resource(&GroupVersionResource::gvr("apiextensions.k8s.io", "v1", "customresourcedefinitions"));
    let lights = dynamic.resource(&GroupVersionResource::gvr("example.com", "v1", "lights")).namespace("default");
    let factory = InformerFactory::default();
    let informer = factory.informer(&lights, &ListOptions::default());
    factory.start();

    // The server does not know the kind yet, and says so; the informer goes on asking.
    let unknown = factory.synced().await.expect_err("nobody defined lights yet");
    println!("before the definition: {unknown}");
    definitions.create(&object(definition()), &Default::default()).await?;
    while !informer.has_synced() {
        runtime.sleep(Duration::from_millis(100)).await;
    }

    let red = json!({ "apiVersion": "example.com/v1", "kind": "Light", "metadata": { "name": "red" }, "spec": { "on": true } });
    let written = lights.create(&object(red), &Default::default()).await?;
    informer.store().wait_for(&written).await;
    for light in informer.store().list() {
        println!("{}: {}", light.metadata.name.clone().unwrap_or_default(), light.data["spec"]);
    }
    Ok(())
}

fn object(value: Value) -> DynamicObject {
    serde_json::from_value(value).expect("an object")
}

fn definition() -> Value {
    let schema = json!({ "type": "object", "properties": { "spec": {
        "type": "object", "properties": { "on": { "type": "boolean" } } } } });
    json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "lights.example.com" }, "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "plural": "lights", "singular": "light", "kind": "Light" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }] } })
}

fn main() -> Result<(), Error> {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    time.run(show(Config::new("http://sim", Rc::new(sim), time.runtime())))
}
