//! The table client: what `kubectl get` prints, for any kind.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod stage;

use kube_core::GroupVersionResource;
use masthead::{
    Error,
    rest::{Config, RestClient},
    table::TableClient,
};

async fn show(config: Config) -> Result<(), Error> {
    let pods = GroupVersionResource::gvr("", "v1", "pods");
    let client = TableClient::new(&RestClient::new(config)?).resource(&pods).namespace("default");
    let table = client.list(&Default::default()).await?;
    let narrow = table.columns.iter().enumerate().filter(|(_, column)| column.priority == 0);
    let (indexes, names): (Vec<usize>, Vec<String>) =
        narrow.map(|(index, column)| (index, column.name.to_uppercase())).unzip();
    println!("{}", names.join("   "));
    for row in &table.rows {
        let cells: Vec<String> = indexes.iter().map(|index| row.text(*index)).collect();
        println!("{}", cells.join("   "));
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    stage::play(ANSWERS, show)
}

const ANSWERS: stage::Answers = &[(
    "GET /api/v1/namespaces/default/pods",
    r#"{"kind":"Table","metadata":{"resourceVersion":"1"},"columnDefinitions":[
        {"name":"Name","type":"string","format":"name"},{"name":"Ready","type":"string"},
        {"name":"Node","type":"string","priority":1}],
        "rows":[{"cells":["web","1/1","n1"],"object":{"metadata":{"name":"web"}}}]}"#,
)];
