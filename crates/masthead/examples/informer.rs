//! A local copy of all pods that stays up to date, with an index by node.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::rc::Rc;

use k8s_openapi::api::core::v1::Pod;
use masthead::{
    Error,
    cache::{Handlers, InformerOptions, Object, SharedInformer, without_managed_fields},
    rest::{Config, ListOptions, RestClient},
    runtime::VirtualTime,
    typed::Client,
};
use masthead_sim::Sim;
use serde_json::json;

async fn show(config: Config, sim: Sim) -> Result<(), Error> {
    let runtime = config.runtime.clone();
    let client = RestClient::new(config)?;
    let pods = Client::<Pod>::all_namespaces(&client).source(&ListOptions::default());
    let options = InformerOptions { transform: Some(without_managed_fields()), ..InformerOptions::default() };
    let informer = SharedInformer::new(Rc::new(pods), options);
    informer.store().add_index("node", |pod: &Pod| pod.spec.as_ref().and_then(|spec| spec.node_name.clone()))?;
    let told = Handlers::new()
        .added(|pod: &Rc<Pod>, initial| {
            println!("{} is there{}", pod.key(), if initial { " from the beginning" } else { "" });
            Ok(())
        })
        .deleted(|tombstone| {
            println!("{} is gone", tombstone.key());
            Ok(())
        });
    // The handler is told for as long as this lives.
    let _registration = informer.add_handler(told)?;

    informer.start();
    informer.synced().await?;
    println!("on node-1: {:?}", informer.store().index_keys("node", "node-1")?);

    sim.insert(pod("web-2", "node-1"));
    runtime.sleep(std::time::Duration::from_secs(1)).await;
    println!("on node-1: {:?}", informer.store().index_keys("node", "node-1")?);
    Ok(())
}

fn pod(name: &str, node: &str) -> serde_json::Value {
    json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "default" },
        "spec": { "nodeName": node, "containers": [{ "name": "main", "image": "example.com/web:1" }] } })
}

fn main() -> Result<(), Error> {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    sim.insert(pod("web-1", "node-1"));
    sim.insert(pod("web-0", "node-0"));
    time.run(show(Config::new("http://sim", Rc::new(sim.clone()), time.runtime()), sim))
}
