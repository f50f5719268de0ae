//! The scale of an object: how many replicas it has and should have.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    Write,
    replacement::{Half, check_version},
};
use crate::{
    kind::{Kind, Subresource},
    managed::Ownership,
    object::{Key, Object},
    refusal::Refusal,
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
