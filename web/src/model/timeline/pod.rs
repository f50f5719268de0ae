//! What the timeline reads of a pod.

use masthead::lean::{Interned, Lean, Sum};

use super::{
    moment::Moment,
    phase::{Phase, Phases},
};

/// The fields of a pod that say where in its life it is.
#[derive(Clone, Debug, Lean)]
pub struct PodFields {
    #[lean("metadata.ownerReferences[*].kind")]
    owner_kinds: Vec<Interned>,
    #[lean("metadata.ownerReferences[*].name")]
    owner_names: Vec<Interned>,
    #[lean("metadata.creationTimestamp")]
    created: Moment,
    #[lean("metadata.deletionTimestamp")]
    deleted: Moment,
    #[lean("status.phase")]
    phase: Interned,
    #[lean("status.containerStatuses[*].name")]
    containers: Vec<Interned>,
    #[lean("status.containerStatuses[*].ready")]
    ready: Sum,
    #[lean("status.containerStatuses[*].restartCount")]
    restarts: Sum,
    #[lean("status.containerStatuses[*].state.waiting.reason")]
    waiting: Vec<Interned>,
    #[lean("status.initContainerStatuses[*].state.waiting.reason")]
    initial_waiting: Vec<Interned>,
    #[lean("status.containerStatuses[*].state.running.startedAt")]
    started: Vec<Moment>,
    #[lean("status.containerStatuses[*].state.terminated.finishedAt")]
    finished: Vec<Moment>,
    #[lean("status.containerStatuses[*].lastState.terminated.finishedAt")]
    ended_before: Vec<Moment>,
}

impl PodFields {
    /// Kind and name of its owner: the first, which is the controller wherever there is one.
    pub fn owner(&self) -> Option<(&Interned, &Interned)> {
        self.owner_kinds.first().zip(self.owner_names.first())
    }

    /// When it was created.
    pub fn created(&self) -> Option<i64> {
        self.created.0
    }

    /// When it is to be gone, once somebody deleted it.
    pub fn deleted(&self) -> Option<i64> {
        self.deleted.0
    }

    /// Where in its life it is.
    pub fn phase(&self) -> Phase {
        let stuck =
            |reason: &Interned| reason.ends_with("BackOff") || reason.starts_with("Err") || reason.ends_with("Error");
        match self.phase.as_str() {
            "Failed" => Phase::Failed,
            "Succeeded" => Phase::Succeeded,
            _ if self.deleted.0.is_some() => Phase::Terminating,
            _ if self.waiting.iter().chain(&self.initial_waiting).any(stuck) => Phase::CrashLooping,
            "Running" if self.ready.0 as usize >= self.containers.len() => Phase::Running,
            "Running" => Phase::NotReady,
            _ => Phase::Pending,
        }
    }

    /// When that began, as far as the pod itself tells.
    pub fn since(&self) -> Option<i64> {
        let latest = |moments: &[Moment]| moments.iter().filter_map(|moment| moment.0).max();
        match self.phase() {
            Phase::Running | Phase::NotReady => latest(&self.started),
            // What never ran cannot start since it is there.
            Phase::CrashLooping => latest(&self.ended_before).or(self.created.0),
            Phase::Failed | Phase::Succeeded => latest(&self.finished),
            Phase::Pending => self.created.0,
            Phase::Absent | Phase::Terminating => None,
        }
    }

    /// What its past was, as far as it tells.
    pub fn past(&self, phases: &mut Phases, now: i64) {
        let (created, since) = (self.created.0.unwrap_or(now), self.since().unwrap_or(now));
        phases.enter(created, if self.restarts.0 > 0 { Phase::Running } else { Phase::Pending });
        phases.enter(since.max(created), self.phase());
    }

    /// What changed since `old`, in words; `None` where nothing did that a person would want to know.
    pub fn change_since(&self, old: &PodFields) -> Option<String> {
        let mut said = Vec::new();
        if old.phase() != self.phase() {
            said.push(format!("{} → {}", old.phase().name(), self.phase().name()));
        }
        if self.restarts != old.restarts {
            said.push(format!("restarts {} → {}", old.restarts.0, self.restarts.0));
        }
        (!said.is_empty()).then(|| said.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::timeline::fixture::pod;

    fn with(status: Value) -> Value {
        let metadata = json!({ "name": "web", "namespace": "shop", "uid": "u", "creationTimestamp": "1970-01-01T00:00:10Z",
            "ownerReferences": [{ "kind": "ReplicaSet", "name": "web-1", "controller": true }] });
        json!({ "metadata": metadata, "status": status })
    }

    #[test]
    fn a_pod_is_what_its_containers_are() {
        let check = |status: Value, expect: Phase| assert_eq!(pod(with(status)).phase(), expect);
        let running = json!({ "running": { "startedAt": "1970-01-01T00:00:20Z" } });
        check(json!({ "phase": "Pending" }), Phase::Pending);
        check(
            json!({ "phase": "Running", "containerStatuses": [{ "name": "a", "ready": true, "state": running }] }),
            Phase::Running,
        );
        check(
            json!({ "phase": "Running", "containerStatuses": [{ "name": "a", "ready": false, "state": running }] }),
            Phase::NotReady,
        );
        let waiting = json!({ "waiting": { "reason": "CrashLoopBackOff" } });
        check(
            json!({ "phase": "Running", "containerStatuses": [{ "name": "a", "ready": false, "state": waiting }] }),
            Phase::CrashLooping,
        );
        let image = json!({ "waiting": { "reason": "ErrImagePull" } });
        check(
            json!({ "phase": "Pending", "initContainerStatuses": [{ "name": "i", "state": image }] }),
            Phase::CrashLooping,
        );
        check(
            json!({ "phase": "Pending", "containerStatuses": [{ "name": "a", "ready": false,
            "state": { "waiting": { "reason": "ContainerCreating" } } }] }),
            Phase::Pending,
        );
        check(json!({ "phase": "Succeeded" }), Phase::Succeeded);
    }

    #[test]
    fn a_pod_tells_its_past() {
        let status = json!({ "phase": "Running", "containerStatuses": [{ "name": "a", "ready": true, "restartCount": 0,
            "state": { "running": { "startedAt": "1970-01-01T00:00:20Z" } } }] });
        let mut phases = Phases::default();
        pod(with(status)).past(&mut phases, 99_000);
        let told: Vec<_> = phases.within(0, 99_000).map(|stretch| (stretch.phase, stretch.from)).collect();
        assert_eq!(told, [(Phase::Pending, 10_000), (Phase::Running, 20_000)]);
    }

    #[test]
    fn only_what_people_want_to_know_is_a_change() {
        let at = |ready: bool, restarts: u32| {
            pod(with(json!({ "phase": "Running", "podIP": restarts.to_string(),
                "containerStatuses": [{ "name": "a", "ready": ready, "restartCount": restarts }] })))
        };
        assert_eq!(at(true, 0).change_since(&at(false, 0)).as_deref(), Some("not-ready → running"));
        assert_eq!(at(true, 3).change_since(&at(true, 2)).as_deref(), Some("restarts 2 → 3"));
        assert_eq!(at(true, 3).change_since(&at(true, 3)), None);
    }
}
