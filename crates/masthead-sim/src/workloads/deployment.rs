//! The controller of deployments: one replica set for each template, replicas moved from the old ones to the new one.

mod status;

use serde_json::{Value, json};

use super::{
    actor::{Turn, key_of},
    component::Component,
    facts::Phase,
    recorder::Happening,
    resource::Resource,
    template,
};
use crate::{object::Key, timestamp, write::Half};

const BY: Component = Component::Deployments;
const REVISION: &str = "deployment.kubernetes.io/revision";
const HISTORY: &str = "deployment.kubernetes.io/revision-history";
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
const MAX: &str = "deployment.kubernetes.io/max-replicas";
/// What a replica set does not take over from its deployment.
const OWN: [&str; 5] = [REVISION, HISTORY, DESIRED, MAX, "kubectl.kubernetes.io/last-applied-configuration"];

/// A deployment and its replica sets.
struct Rollout {
    deployment: Value,
    /// The one with the present template.
    new: Option<Value>,
    /// The others, oldest first.
    old: Vec<Value>,
}

impl Rollout {
    fn replicas(&self) -> u64 {
        self.deployment["spec"]["replicas"].as_u64().unwrap_or(1)
    }

    fn is_recreate(&self) -> bool {
        self.deployment["spec"]["strategy"]["type"] == "Recreate"
    }

    /// How many more than asked for there may be, and how many fewer that work.
    fn leeway(&self) -> (u64, u64) {
        if self.is_recreate() {
            return (0, self.replicas());
        }
        let rolling = &self.deployment["spec"]["strategy"]["rollingUpdate"];
        let given = |field: &str| Some(&rolling[field]).filter(|value| !value.is_null()).cloned();
        let quarter = || json!("25%");
        let surge = template::share(&given("maxSurge").unwrap_or_else(quarter), self.replicas(), true);
        let missing = template::share(&given("maxUnavailable").unwrap_or_else(quarter), self.replicas(), false);
        // Without either nothing could ever move.
        if surge == 0 && missing == 0 { (0, 1) } else { (surge, missing.min(self.replicas())) }
    }

    fn sets(&self) -> impl Iterator<Item = &Value> {
        self.old.iter().chain(&self.new)
    }

    /// The sum of what the replica sets are asked for.
    fn asked(&self) -> u64 {
        self.sets().map(replicas).sum()
    }

    fn available(&self) -> u64 {
        self.sets().map(available).sum()
    }
}

