//! The controller of disruption budgets: how many pods may go at will.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    actor::Turn,
    component::Component,
    engine::Work,
    facts::{Facts, condition},
    recorder::Happening,
    resource::Resource,
    template,
};
use crate::{
    label_selector::selects,
    object::{Key, Object},
    write::Half,
};

const BY: Component = Component::Disruptions;

impl Turn<'_> {
    /// Puts the budgets on the agenda that select a pod.
    pub(super) fn push_budgets(&mut self, pod: &Object) {
        let budgets = self.state.budgets.range(Key::new(&pod.key.namespace, "")..);
        let near = budgets.take_while(|(key, _)| key.namespace == pod.key.namespace);
        let chosen = near.filter(|(_, wanted)| selects(wanted, &pod.labels)).map(|(key, _)| key.clone());
        for key in chosen.collect::<Vec<_>>() {
            self.state.agenda.push(Work::Budget(key));
        }
    }

    /// Learns which pods a budget selects.
    pub(super) fn note_budget(&mut self, key: &Key, budget: Option<&Value>) {
        match budget {
            Some(budget) => {
                self.state.budgets.insert(key.clone(), budget["spec"]["selector"].clone());
                self.state.agenda.push(Work::Budget(key.clone()));
            }
            None => drop(self.state.budgets.remove(key)),
        }
    }

    pub(super) fn sync_budget(&mut self, key: &Key) {
        let Some(mut budget) = self.get(Resource::DisruptionBudget, key) else { return };
        let wanted = &budget["spec"]["selector"];
        let pods =
            self.list(Resource::Pod, Some(&key.namespace)).into_iter().filter(|pod| selects(wanted, &pod.labels));
        let facts: Vec<Facts> = pods.filter_map(|pod| self.state.pods.get(&pod.key).cloned()).collect();
        if facts.is_empty() {
            self.record(&Happening::normal(BY, &budget, "NoPods", "No matching pods found".to_owned()));
        }
        let (expected, desired) = self.demand(&budget["spec"], &facts);
        let healthy = facts.iter().filter(|facts| facts.ready.is_some() && !facts.ending).count() as u64;
        let allowed = if expected > 0 { healthy.saturating_sub(desired) } else { 0 };
        let (status, reason) = if allowed > 0 { ("True", "SufficientPods") } else { ("False", "InsufficientPods") };
        let generation = budget["metadata"]["generation"].clone();
        let known = condition(&budget, "DisruptionAllowed").filter(|known| known["status"] == status);
        let since = known.map_or_else(|| self.time(), |known| known["lastTransitionTime"].clone());
        budget["status"] = json!({
            "currentHealthy": healthy, "desiredHealthy": desired, "expectedPods": expected,
            "disruptionsAllowed": allowed, "observedGeneration": generation,
            "conditions": [{
                "type": "DisruptionAllowed", "status": status, "reason": reason, "message": "",
                "lastTransitionTime": since, "observedGeneration": generation,
            }],
        });
        self.update(BY, Resource::DisruptionBudget, Half::Status, budget);
    }

    /// How many pods there should be, and how many of them must work.
    fn demand(&self, spec: &Value, facts: &[Facts]) -> (u64, u64) {
        let owners: BTreeSet<_> = facts.iter().filter_map(|facts| facts.owner.clone()).collect();
        let asked = |(resource, key): &(Resource, Key)| self.get(*resource, key)?["spec"]["replicas"].as_u64();
        let scale = owners.iter().filter_map(asked).sum::<u64>();
        let present = facts.len() as u64;
        match (&spec["minAvailable"], &spec["maxUnavailable"]) {
            (Value::Null, Value::Null) => (present, 1),
            (Value::Null, most) => {
                let expected = if owners.is_empty() { present } else { scale };
                (expected, expected.saturating_sub(template::share(most, expected, true)))
            }
            (least @ Value::String(_), _) => {
                let expected = if owners.is_empty() { present } else { scale };
                (expected, template::share(least, expected, true))
            }
            (least, _) => (present, least.as_u64().unwrap_or_default()),
        }
    }
}
