//! `/openapi/v3`: what is served, a document for each group and version.
//!
//! The documents say what clients look for: the paths with their verbs, kinds and options, and the types with all that
//! tells how they merge. The words that explain them are left out.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    kind::{Kind, Subresource},
    query::Query,
    registry::Registry,
    reply::Reply,
    schema::{full_name, name_of_kind, publish},
};

/// The answer at `/openapi/v3` and below: `place` is empty, `api/v1` or `apis/{group}/{version}`.
pub(crate) fn reply(kinds: &Registry, place: &str, query: &Query) -> Reply {
    if place.is_empty() {
        return Reply::text(200, &index(kinds).to_string());
    }
    let Some(document) = document(kinds, place) else {
        return Reply { code: 404, ..Reply::nothing() };
    };
    let hash = hash(&document);
    let etag = ("Etag", format!("\"{hash}\""));
    match query.text("hash") {
        "" => Reply { headers: vec![etag], ..Reply::json(200, document) },
        asked if asked == hash => Reply { headers: vec![etag], ..Reply::json(200, document) },
        _ => {
            let location = ("Location", address(place, &hash));
            Reply { code: 301, headers: vec![etag, location], ..Reply::json(301, Vec::new()) }
        }
    }
}

fn index(kinds: &Registry) -> Value {
    let places: BTreeMap<String, ()> = kinds.all().map(|kind| (place_of(kind), ())).collect();
    let paths = places.into_keys().filter_map(|place| {
        let hash = hash(&document(kinds, &place)?);
        let address = address(&place, &hash);
        Some((place, json!({ "serverRelativeURL": address })))
    });
    json!({ "paths": paths.collect::<Map<_, _>>() })
}

fn address(place: &str, hash: &str) -> String {
    format!("/openapi/v3/{place}?hash={hash}")
}

fn place_of(kind: &Kind) -> String {
    match kind.group.as_str() {
        "" => format!("api/{}", kind.version),
        group => format!("apis/{group}/{}", kind.version),
    }
}

