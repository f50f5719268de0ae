//! What all objects have in common.

use serde_json::Value;

use super::{checker::Checker, format};
use crate::{
    cause::Cause,
    kind::{Kind, Naming},
    tree::{entries, items, text},
};

/// The metadata of a new object.
pub(super) fn check(kind: &Kind, metadata: &Value, checker: &mut Checker) {
    let name = text(metadata, "name");
    let generated = text(metadata, "generateName");
    if !generated.is_empty() {
        checker.text("metadata.generateName", generated, complaints(kind.naming, &closed(generated)));
    }
    if name.is_empty() {
        checker.required("metadata.name", "name or generateName is required");
    } else {
        checker.text("metadata.name", name, complaints(kind.naming, name));
    }
    check_common(metadata, checker);
    check_finalizers(kind, metadata, checker);
}

/// The metadata of the next state of an object. The real server checks them twice, for all kinds and for this one, and tells
/// of both.
pub(super) fn check_update(before: &Value, metadata: &Value, checker: &mut Checker) {
    check_next(before, metadata, checker);
    checker.causes.extend_from_within(..);
}

fn check_next(before: &Value, metadata: &Value, checker: &mut Checker) {
    let ending = !before["deletionTimestamp"].is_null();
    let known = items(before, "finalizers");
    let new: Vec<String> = {
        let mut new: Vec<&str> =
            items(metadata, "finalizers").iter().filter(|it| !known.contains(it)).filter_map(Value::as_str).collect();
        new.sort_unstable();
        new.into_iter().map(|name| format!("{name:?}")).collect()
    };
    if ending && !new.is_empty() {
        let why = format!(
            "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            new.join(", ")
        );
        checker.forbidden("metadata.finalizers", &why);
    }
    check_common(metadata, checker);
}

fn check_common(metadata: &Value, checker: &mut Checker) {
    checker.labels(metadata, "metadata", "labels");
    check_annotations(metadata, "metadata.annotations", checker);
    check_owners(metadata, checker);
}

/// Annotations, of an object or of a template.
pub(super) fn check_annotations(metadata: &Value, path: &str, checker: &mut Checker) {
    let mut size = 0;
    for (key, value) in entries(metadata, "annotations") {
        for complaint in format::qualified_name(&key.to_lowercase()) {
            checker.invalid(path, &key.as_str().into(), &complaint);
        }
        size += key.len() + value.as_str().unwrap_or_default().len();
    }
    if size > MOST_ANNOTATIONS {
        checker.causes.push(Cause::too_long(path, MOST_ANNOTATIONS));
    }
}

fn check_owners(metadata: &Value, checker: &mut Checker) {
    const FIELD: &str = "metadata.ownerReferences";
    let mut controller: Option<String> = None;
    for owner in items(metadata, "ownerReferences") {
        let empty = |field: &str| text(owner, field).is_empty();
        if text(owner, "apiVersion").rsplit('/').next().is_none_or(str::is_empty) {
            let value = text(owner, "apiVersion").into();
            checker.invalid(&format!("{FIELD}.apiVersion"), &value, "version must not be empty");
        }
        for field in ["kind", "name", "uid"].into_iter().filter(|field| empty(field)) {
            checker.invalid(&format!("{FIELD}.{field}"), &"".into(), "must not be empty");
        }
        if text(owner, "apiVersion") == "v1" && text(owner, "kind") == "Event" {
            let why = "/v1, Kind=Event is disallowed from being an owner";
            checker.causes.push(Cause::invalid(FIELD, shown(owner), why));
        }
        if owner["controller"] == true {
            let this = format!("{}/{}", text(owner, "kind"), text(owner, "name"));
            if let Some(first) = &controller {
                let why = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {this}"
                );
                let all: Vec<String> = items(metadata, "ownerReferences").iter().map(shown).collect();
                checker.causes.push(Cause::invalid(FIELD, format!("[{}]", all.join(",")), &why));
            } else {
                controller = Some(this);
            }
        }
    }
}

/// An owner in the order in which the real server writes one.
fn shown(owner: &Value) -> String {
    let always = ["apiVersion", "kind", "name", "uid"];
    let maybe = ["controller", "blockOwnerDeletion"].into_iter().filter(|name| !owner[name].is_null());
    let members = always.map(|name| format!("\"{name}\":{}", Value::from(text(owner, name)))).into_iter();
    let members: Vec<String> = members.chain(maybe.map(|name| format!("\"{name}\":{}", owner[name]))).collect();
    format!("{{{}}}", members.join(","))
}

fn check_finalizers(kind: &Kind, metadata: &Value, checker: &mut Checker) {
    const FIELD: &str = "metadata.finalizers";
    let names = items(metadata, "finalizers");
    for name in names.iter().filter_map(Value::as_str) {
        checker.text(FIELD, name, format::qualified_name(name));
    }
    let has = |name: &str| names.iter().any(|known| known == name);
    if has("orphan") && has("foregroundDeletion") {
        let why = "finalizer orphan and foregroundDeletion cannot be both set";
        checker.invalid(FIELD, &metadata["finalizers"], why);
    }
    for (at, name) in names.iter().enumerate().filter(|_| !kind.is_custom()) {
        let standard = matches!(name.as_str(), Some("kubernetes" | "orphan" | "foregroundDeletion"));
        if !standard && !name.as_str().is_some_and(|name| name.contains('/')) {
            let why = "name is neither a standard finalizer name nor is it fully qualified";
            checker.invalid(&format!("{FIELD}[{at}]"), name, why);
        }
    }
}

/// A prefix that ends in a dash, ended as a name may end. The real server takes a letter too many, too.
fn closed(prefix: &str) -> String {
    match prefix.char_indices().rev().nth(1) {
        Some((at, _)) if prefix.ends_with('-') => format!("{}a", &prefix[..at]),
        _ => prefix.to_owned(),
    }
}

fn complaints(naming: Naming, name: &str) -> Vec<String> {
    match naming {
        Naming::Subdomain => format::subdomain(name),
        Naming::Label => format::label(name),
        Naming::PathSegment => format::path_segment(name),
    }
}

/// How many bytes all annotations may have together.
const MOST_ANNOTATIONS: usize = 256 << 10;
