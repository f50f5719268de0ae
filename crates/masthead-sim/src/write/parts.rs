//! The subresources that are not the object itself: scale, binding, eviction.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    DeleteOptions, Deleted, Write,
    replacement::{Half, check_version},
};
use crate::{
    kind::{Kind, Subresource},
    managed::Ownership,
    object::{Key, Object},
    query::Query,
    refusal::{Refusal, details},
    timestamp,
};

impl Write<'_> {
    /// How many replicas an object has and should have.
    pub(crate) fn scale(&self, kind: &Rc<Kind>, key: &Key) -> Result<Value, Refusal> {
        self.existing(kind, key).map(|object| scale_of(&object))
    }

    /// Sets how many replicas an object should have.
    pub(crate) fn rescale(&mut self, kind: &Rc<Kind>, key: &Key, scale: &Value) -> Result<Value, Refusal> {
        let existing = self.existing(kind, key)?;
        let mut object = existing.value();
        object["spec"]["replicas"] = scale["spec"]["replicas"].as_u64().unwrap_or_default().into();
        if let Some(version) = scale["metadata"]["resourceVersion"].as_str() {
            object["metadata"]["resourceVersion"] = version.into();
        }
        check_version(kind, &existing, &object)?;
        let time = timestamp::format(self.runtime.wall());
        let ownership = Ownership::new(kind, Some(Subresource::Scale), &self.caller.manager, &time);
        ownership.rescale(&mut object, "spec.replicas", (&scale_of(&existing), scale));
        self.replace_owned(kind, &existing, Half::Main, object).map(|object| scale_of(&object))
    }

    /// Assigns a pod to a node.
    pub(crate) fn bind(&mut self, kind: &Rc<Kind>, key: &Key, binding: &Value) -> Result<Value, Refusal> {
        let existing = self.existing(kind, key)?;
        let mut object = existing.value();
        if let Some(node) = object["spec"]["nodeName"].as_str().filter(|node| !node.is_empty()) {
            let why = format!("pod {} is already assigned to node \"{node}\"", key.name);
            return Err(Refusal::conflict("pods/binding", details(&key.name, "", "pods/binding"), &why));
        }
        object["spec"]["nodeName"] = binding["target"]["name"].clone();
        let condition = json!({
            "type": "PodScheduled", "status": "True", "lastProbeTime": null,
            "lastTransitionTime": self.time(std::time::Duration::ZERO),
        });
        match object["status"]["conditions"].as_array_mut() {
            Some(conditions) => {
                conditions.retain(|known| known["type"] != "PodScheduled");
                conditions.push(condition);
            }
            None => object["status"]["conditions"] = json!([condition]),
        }
        if !self.dry_run {
            self.store.put(kind, object);
        }
        Ok(done())
    }

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
        let pod = self.existing(kind, key)?;
        if let Some(budget) = self.budget_against(&pod) {
            let number = |field: &str| budget["status"][field].as_u64().unwrap_or_default();
            let (needed, healthy) = (number("desiredHealthy"), number("currentHealthy"));
            let name = budget["metadata"]["name"].as_str().unwrap_or_default();
            let why = format!("The disruption budget {name} needs {needed} healthy pods and has {healthy} currently");
            return Err(Refusal::disrupts(&why));
        }
        self.dry_run |= options.dry_run;
        let (Deleted::Gone(_) | Deleted::Ending(_)) = self.delete(kind, key, &options)?;
        Ok(done())
    }

    /// A budget that selects the pod and allows no disruption.
    fn budget_against(&self, pod: &Object) -> Option<Value> {
        let budgets = self.kinds.find("policy", "v1", "poddisruptionbudgets").and_then(|kind| self.store.all(kind));
        let mut nearby =
            budgets.into_iter().flat_map(|all| all.values()).filter(|budget| budget.key.namespace == pod.key.namespace);
        nearby.find_map(|budget| {
            let budget = budget.value();
            let wanted = budget["spec"]["selector"]["matchLabels"].as_object();
            let selects = wanted.is_some_and(|labels| {
                labels.iter().all(|(key, value)| pod.labels.get(key).map(String::as_str) == value.as_str())
            });
            (selects && budget["status"]["disruptionsAllowed"].as_u64() == Some(0)).then_some(budget)
        })
    }
}

fn scale_of(object: &Object) -> Value {
    let (value, key) = (object.value(), &object.key);
    let selector = value["spec"]["selector"].get("matchLabels").unwrap_or(&value["spec"]["selector"]);
    let labels = selector.as_object().into_iter().flatten();
    let pairs: Vec<String> = labels.filter_map(|(label, value)| Some(format!("{label}={}", value.as_str()?))).collect();
    let metadata = &value["metadata"];
    json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": *key.name, "namespace": *key.namespace, "uid": object.uid,
            "resourceVersion": object.version.to_string(), "creationTimestamp": metadata["creationTimestamp"],
        },
        "spec": { "replicas": value["spec"]["replicas"].as_u64().unwrap_or(1) },
        "status": {
            "replicas": value["status"]["replicas"].as_u64().unwrap_or_default(), "selector": pairs.join(","),
        },
    })
}

fn done() -> Value {
    json!({ "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201 })
}
