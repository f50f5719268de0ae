//! The simulator's types are those that the real API server publishes and is made of.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::Command,
};

use anyhow::{Context, Result, ensure};
use masthead_tests::{Api, Testbed};
use serde_json::Value;

/// Set to write the types anew instead of comparing with them.
const RECORD: &str = "MASTHEAD_RECORD";

#[test]
fn the_types_are_those_of_the_real_server() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/masthead-sim/src/schema/definitions.txt");
    let definitions = Definitions::of(Testbed::new().api())?.text();
    if env::var_os(RECORD).is_some() {
        return fs::write(&path, definitions).context("cannot write the types");
    }
    let known = fs::read_to_string(&path).with_context(|| format!("{RECORD}=1 records the types"))?;
    let different = known.lines().zip(definitions.lines()).find(|(known, published)| known != published);
    assert_eq!(different, None, "the first line that differs; {RECORD}=1 records the types");
    assert_eq!(known.len(), definitions.len());
    Ok(())
}

/// What is known of all types.
struct Definitions {
    /// The schemas of all group-versions, by their names.
    schemas: BTreeMap<String, Value>,
    fields: GoFields,
}

impl Definitions {
    fn of(api: &Api) -> Result<Definitions> {
        let mut schemas = BTreeMap::new();
        let index = api.get("/openapi/v3")?;
        for place in index["paths"].as_object().context("an index of paths")?.keys() {
            let document = api.get(&format!("/openapi/v3/{place}"))?;
            let published = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
            // Other tests of the cluster define kinds of their own.
            let built_in = |name: &String| name.starts_with("io.k8s.") && !name.ends_with("List");
            schemas.extend(published.into_iter().filter(|(name, _)| built_in(name)));
        }
        Ok(Definitions { schemas, fields: GoFields::read()? })
    }

    /// Everything that an object of any kind is made of, a definition after the other.
    fn text(&self) -> String {
        let kinds = self.schemas.iter().filter(|(_, schema)| is_kind(schema));
        let mut names: Vec<&str> = kinds.map(|(name, _)| name.as_str()).collect();
        let mut reachable = BTreeSet::new();
        while let Some(name) = names.pop() {
            if let Some(schema) = self.schemas.get(name).filter(|_| reachable.insert(name)) {
                names.extend(references(schema));
            }
        }
        reachable.iter().filter_map(|name| Some(self.definition(name, self.schemas.get(*name)?))).collect()
    }

    /// A definition as the simulator reads it: its name, then its fields, a line each.
    fn definition(&self, name: &str, schema: &Value) -> String {
        let (package, mut text) = (package(name), short(name));
        if let Some([kind]) = schema["x-kubernetes-group-version-kind"].as_array().map(Vec::as_slice) {
            let part = |field: &str| kind[field].as_str().unwrap_or_default();
            text += &format!(" kind={}/{}/{}", part("group"), part("version"), part("kind"));
        }
        if schema["properties"].is_null() {
            text += &format!(" type={}", type_of(name, schema, package));
        }
        text += &merging(schema);
        text.push('\n');
        let required = schema["required"].as_array().into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let mut fields: Vec<(&String, &Value)> = schema["properties"].as_object().into_iter().flatten().collect();
        fields.sort_by_key(|(field, _)| self.fields.of(name, field).map(|(place, _)| place));
        for (field, schema) in fields {
            let go = self.fields.of(name, field).map_or("", |(_, go)| go);
            let required = if required.contains(&field.as_str()) { "*" } else { "" };
            let written = if go.contains(" written ") { "!" } else { "" };
            let pointer = if go.starts_with("pointer ") { "?" } else { "" };
            let plain = type_of("", schema, package);
            text += &format!(" {field}{required}{written} {plain}{pointer}{}", merging(schema));
            let mut go_words = go.rsplit(' ');
            let go_type = go_words.next().unwrap_or_default().trim_start_matches('*');
            if let Some(within) = go_words.next().filter(|within| *within != "-" && *within != "TypeMeta") {
                text += &format!(" within={within}");
            }
            if !go_type.is_empty() && go_type != go_type_of(&plain) {
                text += &format!(" go={go_type}");
            }
            if let Some(number) = go.split(' ').nth(2).filter(|number| *number != "-") {
                text += &format!(" n={number}");
            }
            if let Some(default) = schema.get("default") {
                text += &format!(" default={default}");
            }
            text.push('\n');
        }
        text
    }
}