impl Turn<'_> {
    pub(super) fn sync_deployment(&mut self, key: &Key) {
        let Some(mut rollout) = self.rollout(key) else { return };
        let paused = rollout.deployment["spec"]["paused"] == true;
        if template::is_ending(&rollout.deployment) {
            return;
        }
        if paused || rollout.sets().any(|set| replicas(set) > 0 && desired(set) != Some(rollout.replicas())) {
            self.resize(&rollout);
        } else if rollout.is_recreate() {
            self.recreate(&mut rollout);
        } else {
            self.roll(&mut rollout);
        }
        // What was scaled is read again with its counts as they are now.
        if let Some(rollout) = self.rollout(key) {
            self.write_deployment_status(rollout);
        }
    }

    fn rollout(&self, key: &Key) -> Option<Rollout> {
        let deployment = self.get(Resource::Deployment, key)?;
        let owned = self.owned(Resource::ReplicaSet, template::uid(&deployment));
        let mut sets: Vec<Value> = owned.into_iter().map(|set| set.value()).collect();
        sets.sort_by_key(|set| (created(set), template::name(set).to_owned()));
        let same = sets.iter().position(|set| plain(&set["spec"]["template"]) == deployment["spec"]["template"]);
        let new = same.map(|at| sets.remove(at));
        Some(Rollout { deployment, new, old: sets })
    }

    /// Brings the replica sets to the size that the deployment asks for, each by its share.
    fn resize(&mut self, rollout: &Rollout) {
        let active: Vec<&Value> = rollout.sets().filter(|set| replicas(set) > 0).collect();
        let (wanted, (surge, _)) = (rollout.replicas(), rollout.leeway());
        if let [only] = active[..] {
            self.scale(rollout, only, wanted);
            return;
        }
        if let ([], Some(new)) = (&active[..], &rollout.new) {
            self.scale(rollout, new, wanted);
            return;
        }
        let allowed = if wanted > 0 { wanted + surge } else { 0 };
        let mut left = allowed as i64 - rollout.asked() as i64;
        let mut by_size = active;
        by_size.sort_by_key(|set| std::cmp::Reverse(replicas(set)));
        let many = by_size.len();
        for (at, set) in by_size.into_iter().enumerate() {
            let before = replicas(set) as i64;
            let most = set["metadata"]["annotations"][MAX].as_str().and_then(|most| most.parse::<f64>().ok());
            let share = before as f64 * allowed as f64 / most.unwrap_or(wanted as f64).max(1.0);
            let step = if at + 1 == many { left } else { share.round() as i64 - before };
            let step = if left >= 0 { step.clamp(0, left) } else { step.clamp(left, 0) };
            left -= step;
            self.scale(rollout, set, (before + step).max(0) as u64);
        }
    }

    fn recreate(&mut self, rollout: &mut Rollout) {
        let running: Vec<&Value> = rollout.old.iter().filter(|set| replicas(set) > 0).collect();
        if !running.is_empty() {
            running.into_iter().for_each(|set| self.scale(rollout, set, 0));
            return;
        }
        let alive = |(_, facts): &(Key, super::facts::Facts)| !matches!(facts.phase, Phase::Failed | Phase::Succeeded);
        if rollout.old.iter().any(|set| self.pods_of(set).iter().any(alive)) {
            return;
        }
        self.renew(rollout);
        if let Some(new) = &rollout.new {
            self.scale(rollout, new, rollout.replicas());
        }
        self.forget_old(rollout);
    }

    fn roll(&mut self, rollout: &mut Rollout) {
        self.renew(rollout);
        let Some(new) = &rollout.new else { return };
        let (wanted, present) = (rollout.replicas(), replicas(new));
        let (surge, missing) = rollout.leeway();
        if present > wanted {
            return self.scale(rollout, new, wanted);
        }
        let most = wanted + surge;
        if present < wanted && rollout.asked() < most {
            return self.scale(rollout, new, present + (most - rollout.asked()).min(wanted - present));
        }
        if rollout.old.iter().map(replicas).sum::<u64>() > 0 {
            self.retire(rollout, wanted.saturating_sub(missing));
        } else if present == wanted && available(new) == wanted {
            self.forget_old(rollout);
        }
    }

    /// Takes replicas from the old sets: those that do not work first, then as many as are not needed.
    fn retire(&mut self, rollout: &Rollout, least: u64) {
        let missing_new = rollout.new.as_ref().map_or(0, |new| replicas(new).saturating_sub(available(new)));
        let mut spare = rollout.asked().saturating_sub(least).saturating_sub(missing_new);
        let mut sizes: Vec<u64> = rollout.old.iter().map(replicas).collect();
        for (set, size) in rollout.old.iter().zip(&mut sizes) {
            let broken = size.saturating_sub(available(set)).min(spare);
            *size -= broken;
            spare -= broken;
        }
        let mut free = rollout.available().saturating_sub(least).min(spare);
        for size in &mut sizes {
            let less = (*size).min(free);
            *size -= less;
            free -= less;
        }
        for (set, size) in rollout.old.iter().zip(sizes) {
            self.scale(rollout, set, size);
        }
    }

    /// Makes the replica set of the present template, or gives the one there is the newest revision.
    fn renew(&mut self, rollout: &mut Rollout) {
        let revision = rollout.old.iter().map(revision_of).max().unwrap_or_default() + 1;
        match rollout.new.take() {
            Some(mut set) => {
                let before = set.clone();
                if revision_of(&set) < revision {
                    let known = set["metadata"]["annotations"][REVISION].as_str().unwrap_or_default().to_owned();
                    let history = set["metadata"]["annotations"][HISTORY].as_str().unwrap_or_default();
                    let history = if history.is_empty() { known } else { format!("{history},{known}") };
                    set["metadata"]["annotations"][HISTORY] = history.into();
                    set["metadata"]["annotations"][REVISION] = revision.to_string().into();
                }
                if set != before {
                    self.update(BY, Resource::ReplicaSet, Half::Main, set.clone());
                    set = self.get(Resource::ReplicaSet, &key_of(&set)).unwrap_or(set);
                }
                rollout.new = Some(set);
            }
            None => rollout.new = self.create_set(rollout, revision),
        }
        let shown = rollout.new.as_ref().map(|set| set["metadata"]["annotations"][REVISION].clone());
        if let Some(shown) = shown.filter(|shown| rollout.deployment["metadata"]["annotations"][REVISION] != *shown) {
            rollout.deployment["metadata"]["annotations"][REVISION] = shown;
            self.update(BY, Resource::Deployment, Half::Main, rollout.deployment.clone());
        }
    }

    fn create_set(&mut self, rollout: &Rollout, revision: u64) -> Option<Value> {
        let deployment = &rollout.deployment;
        let collisions = deployment["status"]["collisionCount"].as_u64().unwrap_or_default();
        let hash = template::hash(&deployment["spec"]["template"], collisions);
        let size = if rollout.is_recreate() {
            rollout.replicas()
        } else {
            rollout.replicas().min((rollout.replicas() + rollout.leeway().0).saturating_sub(rollout.asked()))
        };
        let mut pods = deployment["spec"]["template"].clone();
        pods["metadata"]["labels"]["pod-template-hash"] = hash.as_str().into();
        let mut selector = deployment["spec"]["selector"].clone();
        selector["matchLabels"]["pod-template-hash"] = hash.as_str().into();
        let name = format!("{}-{hash}", template::name(deployment));
        let mut set = json!({
            "apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {
                "name": name, "namespace": deployment["metadata"]["namespace"], "labels": pods["metadata"]["labels"],
                "annotations": inherited(deployment), "ownerReferences": [template::reference(deployment)],
            },
            "spec": { "replicas": size, "selector": selector, "template": pods },
        });
        if !deployment["spec"]["minReadySeconds"].is_null() {
            set["spec"]["minReadySeconds"] = deployment["spec"]["minReadySeconds"].clone();
        }
        mark(&mut set, rollout);
        set["metadata"]["annotations"][REVISION] = revision.to_string().into();
        let set = self.create(BY, Resource::ReplicaSet, set).ok()?;
        let message = format!("Scaled up replica set {name} from 0 to {size}");
        if size > 0 {
            self.record(&Happening::normal(BY, deployment, "ScalingReplicaSet", message));
        }
        Some(set)
    }

    /// Sets how many replicas a set is asked for.
    fn scale(&mut self, rollout: &Rollout, set: &Value, size: u64) {
        let (before, mut next) = (replicas(set), set.clone());
        next["spec"]["replicas"] = size.into();
        mark(&mut next, rollout);
        if next == *set || !self.update(BY, Resource::ReplicaSet, Half::Main, next) || size == before {
            return;
        }
        let way = if size > before { "up" } else { "down" };
        let message = format!("Scaled {way} replica set {} from {before} to {size}", template::name(set));
        self.record(&Happening::normal(BY, &rollout.deployment, "ScalingReplicaSet", message));
    }

    /// Deletes the oldest sets that have nothing left, beyond those that are kept for going back.
    fn forget_old(&mut self, rollout: &Rollout) {
        let kept = rollout.deployment["spec"]["revisionHistoryLimit"].as_u64().unwrap_or(10) as usize;
        let mut empty: Vec<&Value> = rollout.old.iter().filter(|set| replicas(set) == 0).collect();
        empty.retain(|set| set["status"]["replicas"].as_u64().unwrap_or_default() == 0);
        empty.sort_by_key(|set| revision_of(set));
        let many = empty.len().saturating_sub(kept);
        for set in empty.into_iter().take(many) {
            self.delete(BY, Resource::ReplicaSet, &key_of(set), None);
        }
    }
}

