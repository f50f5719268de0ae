//! Volumes of a pod.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{checker::Checker, container::check_descending, format, storage, variable};
use crate::{
    quantity::Quantity,
    tree::{items, text},
};

/// Checks the volumes of a pod, and gives back the names of those that nothing is wrong with.
pub(super) fn check_all(spec: &Value, path: &str, checker: &mut Checker) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, volume) in items(spec, "volumes").iter().enumerate() {
        let path = format!("{path}.volumes[{at}]");
        let before = checker.causes.len();
        check_source(volume, &path, checker);
        let name = text(volume, "name");
        match name {
            "" => checker.required(&format!("{path}.name"), ""),
            name => checker.text(&format!("{path}.name"), name, format::label(name)),
        }
        if names.contains(name) {
            checker.duplicate(&format!("{path}.name"), &name.into());
        }
        if checker.causes.len() == before {
            names.insert(name.to_owned());
        }
    }
    names
}

fn check_source(volume: &Value, path: &str, checker: &mut Checker) {
    let mut first = true;
    for source in SOURCES {
        if !volume[source].is_object() {
            continue;
        }
        let path = format!("{path}.{source}");
        if first {
            check_one(source, &volume[source], &path, checker);
        } else {
            checker.forbidden(&path, "may not specify more than 1 volume type");
        }
        first = false;
    }
    if first {
        checker.required(path, "must specify a volume type");
    }
}

fn check_one(name: &str, source: &Value, path: &str, checker: &mut Checker) {
    match name {
        "emptyDir" => {
            let negative = source["sizeLimit"].as_str().and_then(Quantity::parse).is_some_and(Quantity::is_negative);
            if negative {
                checker.forbidden(&format!("{path}.sizeLimit"), "SizeLimit field must be a valid resource quantity");
            }
        }
        "hostPath" => {
            if text(source, "path").is_empty() {
                checker.required(&format!("{path}.path"), "");
            }
            if text(source, "path").split('/').any(|step| step == "..") {
                checker.invalid(&format!("{path}.path"), &source["path"], "must not contain '..'");
            }
            let kinds =
                ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
            checker.one_of(&format!("{path}.type"), &source["type"], &kinds);
        }
        "secret" | "configMap" => {
            let field = if name == "secret" { "secretName" } else { "name" };
            if text(source, field).is_empty() {
                checker.required(&format!("{path}.{field}"), "");
            }
            check_mode(source, path, "defaultMode", checker);
            check_keys(source, path, checker);
        }
        "persistentVolumeClaim" if text(source, "claimName").is_empty() => {
            checker.required(&format!("{path}.claimName"), "");
        }
        "nfs" => {
            for field in ["server", "path"].into_iter().filter(|field| text(source, field).is_empty()) {
                checker.required(&format!("{path}.{field}"), "");
            }
            if !text(source, "path").starts_with('/') {
                checker.invalid(&format!("{path}.path"), &source["path"], "must be an absolute path");
            }
        }
        "downwardAPI" => {
            check_mode(source, path, "defaultMode", checker);
            check_files(source, path, checker);
        }
        "projected" => check_projected(source, path, checker),
        "ephemeral" if !source["volumeClaimTemplate"].is_object() => {
            checker.required(&format!("{path}.volumeClaimTemplate"), "");
        }
        "ephemeral" => {
            let template = &source["volumeClaimTemplate"];
            storage::check_claim_spec(&template["spec"], &format!("{path}.volumeClaimTemplate.spec"), checker);
        }
        "csi" if text(source, "driver").is_empty() => checker.required(&format!("{path}.driver"), ""),
        _ => {}
    }
}

fn check_projected(source: &Value, path: &str, checker: &mut Checker) {
    check_mode(source, path, "defaultMode", checker);
    for (at, source) in items(source, "sources").iter().enumerate() {
        let whole = format!("{path}.sources[{at}]");
        let mut first = true;
        for name in ["secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle"] {
            let one = &source[name];
            if !one.is_object() {
                continue;
            }
            let path = format!("{whole}.{name}");
            if !first {
                checker.forbidden(&path, "may not specify more than 1 volume type per source");
                continue;
            }
            first = false;
            match name {
                "secret" | "configMap" => {
                    if text(one, "name").is_empty() {
                        checker.required(&format!("{path}.name"), "");
                    }
                    check_keys(one, &path, checker);
                }
                "downwardAPI" => check_files(one, &path, checker),
                "serviceAccountToken" => {
                    let seconds = &one["expirationSeconds"];
                    if seconds.as_i64().is_some_and(|seconds| seconds < 600) {
                        let why = "may not specify a duration less than 10 minutes";
                        checker.invalid(&format!("{path}.expirationSeconds"), seconds, why);
                    }
                    if text(one, "path").is_empty() {
                        checker.required(&format!("{path}.path"), "");
                    }
                }
                _ => {}
            }
        }
        if first {
            checker.required(&whole, "at least one of the source types must be specified");
        }
    }
}

fn check_keys(source: &Value, path: &str, checker: &mut Checker) {
    for (at, item) in items(source, "items").iter().enumerate() {
        let path = format!("{path}.items[{at}]");
        if text(item, "key").is_empty() {
            checker.required(&format!("{path}.key"), "");
        }
        check_file_path(item, &path, checker);
        check_mode(item, &path, "mode", checker);
    }
}

fn check_files(source: &Value, path: &str, checker: &mut Checker) {
    for (at, item) in items(source, "items").iter().enumerate() {
        let path = format!("{path}.items[{at}]");
        check_file_path(item, &path, checker);
        if item["fieldRef"].is_object() {
            variable::check_field(&item["fieldRef"], &format!("{path}.fieldRef"), FILE_FIELDS, checker);
            if item["resourceFieldRef"].is_object() {
                let why = "fieldRef and resourceFieldRef can not be specified simultaneously";
                checker.invalid(&path, &"resource".into(), why);
            }
        } else if item["resourceFieldRef"].is_object() {
            variable::check_resource(&item["resourceFieldRef"], &format!("{path}.resourceFieldRef"), true, checker);
        } else {
            checker.required(&path, "one of fieldRef and resourceFieldRef is required");
        }
        check_mode(item, &path, "mode", checker);
    }
}

fn check_file_path(item: &Value, path: &str, checker: &mut Checker) {
    let field = format!("{path}.path");
    let file = text(item, "path");
    if file.is_empty() {
        checker.required(&field, "");
    }
    check_descending(file, &field, checker);
    if file.starts_with("..") && !file.split('/').any(|step| step == "..") {
        checker.invalid(&field, &file.into(), "must not start with '..'");
    }
}

fn check_mode(source: &Value, path: &str, field: &str, checker: &mut Checker) {
    if source[field].as_i64().is_some_and(|mode| !(0..=0o777).contains(&mode)) {
        let why = "must be a number between 0 and 0777 (octal), both inclusive";
        checker.invalid(&format!("{path}.{field}"), &source[field], why);
    }
}

/// In the order in which the real server looks at them.
const SOURCES: [&str; 29] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
];
const FILE_FIELDS: &[&str] =
    &["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
