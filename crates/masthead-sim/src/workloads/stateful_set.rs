//! The controller of stateful sets: pods with a number and claims of their own, one after another.

use serde_json::{Value, json};

use super::{
    actor::Turn, component::Component, facts::Facts, recorder::Happening, replica_set::omit_zero, resource::Resource,
    revision::Revision, template,
};
use crate::{object::Key, write::Half};

const BY: Component = Component::StatefulSets;
const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX: &str = "apps.kubernetes.io/pod-index";

impl Turn<'_> {
    pub(super) fn sync_stateful_set(&mut self, key: &Key) {
        let Some(set) = self.get(Resource::StatefulSet, key).filter(|set| !template::is_ending(set)) else { return };
        let Some(update) = self.revise(BY, &set, "controller.kubernetes.io/hash") else { return };
        let current = set["status"]["currentRevision"].as_str().and_then(|name| self.revision(&set, name));
        self.reconcile_set(&set, current.as_ref(), &update);
        let current = current.map_or_else(|| update.name.clone(), |current| current.name);
        self.write_stateful_status(set, current, &update);
    }

    /// Takes one step, or all of them at once for a set whose pods need not wait for each other.
    fn reconcile_set(&mut self, set: &Value, current: Option<&Revision>, update: &Revision) {
        let start = set["spec"]["ordinals"]["start"].as_u64().unwrap_or_default();
        let wanted = start..start + set["spec"]["replicas"].as_u64().unwrap_or(1);
        let in_turn = set["spec"]["podManagementPolicy"] != "Parallel";
        let partition = set["spec"]["updateStrategy"]["rollingUpdate"]["partition"].as_u64().unwrap_or_default();
        for number in wanted.clone() {
            let key = ordinal_key(set, number);
            let facts = self.state.pods.get(&key).cloned();
            match facts {
                None => {
                    let revision = current.filter(|_| number < partition).unwrap_or(update);
                    self.create_numbered(set, revision, number);
                    if in_turn {
                        return;
                    }
                }
                Some(facts) if facts.is_over() && !facts.ending => {
                    self.delete_numbered(set, &key);
                    if in_turn {
                        return;
                    }
                }
                Some(facts) if in_turn && (facts.ready.is_none() || facts.ending) => return,
                Some(_) => {}
            }
        }
        let mut beyond: Vec<(u64, Key, Facts)> = self.numbered(set);
        beyond.retain(|(number, ..)| !wanted.contains(number));
        for (_, key, facts) in beyond.into_iter().rev() {
            if !facts.ending {
                self.delete_numbered(set, &key);
            }
            if in_turn {
                return;
            }
        }
        if set["spec"]["updateStrategy"]["type"] == "OnDelete" {
            return;
        }
        for number in wanted.rev().take_while(|number| *number >= partition) {
            let key = ordinal_key(set, number);
            let Some(facts) = self.state.pods.get(&key).cloned() else { return };
            if facts.revision != update.name && !facts.ending {
                return self.delete_numbered(set, &key);
            }
            if facts.ready.is_none() || facts.ending {
                return;
            }
        }
    }

    /// The pods of a set with their numbers, lowest first.
    fn numbered(&self, set: &Value) -> Vec<(u64, Key, Facts)> {
        let number = |key: &Key| key.name.rsplit('-').next().and_then(|number| number.parse().ok());
        let mut pods: Vec<_> =
            self.pods_of(set).into_iter().filter_map(|(key, facts)| Some((number(&key)?, key, facts))).collect();
        pods.sort_by_key(|(number, ..)| *number);
        pods
    }

    fn create_numbered(&mut self, set: &Value, revision: &Revision, number: u64) {
        let key = ordinal_key(set, number);
        let mut pod = template::pod(&revision.pods, set, &key.name);
        let labels = &mut pod["metadata"]["labels"];
        labels[POD_NAME] = (*key.name).into();
        labels[POD_INDEX] = number.to_string().into();
        labels["controller-revision-hash"] = revision.name.as_str().into();
        pod["spec"]["hostname"] = (*key.name).into();
        if let Some(service) = set["spec"]["serviceName"].as_str().filter(|service| !service.is_empty()) {
            pod["spec"]["subdomain"] = service.into();
        }
        for form in set["spec"]["volumeClaimTemplates"].as_array().into_iter().flatten() {
            let claim = self.claim_for(set, form, &key.name);
            let mount = json!({ "name": form["metadata"]["name"], "persistentVolumeClaim": { "claimName": claim } });
            match pod["spec"]["volumes"].as_array_mut() {
                Some(volumes) => volumes.push(mount),
                None => pod["spec"]["volumes"] = json!([mount]),
            }
        }
        let created = self.create(BY, Resource::Pod, pod);
        let what = format!("Pod {} in StatefulSet {}", key.name, template::name(set));
        self.record(&match created {
            Ok(_) => Happening::normal(BY, set, "SuccessfulCreate", format!("Create {what} successful")),
            Err(why) => Happening::warning(BY, set, "FailedCreate", format!("Create {what} failed error: {why}")),
        });
    }

    /// The name of a pod's claim of a template, which is made if it is not there.
    fn claim_for(&mut self, set: &Value, form: &Value, pod: &str) -> String {
        let name = format!("{}-{pod}", template::name(form));
        if self.object(Resource::Claim, &template::beside(set, &name)).is_some() {
            return name;
        }
        let mut labels = set["spec"]["selector"]["matchLabels"].clone();
        for (key, value) in form["metadata"]["labels"].as_object().into_iter().flatten() {
            labels[key] = value.clone();
        }
        let mut claim = json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": { "name": name, "namespace": set["metadata"]["namespace"], "labels": labels },
            "spec": form["spec"],
        });
        if form["metadata"]["annotations"].is_object() {
            claim["metadata"]["annotations"] = form["metadata"]["annotations"].clone();
        }
        let what = format!("Claim {name} Pod {pod} in StatefulSet {}", template::name(set));
        let created = self.create(BY, Resource::Claim, claim);
        self.record(&match created {
            Ok(_) => Happening::normal(BY, set, "SuccessfulCreate", format!("Create {what} success")),
            Err(why) => Happening::warning(BY, set, "FailedCreate", format!("Create {what} failed error: {why}")),
        });
        name
    }

    fn delete_numbered(&mut self, set: &Value, key: &Key) {
        if self.delete(BY, Resource::Pod, key, None) {
            let message = format!("Delete Pod {} in StatefulSet {} successful", key.name, template::name(set));
            self.record(&Happening::normal(BY, set, "SuccessfulDelete", message));
        }
    }

    fn write_stateful_status(&mut self, mut set: Value, mut current: String, update: &Revision) {
        let (pods, wall) = (self.numbered(&set), self.wall());
        let patience = set["spec"]["minReadySeconds"].as_u64().unwrap_or_default();
        let wanted = set["spec"]["replicas"].as_u64().unwrap_or(1) as usize;
        let count = |holds: &dyn Fn(&Facts) -> bool| pods.iter().filter(|(_, _, facts)| holds(facts)).count();
        let ready = count(&|facts| facts.ready.is_some() && !facts.ending);
        let updated = count(&|facts| facts.revision == update.name && !facts.ending);
        if updated == wanted && ready == wanted && pods.len() == wanted {
            current.clone_from(&update.name);
        }
        let mut status = json!({
            "observedGeneration": set["metadata"]["generation"], "collisionCount": 0, "replicas": pods.len(),
            "readyReplicas": ready, "updatedReplicas": updated, "currentRevision": current, "updateRevision": update.name,
            "currentReplicas": count(&|facts| facts.revision == current && !facts.ending),
            "availableReplicas": count(&|facts| facts.is_available(patience, wall) && !facts.ending),
        });
        for field in ["readyReplicas", "updatedReplicas", "currentReplicas"] {
            omit_zero(&mut status, field);
        }
        let live = [current.rsplit('-').next().unwrap_or_default().to_owned(), update.hash.clone()];
        self.forget_revisions(BY, &set, &live.each_ref().map(String::as_str));
        set["status"] = status;
        self.update(BY, Resource::StatefulSet, Half::Status, set);
    }
}

fn ordinal_key(set: &Value, number: u64) -> Key {
    template::beside(set, &format!("{}-{number}", template::name(set)))
}
