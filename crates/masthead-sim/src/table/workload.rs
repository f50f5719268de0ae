//! The rows of what makes pods and keeps them.

use std::time::Duration;

use serde_json::Value;

use super::{
    age,
    cell::{NONE, cells, containers, list, number, text},
    selector,
};

pub(super) fn deployment(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [names, images] = containers(&spec["template"]);
    cells![
        text(&object["metadata"]["name"]),
        format!("{}/{}", number(&status["readyReplicas"]), number(&spec["replicas"])),
        number(&status["updatedReplicas"]),
        number(&status["availableReplicas"]),
        age::of(object, now),
        names,
        images,
        selector::written(&spec["selector"]).unwrap_or_else(|| "<invalid>".to_owned()),
    ]
}

pub(super) fn replica_set(object: &Value, now: Duration) -> Vec<Value> {
    replicas(object, now, selector::shown(&object["spec"]["selector"]))
}

pub(super) fn replication_controller(object: &Value, now: Duration) -> Vec<Value> {
    replicas(object, now, selector::labels(&object["spec"]["selector"]))
}

fn replicas(object: &Value, now: Duration, selector: String) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [names, images] = containers(&spec["template"]);
    cells![
        text(&object["metadata"]["name"]),
        number(&spec["replicas"]),
        number(&status["replicas"]),
        number(&status["readyReplicas"]),
        age::of(object, now),
        names,
        images,
        selector,
    ]
}

pub(super) fn stateful_set(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [names, images] = containers(&spec["template"]);
    let ready = format!("{}/{}", number(&status["readyReplicas"]), number(&spec["replicas"]));
    cells![text(&object["metadata"]["name"]), ready, age::of(object, now), names, images]
}

pub(super) fn daemon_set(object: &Value, now: Duration) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [names, images] = containers(&spec["template"]);
    cells![
        text(&object["metadata"]["name"]),
        number(&status["desiredNumberScheduled"]),
        number(&status["currentNumberScheduled"]),
        number(&status["numberReady"]),
        number(&status["updatedNumberScheduled"]),
        number(&status["numberAvailable"]),
        selector::labels(&spec["template"]["spec"]["nodeSelector"]),
        age::of(object, now),
        names,
        images,
        selector::shown(&spec["selector"]),
    ]
}

pub(super) fn pod_template(object: &Value, _: Duration) -> Vec<Value> {
    let template = &object["template"];
    let [names, images] = containers(template);
    cells![text(&object["metadata"]["name"]), names, images, selector::labels(&template["metadata"]["labels"])]
}

pub(super) fn controller_revision(object: &Value, now: Duration) -> Vec<Value> {
    let owners = list(&object["metadata"]["ownerReferences"]);
    let controller = match owners.iter().find(|owner| owner["controller"] == true) {
        Some(owner) => {
            let kind = match text(&owner["apiVersion"]).split_once('/') {
                Some((group, _)) => format!("{}.{group}", text(&owner["kind"])),
                None => text(&owner["kind"]).to_owned(),
            };
            format!("{}/{}", kind.to_lowercase(), text(&owner["name"]))
        }
        None => NONE.to_owned(),
    };
    cells![text(&object["metadata"]["name"]), controller, number(&object["revision"]), age::of(object, now)]
}

/// The scale of any of these.
pub(super) fn scale(object: &Value, now: Duration) -> Vec<Value> {
    let replicas = |half: &str| number(&object[half]["replicas"]);
    cells![text(&object["metadata"]["name"]), replicas("spec"), replicas("status"), age::of(object, now)]
}
