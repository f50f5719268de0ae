//! The controller of daemon sets: a pod on every node that fits.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    actor::Turn,
    component::Component,
    engine::Work,
    facts::{Facts, Phase},
    recorder::Happening,
    replica_set::omit_zero,
    resource::Resource,
    revision::Revision,
    room::Node,
    scheduler::{attracts, tolerates},
    template,
};
use crate::{object::Key, write::Half};

const BY: Component = Component::DaemonSets;

/// What the pods of a daemon set put up with, whatever their template says.
const TOLERATED: [(&str, &str); 6] = [
    ("not-ready", "NoExecute"),
    ("unreachable", "NoExecute"),
    ("disk-pressure", "NoSchedule"),
    ("memory-pressure", "NoSchedule"),
    ("pid-pressure", "NoSchedule"),
    ("unschedulable", "NoSchedule"),
];

impl Turn<'_> {
    /// Puts every daemon set on the agenda, since a node changed.
    pub(super) fn push_daemon_sets(&mut self) {
        for set in self.list(Resource::DaemonSet, None) {
            self.state.agenda.push(Work::DaemonSet(set.key.clone()));
        }
    }

    pub(super) fn sync_daemon_set(&mut self, key: &Key) {
        let Some(set) = self.get(Resource::DaemonSet, key).filter(|set| !template::is_ending(set)) else { return };
        let Some(revision) = self.revise(BY, &set, "controller-revision-hash") else { return };
        let mut by_node: BTreeMap<String, Vec<(Key, Facts)>> = BTreeMap::new();
        for (key, facts) in self.pods_of(&set) {
            by_node.entry(self.target(&key, &facts)).or_default().push((key, facts));
        }
        let spec = spec_of(&set, &revision);
        let nodes = self.state.rooms.existing();
        let wanted: Vec<String> =
            nodes.filter(|(name, node, _)| fits(&spec, name, node)).map(|(name, ..)| name.to_owned()).collect();
        for node in &wanted {
            let here = by_node.get(node).map_or(&[][..], Vec::as_slice);
            self.reconcile_node(&set, &revision, node, here);
        }
        let astray = by_node.iter().filter(|(node, _)| !wanted.contains(node)).flat_map(|(_, pods)| pods);
        let astray: Vec<Key> = astray.filter(|(_, facts)| !facts.ending).map(|(key, _)| key.clone()).collect();
        self.shrink(BY, &set, &astray);
        self.renew_daemons(&set, &revision, &wanted, &by_node);
        self.write_daemon_status(set, &revision, &wanted, &by_node);
    }

    /// The node that a pod runs on, or is made for.
    fn target(&self, key: &Key, facts: &Facts) -> String {
        if !facts.node.is_empty() {
            return facts.node.to_string();
        }
        let pod = self.get(Resource::Pod, key).unwrap_or_default();
        let terms = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
        let named = pod.pointer(&format!("{terms}/0/matchFields/0/values/0"));
        named.and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn reconcile_node(&mut self, set: &Value, revision: &Revision, node: &str, here: &[(Key, Facts)]) {
        for (key, facts) in here.iter().filter(|(_, facts)| facts.is_over() && !facts.ending) {
            let (place, name) = (&key.namespace, &key.name);
            let happening = if facts.phase == Phase::Failed {
                let message = format!("Found failed daemon pod {place}/{name} on node {node}, will try to kill it");
                Happening::warning(BY, set, "FailedDaemonPod", message)
            } else {
                let message =
                    format!("Found succeeded daemon pod {place}/{name} on node {node}, will try to delete it");
                Happening::normal(BY, set, "SucceededDaemonPod", message)
            };
            self.record(&happening);
            self.shrink(BY, set, std::slice::from_ref(key));
        }
        if !here.is_empty() {
            return;
        }
        let mut pod = template::pod(&revision.pods, set, &format!("{}-", template::name(set)));
        let generation = set["metadata"]["annotations"]["deprecated.daemonset.template.generation"].as_str();
        pod["metadata"]["labels"]["controller-revision-hash"] = revision.hash.as_str().into();
        pod["metadata"]["labels"]["pod-template-generation"] = generation.unwrap_or("1").into();
        pod["spec"] = spec_of(set, revision);
        let on_node = json!({ "matchFields": [{ "key": "metadata.name", "operator": "In", "values": [node] }] });
        pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] =
            json!({ "nodeSelectorTerms": [on_node] });
        self.create_pod(BY, set, pod);
    }

    /// Deletes pods of older revisions, as many at a time as may be missing.
    fn renew_daemons(
        &mut self,
        set: &Value,
        revision: &Revision,
        wanted: &[String],
        by_node: &BTreeMap<String, Vec<(Key, Facts)>>,
    ) {
        if set["spec"]["updateStrategy"]["type"] == "OnDelete" {
            return;
        }
        let rolling = &set["spec"]["updateStrategy"]["rollingUpdate"]["maxUnavailable"];
        let allowed = if rolling.is_null() { 1 } else { template::share(rolling, wanted.len() as u64, true) };
        let pods = || wanted.iter().filter_map(|node| by_node.get(node)).flatten();
        let works = |facts: &Facts| facts.ready.is_some() && !facts.ending;
        let missing = wanted.len().saturating_sub(pods().filter(|(_, facts)| works(facts)).count()) as u64;
        let old = pods().filter(|(_, facts)| facts.revision != revision.hash && !facts.ending);
        // One that does not work is no loss.
        let (idle, working): (Vec<_>, Vec<_>) = old.partition(|(_, facts)| !works(facts));
        let spare = allowed.saturating_sub(missing) as usize;
        let chosen: Vec<Key> =
            idle.into_iter().chain(working.into_iter().take(spare)).map(|(key, _)| key.clone()).collect();
        self.shrink(BY, set, &chosen);
    }

    fn write_daemon_status(
        &mut self,
        mut set: Value,
        revision: &Revision,
        wanted: &[String],
        by_node: &BTreeMap<String, Vec<(Key, Facts)>>,
    ) {
        let wall = self.wall();
        let patience = set["spec"]["minReadySeconds"].as_u64().unwrap_or_default();
        let count = |holds: &dyn Fn(&Facts) -> bool| {
            let pods = wanted.iter().filter_map(|node| by_node.get(node));
            pods.filter(|pods| pods.iter().any(|(_, facts)| !facts.ending && holds(facts))).count()
        };
        let astray = by_node.iter().filter(|(node, pods)| !wanted.contains(node) && !pods.is_empty()).count();
        let available = count(&|facts| facts.is_available(patience, wall));
        let mut status = json!({
            "observedGeneration": set["metadata"]["generation"], "desiredNumberScheduled": wanted.len(),
            "currentNumberScheduled": count(&|_| true), "numberMisscheduled": astray,
            "numberReady": count(&|facts| facts.ready.is_some()), "numberAvailable": available,
            "numberUnavailable": wanted.len().saturating_sub(available),
            "updatedNumberScheduled": count(&|facts| facts.revision == revision.hash),
        });
        for field in ["numberAvailable", "numberUnavailable", "updatedNumberScheduled"] {
            omit_zero(&mut status, field);
        }
        self.forget_revisions(BY, &set, &[&revision.hash]);
        set["status"] = status;
        self.update(BY, Resource::DaemonSet, Half::Status, set);
    }
}

/// The spec of a set's pods, with what all of them put up with.
fn spec_of(set: &Value, revision: &Revision) -> Value {
    let mut spec = revision.pods["spec"].clone();
    let mut tolerations = spec["tolerations"].as_array().cloned().unwrap_or_default();
    for (name, effect) in TOLERATED {
        let key = format!("node.kubernetes.io/{name}");
        tolerations.push(json!({ "key": key, "operator": "Exists", "effect": effect }));
    }
    if set["spec"]["template"]["spec"]["hostNetwork"] == true {
        let key = "node.kubernetes.io/network-unavailable";
        tolerations.push(json!({ "key": key, "operator": "Exists", "effect": "NoSchedule" }));
    }
    spec["tolerations"] = tolerations.into();
    spec
}

fn fits(spec: &Value, name: &str, node: &Node) -> bool {
    let repels = |taint: &Value| taint["effect"] != "PreferNoSchedule" && !tolerates(spec, taint);
    attracts(spec, name, node) && !node.taints.iter().any(repels)
}
