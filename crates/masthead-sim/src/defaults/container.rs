//! Containers of every sort, their probes, ports and variables.

use serde_json::{Value, json};

use super::resources;
use crate::tree::{drop_empty, fill, fill_empty, member, members, text};

/// Completes a container, be it an init or an ephemeral one.
pub(super) fn complete(container: &mut Value) {
    let latest = tag(text(container, "image")) == Some("latest");
    fill_empty(container, "imagePullPolicy", if latest { "Always" } else { "IfNotPresent" });
    fill_empty(container, "terminationMessagePath", "/dev/termination-log");
    fill_empty(container, "terminationMessagePolicy", "File");
    fill(container, "resources", json!({}));
    if let Some(requirements) = member(container, "resources") {
        resources::complete_requirements(requirements);
        drop_empty(requirements, &["limits", "requests", "claims"]);
    }
    for port in members(container, "ports") {
        fill_empty(port, "protocol", "TCP");
        drop_empty(port, &["name", "hostPort", "hostIP"]);
    }
    for variable in members(container, "env") {
        if let Some(source) = member(variable, "valueFrom") {
            complete_source(source);
        }
        drop_empty(variable, &["value"]);
    }
    for mount in members(container, "volumeMounts") {
        drop_empty(mount, &["readOnly", "subPath", "subPathExpr"]);
    }
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = member(container, name) {
            complete_probe(probe);
        }
    }
    if let Some(lifecycle) = member(container, "lifecycle") {
        for hook in ["postStart", "preStop"] {
            if let Some(hook) = member(lifecycle, hook) {
                complete_action(hook);
            }
        }
    }
    drop_empty(container, OPTIONAL);
}

/// What a variable or a file is taken from.
pub(super) fn complete_source(source: &mut Value) {
    if let Some(field) = member(source, "fieldRef") {
        fill_empty(field, "apiVersion", "v1");
    }
    if let Some(resource) = member(source, "resourceFieldRef") {
        fill_empty(resource, "divisor", "0");
        resources::complete_amount(resource, "divisor");
        drop_empty(resource, &["containerName"]);
    }
}

/// Members that are left out when they say nothing.
const OPTIONAL: &[&str] = &[
    "args",
    "command",
    "env",
    "envFrom",
    "image",
    "ports",
    "resizePolicy",
    "stdin",
    "stdinOnce",
    "tty",
    "volumeDevices",
    "volumeMounts",
    "workingDir",
];

fn complete_probe(probe: &mut Value) {
    fill_empty(probe, "timeoutSeconds", 1);
    fill_empty(probe, "periodSeconds", 10);
    fill_empty(probe, "successThreshold", 1);
    fill_empty(probe, "failureThreshold", 3);
    drop_empty(probe, &["initialDelaySeconds"]);
    if let Some(grpc) = member(probe, "grpc") {
        fill(grpc, "service", "");
    }
    complete_action(probe);
}

fn complete_action(handler: &mut Value) {
    if let Some(get) = member(handler, "httpGet") {
        fill_empty(get, "path", "/");
        fill_empty(get, "scheme", "HTTP");
        drop_empty(get, &["host", "httpHeaders"]);
    }
}

/// The tag of an image: `latest` when it has neither tag nor digest, `None` when it has only a digest.
fn tag(image: &str) -> Option<&str> {
    let (named, digest) = image.split_once('@').map_or((image, None), |(named, digest)| (named, Some(digest)));
    let last = named.rsplit('/').next().unwrap_or(named);
    match (last.split_once(':'), digest) {
        (Some((_, tag)), _) => Some(tag),
        (None, Some(_)) => None,
        (None, None) => Some("latest"),
    }
}
