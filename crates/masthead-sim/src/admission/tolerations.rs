//! How long pods stay on nodes that fail, and how a node begins.

use serde_json::{Value, json};

use crate::tree::{fill, items, made, text};

/// Lets a pod stay for five minutes on a node that is not ready or cannot be reached, unless it says otherwise.
pub(super) fn complete_pod(pod: &mut Value) {
    let Some(spec) = made(pod, "spec") else { return };
    for taint in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerated = items(spec, "tolerations").iter().any(|toleration| {
            (text(toleration, "key").is_empty() || text(toleration, "key") == taint)
                && matches!(text(toleration, "effect"), "" | "NoExecute")
        });
        if tolerated {
            continue;
        }
        fill(spec, "tolerations", json!([]));
        if let Some(all) = spec["tolerations"].as_array_mut() {
            all.push(json!({ "key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300 }));
        }
    }
}

/// A new node takes no pods until somebody finds it ready.
pub(super) fn taint_new_node(node: &mut Value) {
    const TAINT: &str = "node.kubernetes.io/not-ready";
    let Some(spec) = made(node, "spec") else { return };
    if items(spec, "taints").iter().any(|taint| text(taint, "key") == TAINT && text(taint, "effect") == "NoSchedule") {
        return;
    }
    fill(spec, "taints", json!([]));
    if let Some(taints) = spec["taints"].as_array_mut() {
        taints.push(json!({ "key": TAINT, "effect": "NoSchedule" }));
    }
}
