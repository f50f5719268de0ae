//! ComponentStatus: how the parts of the cluster are, found out when it is asked and never stored.

use serde_json::{Value, json};

use crate::refusal::Refusal;

const COMPONENTS: [&str; 3] = ["controller-manager", "scheduler", "etcd-0"];

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Value> {
    COMPONENTS.iter().map(|name| component(name))
}

/// The one of this name.
pub(crate) fn get(name: &str) -> Result<Value, Refusal> {
    if !COMPONENTS.contains(&name) {
        return Err(Refusal::not_found_as("componentstatus", name));
    }
    Ok(component(name))
}

fn component(name: &str) -> Value {
    let condition = json!({ "type": "Healthy", "status": "True", "message": "ok" });
    json!({ "metadata": { "name": name }, "conditions": [condition] })
}
