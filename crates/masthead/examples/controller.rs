//! A controller that keeps a ConfigMap in every Namespace with a certain label.
#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "controller/greeter.rs"]
mod greeter;

use std::{rc::Rc, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use masthead::{
    Error,
    rest::{Config, DeleteOptions, PatchKind, RestClient},
    runtime::VirtualTime,
    typed::Client,
};
use masthead_sim::Sim;
use serde_json::json;

async fn show(config: Config) -> Result<(), Error> {
    let runtime = config.runtime.clone();
    let client = RestClient::new(config)?;
    let running = greeter::run(&client)?;
    running.started().await?;
    let maps = Client::<ConfigMap>::namespaced(&client, "shop");
    let look = async |after: &str| -> Result<(), Error> {
        runtime.sleep(Duration::from_secs(1)).await;
        let greeting = maps.get_opt("greeting", &Default::default()).await?.and_then(|map| map.data);
        println!("{after}: {:?}", greeting.and_then(|data| data.get("text").cloned()));
        Ok(())
    };
    look("at the beginning").await?;
    let label = |value: serde_json::Value| json!({ "metadata": { "labels": { "greeting": value } } });
    let namespaces = Client::<Namespace>::cluster(&client);
    namespaces.patch("shop", PatchKind::Merge, &label("hello".into()), &Default::default()).await?;
    look("with the label").await?;
    let spoilt = json!({ "data": { "text": "spoilt" } });
    maps.patch("greeting", PatchKind::Merge, &spoilt, &Default::default()).await?;
    look("after somebody changed it").await?;
    maps.delete("greeting", &DeleteOptions::default()).await?;
    look("after somebody deleted it").await?;
    namespaces.patch("shop", PatchKind::Merge, &label(serde_json::Value::Null), &Default::default()).await?;
    look("without the label").await?;
    println!("{:?}", running.counts());
    assert_eq!(running.stop(Duration::from_secs(10)).await, 0);
    Ok(())
}

fn main() -> Result<(), Error> {
    let time = VirtualTime::new();
    let sim = Sim::new(time.runtime());
    sim.insert(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop" } }));
    time.run(show(Config::new("http://sim", Rc::new(sim), time.runtime())))
}
