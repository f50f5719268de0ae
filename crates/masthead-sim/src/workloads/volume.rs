//! The controller of volumes: a volume for each claim, found or made.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    actor::{Turn, key_of},
    component::Component,
    engine::Work,
    facts::milli,
    recorder::Happening,
    resource::Resource,
    template,
};
use crate::{object::Key, write::Half};

const BY: Component = Component::Volumes;
pub(super) const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";
const PROVISIONER: &str = "volume.kubernetes.io/storage-provisioner";
const CLAIM_IN_USE: &str = "kubernetes.io/pvc-protection";
const VOLUME_IN_USE: &str = "kubernetes.io/pv-protection";

impl Turn<'_> {
    pub(super) fn sync_claim(&mut self, key: &Key) {
        let Some(claim) = self.get(Resource::Claim, key) else { return };
        if template::is_ending(&claim) {
            return self.release_claim(key, claim);
        }
        if claim["status"]["phase"] == "Bound" {
            return;
        }
        if let Some(volume) = self.fitting_volume(&claim) {
            return self.bind_claim(claim, volume);
        }
        let class = claim["spec"]["storageClassName"].as_str().unwrap_or_default().to_owned();
        if class.is_empty() {
            let message = "no persistent volumes available for this claim and no storage class is set".to_owned();
            return self.record(&Happening::normal(BY, &claim, "FailedBinding", message));
        }
        let Some(found) = self.get(Resource::StorageClass, &Key::new("", &class)) else {
            let message = format!("storageclass.storage.k8s.io {class:?} not found");
            return self.record(&Happening::warning(BY, &claim, "ProvisioningFailed", message));
        };
        let provisioner = found["provisioner"].as_str().unwrap_or_default().to_owned();
        let placed = claim["metadata"]["annotations"][SELECTED_NODE].is_string();
        if found["volumeBindingMode"] == "WaitForFirstConsumer" && !placed {
            let message = "waiting for first consumer to be created before binding".to_owned();
            return self.record(&Happening::normal(BY, &claim, "WaitForFirstConsumer", message));
        }
        if provisioner == "kubernetes.io/no-provisioner" {
            return;
        }
        self.provision(claim, &found, &provisioner);
    }

    /// Asks for a volume, and makes it a moment later.
    fn provision(&mut self, mut claim: Value, class: &Value, provisioner: &str) {
        if claim["metadata"]["annotations"][PROVISIONER].is_null() {
            let message = format!(
                "Waiting for a volume to be created either by the external provisioner '{provisioner}' or manually by the \
                 system administrator. If volume creation is delayed, please verify that the provisioner is running and \
                 correctly registered."
            );
            self.record(&Happening::normal(BY, &claim, "ExternalProvisioning", message));
            claim["metadata"]["annotations"][PROVISIONER] = provisioner.into();
            let key = key_of(&claim);
            self.update(BY, Resource::Claim, Half::Main, claim);
            let ready = self.now() + self.between(Duration::from_millis(800), Duration::from_millis(3000));
            self.state.provisioned.insert(key.clone(), ready);
            return self.state.agenda.set(ready, Work::Claim(key));
        }
        let key = key_of(&claim);
        if let Some(ready) = self.state.provisioned.get(&key).copied().filter(|ready| *ready > self.now()) {
            return self.state.agenda.set(ready, Work::Claim(key));
        }
        self.state.provisioned.remove(&key);
        let name = format!("pvc-{}", template::uid(&claim));
        let policy = class["reclaimPolicy"].as_str().unwrap_or("Delete");
        let volume = json!({
            "apiVersion": "v1", "kind": "PersistentVolume",
            "metadata": { "name": name, "annotations": { "pv.kubernetes.io/provisioned-by": provisioner } },
            "spec": {
                "capacity": { "storage": claim["spec"]["resources"]["requests"]["storage"] },
                "accessModes": claim["spec"]["accessModes"], "persistentVolumeReclaimPolicy": policy,
                "storageClassName": class["metadata"]["name"], "volumeMode": "Filesystem",
                "csi": { "driver": provisioner, "fsType": "ext4", "volumeHandle": format!("vol-{}", self.hex(17)) },
            },
        });
        if let Ok(volume) = self.create(BY, Resource::Volume, volume) {
            let message = format!("Successfully provisioned volume {name}");
            self.record(&Happening::normal(BY, &claim, "ProvisioningSucceeded", message));
            self.bind_claim(claim, volume);
        }
    }

    /// A volume that is free, or meant for this claim, and large enough.
    fn fitting_volume(&self, claim: &Value) -> Option<Value> {
        let wanted = milli(&claim["spec"]["resources"]["requests"]["storage"]).unwrap_or_default();
        let class = claim["spec"]["storageClassName"].as_str().unwrap_or_default();
        let modes = claim["spec"]["accessModes"].as_array().cloned().unwrap_or_default();
        let named = claim["spec"]["volumeName"].as_str().unwrap_or_default();
        let fits = |volume: &Value| {
            let reference = &volume["spec"]["claimRef"];
            let mine = reference["name"] == claim["metadata"]["name"]
                && reference["namespace"] == claim["metadata"]["namespace"];
            let offered = volume["spec"]["accessModes"].as_array();
            (mine || reference.is_null())
                && (named.is_empty() || named == template::name(volume))
                && volume["spec"]["storageClassName"].as_str().unwrap_or_default() == class
                && offered.is_some_and(|offered| modes.iter().all(|mode| offered.contains(mode)))
                && milli(&volume["spec"]["capacity"]["storage"]).unwrap_or_default() >= wanted
        };
        let volumes = self.list(Resource::Volume, None).into_iter().map(|volume| volume.value());
        volumes.filter(fits).min_by_key(|volume| milli(&volume["spec"]["capacity"]["storage"]))
    }

    fn bind_claim(&mut self, mut claim: Value, mut volume: Value) {
        volume["spec"]["claimRef"] = json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim", "name": claim["metadata"]["name"],
            "namespace": claim["metadata"]["namespace"], "uid": claim["metadata"]["uid"],
            "resourceVersion": claim["metadata"]["resourceVersion"],
        });
        let (name, key) = (volume["metadata"]["name"].clone(), key_of(&volume));
        self.update(BY, Resource::Volume, Half::Main, volume.clone());
        if let Some(mut bound) = self.get(Resource::Volume, &key) {
            bound["status"]["phase"] = "Bound".into();
            self.update(BY, Resource::Volume, Half::Status, bound);
        }
        claim["spec"]["volumeName"] = name;
        for annotation in ["pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller"] {
            claim["metadata"]["annotations"][annotation] = "yes".into();
        }
        let key = key_of(&claim);
        self.update(BY, Resource::Claim, Half::Main, claim);
        if let Some(mut bound) = self.get(Resource::Claim, &key) {
            bound["status"] = json!({
                "phase": "Bound", "accessModes": volume["spec"]["accessModes"], "capacity": volume["spec"]["capacity"],
            });
            self.update(BY, Resource::Claim, Half::Status, bound);
        }
    }

    /// Lets a claim go that no pod uses, and its volume with it.
    fn release_claim(&mut self, key: &Key, mut claim: Value) {
        let pods = self.state.pods.range(Key::new(&key.namespace, "")..);
        let mut near = pods.take_while(|(pod, _)| pod.namespace == key.namespace);
        if near.any(|(_, facts)| !facts.is_over() && facts.claims.iter().any(|name| **name == *key.name)) {
            return;
        }
        let volume = claim["spec"]["volumeName"].as_str().unwrap_or_default().to_owned();
        remove_finalizer(&mut claim, CLAIM_IN_USE);
        self.update(BY, Resource::Claim, Half::Main, claim);
        if let Some(mut volume) = self.get(Resource::Volume, &Key::new("", &volume)) {
            if volume["spec"]["persistentVolumeReclaimPolicy"] == "Delete" {
                let key = key_of(&volume);
                remove_finalizer(&mut volume, VOLUME_IN_USE);
                self.update(BY, Resource::Volume, Half::Main, volume);
                self.delete(BY, Resource::Volume, &key, None);
            } else {
                volume["status"]["phase"] = "Released".into();
                self.update(BY, Resource::Volume, Half::Status, volume);
            }
        }
    }

    /// Says that a volume nobody has claimed is there for anybody, and lets claims look again.
    pub(super) fn sync_volume(&mut self, key: &Key) {
        let Some(mut volume) = self.get(Resource::Volume, key) else { return };
        let phase = volume["status"]["phase"].as_str().unwrap_or("Pending");
        if volume["spec"]["claimRef"].is_null() && phase == "Pending" {
            volume["status"]["phase"] = "Available".into();
            self.update(BY, Resource::Volume, Half::Status, volume);
            for claim in self.list(Resource::Claim, None) {
                self.state.agenda.push(Work::Claim(claim.key.clone()));
            }
        }
    }
}

fn remove_finalizer(object: &mut Value, name: &str) {
    if let Some(all) = object["metadata"]["finalizers"].as_array_mut() {
        all.retain(|finalizer| finalizer != name);
    }
}
