//! Objects as they stand once a workload has been running for a while: complete, with status and field owners.

use serde_json::{Map, Value, json};

use crate::workloads::template;

/// What tells a running pod from its siblings.
#[derive(Debug)]
pub(crate) struct Particulars {
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) created: String,
    pub(crate) started: String,
    pub(crate) ip: String,
    pub(crate) node: String,
    pub(crate) host: String,
    /// One for each container.
    pub(crate) ids: Vec<String>,
    pub(crate) restarts: Value,
    /// The end of the name of the volume with its token.
    pub(crate) suffix: String,
}

/// A template of pods with these labels and containers, with everything that the server adds.
pub(crate) fn template(labels: &Value, containers: &[Value]) -> Value {
    let complete = |container: &Value| {
        let mut container = container.clone();
        let image = container["image"].as_str().unwrap_or_default();
        let latest = !image.contains(':') || image.ends_with(":latest");
        for (field, value) in [
            ("imagePullPolicy", if latest { "Always" } else { "IfNotPresent" }.into()),
            ("resources", json!({})),
            ("terminationMessagePath", "/dev/termination-log".into()),
            ("terminationMessagePolicy", "File".into()),
        ] {
            if container[field].is_null() {
                container[field] = value;
            }
        }
        container
    };
    json!({
        "metadata": { "labels": labels },
        "spec": {
            "containers": containers.iter().map(complete).collect::<Vec<_>>(),
            "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
            "securityContext": {}, "terminationGracePeriodSeconds": 30,
        },
    })
}

/// A deployment of a template, all of whose pods are ready.
pub(crate) fn deployment(namespace: &str, name: &str, replicas: u64, pods: &Value, created: &str) -> Value {
    let set = format!("{name}-{}", template::hash(pods, 0));
    let condition = |kind: &str, reason: &str, message: String| {
        json!({
            "type": kind, "status": "True", "reason": reason, "message": message,
            "lastUpdateTime": created, "lastTransitionTime": created,
        })
    };
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {
            "name": name, "namespace": namespace, "labels": pods["metadata"]["labels"], "creationTimestamp": created,
            "annotations": { "deployment.kubernetes.io/revision": "1" },
        },
        "spec": {
            "replicas": replicas, "selector": { "matchLabels": pods["metadata"]["labels"] }, "template": pods,
            "strategy": { "type": "RollingUpdate", "rollingUpdate": { "maxSurge": "25%", "maxUnavailable": "25%" } },
            "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600,
        },
        "status": {
            "observedGeneration": 1, "replicas": replicas, "updatedReplicas": replicas, "readyReplicas": replicas,
            "availableReplicas": replicas, "terminatingReplicas": 0,
            "conditions": [
                condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability.".to_owned()),
                condition(
                    "Progressing",
                    "NewReplicaSetAvailable",
                    format!("ReplicaSet {set:?} has successfully progressed."),
                ),
            ],
        },
    })
}

/// The replica set of a deployment that has its uid.
pub(crate) fn replica_set(deployment: &Value) -> Value {
    let pods = &deployment["spec"]["template"];
    let (hash, replicas) = (template::hash(pods, 0), deployment["spec"]["replicas"].as_u64().unwrap_or_default());
    let mut pods = pods.clone();
    pods["metadata"]["labels"]["pod-template-hash"] = hash.as_str().into();
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {
            "name": format!("{}-{hash}", template::name(deployment)), "namespace": deployment["metadata"]["namespace"],
            "labels": pods["metadata"]["labels"], "creationTimestamp": deployment["metadata"]["creationTimestamp"],
            "ownerReferences": [template::reference(deployment)],
            "annotations": {
                "deployment.kubernetes.io/desired-replicas": replicas.to_string(),
                "deployment.kubernetes.io/max-replicas": (replicas + replicas.div_ceil(4)).to_string(),
                "deployment.kubernetes.io/revision": "1",
            },
        },
        "spec": {
            "replicas": replicas, "selector": { "matchLabels": pods["metadata"]["labels"] }, "template": pods,
        },
        "status": {
            "replicas": replicas, "fullyLabeledReplicas": replicas, "readyReplicas": replicas,
            "availableReplicas": replicas, "terminatingReplicas": 0, "observedGeneration": 1,
        },
    })
}

/// A pod of a controller's template that runs and is ready.
pub(crate) fn pod(owner: &Value, particulars: &Particulars) -> Value {
    let Particulars { name, uid, created, .. } = particulars;
    let pods = &owner["spec"]["template"];
    let mut pod = template::pod(pods, owner, name);
    let prefix = name.rfind('-').map(|at| &name[..=at]);
    let owned = json!({
        "f:metadata": owned_fields(&json!({
            "generateName": "", "labels": pods["metadata"]["labels"], "ownerReferences": pod["metadata"]["ownerReferences"],
        }), ""),
        "f:spec": owned_fields(&pods["spec"], "spec"),
    });
    let metadata = &mut pod["metadata"];
    metadata["generateName"] = prefix.map_or_else(|| format!("{}-", template::name(owner)), str::to_owned).into();
    metadata["uid"] = uid.as_str().into();
    metadata["creationTimestamp"] = created.as_str().into();
    metadata["generation"] = 1.into();
    pod["status"] = status(&pods["spec"]["containers"], particulars);
    let reported = json!({ "f:status": owned_fields(&pod["status"], "status") });
    pod["metadata"]["managedFields"] = json!([
        field_owner("kube-controller-manager", created, &owned, None),
        field_owner("kubelet", &particulars.started, &reported, Some("status")),
    ]);
    admit(&mut pod["spec"], particulars);
    pod
}

