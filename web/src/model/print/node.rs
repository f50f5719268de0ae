//! The row of a node.

use std::collections::BTreeSet;

use masthead::lean::{Interned, Lean, Part};
use serde::Deserialize;

use super::{
    cells::Cells,
    condition::Condition,
    heading::{Heading, wide, words},
    nested::Nested,
    requests::Requests,
    subject::Subject,
    words::{NONE, UNKNOWN, joined, or},
};
use crate::model::table::cell::Tone;

pub(super) const COLUMNS: &[Heading] = &[
    words("NAME"),
    words("STATUS"),
    words("ROLES"),
    words("AGE"),
    words("VERSION"),
    wide("INTERNAL-IP"),
    wide("EXTERNAL-IP"),
    wide("OS-IMAGE"),
    wide("KERNEL-VERSION"),
    wide("CONTAINER-RUNTIME"),
];

#[derive(Lean)]
pub(super) struct Node {
    #[lean("spec.unschedulable")]
    cordoned: bool,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
    #[lean("status.allocatable")]
    allocatable: Requests,
    #[lean("status.addresses")]
    addresses: Nested<Vec<Address>>,
    #[lean("status.nodeInfo.kubeletVersion")]
    version: Interned,
    #[lean("status.nodeInfo.osImage")]
    image: Interned,
    #[lean("status.nodeInfo.kernelVersion")]
    kernel: Interned,
    #[lean("status.nodeInfo.architecture")]
    architecture: Interned,
    #[lean("status.nodeInfo.containerRuntimeVersion")]
    runtime: Interned,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Address {
    r#type: String,
    address: String,
}

pub(super) fn cells(subject: &Subject<Node>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.load(it.allocatable.0);
    to.name();
    state(it, to);
    roles(subject, to);
    to.age();
    to.known(&it.version, "");
    for kind in ["InternalIP", "ExternalIP"] {
        match it.addresses.iter().find(|address| address.r#type == kind) {
            Some(found) => to.own(&found.address, ""),
            None => to.word(NONE),
        }
    }
    to.known(&it.image, UNKNOWN);
    let kernel = or(&it.kernel, UNKNOWN);
    match it.architecture.as_str() {
        "" => to.word(kernel),
        architecture => to.word(&format!("{kernel} ({architecture})")),
    }
    to.known(&it.runtime, UNKNOWN);
}

fn state(it: &Node, to: &mut Cells<'_>) {
    let (ready, tone) = match it.conditions.iter().rfind(|condition| condition.kind == "Ready") {
        Some(condition) if condition.status == "True" => ("Ready", Tone::Quiet),
        Some(_) => ("NotReady", Tone::Failure),
        None => ("Unknown", Tone::Failure),
    };
    let pressed = it.conditions.iter().any(|it| it.kind.ends_with("Pressure") && it.status == "True");
    if pressed {
        to.raise(Tone::Warning);
    }
    match it.cordoned {
        true => to.status(&format!("{ready},SchedulingDisabled"), tone.max(Tone::Warning)),
        false => to.status(ready, tone),
    }
}

fn roles(subject: &Subject<Node>, to: &mut Cells<'_>) {
    let roles = subject.meta.labels.0.iter().filter_map(|(key, value)| {
        key.strip_prefix("node-role.kubernetes.io/")
            .or_else(|| (*key == "kubernetes.io/role").then_some(value.as_str()))
    });
    let roles: BTreeSet<&str> = roles.filter(|role| !role.is_empty()).collect();
    to.word(or(&joined(roles, ","), NONE));
}
