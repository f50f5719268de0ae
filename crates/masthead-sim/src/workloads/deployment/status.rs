//! What a deployment says of itself.

use std::time::Duration;

use serde_json::{Value, json};

use super::{BY, Rollout, available, replicas};
use crate::{
    timestamp,
    workloads::{
        actor::{Turn, key_of},
        engine::Work,
        facts::condition,
        replica_set::omit_zero,
        resource::Resource,
        template,
    },
    write::Half,
};

impl Turn<'_> {
    pub(super) fn write_deployment_status(&mut self, rollout: Rollout) {
        let status = self.counts(&rollout);
        let mut next = rollout.deployment.clone();
        let conditions = next["status"]["conditions"].take();
        next["status"] = status;
        next["status"]["conditions"] = conditions;
        let works = rollout.available() >= rollout.replicas().saturating_sub(rollout.leeway().1);
        if works {
            self.set_condition(
                &mut next,
                ("Available", "True"),
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.",
            );
        } else {
            let message = "Deployment does not have minimum availability.";
            self.set_condition(&mut next, ("Available", "False"), "MinimumReplicasUnavailable", message);
        }
        self.tell_progress(&rollout, &mut next);
        for field in ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"] {
            omit_zero(&mut next["status"], field);
        }
        self.update(BY, Resource::Deployment, Half::Status, next);
    }

    fn counts(&self, rollout: &Rollout) -> Value {
        let sum = |field: &str| rollout.sets().filter_map(|set| set["status"][field].as_u64()).sum::<u64>();
        let updated = rollout.new.as_ref().and_then(|new| new["status"]["replicas"].as_u64()).unwrap_or_default();
        let mut status = json!({
            "observedGeneration": rollout.deployment["metadata"]["generation"],
            "replicas": sum("replicas"), "updatedReplicas": updated, "readyReplicas": sum("readyReplicas"),
            "availableReplicas": sum("availableReplicas"), "terminatingReplicas": sum("terminatingReplicas"),
            "unavailableReplicas": rollout.asked().saturating_sub(rollout.available()),
        });
        let collisions = &rollout.deployment["status"]["collisionCount"];
        if !collisions.is_null() {
            status["collisionCount"] = collisions.clone();
        }
        status
    }

    /// Says how far the present template has come, and when that takes too long.
    fn tell_progress(&mut self, rollout: &Rollout, next: &mut Value) {
        let spec = &rollout.deployment["spec"];
        let known = condition(&rollout.deployment, "Progressing").cloned().unwrap_or_default();
        if spec["paused"] == true {
            return self.set_condition(next, ("Progressing", "Unknown"), "DeploymentPaused", "Deployment is paused");
        }
        if known["reason"] == "DeploymentPaused" {
            return self.set_condition(next, ("Progressing", "Unknown"), "DeploymentResumed", "Deployment is resumed");
        }
        let Some(new) = &rollout.new else { return };
        let name = template::name(new);
        let settled = next["status"]["replicas"] == next["status"]["updatedReplicas"];
        if settled && known["reason"] == "NewReplicaSetAvailable" {
            return;
        }
        let complete = replicas(new) == rollout.replicas()
            && available(new) == rollout.replicas()
            && next["status"]["replicas"] == rollout.replicas()
            && next["status"]["updatedReplicas"] == rollout.replicas();
        let more = |field: &str| {
            let before = rollout.deployment["status"][field].as_u64().unwrap_or_default();
            next["status"][field].as_u64().unwrap_or_default() > before
        };
        if complete {
            let message = format!("ReplicaSet {name:?} has successfully progressed.");
            self.set_condition(next, ("Progressing", "True"), "NewReplicaSetAvailable", &message);
        } else if known.is_null() || known["reason"] == "NewReplicaSetAvailable" {
            let message = format!("Created new replica set {name:?}");
            self.set_condition(next, ("Progressing", "True"), "NewReplicaSetCreated", &message);
        } else if more("updatedReplicas") || more("readyReplicas") || more("availableReplicas") {
            let message = format!("ReplicaSet {name:?} is progressing.");
            take_condition(next, "Progressing");
            self.set_condition(next, ("Progressing", "True"), "ReplicaSetUpdated", &message);
            self.keep_transition(next, &known);
        } else if self.is_late(spec, &known) {
            let message = format!("ReplicaSet {name:?} has timed out progressing.");
            self.set_condition(next, ("Progressing", "False"), "ProgressDeadlineExceeded", &message);
        }
        if !complete && known["reason"] != "ProgressDeadlineExceeded" {
            let due = self.now() + deadline(spec) + Duration::from_secs(1);
            self.state.agenda.set(due, Work::Deployment(key_of(&rollout.deployment)));
        }
    }

    fn is_late(&self, spec: &Value, known: &Value) -> bool {
        let since = known["lastUpdateTime"].as_str().and_then(timestamp::parse);
        since.is_some_and(|since| since + deadline(spec) <= self.wall())
            && known["reason"] != "ProgressDeadlineExceeded"
    }

    /// Sets a condition, unless it says the same already; one that keeps its status keeps the time of it.
    fn set_condition(&self, object: &mut Value, (name, status): (&str, &str), reason: &str, message: &str) {
        let known = condition(object, name).cloned().unwrap_or_default();
        if known["status"] == status && known["reason"] == reason {
            return;
        }
        take_condition(object, name);
        let new = json!({
            "type": name, "status": status, "reason": reason, "message": message,
            "lastUpdateTime": self.time(), "lastTransitionTime": self.time(),
        });
        match object["status"]["conditions"].as_array_mut() {
            Some(conditions) => conditions.push(new),
            None => object["status"]["conditions"] = json!([new]),
        }
        self.keep_transition(object, &known);
    }

    fn keep_transition(&self, object: &mut Value, known: &Value) {
        let conditions = object["status"]["conditions"].as_array_mut().into_iter().flatten();
        for condition in conditions {
            if condition["type"] == known["type"] && condition["status"] == known["status"] {
                condition["lastTransitionTime"] = known["lastTransitionTime"].clone();
            }
        }
    }
}

fn take_condition(object: &mut Value, name: &str) {
    if let Some(conditions) = object["status"]["conditions"].as_array_mut() {
        conditions.retain(|condition| condition["type"] != name);
    }
}

fn deadline(spec: &Value) -> Duration {
    Duration::from_secs(spec["progressDeadlineSeconds"].as_u64().unwrap_or(600))
}
