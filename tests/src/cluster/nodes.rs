//! The nodes that kwok plays.

use anyhow::Result;
use serde_json::{Value, json};

use crate::Api;

/// How many nodes a cluster has.
pub(crate) const NODES: usize = 20;

/// Registers the nodes that kwok will play, or a simulator's engine.
pub fn create(admin: &Api) -> Result<()> {
    (0..NODES).try_for_each(|index| admin.create("/api/v1/nodes", &node(index)).map(drop))
}

/// How many nodes are ready and take pods.
pub(crate) fn ready(admin: &Api) -> Result<usize> {
    let list = admin.get("/api/v1/nodes")?;
    let nodes = list["items"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    Ok(nodes.iter().filter(|node| is_ready(node)).count())
}

fn is_ready(node: &Value) -> bool {
    let conditions = node["status"]["conditions"].as_array();
    let ready = conditions.into_iter().flatten().any(|it| it["type"] == "Ready" && it["status"] == "True");
    ready && node["spec"]["taints"].as_array().is_none_or(Vec::is_empty)
}

fn node(index: usize) -> Value {
    let name = format!("node-{index:02}");
    let zone = format!("zone-{}", ["a", "b", "c"][index % 3]);
    let room = json!({ "cpu": "512", "memory": "4Ti", "ephemeral-storage": "8Ti", "pods": "20000" });
    json!({
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "node.kubernetes.io/instance-type": "simulated",
                "topology.kubernetes.io/region": "local",
                "topology.kubernetes.io/zone": zone,
            },
        },
        "status": {
            "capacity": room,
            "allocatable": room,
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": "",
                "containerRuntimeVersion": "containerd://2.2.1",
                "kernelVersion": "6.12.0",
                "kubeProxyVersion": "",
                "kubeletVersion": "v1.36.3",
                "machineID": name,
                "operatingSystem": "linux",
                "osImage": "Simulated",
                "systemUUID": name,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tainted_node_is_not_ready() {
        let ready = json!([{ "type": "Ready", "status": "True" }]);
        assert!(is_ready(&json!({ "status": { "conditions": ready } })));
        assert!(!is_ready(&json!({ "status": { "conditions": ready }, "spec": { "taints": [{ "key": "x" }] } })));
        assert!(!is_ready(&node(0)));
    }
}
