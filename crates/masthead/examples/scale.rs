//! The scale client: more replicas for anything that has them.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use kube_core::GroupVersionResource;
use masthead::{
    Error,
    rest::{Config, RestClient},
    retry::{self, Backoff},
    scale::ScaleClient,
};

async fn show(config: Config) -> Result<(), Error> {
    let runtime = config.runtime.clone();
    let deployments = GroupVersionResource::gvr("apps", "v1", "deployments");
    let scales = ScaleClient::new(&RestClient::new(config)?).namespace("default");
    let scaled = retry::on_conflict(&runtime, Backoff::RETRY, async || {
        let mut scale = scales.get(&deployments, "web", &Default::default()).await?;
        let spec = scale.spec.get_or_insert_default();
        spec.replicas = Some(spec.replicas.unwrap_or_default() + 1);
        scales.update(&deployments, &scale, &Default::default()).await
    });
    println!("{:?}", scaled.await?.spec);
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    (
        "GET /apis/apps/v1/namespaces/default/deployments/web/scale",
        r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":1}}"#,
    ),
    (
        "PUT /apis/apps/v1/namespaces/default/deployments/web/scale",
        r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":2}}"#,
    ),
];
