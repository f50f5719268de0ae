//! An object of one version of a resource as an object of another.

mod autoscaler;
mod event;

use serde_json::Value;

use crate::{custom, kind::Kind};

/// The same object as `to` has it. Versions without rules of their own differ in nothing but their name.
pub(crate) fn convert(mut object: Value, from: &Kind, to: &Kind) -> Value {
    match (from.resource_name(), to.resource_name()) {
        (("", _, "events"), ("events.k8s.io", ..)) => event::to_new(&mut object),
        (("events.k8s.io", _, "events"), ("", ..)) => event::to_core(&mut object),
        (("autoscaling", "v2", _), ("autoscaling", "v1", _)) => autoscaler::to_v1(&mut object),
        (("autoscaling", "v1", _), ("autoscaling", "v2", _)) => autoscaler::to_v2(&mut object),
        _ => {}
    }
    object["apiVersion"] = to.api_version().into();
    object["kind"] = to.kind.as_str().into();
    custom::convert(to, &mut object);
    object
}

/// Gives fields other names.
fn rename(object: &mut Value, names: impl IntoIterator<Item = (&'static str, &'static str)>) {
    let Some(fields) = object.as_object_mut() else { return };
    for (from, to) in names {
        if let Some(value) = fields.remove(from) {
            fields.insert(to.to_owned(), value);
        }
    }
}
