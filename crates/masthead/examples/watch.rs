//! A watch that survives its connections, and waiting for a condition.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    rest::{Config, ListOptions, RestClient, WatchEvent},
    typed::Client,
    watch::{RetryWatcher, until_with_sync},
};

async fn show(config: Config) -> Result<(), Error> {
    let client = RestClient::new(config)?;
    let maps = Client::<ConfigMap>::namespaced(&client, "default");
    let source = maps.source(&ListOptions::default());

    let is_ready = |map: &ConfigMap| map.data.iter().flatten().any(|(key, value)| key == "ready" && value == "yes");
    let in_list = |listed: &[ConfigMap]| Ok(listed.iter().any(is_ready));
    let in_event = |event: &WatchEvent<ConfigMap>| match event {
        WatchEvent::Added(map) | WatchEvent::Modified(map) => Ok(is_ready(map)),
        _ => Ok(false),
    };
    until_with_sync(&source, Duration::from_secs(60), in_list, in_event).await?;
    println!("ready");

    let from = source.list().await?.resource_version;
    let mut changes = RetryWatcher::new(source, &from)?;
    if let Some(change) = changes.next().await {
        println!("{:?}", change?);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    (
        "GET /api/v1/namespaces/default/configmaps",
        r#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"state"},"data":{"ready":"yes"}}]}"#,
    ),
    (
        "WATCH /api/v1/namespaces/default/configmaps",
        r#"{"type":"DELETED","object":{"metadata":{"name":"state","resourceVersion":"8"}}}"#,
    ),
];
