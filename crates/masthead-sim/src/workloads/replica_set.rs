//! The controller of replica sets: as many pods as one asks for.

use serde_json::{Value, json};

use super::{
    actor::{Turn, key_of},
    component::Component,
    engine::Work,
    facts::{Facts, Phase},
    recorder::Happening,
    resource::Resource,
    template,
};
use crate::{object::Key, write::Half};

const BY: Component = Component::ReplicaSets;

/// How many pods one look makes or deletes at most, as the real controller.
const BURST: usize = 500;

impl Turn<'_> {
    pub(super) fn sync_replica_set(&mut self, key: &Key) {
        let Some(set) = self.get(Resource::ReplicaSet, key) else { return };
        let pods = self.pods_of(&set);
        if !template::is_ending(&set) {
            let active: Vec<&(Key, Facts)> = pods.iter().filter(|(_, facts)| facts.is_active()).collect();
            let wanted = set["spec"]["replicas"].as_u64().unwrap_or(1) as usize;
            if active.len() < wanted {
                self.grow(&set, (wanted - active.len()).min(BURST));
            } else if active.len() > wanted {
                let many = (active.len() - wanted).min(BURST);
                let surplus = surplus(active, many);
                self.shrink(BY, &set, &surplus);
            }
        }
        self.write_replica_set_status(set);
    }

    /// The pods that an object controls.
    pub(super) fn pods_of(&self, owner: &Value) -> Vec<(Key, Facts)> {
        let owned = self.owned(Resource::Pod, template::uid(owner));
        let facts = |key: &Key| self.state.pods.get(key).cloned();
        owned.into_iter().filter_map(|pod| Some((pod.key.clone(), facts(&pod.key)?))).collect()
    }

    fn grow(&mut self, set: &Value, many: usize) {
        let prefix = format!("{}-", template::name(set));
        for _ in 0..many {
            if !self.create_pod(BY, set, template::pod(&set["spec"]["template"], set, &prefix)) {
                break;
            }
        }
    }

    /// Creates a pod, and tells of it on its owner.
    pub(super) fn create_pod(&mut self, by: Component, owner: &Value, pod: Value) -> bool {
        let created = self.create(by, Resource::Pod, pod);
        let happening = match &created {
            Ok(pod) => {
                Happening::normal(by, owner, "SuccessfulCreate", format!("Created pod: {}", template::name(pod)))
            }
            Err(why) => Happening::warning(by, owner, "FailedCreate", format!("Error creating: {why}")),
        };
        self.record(&happening);
        created.is_ok()
    }

    /// Deletes pods, and tells of it on their owner.
    pub(super) fn shrink(&mut self, by: Component, owner: &Value, pods: &[Key]) {
        for key in pods {
            if self.delete(by, Resource::Pod, key, None) {
                let message = format!("Deleted pod: {}", key.name);
                self.record(&Happening::normal(by, owner, "SuccessfulDelete", message));
            }
        }
    }

    fn write_replica_set_status(&mut self, mut set: Value) {
        // Creations and deletions are in the store by now, and are counted in the next look.
        let pods = self.pods_of(&set);
        let wall = self.wall();
        let patience = set["spec"]["minReadySeconds"].as_u64().unwrap_or_default();
        let count = |holds: &dyn Fn(&Facts) -> bool| pods.iter().filter(|(_, facts)| holds(facts)).count();
        let available = count(&|facts| facts.is_active() && facts.is_available(patience, wall));
        let ready = count(&|facts| facts.is_active() && facts.ready.is_some());
        let mut status = json!({
            "replicas": count(&Facts::is_active), "fullyLabeledReplicas": count(&Facts::is_active),
            "readyReplicas": ready, "availableReplicas": available,
            "terminatingReplicas": count(&|facts| facts.ending && !facts.is_over()),
            "observedGeneration": set["metadata"]["generation"],
        });
        for field in ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] {
            omit_zero(&mut status, field);
        }
        if ready > available {
            let soon = self.now() + std::time::Duration::from_secs(patience.max(1));
            self.state.agenda.set(soon, Work::ReplicaSet(key_of(&set)));
        }
        set["status"] = status;
        self.update(BY, Resource::ReplicaSet, Half::Status, set);
    }
}

/// Leaves a number out that Go would leave out.
pub(super) fn omit_zero(object: &mut Value, field: &str) {
    if object[field] == 0
        && let Some(fields) = object.as_object_mut()
    {
        fields.remove(field);
    }
}

/// Which pods go first: those without a node, then those that do not run, are not ready, are younger.
fn surplus(mut active: Vec<&(Key, Facts)>, many: usize) -> Vec<Key> {
    let rank = |facts: &Facts| (!facts.node.is_empty(), facts.phase == Phase::Running, facts.ready.is_some());
    active.sort_by(|(a, x), (b, y)| rank(x).cmp(&rank(y)).then(y.created.cmp(&x.created)).then(a.cmp(b)));
    active.into_iter().take(many).map(|(key, _)| key.clone()).collect()
}
