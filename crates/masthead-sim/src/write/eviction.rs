//! The eviction of a pod: a deletion that a disruption budget may forbid.

use std::{rc::Rc, time::Duration};

use serde_json::{Value, json};

use super::{DeleteOptions, Write, done, is_ending};
use crate::{
    kind::Kind,
    label_selector::selects,
    object::{Key, Object},
    query::Query,
    refusal::Refusal,
};

impl Write<'_> {
    /// Deletes a pod unless a disruption budget stands against it.
    pub(crate) fn evict(
        &mut self,
        kind: &Rc<Kind>,
        key: &Key,
        eviction: &Value,
        query: &Query,
    ) -> Result<Value, Refusal> {
        if eviction["metadata"]["name"].as_str() != Some(&key.name) {
            return Err(Refusal::bad_request("name in URL does not match name in Eviction object"));
        }
        let options = match &eviction["deleteOptions"] {
            Value::Null => DeleteOptions::default(),
            options => DeleteOptions::decode(options.to_string().as_bytes(), query)?,
        };
        self.dry_run |= options.dry_run;
        let pod = self.existing(kind, key)?;
        if !is_over(&pod.value()) {
            self.spend_budget(&pod)?;
        }
        options.check(kind, &pod)?;
        if !self.dry_run {
            self.mark_evicted(kind, &pod);
        }
        // The mark made a new version, of which the caller cannot know.
        self.delete(kind, key, &DeleteOptions { version: None, ..options })?;
        Ok(done())
    }

    /// Takes one disruption from the budget of a pod, or says why that cannot be.
    fn spend_budget(&mut self, pod: &Object) -> Result<(), Refusal> {
        let Some(kind) = self.kinds.find("policy", "v1", "poddisruptionbudgets").cloned() else { return Ok(()) };
        let mut budgets = self.budgets_of(&kind, pod);
        let Some(mut budget) = budgets.pop() else { return Ok(()) };
        if !budgets.is_empty() {
            return Err(Refusal::many_budgets());
        }
        if !is_ready(&pod.value()) && may_lose_unready(&budget) {
            return Ok(());
        }
        check_budget(&kind, &budget)?;
        let status = &mut budget["status"];
        let left = status["disruptionsAllowed"].as_i64().unwrap_or_default() - 1;
        status["disruptionsAllowed"] = left.into();
        status["disruptedPods"][&*pod.key.name] = self.time(Duration::ZERO);
        if left == 0 {
            let generation = budget["metadata"]["generation"].clone();
            let condition = json!({
                "type": "DisruptionAllowed", "status": "False", "reason": "InsufficientPods", "message": "",
                "observedGeneration": generation,
            });
            self.set_condition(&mut budget, condition);
        }
        if !self.dry_run {
            self.store.put(&kind, budget);
        }
        Ok(())
    }

    /// The budgets that a pod counts in; one without labels counts in none.
    fn budgets_of(&self, kind: &Kind, pod: &Object) -> Vec<Value> {
        let budgets = self.store.all(kind).into_iter().flat_map(|all| all.values());
        let near = budgets.filter(|budget| budget.key.namespace == pod.key.namespace && !pod.labels.is_empty());
        let values = near.map(|budget| budget.value());
        values
            .filter(|budget| {
                let selector = &budget["spec"]["selector"];
                selector.is_object() && selects(selector, &pod.labels)
            })
            .collect()
    }

    fn mark_evicted(&mut self, kind: &Rc<Kind>, pod: &Object) {
        let mut value = pod.value();
        let mut condition = json!({
            "type": "DisruptionTarget", "status": "True", "lastProbeTime": null,
            "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting",
        });
        condition["observedGeneration"] = value["metadata"]["generation"].clone();
        self.set_condition(&mut value, condition);
        self.store.put(kind, value);
    }
}

/// Whether a pod disrupts nothing by going: it never ran, or runs no more.
fn is_over(pod: &Value) -> bool {
    matches!(pod["status"]["phase"].as_str(), Some("Succeeded" | "Failed" | "Pending")) || is_ending(pod)
}

fn is_ready(pod: &Value) -> bool {
    let mut conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    conditions.any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// Whether a budget lets go of pods that are not ready whatever it has left.
fn may_lose_unready(budget: &Value) -> bool {
    let number = |field: &str| budget["status"][field].as_i64().unwrap_or_default();
    let (healthy, desired) = (number("currentHealthy"), number("desiredHealthy"));
    budget["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow" || (desired > 0 && healthy >= desired)
}

fn check_budget(kind: &Kind, budget: &Value) -> Result<(), Refusal> {
    const MOST_DISRUPTED: usize = 2000;
    let (status, name) = (&budget["status"], budget["metadata"]["name"].as_str().unwrap_or_default());
    let number = |field: &str| status[field].as_i64().unwrap_or_default();
    if number("observedGeneration") < budget["metadata"]["generation"].as_i64().unwrap_or_default() {
        let why = format!("The disruption budget {name} is still being processed by the server.");
        return Err(Refusal::disrupts(&why, Some(10)));
    }
    if number("disruptionsAllowed") < 0 {
        return Err(Refusal::forbidden_budget(kind, name, "pdb disruptions allowed is negative"));
    }
    if status["disruptedPods"].as_object().is_some_and(|pods| pods.len() > MOST_DISRUPTED) {
        let why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
        return Err(Refusal::forbidden_budget(kind, name, why));
    }
    if number("disruptionsAllowed") > 0 {
        return Ok(());
    }
    let mut conditions = status["conditions"].as_array().into_iter().flatten();
    let failed = conditions.find(|condition| condition["type"] == "DisruptionAllowed");
    let failed = failed.filter(|condition| condition["status"] == "False" && condition["reason"] == "SyncFailed");
    let why = match failed {
        Some(condition) => {
            let why = condition["message"].as_str().unwrap_or_default();
            format!("The disruption budget {name} does not allow evicting pods currently because it failed sync: {why}")
        }
        None => {
            let (needed, healthy) = (number("desiredHealthy"), number("currentHealthy"));
            format!("The disruption budget {name} needs {needed} healthy pods and has {healthy} currently")
        }
    };
    Err(Refusal::disrupts(&why, None))
}