/// 128 digits that change with the document.
fn hash(document: &[u8]) -> String {
    let seeds = 0..8_u64;
    let word = |seed: u64| {
        let start = 0xcbf2_9ce4_8422_2325_u64.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        document.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    seeds.map(|seed| format!("{:016X}", word(seed))).collect()
}

fn document(kinds: &Registry, place: &str) -> Option<Vec<u8>> {
    let served: Vec<&Kind> = kinds.all().map(|kind| &**kind).filter(|kind| place_of(kind) == place).collect();
    if served.is_empty() {
        return None;
    }
    let (mut paths, mut names, mut schemas) = (Map::new(), Vec::new(), BTreeMap::new());
    for kind in &served {
        add_paths(kind, place, &mut paths);
        match &kind.custom {
            Some(custom) => drop(schemas.insert(custom_name(kind), custom_schema(kind, &custom.schema))),
            None => names.extend(name_of_kind(&kind.group, &kind.version, &kind.kind).map(str::to_owned)),
        }
        let parts = kind.subresources.iter().filter_map(|part| part.response(kind));
        names.extend(parts.filter_map(|(group, version, kind)| name_of_kind(group, version, kind).map(str::to_owned)));
    }
    names.extend(["meta.v1.ObjectMeta", "meta.v1.DeleteOptions", "meta.v1.Status"].map(str::to_owned));
    schemas.extend(publish(names));
    for kind in served.iter().filter(|kind| !kind.is_custom()) {
        let name = name_of_kind(&kind.group, &kind.version, &kind.kind).map(full_name);
        if let Some(schema) = name.and_then(|name| schemas.get_mut(&name)) {
            schema[KIND] = json!([identity(kind)]);
        }
    }
    let document = json!({
        "openapi": "3.0.0", "info": { "title": "Kubernetes", "version": "1.36" }, "paths": paths,
        "components": { "schemas": schemas },
    });
    Some(document.to_string().into_bytes())
}

const KIND: &str = "x-kubernetes-group-version-kind";

fn identity(kind: &Kind) -> Value {
    json!({ "group": kind.group, "version": kind.version, "kind": kind.kind })
}

/// `com.example.v1.Widget` for a widget of `example.com`.
fn custom_name(kind: &Kind) -> String {
    let group: Vec<&str> = kind.group.rsplit('.').collect();
    format!("{}.{}.{}", group.join("."), kind.version, kind.kind)
}

fn custom_schema(kind: &Kind, openapi: &Value) -> Value {
    let mut schema = openapi.clone();
    let metadata = format!("#/components/schemas/{}", full_name("meta.v1.ObjectMeta"));
    schema["properties"]["metadata"] = json!({ "allOf": [{ "$ref": metadata }] });
    for field in ["apiVersion", "kind"] {
        schema["properties"][field] = json!({ "type": "string" });
    }
    schema[KIND] = json!([identity(kind)]);
    schema
}

fn add_paths(kind: &Kind, place: &str, paths: &mut Map<String, Value>) {
    let plural = &kind.plural;
    let scoped = if kind.is_namespaced() { "namespaces/{namespace}/" } else { "" };
    let collection = format!("/{place}/{scoped}{plural}");
    let operations = |verbs: &[(&str, &str)]| -> Map<String, Value> {
        let allowed = verbs.iter().filter(|(verb, _)| kind.allows(verb));
        allowed.map(|(verb, method)| ((*method).to_owned(), operation(kind, verb))).collect()
    };
    if kind.is_namespaced() {
        paths.insert(format!("/{place}/{plural}"), operations(&[("list", "get")]).into());
    }
    let on_collection = [("list", "get"), ("create", "post"), ("deletecollection", "delete")];
    paths.insert(collection.clone(), operations(&on_collection).into());
    let on_object = [("get", "get"), ("update", "put"), ("patch", "patch"), ("delete", "delete")];
    paths.insert(format!("{collection}/{{name}}"), operations(&on_object).into());
    for part in &kind.subresources {
        let methods = [("get", "get"), ("update", "put"), ("patch", "patch"), ("create", "post")];
        let served = methods.iter().filter(|(verb, _)| part.verbs().contains(verb));
        let operations: Map<String, Value> =
            served.map(|(verb, method)| ((*method).to_owned(), part_operation(kind, *part, verb))).collect();
        paths.insert(format!("{collection}/{{name}}/{}", part.name()), operations.into());
    }
}

fn operation(kind: &Kind, verb: &str) -> Value {
    let action = match verb {
        "create" => "post",
        "update" => "put",
        other => other,
    };
    let named: &[(&str, &str)] = match verb {
        "create" | "update" => &[("dryRun", "string"), ("fieldManager", "string"), ("fieldValidation", "string")],
        "patch" => {
            &[("dryRun", "string"), ("fieldManager", "string"), ("fieldValidation", "string"), ("force", "boolean")]
        }
        "list" => {
            &[("continue", "string"), ("fieldSelector", "string"), ("labelSelector", "string"), ("limit", "integer")]
        }
        _ => &[],
    };
    let parameter = |(name, of): &(&str, &str)| json!({ "name": name, "in": "query", "schema": { "type": of, "uniqueItems": true } });
    let parameters: Vec<Value> = named.iter().map(parameter).collect();
    json!({
        "parameters": parameters, "responses": { "200": { "description": "OK" } },
        "x-kubernetes-action": action, KIND: identity(kind),
    })
}

/// The operation of a part, about what is read and written there.
fn part_operation(kind: &Kind, part: Subresource, verb: &str) -> Value {
    let mut operation = operation(kind, verb);
    if let Some((group, version, kind)) = part.response(kind) {
        operation[KIND] = json!({ "group": group, "version": version, "kind": kind });
    }
    operation
}
