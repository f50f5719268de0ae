//! The simulator's tables have the columns and the cells that the real API server prints.

mod objects;

use std::{collections::BTreeMap, env, fs, path::Path, rc::Rc};

use anyhow::{Context, Result, ensure};
use futures::executor::block_on;
use masthead::{
    rest::{Headers, HttpRequest, Method, Response, Transport},
    runtime::{Clock, VirtualTime},
};
use masthead_sim::Sim;
use masthead_tests::{
    Api, Testbed, User,
    conformance::{Loopback, WallClock},
};
use serde_json::{Value, json};

use self::objects::Objects;

/// Set to write the columns anew instead of comparing with them.
const RECORD: &str = "MASTHEAD_RECORD";

#[test]
fn the_columns_are_those_of_the_real_server() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/masthead-sim/src/table/columns.txt");
    let bed = Testbed::new();
    let server = Loopback::new(&bed.cluster().proxy_url(User::Admin)?);
    let columns = |path: &str| Ok::<Value, anyhow::Error>(block_on(table(&server, path))?["columnDefinitions"].clone());
    let mut record = Record::default();
    for (resource, path) in resources(bed.api())? {
        record.add(&resource, &columns(&format!("{path}?limit=1&includeObject=None"))?)?;
    }
    record.add("scale", &columns(&scale(&bed)?)?)?;
    if env::var_os(RECORD).is_some() {
        return fs::write(&path, record.text()).context("cannot write the columns");
    }
    let known = fs::read_to_string(&path).with_context(|| format!("{RECORD}=1 records the columns"))?;
    let printed = record.text();
    let different = known.lines().zip(printed.lines()).find(|(known, printed)| known != printed);
    assert_eq!(different, None, "the first line that differs; {RECORD}=1 records the columns");
    assert_eq!(known.len(), printed.len());
    Ok(())
}

/// What a server finds out when it is asked and cannot take over from another, and an old version that loses the order of
/// metrics.
const LEFT_OUT: [&str; 2] = ["/api/v1/componentstatuses", "/apis/autoscaling/v1/horizontalpodautoscalers"];

/// Whatever lives on the cluster, and a good deal that is made for this, is taken over into the simulator as it is and
/// printed by both.
#[test]
fn the_cells_are_those_of_the_real_server() -> Result<()> {
    let bed = Testbed::new();
    let objects = Objects::create(&bed)?;
    let server = Loopback::new(&bed.cluster().proxy_url(User::Admin)?);
    let time = VirtualTime::starting_at(WallClock::new().wall(), 0);
    let sim = Sim::new(time.runtime());
    let (mut different, mut rows) = (Vec::new(), 0);
    for (_, path) in resources(bed.api())?.into_iter().filter(|(_, path)| !LEFT_OUT.contains(&path.as_str())) {
        let printed = block_on(table(&server, &format!("{path}?includeObject=Object")))?;
        for row in printed["rows"].as_array().into_iter().flatten() {
            ensure!(sim.insert(row["object"].clone()), "the simulator does not take {}", row["object"]);
            let simulated = time.run(table(&sim, &place(&path, &row["object"])))?["rows"][0].clone();
            rows += 1;
            if [&row["cells"], &row["conditions"]].map(masked)
                != [&simulated["cells"], &simulated["conditions"]].map(masked)
            {
                different.push(format!("{path}\n  real: {}\n  sim:  {}", row["cells"], simulated["cells"]));
            }
        }
    }
    drop(objects);
    assert!(different.is_empty(), "{} of {rows} rows differ:\n{}", different.len(), different.join("\n"));
    Ok(())
}

/// The path of an object of a collection.
fn place(path: &str, object: &Value) -> String {
    let text = |field: &str| object["metadata"][field].as_str();
    let name = text("name").unwrap_or_default().replace(':', "%3A");
    match (path.rsplit_once('/'), text("namespace")) {
        (Some((before, plural)), Some(namespace)) => format!("{before}/namespaces/{namespace}/{plural}/{name}"),
        _ => format!("{path}/{name}"),
    }
}