/// Notes on a replica set what its deployment asks for, so that a change of that shows.
fn mark(set: &mut Value, rollout: &Rollout) {
    let most = if rollout.replicas() > 0 { rollout.replicas() + rollout.leeway().0 } else { 0 };
    let annotations = &mut set["metadata"]["annotations"];
    annotations[DESIRED] = rollout.replicas().to_string().into();
    annotations[MAX] = most.to_string().into();
}

fn inherited(deployment: &Value) -> Value {
    let annotations = deployment["metadata"]["annotations"].as_object().into_iter().flatten();
    annotations
        .filter(|(key, _)| !OWN.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// A template without the hash that its replica set added.
fn plain(pods: &Value) -> Value {
    let mut pods = pods.clone();
    if let Some(labels) = pods["metadata"]["labels"].as_object_mut() {
        labels.remove("pod-template-hash");
    }
    pods
}

fn replicas(set: &Value) -> u64 {
    set["spec"]["replicas"].as_u64().unwrap_or(1)
}

fn available(set: &Value) -> u64 {
    set["status"]["availableReplicas"].as_u64().unwrap_or_default()
}

fn desired(set: &Value) -> Option<u64> {
    set["metadata"]["annotations"][DESIRED].as_str()?.parse().ok()
}

fn revision_of(set: &Value) -> u64 {
    set["metadata"]["annotations"][REVISION].as_str().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn created(set: &Value) -> std::time::Duration {
    set["metadata"]["creationTimestamp"].as_str().and_then(timestamp::parse).unwrap_or_default()
}
