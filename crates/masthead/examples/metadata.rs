//! The metadata client: who owns what, for a fraction of the bytes.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use futures::TryStreamExt;
use kube_core::GroupVersionResource;
use masthead::{
    Error,
    metadata::MetadataClient,
    rest::{Config, ListOptions, RestClient},
};

async fn show(config: Config) -> Result<(), Error> {
    let pods = GroupVersionResource::gvr("", "v1", "pods");
    let client = MetadataClient::new(&RestClient::new(config)?).resource(&pods);
    let owned = client.pager().items(ListOptions::default()).try_fold(0, async |count, pod| {
        Ok(count + usize::from(pod.metadata.owner_references.is_some_and(|owners| !owners.is_empty())))
    });
    println!("{} pods have an owner", owned.await?);
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[(
    "GET /api/v1/pods",
    r#"{"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"web",
        "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u"}]}}]}"#,
)];
