//! Who owns what, from metadata alone: a tenth of the bytes of whole objects.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::rc::Rc;

use kube_core::{GroupVersionResource, PartialObjectMeta};
use masthead::{
    Error,
    cache::InformerFactory,
    metadata::MetadataClient,
    rest::{Config, ListOptions, RestClient},
    runtime::VirtualTime,
};
use masthead_sim::Sim;
use serde_json::json;

async fn show(config: Config) -> Result<(), Error> {
    let client = RestClient::new(config)?;
    let pods = MetadataClient::new(&client).resource(&GroupVersionResource::gvr("", "v1", "pods"));
    let factory = InformerFactory::default();
    let informer = factory.metadata(&pods, &ListOptions::default());
    informer.store().add_index("owner", |pod: &PartialObjectMeta| {
        let owners = pod.metadata.owner_references.iter().flatten();
        owners.map(|owner| format!("{}/{}", owner.kind, owner.name)).collect::<Vec<_>>()
    })?;
    factory.start();
    factory.synced().await?;
    for owner in informer.store().index_values("owner")? {
        println!("{owner}: {:?}", informer.store().index_keys("owner", &owner)?);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    for (name, set) in [("web-a", "web"), ("web-b", "web"), ("db-a", "db")] {
        let owner =
            json!({ "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": set, "uid": set, "controller": true });
        sim.insert(json!({ "apiVersion": "v1", "kind": "Pod",
            "metadata": { "name": name, "namespace": "default", "ownerReferences": [owner] } }));
    }
    time.run(show(Config::new("http://sim", Rc::new(sim), time.runtime())))
}
