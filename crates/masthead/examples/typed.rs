//! Typed clients: list in pages, change with a retry on conflict, apply, read a log, watch.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use masthead::{
    Error,
    rest::{ApplyOptions, Config, ListOptions, RestClient, WatchEvent},
    retry::{self, Backoff},
    typed::{Client, LogOptions},
};
use serde_json::json;

async fn show(config: Config) -> Result<(), Error> {
    let runtime = config.runtime.clone();
    let client = RestClient::new(config)?;

    let pods = Client::<Pod>::namespaced(&client, "default");
    let mut items = pods.pager().items(ListOptions::default()).boxed_local();
    while let Some(pod) = items.try_next().await? {
        println!("pod {}", pod.metadata.name.unwrap_or_default());
    }

    let maps = Client::<ConfigMap>::namespaced(&client, "default");
    let changed = retry::on_conflict(&runtime, Backoff::RETRY, async || {
        let mut map = maps.get("settings", &Default::default()).await?;
        map.data.get_or_insert_default().insert("theme".into(), "dark".into());
        maps.update(&map, &Default::default()).await
    });
    println!("settings {:?}", changed.await?.data);

    let configuration = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"theme": "light"},
    });
    let options = ApplyOptions { field_manager: "example".into(), ..Default::default() };
    println!("applied {:?}", maps.apply(&configuration, &options).await?.metadata.name);

    if let Some(pod) = pods.get_opt("web", &Default::default()).await? {
        let options = LogOptions { tail_lines: Some(10), ..Default::default() };
        let log = pods.logs(pod.metadata.name.as_deref().unwrap_or_default(), &options).await?;
        println!("{log}");
    }

    let mut watch = maps.watch(&ListOptions::default()).await?;
    while let Some(event) = watch.next().await {
        if let WatchEvent::Deleted(map) = event? {
            println!("deleted {:?}", map.metadata.name);
        }
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[
    ("GET /api/v1/namespaces/default/pods", r#"{"metadata":{},"items":[{"metadata":{"name":"web"}}]}"#),
    ("GET /api/v1/namespaces/default/pods/web", r#"{"metadata":{"name":"web"}}"#),
    ("GET /api/v1/namespaces/default/pods/web/log", "hello"),
    ("GET /api/v1/namespaces/default/configmaps/settings", r#"{"metadata":{"name":"settings"}}"#),
    (
        "PUT /api/v1/namespaces/default/configmaps/settings",
        r#"{"metadata":{"name":"settings"},"data":{"theme":"dark"}}"#,
    ),
    ("PATCH /api/v1/namespaces/default/configmaps/settings", r#"{"metadata":{"name":"settings"}}"#),
    ("WATCH /api/v1/namespaces/default/configmaps", r#"{"type":"DELETED","object":{"metadata":{"name":"settings"}}}"#),
];
