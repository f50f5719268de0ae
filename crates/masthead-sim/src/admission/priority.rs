//! Which pods go first: the class that a pod names, in numbers.

use serde_json::Value;

use super::Cluster;
use crate::{
    kind::Kind,
    refusal::Refusal,
    tree::{fill, made, text},
};

const CLASSES: (&str, &str, &str) = ("scheduling.k8s.io", "v1", "priorityclasses");

/// Sets the priority of a new pod from its class.
pub(super) fn complete_pod(cluster: Cluster<'_>, kind: &Kind, pod: &mut Value) -> Result<(), Refusal> {
    let refuse = |pod: &Value, why: String| Err(Refusal::forbidden(kind, super::name(pod), &why));
    let wanted = text(&pod["spec"], "priorityClassName").to_owned();
    let class = if wanted.is_empty() {
        default_class(cluster)
    } else {
        let Some(class) = cluster.within(CLASSES, "").into_iter().find(|class| super::name(class) == wanted) else {
            return refuse(pod, format!("no PriorityClass with name {wanted} was found"));
        };
        Some(class)
    };
    let value = class.as_ref().and_then(|class| class["value"].as_i64()).unwrap_or_default();
    let policy = class.as_ref().and_then(|class| class["preemptionPolicy"].as_str()).unwrap_or("PreemptLowerPriority");
    const BECAUSE: &str = "must not be provided in pod spec; priority admission controller computed";
    let spec = &pod["spec"];
    if let Some(given) = spec["priority"].as_i64().filter(|given| *given != value) {
        let why =
            format!("the integer value of priority ({given}) {BECAUSE} {value} from the given PriorityClass name");
        return refuse(pod, why);
    }
    if let Some(given) = spec["preemptionPolicy"].as_str().filter(|given| *given != policy) {
        let why = format!(
            "the string value of PreemptionPolicy ({given}) {BECAUSE} {policy} from the given PriorityClass name"
        );
        return refuse(pod, why);
    }
    if let Some(spec) = made(pod, "spec") {
        if let Some(class) = &class {
            spec["priorityClassName"] = super::name(class).into();
        }
        spec["priority"] = value.into();
        spec["preemptionPolicy"] = policy.into();
    }
    Ok(())
}

/// An update that leaves the priority out does not change it.
pub(super) fn keep(before: &Value, next: &mut Value) {
    if let Some(spec) = made(next, "spec") {
        for field in ["priority", "preemptionPolicy"] {
            if let Some(known) = before["spec"].get(field) {
                fill(spec, field, known.clone());
            }
        }
    }
}

/// Refuses a second class for pods that name none.
pub(super) fn check_default(cluster: Cluster<'_>, kind: &Kind, class: &Value) -> Result<(), Refusal> {
    let known = default_class(cluster).filter(|known| super::name(known) != super::name(class));
    match known.filter(|_| class["globalDefault"] == true) {
        None => Ok(()),
        Some(known) => {
            let known = super::name(&known);
            let why = format!("PriorityClass {known} is already marked as default. Only one default can exist");
            Err(Refusal::forbidden(kind, super::name(class), &why))
        }
    }
}

fn default_class(cluster: Cluster<'_>) -> Option<Value> {
    let defaults = cluster.within(CLASSES, "").into_iter().filter(|class| class["globalDefault"] == true);
    defaults.min_by_key(|class| class["value"].as_i64())
}
