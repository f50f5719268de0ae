//! The scale of an object: how many replicas it has and should have, wherever its kind keeps that.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    Write,
    replacement::{Half, check_version},
};
use crate::{
    cause::Cause,
    custom::ScalePaths,
    kind::{Kind, Subresource},
    managed::Ownership,
    object::{Key, Object},
    refusal::Refusal,
    timestamp,
};

impl Write<'_> {
    /// How many replicas an object has and should have.
    pub(crate) fn scale(&self, kind: &Rc<Kind>, key: &Key) -> Result<Value, Refusal> {
        scale_of(&*self.existing(kind, key)?)
    }

    /// Sets how many replicas an object should have.
    pub(crate) fn rescale(&mut self, kind: &Rc<Kind>, key: &Key, scale: &Value) -> Result<Value, Refusal> {
        let existing = self.existing(kind, key)?;
        let (mut object, replicas) = (existing.value(), scale["spec"]["replicas"].as_i64().unwrap_or_default());
        let path = scale_paths(kind).map_or("/spec/replicas", |paths| paths.spec_replicas.as_str());
        if let Some(paths) = scale_paths(kind).filter(|_| replicas < 0) {
            let (field, why) = (paths.spec_replicas.replace('/', "."), "should be a non-negative integer");
            return Err(Refusal::invalid(kind, &key.name, &[Cause::invalid(field, replicas, why)]));
        }
        let place = path.split('/').skip(1).fold(&mut object, |value, step| &mut value[step]);
        *place = replicas.into();
        if let Some(version) = scale["metadata"]["resourceVersion"].as_str() {
            object["metadata"]["resourceVersion"] = version.into();
        }
        check_version(kind, &existing, &object)?;
        let time = timestamp::format(self.runtime.wall());
        let ownership = Ownership::new(kind, Some(Subresource::Scale), &self.caller.manager, &time);
        let field = path.trim_start_matches('/').replace('/', ".");
        // Of what was sent only the replicas count, so that nobody owns more.
        let before = scale_of(&existing)?;
        let mut after = before.clone();
        after["spec"]["replicas"] = replicas.into();
        ownership.rescale(&mut object, &field, (&before, &after));
        scale_of(&*self.replace_owned(kind, &existing, Half::Main, object)?)
    }
}

fn scale_paths(kind: &Kind) -> Option<&ScalePaths> {
    kind.custom.as_ref()?.scale.as_ref()
}

fn scale_of(object: &Object) -> Result<Value, Refusal> {
    let (value, key) = (object.value(), &object.key);
    let (replicas, actual, selector) = match scale_paths(&object.kind) {
        Some(paths) => custom_counts(paths, &value)?,
        None => {
            let count = |part: &str| value[part]["replicas"].as_u64();
            (count("spec").unwrap_or(1), count("status").unwrap_or_default(), selector_of(&value))
        }
    };
    let mut status = json!({ "replicas": actual });
    if !selector.is_empty() {
        status["selector"] = selector.into();
    }
    let mut metadata = json!({
        "name": *key.name, "uid": object.uid, "resourceVersion": object.version.to_string(),
        "creationTimestamp": value["metadata"]["creationTimestamp"],
    });
    if !key.namespace.is_empty() {
        metadata["namespace"] = (*key.namespace).into();
    }
    Ok(json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata,
        "spec": if replicas == 0 { json!({}) } else { json!({ "replicas": replicas }) },
        "status": status,
    }))
}

fn custom_counts(paths: &ScalePaths, value: &Value) -> Result<(u64, u64, String), Refusal> {
    let replicas = value.pointer(&paths.spec_replicas).and_then(Value::as_u64).ok_or_else(|| {
        let field = paths.spec_replicas.replace('/', ".");
        Refusal::internal_error(&format!("the spec replicas field {field:?} does not exist"))
    })?;
    let actual = value.pointer(&paths.status_replicas).and_then(Value::as_u64).unwrap_or_default();
    let selector = paths.selector.as_ref().and_then(|path| value.pointer(path)?.as_str()).unwrap_or_default();
    Ok((replicas, actual, selector.to_owned()))
}

fn selector_of(value: &Value) -> String {
    let selector = value["spec"]["selector"].get("matchLabels").unwrap_or(&value["spec"]["selector"]);
    let labels = selector.as_object().into_iter().flatten();
    let pairs: Vec<String> = labels.filter_map(|(label, value)| Some(format!("{label}={}", value.as_str()?))).collect();
    pairs.join(",")
}