/// How Go holds each field, by its definition and name: where it stands among all, then `pointer` or `value`, `written` or
/// `omitted` where it is empty, its number in protobuf, the embedded struct it comes from, and its type.
struct GoFields(BTreeMap<String, (usize, String)>);

impl GoFields {
    fn read() -> Result<GoFields> {
        let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster");
        let output = Command::new("go").args(["run", "./gotypes"]).current_dir(module).env("GOWORK", "off").output();
        let output = output.context("cannot run go")?;
        ensure!(output.status.success(), "go: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).context("Go's types are text")?;
        let fields = text.lines().enumerate().filter_map(|(place, line)| {
            let mut words = line.splitn(4, ' ');
            let (package, name, field, rest) = (words.next()?, words.next()?, words.next()?, words.next()?);
            let package = format!("io.{}", package.replacen("k8s.io", "k8s", 1).replace('/', "."));
            Some((format!("{package}.{name}.{field}"), (place, rest.to_owned())))
        });
        Ok(GoFields(fields.collect()))
    }

    fn of(&self, definition: &str, field: &str) -> Option<(usize, &str)> {
        self.0.get(&format!("{definition}.{field}")).map(|(place, go)| (*place, go.as_str()))
    }
}

fn is_kind(schema: &Value) -> bool {
    schema["x-kubernetes-group-version-kind"].is_array()
}

fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).and_then(|it| it.rsplit('/').next());
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// A type in a word: `string`, `[]string` for a list, `{}string` for a map, `@ObjectMeta` for a definition.
fn type_of(name: &str, schema: &Value, package: &str) -> String {
    let reference = references(schema);
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("array"), _) => format!("[]{}", type_of("", &schema["items"], package)),
        (Some("object"), _) if schema["additionalProperties"].is_object() => {
            format!("{{}}{}", type_of("", &schema["additionalProperties"], package))
        }
        (Some("string" | "integer" | "number"), Some(format)) => format.to_owned(),
        (Some(plain), _) => plain.to_owned(),
        _ if !reference.is_empty() => reference.iter().map(|it| format!("@{}", within(it, package))).collect(),
        (None, Some(format)) => format.to_owned(),
        _ if name.ends_with(".Quantity") => "quantity".to_owned(),
        _ => "any".to_owned(),
    }
}

/// The Go type that goes without saying for a type in a word.
fn go_type_of(word: &str) -> String {
    match word {
        "boolean" => "bool".to_owned(),
        "double" => "float64".to_owned(),
        "byte" => "[]uint8".to_owned(),
        _ if word.starts_with("[]") => format!("[]{}", go_type_of(&word[2..])),
        _ if word.starts_with("{}") => format!("map[string]{}", go_type_of(&word[2..])),
        _ if word.starts_with('@') => {
            let mut parts: Vec<&str> = word[1..].rsplit('.').take(2).collect();
            if parts.len() == 1 {
                parts.push("v1");
            }
            parts.reverse();
            parts.join(".")
        }
        _ => word.to_owned(),
    }
}

/// How values of a type merge, where it is said.
fn merging(schema: &Value) -> String {
    let mut text = String::new();
    for (word, extension) in [
        ("list", "x-kubernetes-list-type"),
        ("keys", "x-kubernetes-list-map-keys"),
        ("map", "x-kubernetes-map-type"),
        ("merge", "x-kubernetes-patch-merge-key"),
        ("strategy", "x-kubernetes-patch-strategy"),
    ] {
        match &schema[extension] {
            Value::String(value) => text += &format!(" {word}={value}"),
            Value::Array(values) => {
                let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                text += &format!(" {word}={}", values.join(","));
            }
            _ => {}
        }
    }
    text
}

/// The name of a definition as one of `package` writes it.
fn within(name: &str, package: &str) -> String {
    match name.strip_prefix(package) {
        Some(own) => own.to_owned(),
        None => short(name),
    }
}

/// Everything before the last part of a name, the dot too.
fn package(name: &str) -> &str {
    name.rfind('.').map_or("", |dot| &name[..=dot])
}

/// The name of a definition without what most begin with.
fn short(name: &str) -> String {
    let begins = ["io.k8s.apimachinery.pkg.apis.", "io.k8s.api."];
    begins.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned()
}
