//! Volumes of a pod.

use serde_json::{Value, json};

use super::{container, resources, storage};
use crate::tree::{drop_empty, fill, fill_empty, made, member, members};

/// What a file's mode is where nobody says: `rw-r--r--`.
const MODE: u32 = 0o644;

/// Completes a volume. One without a source is an empty directory.
pub(super) fn complete(volume: &mut Value) {
    if volume.as_object().is_some_and(|fields| fields.iter().all(|(name, value)| name == "name" || value.is_null())) {
        fill(volume, "emptyDir", json!({}));
    }
    for source in ["configMap", "secret", "downwardAPI", "projected"] {
        if let Some(source) = member(volume, source) {
            fill(source, "defaultMode", MODE);
            drop_empty(source, &["items", "sources"]);
            complete_items(source);
        }
    }
    if let Some(projected) = member(volume, "projected") {
        for source in members(projected, "sources") {
            complete_projection(source);
        }
    }
    if let Some(path) = member(volume, "hostPath") {
        fill(path, "type", "");
    }
    if let Some(directory) = member(volume, "emptyDir") {
        resources::complete_amount(directory, "sizeLimit");
        drop_empty(directory, &["medium"]);
    }
    if let Some(claim) = member(volume, "persistentVolumeClaim") {
        drop_empty(claim, &["readOnly"]);
    }
    if let Some(template) = member(volume, "ephemeral").and_then(|volume| member(volume, "volumeClaimTemplate")) {
        made(template, "metadata");
        if let Some(spec) = made(template, "spec") {
            storage::complete_claim_spec(spec);
        }
    }
    complete_block_devices(volume);
}

fn complete_projection(source: &mut Value) {
    if let Some(token) = member(source, "serviceAccountToken") {
        fill(token, "expirationSeconds", 3600);
        drop_empty(token, &["audience"]);
    }
    if let Some(downward) = member(source, "downwardAPI") {
        complete_items(downward);
    }
}

fn complete_items(source: &mut Value) {
    for item in members(source, "items") {
        container::complete_source(item);
    }
}

/// Sources of old whose defaults still are filled in.
fn complete_block_devices(volume: &mut Value) {
    if let Some(target) = member(volume, "iscsi") {
        fill_empty(target, "iscsiInterface", "default");
    }
    if let Some(image) = member(volume, "rbd") {
        fill_empty(image, "pool", "rbd");
        fill_empty(image, "user", "admin");
        fill_empty(image, "keyring", "/etc/ceph/keyring");
    }
    if let Some(disk) = member(volume, "azureDisk") {
        fill(disk, "cachingMode", "ReadWrite");
        fill(disk, "fsType", "ext4");
        fill(disk, "readOnly", false);
        fill(disk, "kind", "Shared");
    }
    if let Some(disk) = member(volume, "scaleIO") {
        fill_empty(disk, "storageMode", "ThinProvisioned");
        fill_empty(disk, "fsType", "xfs");
    }
}
