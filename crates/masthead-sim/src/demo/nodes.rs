//! The machines of the demo's cluster.

use serde_json::{Value, json};

/// Name, role, instance type, CPUs and GiB of memory.
pub(super) const NODES: [(&str, &str, &str, u64, u64); 7] = [
    ("cp-1", "control-plane", "m7i.xlarge", 4, 16),
    ("worker-a1", "worker", "m7i.4xlarge", 16, 64),
    ("worker-a2", "worker", "m7i.4xlarge", 16, 64),
    ("worker-b1", "worker", "m7i.4xlarge", 16, 64),
    ("worker-b2", "worker", "r7i.2xlarge", 8, 64),
    ("worker-c1", "worker", "m7i.4xlarge", 16, 64),
    ("worker-c2", "worker", "c7i.4xlarge", 16, 32),
];

/// The node of a number, as old as `created` says.
pub(super) fn node(number: usize, created: &str, heard: &str) -> Value {
    let (name, role, instance, cpus, memory) = NODES[number];
    let zone = format!("eu-central-1{}", ["a", "a", "a", "b", "b", "c", "c"][number]);
    let condition = |kind: &str, status: &str, reason: &str, message: &str| {
        json!({
            "type": kind, "status": status, "reason": reason, "message": message,
            "lastHeartbeatTime": heard, "lastTransitionTime": created,
        })
    };
    let mut node = json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {
            "name": name, "creationTimestamp": created,
            "labels": {
                "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux",
                "node.kubernetes.io/instance-type": instance, "topology.kubernetes.io/region": "eu-central-1",
                "topology.kubernetes.io/zone": zone, (format!("node-role.kubernetes.io/{role}")): "",
            },
        },
        "spec": {
            "podCIDR": format!("10.244.{number}.0/24"), "podCIDRs": [format!("10.244.{number}.0/24")],
            "providerID": format!("aws:///{zone}/i-0{:015x}", 0x5eed_c0de_u64 * (number as u64 + 1)),
        },
        "status": {
            "capacity": {
                "cpu": cpus.to_string(), "memory": format!("{}Ki", memory << 20), "pods": "110",
                "ephemeral-storage": "209702892Ki", "hugepages-2Mi": "0",
            },
            "allocatable": {
                "cpu": format!("{}m", cpus * 1000 - 80), "memory": format!("{}Ki", (memory << 20) - 1_048_576),
                "pods": "110", "ephemeral-storage": "193262185Ki", "hugepages-2Mi": "0",
            },
            "addresses": [
                { "type": "InternalIP", "address": address(number) }, { "type": "Hostname", "address": name },
            ],
            "conditions": [
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
                condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
            ],
            "nodeInfo": {
                "architecture": "amd64", "operatingSystem": "linux", "kubeletVersion": "v1.36.3",
                "kubeProxyVersion": "", "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.12.46-cloud-amd64", "osImage": "Debian GNU/Linux 13 (trixie)",
                "machineID": format!("ec2{number:029}"), "systemUUID": format!("ec2{number:05}-0000-4000-8000-00000000000{number}"),
                "bootID": format!("b0070000-0000-4000-8000-00000000000{number}"),
            },
        },
    });
    if role == "control-plane" {
        node["spec"]["taints"] = json!([{ "key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule" }]);
    }
    // One of them is not what it was.
    if name == "worker-c2" {
        node["metadata"]["annotations"]["sim.masthead.dev/behaviour"] = "flaps 25m 2m".into();
    }
    node
}

pub(super) fn address(number: usize) -> String {
    format!("10.0.{}.{}", 16 * (number + 1), 20 + number * 7)
}