/// Adds what admission and the scheduler add to a pod.
fn admit(spec: &mut Value, particulars: &Particulars) {
    let volume = format!("kube-api-access-{}", particulars.suffix);
    for (field, value) in [
        ("nodeName", json!(particulars.node)),
        ("serviceAccountName", json!("default")),
        ("serviceAccount", json!("default")),
        ("priority", json!(0)),
        ("preemptionPolicy", json!("PreemptLowerPriority")),
        ("enableServiceLinks", json!(true)),
        ("tolerations", json!([tolerated("not-ready"), tolerated("unreachable")])),
    ] {
        spec[field] = value;
    }
    let token = json!({
        "name": volume,
        "projected": { "defaultMode": 420, "sources": [
            { "serviceAccountToken": { "expirationSeconds": 3607, "path": "token" } },
            { "configMap": { "items": [{ "key": "ca.crt", "path": "ca.crt" }], "name": "kube-root-ca.crt" } },
            { "downwardAPI": { "items": [{
                "fieldRef": { "apiVersion": "v1", "fieldPath": "metadata.namespace" }, "path": "namespace",
            }] } },
        ] },
    });
    push(&mut spec["volumes"], token);
    for container in spec["containers"].as_array_mut().into_iter().flatten() {
        let path = "/var/run/secrets/kubernetes.io/serviceaccount";
        push(&mut container["volumeMounts"], json!({ "mountPath": path, "name": volume, "readOnly": true }));
    }
}

fn tolerated(taint: &str) -> Value {
    json!({
        "effect": "NoExecute", "key": format!("node.kubernetes.io/{taint}"), "operator": "Exists",
        "tolerationSeconds": 300,
    })
}

fn push(list: &mut Value, item: Value) {
    match list.as_array_mut() {
        Some(items) => items.push(item),
        None => *list = json!([item]),
    }
}

fn status(containers: &Value, particulars: &Particulars) -> Value {
    let Particulars { created, started, ip, host, .. } = particulars;
    let condition = |(kind, since): (&str, &str)| {
        json!({
            "type": kind, "status": "True", "lastProbeTime": null, "lastTransitionTime": since, "observedGeneration": 1,
        })
    };
    let containers = containers.as_array().into_iter().flatten().zip(&particulars.ids);
    let statuses = containers.map(|(container, id)| {
        let image = container["image"].as_str().unwrap_or_default();
        let repository = image.split(':').next().unwrap_or_default();
        let digest = template::hash(&container["image"], 0);
        let digest: String = digest.bytes().cycle().take(32).map(|byte| format!("{byte:02x}")).collect();
        let mut status = json!({
            "name": container["name"], "image": image, "imageID": format!("{repository}@sha256:{digest}"),
            "containerID": format!("containerd://{id}"), "lastState": {}, "ready": true, "started": true,
            "restartCount": particulars.restarts, "state": { "running": { "startedAt": started } },
            "resources": container["resources"],
        });
        if !container["resources"]["requests"].is_null() {
            status["allocatedResources"] = container["resources"]["requests"].clone();
        }
        status
    });
    let conditions = [
        ("PodReadyToStartContainers", started.as_str()),
        ("Initialized", created),
        ("Ready", started),
        ("ContainersReady", started),
        ("PodScheduled", created),
    ];
    json!({
        "phase": "Running", "observedGeneration": 1, "qosClass": "Burstable", "startTime": created,
        "hostIP": host, "hostIPs": [{ "ip": host }], "podIP": ip, "podIPs": [{ "ip": ip }],
        "conditions": conditions.map(condition), "containerStatuses": statuses.collect::<Vec<_>>(),
    })
}

fn field_owner(manager: &str, time: &str, fields: &Value, part: Option<&str>) -> Value {
    let mut owner = json!({
        "manager": manager, "operation": "Update", "apiVersion": "v1", "time": time, "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    });
    if let Some(part) = part {
        owner["subresource"] = part.into();
    }
    owner
}

/// The fields of an object in the form of `fieldsV1`; `name` is that of the field it stands in.
fn owned_fields(value: &Value, name: &str) -> Value {
    let keys: &[&str] = match name {
        "containers" | "env" | "volumes" => &["name"],
        "ports" => &["containerPort", "protocol"],
        "volumeMounts" => &["mountPath"],
        "conditions" => &["type"],
        "hostIPs" | "podIPs" => &["ip"],
        "ownerReferences" => &["uid"],
        _ => &[],
    };
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (format!("f:{key}"), owned_fields(value, key))).collect()
        }
        Value::Array(items) if !keys.is_empty() => {
            let own = |item: &Value| {
                let key: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), item[*key].clone())).collect();
                let mut fields = if name == "ownerReferences" { json!({}) } else { owned_fields(item, "") };
                if name != "ownerReferences" {
                    fields["."] = json!({});
                }
                (format!("k:{}", Value::Object(key)), fields)
            };
            [(".".to_owned(), json!({}))].into_iter().chain(items.iter().map(own)).collect()
        }
        _ => json!({}),
    }
}