/// The same without the spans of time, which differ by the second that passed between the two.
fn masked(cells: &Value) -> Value {
    match cells {
        Value::Array(cells) => cells.iter().map(masked).collect(),
        Value::String(text) => {
            text.split(' ').map(|word| if is_span(word) { "<age>" } else { word }).collect::<Vec<_>>().join(" ").into()
        }
        other => other.clone(),
    }
}

fn is_span(word: &str) -> bool {
    let word = word.strip_prefix('(').unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.ends_with(['s', 'm', 'h', 'd', 'y'])
        && word.chars().all(|c| c.is_ascii_digit() || "smhdy".contains(c))
}

/// Every built-in resource that can be listed, by its name and its path.
fn resources(api: &Api) -> Result<Vec<(String, String)>> {
    let groups = api.get("/apis")?;
    let groups = groups["groups"].as_array().context("a list of groups")?;
    // Custom groups are not the server's own.
    let built_in = groups.iter().filter(|group| group["name"].as_str().is_some_and(is_built_in));
    let versions = built_in.flat_map(|group| group["versions"].as_array().into_iter().flatten());
    let paths = versions.filter_map(|version| Some(format!("/apis/{}", version["groupVersion"].as_str()?)));
    let mut found = Vec::new();
    for path in std::iter::once("/api/v1".to_owned()).chain(paths) {
        let group =
            path.strip_prefix("/apis/").and_then(|rest| rest.split('/').next()).map(|group| format!(".{group}"));
        for resource in api.get(&path)?["resources"].as_array().into_iter().flatten() {
            let name = resource["name"].as_str().unwrap_or_default();
            if resource["verbs"].as_array().is_some_and(|verbs| verbs.contains(&json!("list"))) {
                found.push((format!("{name}{}", group.as_deref().unwrap_or_default()), format!("{path}/{name}")));
            }
        }
    }
    Ok(found)
}

fn is_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// The path of a scale.
fn scale(bed: &Testbed) -> Result<String> {
    let labels = json!({ "app": "none" });
    let container = json!({ "name": "main", "image": "example.com/main:1" });
    let deployment = json!({ "metadata": { "name": "none" }, "spec": {
        "replicas": 0, "selector": { "matchLabels": labels },
        "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
    } });
    bed.api().create(&bed.group_path("apps/v1", "deployments"), &deployment)?;
    Ok(bed.group_path("apps/v1", "deployments/none/scale"))
}

/// Asks any server for a table.
async fn table(server: &dyn Transport, path: &str) -> Result<Value> {
    let mut headers = Headers::default();
    headers.add("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1");
    let operation = Rc::from("ask for a table");
    let request = HttpRequest { operation, method: Method::Get, url: path.to_owned(), headers, body: None };
    let Response { code, body, .. } = server.send(request).await?.collect(1 << 28).await?;
    let table: Value = serde_json::from_slice(&body).with_context(|| format!("no table at {path}"))?;
    ensure!(code == 200, "no table at {path}: {table}");
    Ok(table)
}

/// The record as the simulator reads it.
#[derive(Default)]
struct Record {
    paragraphs: Vec<String>,
    resources: BTreeMap<String, Value>,
    /// The last description of each column.
    descriptions: BTreeMap<String, String>,
}

impl Record {
    fn add(&mut self, resource: &str, columns: &Value) -> Result<()> {
        if let Some(other) = self.resources.insert(resource.to_owned(), columns.clone()) {
            ensure!(other == *columns, "the versions of {resource} have different columns");
            return Ok(());
        }
        let mut paragraph = resource.to_owned();
        for column in columns.as_array().with_context(|| format!("no columns of {resource}"))? {
            let text = |field: &str| column[field].as_str().unwrap_or_default();
            let (name, description) = (text("name"), text("description"));
            ensure!(!name.contains('|') && !description.contains('\\'), "the record cannot hold {column}");
            let description = description.replace('\n', "\\n");
            let known = self.descriptions.insert(name.to_owned(), description.clone());
            let shown = if known.as_ref() == Some(&description) { "^" } else { &description };
            paragraph += &format!("\n{name}|{}|{}|{}|{shown}", text("type"), text("format"), column["priority"]);
        }
        self.paragraphs.push(paragraph);
        Ok(())
    }

    fn text(&self) -> String {
        self.paragraphs.join("\n\n") + "\n"
    }
}
