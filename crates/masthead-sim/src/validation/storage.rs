//! Claims on volumes, volumes of the cluster, and their classes.

use serde_json::Value;

use super::{checker::Checker, format, selector};
use crate::{
    cause::Cause,
    kind::Kind,
    quantity::Quantity,
    tree::{entries, items, text},
};

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// A claim.
pub(super) fn check_claim(claim: &Value, before: Option<&Value>, checker: &mut Checker) {
    check_claim_spec(&claim["spec"], "spec", checker);
    let Some(before) = before else { return };
    let bound = text(&before["status"], "phase") == "Bound";
    if frozen(&before["spec"], &claim["spec"], bound) {
        checker.forbidden("spec", FROZEN);
    }
    let [old, new] = [before, claim].map(|it| Quantity::parse(text(&it["spec"]["resources"]["requests"], "storage")));
    let capacity = Quantity::parse(text(&before["status"]["capacity"], "storage"));
    if let (Some(old), Some(new)) = (old, new)
        && old.exceeds(new)
        && !capacity.is_some_and(|capacity| new.exceeds(capacity))
    {
        let field = "spec.resources.requests.storage";
        checker.forbidden(field, "field can not be less than status.capacity");
    }
}

/// What a claim asks for.
pub(super) fn check_claim_spec(spec: &Value, path: &str, checker: &mut Checker) {
    let modes = items(spec, "accessModes");
    if modes.is_empty() {
        checker.required(&format!("{path}.accessModes"), "at least 1 access mode is required");
    }
    selector::check(&spec["selector"], &format!("{path}.selector"), checker);
    check_modes(modes, path, checker);
    let storage = format!("{path}.resources[storage]");
    match spec["resources"]["requests"].get("storage") {
        None => checker.required(&storage, ""),
        Some(amount) => check_positive(amount, &storage, checker),
    }
    let class = text(spec, "storageClassName");
    if !class.is_empty() {
        checker.text(&format!("{path}.storageClassName"), class, format::subdomain(class));
    }
    check_volume_mode(spec, path, checker);
}

/// A volume of the cluster.
pub(super) fn check_volume(volume: &Value, before: Option<&Value>, checker: &mut Checker) {
    let spec = &volume["spec"];
    let modes = items(spec, "accessModes");
    if modes.is_empty() {
        checker.required("spec.accessModes", "");
    }
    check_modes(modes, "spec", checker);
    if entries(spec, "capacity").next().is_none() {
        checker.required("spec.capacity", "");
    }
    let only_storage = entries(spec, "capacity").count() == 1 && spec["capacity"].get("storage").is_some();
    if !only_storage {
        let capacity = spec["capacity"].to_string();
        checker.causes.push(Cause::unsupported("spec.capacity", &capacity, "\"storage\""));
    }
    for (resource, amount) in entries(spec, "capacity") {
        check_positive(amount, &format!("spec.capacity[{resource}]"), checker);
    }
    let policies = ["Delete", "Recycle", "Retain"];
    checker.one_of("spec.persistentVolumeReclaimPolicy", &spec["persistentVolumeReclaimPolicy"], &policies);
    let sources = SOURCES.iter().filter(|source| spec[**source].is_object()).count();
    if sources == 0 {
        checker.required("spec", "must specify a volume type");
    }
    if spec["hostPath"].is_object() && text(&spec["hostPath"], "path").is_empty() {
        checker.required("spec.hostPath.path", "");
    }
    let class = text(spec, "storageClassName");
    if !class.is_empty() {
        checker.text("spec.storageClassName", class, format::subdomain(class));
    }
    check_volume_mode(spec, "spec", checker);
    if let Some(before) = before {
        let source = |spec: &Value| SOURCES.map(|source| spec[source].clone());
        if source(&before["spec"]) != source(spec) {
            checker.forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
        }
        checker.unchanged("spec.volumeMode", &before["spec"]["volumeMode"], &spec["volumeMode"]);
    }
}

/// An object of the group `storage.k8s.io`.
pub(super) fn check(kind: &Kind, object: &Value, before: Option<&Value>, checker: &mut Checker) {
    if kind.kind != "StorageClass" {
        return;
    }
    if let Some(before) = before {
        for field in ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] {
            checker.unchanged(field, &before[field], &object[field]);
        }
        return;
    }
    match text(object, "provisioner") {
        "" => checker.required("provisioner", ""),
        name => checker.text("provisioner", name, format::qualified_name(&name.to_lowercase())),
    }
    if entries(object, "parameters").any(|(key, _)| key.is_empty()) {
        checker.invalid("parameters", &"".into(), "field must not be empty.");
    }
    checker.one_of("reclaimPolicy", &object["reclaimPolicy"], &["Delete", "Retain"]);
    checker.one_of("volumeBindingMode", &object["volumeBindingMode"], &["Immediate", "WaitForFirstConsumer"]);
}

fn check_modes(modes: &[Value], path: &str, checker: &mut Checker) {
    let field = format!("{path}.accessModes");
    for mode in modes {
        checker.one_of(&field, mode, &MODES);
    }
    let (alone, others): (Vec<&Value>, Vec<&Value>) = modes.iter().partition(|mode| *mode == "ReadWriteOncePod");
    if !alone.is_empty() && others.iter().any(|mode| mode.as_str().is_some_and(|mode| MODES.contains(&mode))) {
        checker.forbidden(&field, "may not use ReadWriteOncePod with other access modes");
    }
}

fn check_positive(amount: &Value, field: &str, checker: &mut Checker) {
    let known = amount.as_str().and_then(Quantity::parse);
    if known.is_some_and(|known| known.is_negative() || known.is_zero()) {
        checker.invalid(field, amount, "must be greater than zero");
    }
}

fn check_volume_mode(spec: &Value, path: &str, checker: &mut Checker) {
    if !spec["volumeMode"].is_null() {
        checker.one_of(&format!("{path}.volumeMode"), &spec["volumeMode"], &["Block", "Filesystem"]);
    }
}

/// Whether a claim changed where it may not.
fn frozen(before: &Value, next: &Value, bound: bool) -> bool {
    let [before, next] = [before, next].map(|spec| {
        let mut spec = spec.clone();
        if let Some(fields) = spec.as_object_mut()
            && bound
        {
            fields.remove("resources");
            fields.remove("volumeAttributesClassName");
        }
        spec
    });
    let unbound = text(&before, "volumeName").is_empty();
    let unclassed = before["storageClassName"].is_null();
    let fixed = |spec: &Value| {
        let mut spec = spec.clone();
        if let Some(fields) = spec.as_object_mut() {
            if unbound {
                fields.remove("volumeName");
            }
            if unclassed && bound {
                fields.remove("storageClassName");
            }
        }
        spec
    };
    fixed(&before) != fixed(&next)
}

const FROZEN: &str =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

const SOURCES: [&str; 22] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];
