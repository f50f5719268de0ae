//! The scheduler: a node for each pod, the emptiest that fits.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};

use super::{
    actor::Turn,
    component::Component,
    engine::Work,
    facts::{Requests, condition},
    recorder::Happening,
    resource::Resource,
    room::{Node, Room},
    selector, template,
    volume::SELECTED_NODE,
};
use crate::{object::Key, write::Half};

const BY: Component = Component::Scheduler;

/// When a pod that fits nowhere is looked at again, though nothing changed.
const PATIENCE: Duration = Duration::from_secs(300);

/// Why a node cannot take a pod.
struct Misfit {
    reasons: Vec<String>,
    /// Whether it could if other pods left.
    resolvable: bool,
}

impl Turn<'_> {
    /// Puts a pod on a node, or says why there is none for it.
    pub(super) fn place(&mut self, key: &Key) {
        let pod = self.get(Resource::Pod, key).filter(|pod| !template::is_ending(pod));
        let pod = pod.filter(|pod| pod["spec"]["nodeName"].as_str().is_none_or(str::is_empty));
        let ours =
            pod.filter(|pod| pod["spec"]["schedulerName"].as_str().is_none_or(|name| name == "default-scheduler"));
        let Some(pod) = ours else {
            self.state.unplaced.remove(key);
            return;
        };
        match self.choose(&pod) {
            Ok(node) if self.ask_for_volumes(&pod, &node) => {
                // Placed once they are there.
                self.state.unplaced.insert(key.clone());
            }
            Ok(node) => {
                self.state.unplaced.remove(key);
                self.state.agenda.unset(&Work::Place(key.clone()));
                if self.bind(key, &node) {
                    let message = format!("Successfully assigned {}/{} to {node}", key.namespace, key.name);
                    self.record(&Happening::normal(BY, &pod, "Scheduled", message));
                }
            }
            Err(message) => {
                self.state.unplaced.insert(key.clone());
                let again = self.now() + PATIENCE;
                self.state.agenda.set(again, Work::Place(key.clone()));
                self.refuse(pod, &message);
            }
        }
    }

    /// The name of the best node, or the scheduler's words for there being none.
    fn choose(&self, pod: &Value) -> Result<String, String> {
        let wanted = Requests::of(&pod["spec"]);
        let mut best: Option<(f64, &str)> = None;
        let (mut misfits, mut nodes) = (Vec::new(), 0);
        if let Some(why) = self.missing_claim(pod) {
            let nodes = self.state.rooms.existing().count();
            return Err(format!("0/{nodes} nodes are available: {why}. not found"));
        }
        for (name, node, room) in self.state.rooms.existing() {
            nodes += 1;
            match fit(pod, wanted, name, node, room) {
                Ok(()) => {
                    // Chance decides between nodes that are much alike.
                    let score = emptiness(node, room.free(node).minus(wanted)) + self.shared.runtime.random() * 0.02;
                    if best.is_none_or(|(known, _)| score > known) {
                        best = Some((score, name));
                    }
                }
                Err(misfit) => misfits.push(misfit),
            }
        }
        match best {
            Some((_, name)) => Ok(name.to_owned()),
            None if nodes == 0 => Err("no nodes available to schedule pods".to_owned()),
            None => Err(words(nodes, &misfits)),
        }
    }

    /// Why a pod's claims keep it from being placed at all.
    fn missing_claim(&self, pod: &Value) -> Option<String> {
        let volumes = pod["spec"]["volumes"].as_array()?;
        volumes.iter().filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str()).find_map(|name| {
            let Some(claim) = self.get(Resource::Claim, &template::beside(pod, name)) else {
                return Some(format!("persistentvolumeclaim {name:?} not found"));
            };
            let bound = claim["status"]["phase"] == "Bound" || self.waits_for_pod(&claim);
            (!bound).then(|| "pod has unbound immediate PersistentVolumeClaims".to_owned())
        })
    }

    /// Chooses a node for the volumes that are made where the pod is to be. Gives back whether there are any.
    fn ask_for_volumes(&mut self, pod: &Value, node: &str) -> bool {
        let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
        let names = volumes.filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str());
        let claims = names.filter_map(|name| self.get(Resource::Claim, &template::beside(pod, name)));
        let missing: Vec<Value> = claims.filter(|claim| claim["status"]["phase"] != "Bound").collect();
        for mut claim in missing.iter().cloned() {
            if claim["metadata"]["annotations"][SELECTED_NODE].is_null() {
                claim["metadata"]["annotations"][SELECTED_NODE] = node.into();
                self.update(BY, Resource::Claim, Half::Main, claim);
            }
        }
        !missing.is_empty()
    }

    /// Whether the volume of a claim is made once a pod that uses it has a node.
    pub(super) fn waits_for_pod(&self, claim: &Value) -> bool {
        let class = claim["spec"]["storageClassName"].as_str().unwrap_or_default();
        let class = self.get(Resource::StorageClass, &Key::new("", class));
        class.is_some_and(|class| class["volumeBindingMode"] == "WaitForFirstConsumer")
    }

    fn refuse(&mut self, mut pod: Value, message: &str) {
        self.record(&Happening::warning(BY, &pod, "FailedScheduling", message.to_owned()));
        let known = condition(&pod, "PodScheduled").cloned().unwrap_or_default();
        let since = if known["status"] == "False" { known["lastTransitionTime"].clone() } else { self.time() };
        let new = json!({
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message,
            "lastProbeTime": null, "lastTransitionTime": since, "observedGeneration": pod["metadata"]["generation"],
        });
        let conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
        let others = conditions.filter(|condition| condition["type"] != "PodScheduled").cloned();
        let conditions: Vec<Value> = others.chain([new]).collect();
        pod["status"]["conditions"] = conditions.into();
        self.update(BY, Resource::Pod, Half::Status, pod);
    }
}

