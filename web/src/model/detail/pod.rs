//! Pods.

use super::{Container, Detail, Facts, Label, Object, Told};
use crate::model::table::cell::Tone;

pub(super) fn tell(pod: Object<'_>, facts: &mut Facts, detail: &mut Detail) {
    let phase = pod.text("/status/phase");
    let tone = match phase {
        "Failed" => Tone::Failure,
        "Pending" => Tone::Busy,
        "Unknown" => Tone::Warning,
        _ => Tone::Quiet,
    };
    facts.tell(Label::Phase, Told::State(phase.to_owned(), tone));
    facts.all(pod, &[(Label::Reason, "/status/reason"), (Label::Message, "/status/message")]);
    facts.link(Label::Node, ["v1", "Node"], ["", pod.text("/spec/nodeName")]);
    let addresses: Vec<&str> = pod.items("/status/podIPs").map(|address| address.text("/ip")).collect();
    match addresses.is_empty() {
        true => facts.at(Label::PodIp, pod, "/status/podIP"),
        false => facts.text(Label::PodIp, addresses.join(", ")),
    }
    let namespace = pod.text("/metadata/namespace");
    facts.link(Label::ServiceAccount, ["v1", "ServiceAccount"], [namespace, pod.text("/spec/serviceAccountName")]);
    facts.all(pod, &[(Label::QosClass, "/status/qosClass"), (Label::PriorityClass, "/spec/priorityClassName")]);
    facts.time(Label::Started, pod.time("/status/startTime"));
    for volume in pod.items("/spec/volumes") {
        let named = [
            ("/persistentVolumeClaim/claimName", "PersistentVolumeClaim"),
            ("/configMap/name", "ConfigMap"),
            ("/secret/secretName", "Secret"),
        ];
        for (path, kind) in named {
            facts.link(Label::Mounts, ["v1", kind], [namespace, volume.text(path)]);
        }
    }
    detail.containers = Container::all(pod.at("/spec"), pod.at("/status"));
}
