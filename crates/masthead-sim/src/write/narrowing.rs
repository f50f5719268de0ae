//! Writes through a subresource that changes one part of an object alone.

use serde_json::Value;

use super::replacement::Half;
use crate::{cause::Cause, kind::Kind, refusal::Refusal, tree::items, validation::format};

/// The present state with only that of `next` which the subresource may change.
pub(super) fn narrowed(kind: &Kind, half: Half, before: &Value, next: Value) -> Result<Value, Refusal> {
    let mut narrow = before.clone();
    narrow["metadata"]["managedFields"] = next["metadata"]["managedFields"].clone();
    let name = before["metadata"]["name"].as_str().unwrap_or_default();
    let causes = match half {
        Half::Main | Half::Status => return Ok(next),
        Half::EphemeralContainers => {
            set(&mut narrow["spec"], "ephemeralContainers", &next["spec"]["ephemeralContainers"]);
            ephemeral_causes(before, &narrow)
        }
        Half::Resize => {
            for list in ["containers", "initContainers"] {
                resize(&mut narrow["spec"][list], items(&next["spec"], list));
            }
            set(&mut narrow["spec"], "resources", &next["spec"]["resources"]);
            Vec::new()
        }
        Half::Finalize => {
            set(&mut narrow["spec"], "finalizers", &next["spec"]["finalizers"]);
            finalizer_causes(&narrow)
        }
        Half::Approval => {
            set(&mut narrow["status"], "conditions", &next["status"]["conditions"]);
            Vec::new()
        }
    };
    if causes.is_empty() { Ok(narrow) } else { Err(Refusal::invalid(kind, name, &causes)) }
}

/// Sets a field, or takes it out where there is nothing in it.
fn set(object: &mut Value, field: &str, value: &Value) {
    let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    if !is_empty {
        object[field] = value.clone();
    } else if let Some(fields) = object.as_object_mut() {
        fields.remove(field);
    }
}

/// Gives containers the resources of those of the same name.
fn resize(containers: &mut Value, next: &[Value]) {
    for container in containers.as_array_mut().into_iter().flatten() {
        if let Some(next) = next.iter().find(|next| next["name"] == container["name"]) {
            set(container, "resources", &next["resources"]);
            set(container, "resizePolicy", &next["resizePolicy"]);
        }
    }
}

fn ephemeral_causes(before: &Value, next: &Value) -> Vec<Cause> {
    const FIELD: &str = "spec.ephemeralContainers";
    let mut causes = Vec::new();
    let added = items(&next["spec"], "ephemeralContainers");
    let others: Vec<&Value> = ["containers", "initContainers"]
        .iter()
        .flat_map(|list| items(&next["spec"], list))
        .map(|container| &container["name"])
        .collect();
    for (index, container) in added.iter().enumerate() {
        let at = |field: &str| format!("{FIELD}[{index}].{field}");
        let (name, target) = (&container["name"], &container["targetContainerName"]);
        if name.as_str().is_none_or(str::is_empty) {
            causes.push(Cause::required(at("name"), ""));
        } else if others.contains(&name) || added[..index].iter().any(|known| known["name"] == *name) {
            causes.push(Cause::duplicate(at("name"), name));
        }
        if container["image"].as_str().is_none_or(str::is_empty) {
            causes.push(Cause::required(at("image"), ""));
        }
        let known = target.as_str().is_none_or(str::is_empty) || others.contains(&target);
        if !known {
            causes.push(Cause::not_found(at("targetContainerName"), target));
        }
    }
    for container in items(&before["spec"], "ephemeralContainers") {
        let name = &container["name"];
        match added.iter().find(|next| next["name"] == *name) {
            None => {
                let why = format!("existing ephemeral containers {name} may not be removed\n");
                causes.push(Cause::forbidden(FIELD, why));
            }
            Some(next) if next != container => {
                causes.push(Cause::forbidden(
                    FIELD,
                    format!("existing ephemeral containers {name} may not be changed\n"),
                ));
            }
            Some(_) => {}
        }
    }
    causes
}

fn finalizer_causes(namespace: &Value) -> Vec<Cause> {
    let wrong = |name: &&str| *name != "kubernetes" && !is_qualified(name);
    let named = items(&namespace["spec"], "finalizers").iter().map(|name| name.as_str().unwrap_or_default());
    let why = "name is neither a standard finalizer name nor is it fully qualified";
    let wrong = named.enumerate().filter(|(_, name)| wrong(name));
    wrong.map(|(at, name)| Cause::invalid(format!("spec.finalizers[{at}]"), format_args!("{name:?}"), why)).collect()
}

fn is_qualified(name: &str) -> bool {
    name.split_once('/').is_some_and(|(domain, name)| format::subdomain(domain).is_empty() && !name.is_empty())
}