/// Whether a node can take a pod; the first check that fails tells why.
fn fit(pod: &Value, wanted: Requests, name: &str, node: &Node, room: &Room) -> Result<(), Misfit> {
    let spec = &pod["spec"];
    let never = |reason: &str| Err(Misfit { reasons: vec![reason.to_owned()], resolvable: false });
    let unschedulable = json!({ "key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule" });
    if node.unschedulable && !tolerates(spec, &unschedulable) {
        return never("node(s) were unschedulable");
    }
    let repels = |taint: &&Value| taint["effect"] != "PreferNoSchedule" && !tolerates(spec, taint);
    if node.taints.iter().any(|taint| repels(&taint)) {
        return never("node(s) had untolerated taint(s)");
    }
    if !attracts(spec, name, node) {
        return never("node(s) didn't match Pod's node affinity/selector");
    }
    let free = room.free(node);
    let short = [
        ("Too many pods", wanted.pods > free.pods, wanted.pods > node.allocatable.pods),
        ("Insufficient cpu", wanted.cpu > free.cpu.max(0), wanted.cpu > node.allocatable.cpu),
        ("Insufficient memory", wanted.memory > free.memory.max(0), wanted.memory > node.allocatable.memory),
        (
            "Insufficient ephemeral-storage",
            wanted.storage > free.storage.max(0),
            wanted.storage > node.allocatable.storage,
        ),
    ];
    let failed: Vec<_> = short.into_iter().filter(|(_, short, _)| *short).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let resolvable = failed.iter().all(|(_, _, hopeless)| !hopeless);
    Err(Misfit { reasons: failed.into_iter().map(|(reason, ..)| reason.to_owned()).collect(), resolvable })
}

/// Whether a pod's spec puts up with a taint.
pub(super) fn tolerates(spec: &Value, taint: &Value) -> bool {
    toleration(spec, taint).is_some()
}

/// The toleration of a pod's spec that a taint meets.
pub(super) fn toleration<'a>(spec: &'a Value, taint: &Value) -> Option<&'a Value> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    spec["tolerations"].as_array()?.iter().find(|toleration| {
        let effect = text(&toleration["effect"]);
        let key = text(&toleration["key"]);
        let exists = toleration["operator"] == "Exists";
        (effect.is_empty() || effect == text(&taint["effect"]))
            && (key == text(&taint["key"]) || key.is_empty() && exists)
            && (exists || text(&toleration["value"]) == text(&taint["value"]))
    })
}

/// Whether a pod may run on a node by its node selector and its required affinity.
pub(super) fn attracts(spec: &Value, name: &str, node: &Node) -> bool {
    let required = &spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
    let named = BTreeMap::from([("metadata.name".to_owned(), name.to_owned())]);
    let all = |term: &Value, field: &str, labels: &BTreeMap<String, String>| {
        term[field].as_array().into_iter().flatten().all(|expression| selector::holds(expression, labels))
    };
    let terms = required["nodeSelectorTerms"].as_array();
    selector::has_all(&spec["nodeSelector"], &node.labels)
        && terms.is_none_or(|terms| {
            terms.iter().any(|term| all(term, "matchExpressions", &node.labels) && all(term, "matchFields", &named))
        })
}

/// How empty a node is: 1 with nothing on it.
fn emptiness(node: &Node, free: Requests) -> f64 {
    let part = |free: i128, all: i128| if all > 0 { free as f64 / all as f64 } else { 0.0 };
    (part(free.cpu, node.allocatable.cpu) + part(free.memory, node.allocatable.memory)) / 2.0
}

/// `0/3 nodes are available: 1 Insufficient cpu, 2 …`.
fn words(nodes: usize, misfits: &[Misfit]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in misfits.iter().flat_map(|misfit| &misfit.reasons) {
        *counts.entry(reason).or_default() += 1;
    }
    let listed = |mut all: Vec<String>| {
        all.sort();
        all.join(", ")
    };
    let why = listed(counts.into_iter().map(|(reason, count)| format!("{count} {reason}")).collect());
    let hopeless = misfits.iter().filter(|misfit| !misfit.resolvable).count();
    let kinds = [
        (hopeless, "Preemption is not helpful for scheduling"),
        (nodes - hopeless, "No preemption victims found for incoming pod"),
    ];
    let preemption = kinds.into_iter().filter(|(count, _)| *count > 0);
    let preemption = listed(preemption.map(|(count, why)| format!("{count} {why}")).collect());
    let none = format!("0/{nodes} nodes are available:");
    format!("{none} {why}. no new claims to deallocate, preemption: {none} {preemption}.")
}
