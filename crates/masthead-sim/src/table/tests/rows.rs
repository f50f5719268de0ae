//! A row or two of each kind.

use serde_json::{Value, json};

use super::check;

fn template() -> Value {
    json!({ "spec": { "containers": [{ "name": "b", "image": "i:1" }, { "name": "c", "image": "j" }] } })
}

#[test]
fn workloads_count_their_pods() {
    let selector = json!({ "matchLabels": { "app": "web" } });
    let spec = json!({ "replicas": 3, "selector": selector, "template": template() });
    let status = json!({ "replicas": 3, "readyReplicas": 2, "updatedReplicas": 3, "availableReplicas": 1 });
    let object = || json!({ "spec": spec, "status": status });
    check("apps", "deployments", object(), json!(["a", "2/3", 3, 1, "60m", "b,c", "i:1,j", "app=web"]));
    check("apps", "replicasets", object(), json!(["a", 3, 3, 2, "60m", "b,c", "i:1,j", "app=web"]));
    check("apps", "statefulsets", object(), json!(["a", "2/3", "60m", "b,c", "i:1,j"]));
    let controller = json!({ "spec": { "replicas": 1, "selector": { "app": "web" }, "template": template() } });
    check("", "replicationcontrollers", controller, json!(["a", 1, 0, 0, "60m", "b,c", "i:1,j", "app=web"]));
    check("apps", "deployments", json!({}), json!(["a", "0/0", 0, 0, "60m", "", "", ""]));
    check("apps", "replicasets", json!({}), json!(["a", 0, 0, 0, "60m", "", "", "<none>"]));
    let mut on_nodes = json!({ "spec": { "selector": selector, "template": template() }, "status": {
        "desiredNumberScheduled": 5, "currentNumberScheduled": 4, "numberReady": 3, "updatedNumberScheduled": 2,
        "numberAvailable": 1 } });
    on_nodes["spec"]["template"]["spec"]["nodeSelector"] = json!({ "disk": "ssd" });
    check("apps", "daemonsets", on_nodes, json!(["a", 5, 4, 3, 2, 1, "disk=ssd", "60m", "b,c", "i:1,j", "app=web"]));
    let mut labelled = template();
    labelled["metadata"]["labels"] = json!({ "app": "web" });
    check("", "podtemplates", json!({ "template": labelled }), json!(["a", "b,c", "i:1,j", "app=web"]));
}

#[test]
fn a_revision_names_its_controller() {
    let owner = json!({ "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "controller": true });
    let revision = json!({ "metadata": { "ownerReferences": [owner] }, "revision": 4 });
    check("apps", "controllerrevisions", revision, json!(["a", "statefulset.apps/db", 4, "60m"]));
    check("apps", "controllerrevisions", json!({ "revision": 1 }), json!(["a", "<none>", 1, "60m"]));
}

#[test]
fn jobs_tell_how_far_they_are() {
    let job = |spec: Value, status: Value, expect: [&str; 3]| {
        let mut spec = spec;
        spec["template"] = template();
        let row = json!(["a", expect[0], expect[1], expect[2], "60m", "b,c", "i:1,j", "<none>"]);
        check("batch", "jobs", json!({ "spec": spec, "status": status }), row);
    };
    let is = |name: &str| json!([{ "type": name, "status": "True" }]);
    job(json!({ "completions": 3 }), json!({}), ["Running", "0/3", ""]);
    let started = "2025-12-31T23:58:00Z";
    job(json!({ "parallelism": 2 }), json!({ "succeeded": 1, "startTime": started }), ["Running", "1/1 of 2", "2m"]);
    let done = json!({ "startTime": started, "completionTime": "2025-12-31T23:58:07Z", "succeeded": 1,
        "conditions": is("Complete") });
    job(json!({ "parallelism": 1 }), done, ["Complete", "1/1", "7s"]);
    for state in ["Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"] {
        job(json!({ "completions": 1 }), json!({ "conditions": is(state) }), [state, "0/1", ""]);
    }
    let deleted = json!({ "metadata": { "deletionTimestamp": started }, "spec": {} });
    check("batch", "jobs", deleted, json!(["a", "Terminating", "0/1", "", "60m", "", "", "<none>"]));
    let cron = json!({ "spec": { "schedule": "* * * * *", "suspend": false, "timeZone": "Etc/UTC",
        "jobTemplate": { "spec": { "template": template() } } },
        "status": { "active": [{}, {}], "lastScheduleTime": started } });
    check(
        "batch",
        "cronjobs",
        cron,
        json!(["a", "* * * * *", "Etc/UTC", "False", 2, "2m", "60m", "b,c", "i:1,j", "<none>"]),
    );
}

#[test]
fn services_tell_where_they_are_reached() {
    let service = |spec: Value, ingress: Value, expect: [&str; 4]| {
        let row = json!(["a", spec["type"], expect[0], expect[1], expect[2], "60m", expect[3]]);
        check("", "services", json!({ "spec": spec, "status": { "loadBalancer": { "ingress": ingress } } }), row);
    };
    let port = json!({ "port": 80, "protocol": "TCP" });
    let on_node = json!({ "port": 80, "protocol": "UDP", "nodePort": 30000 });
    service(
        json!({ "type": "ClusterIP", "clusterIPs": ["10.0.0.1"], "clusterIP": "10.0.0.1" }),
        json!(null),
        ["10.0.0.1", "<none>", "<none>", "<none>"],
    );
    let spec = json!({ "type": "NodePort", "clusterIP": "10.0.0.1", "ports": [port, on_node],
        "externalIPs": ["1.2.3.4", "1.2.3.5"], "selector": { "app": "web" } });
    service(spec, json!(null), ["10.0.0.1", "1.2.3.4,1.2.3.5", "80/TCP,80:30000/UDP", "app=web"]);
    let balanced = json!({ "type": "LoadBalancer", "clusterIP": "10.0.0.1", "ports": [port] });
    service(balanced.clone(), json!(null), ["10.0.0.1", "<pending>", "80/TCP", "<none>"]);
    service(
        balanced,
        json!([{ "hostname": "lb.example.com" }, { "ip": "1.2.3.4" }]),
        ["10.0.0.1", "1.2.3.4,lb.example.com", "80/TCP", "<none>"],
    );
    let elsewhere = json!({ "type": "ExternalName", "externalName": "example.com" });
    service(elsewhere, json!(null), ["<none>", "example.com", "<none>", "<none>"]);
}

#[test]
fn endpoints_beyond_the_third_are_counted() {
    let address = |last: u8| json!({ "ip": format!("10.0.0.{last}") });
    let check = |subsets: Value, expect: &str| {
        check("", "endpoints", json!({ "subsets": subsets }), json!(["a", expect, "60m"]));
    };
    check(json!(null), "<none>");
    check(json!([{ "notReadyAddresses": [address(1)] }]), "");
    check(json!([{ "addresses": [address(1), address(2)] }]), "10.0.0.1,10.0.0.2");
    let ports = json!([{ "port": 80 }, { "port": 81 }]);
    check(json!([{ "addresses": [address(1)], "ports": ports }]), "10.0.0.1:80,10.0.0.1:81");
    check(json!([{ "addresses": [{ "ip": "fd00::1" }], "ports": [{ "port": 80 }] }]), "[fd00::1]:80");
    check(
        json!([{ "addresses": [address(1), address(2)], "ports": ports }, { "addresses": [address(3)] }]),
        "10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 2 more...",
    );
}

#[test]
fn slices_of_endpoints_beyond_the_third_are_counted() {
    let check = |ports: Value, endpoints: Value, expect: [&str; 2]| {
        let object = json!({ "addressType": "IPv4", "ports": ports, "endpoints": endpoints });
        let row = json!(["a", "IPv4", expect[0], expect[1], "60m"]);
        check("discovery.k8s.io", "endpointslices", object, row);
    };
    check(json!(null), json!(null), ["<unset>", "<unset>"]);
    check(
        json!([{ "port": 80 }, { "name": "dns" }, {}]),
        json!([{ "addresses": ["10.0.0.1"] }]),
        ["80,dns,*", "10.0.0.1"],
    );
    let many = json!([{ "addresses": ["1.1.1.1", "1.1.1.2"] }, { "addresses": ["1.1.1.3", "1.1.1.4", "1.1.1.5"] }]);
    let ports = json!([{ "port": 1 }, { "port": 2 }, { "port": 3 }, { "port": 4 }]);
    check(ports, many, ["1,2,3 + 1 more...", "1.1.1.1,1.1.1.2,1.1.1.3 + 2 more..."]);
}

#[test]
fn nodes_tell_their_state_and_roles() {
    let node = json!({ "metadata": { "labels": { "node-role.kubernetes.io/worker": "", "kubernetes.io/role": "edge" } },
        "spec": { "unschedulable": true },
        "status": { "conditions": [{ "type": "Ready", "status": "True" }],
            "addresses": [{ "type": "ExternalIP", "address": "1.2.3.4" }, { "type": "InternalIP", "address": "10.0.0.1" }],
            "nodeInfo": { "kubeletVersion": "v1.36.3", "osImage": "Linux", "kernelVersion": "6.1",
                "architecture": "amd64", "containerRuntimeVersion": "containerd://2" } } });
    check(
        "",
        "nodes",
        node,
        json!([
            "a",
            "Ready,SchedulingDisabled",
            "edge,worker",
            "60m",
            "v1.36.3",
            "10.0.0.1",
            "1.2.3.4",
            "Linux",
            "6.1 (amd64)",
            "containerd://2"
        ]),
    );
    let lost = json!({ "status": { "conditions": [{ "type": "Ready", "status": "Unknown" }] } });
    let unknown = "<unknown>";
    check(
        "",
        "nodes",
        lost,
        json!(["a", "NotReady", "<none>", "60m", "", "<none>", "<none>", unknown, unknown, unknown]),
    );
    check(
        "",
        "nodes",
        json!({}),
        json!(["a", "Unknown", "<none>", "60m", "", "<none>", "<none>", unknown, unknown, unknown]),
    );
}

#[test]
fn events_tell_when_they_were_seen() {
    let about = json!({ "kind": "Pod", "name": "web", "fieldPath": "spec.containers{b}" });
    let seen = ["2025-12-31T23:00:00Z", "2025-12-31T23:59:00Z"];
    let event = json!({ "involvedObject": about, "type": "Warning", "reason": "BackOff", "message": " no \n",
        "firstTimestamp": seen[0], "lastTimestamp": seen[1], "count": 7, "source": { "component": "kubelet", "host": "n" } });
    check(
        "",
        "events",
        event,
        json!(["60s", "Warning", "BackOff", "pod/web", "spec.containers{b}", "kubelet, n", "no", "60m", 7, "a"]),
    );
    let once = json!({ "involvedObject": { "kind": "Node" }, "type": "Normal", "reason": "Up", "message": "x",
        "eventTime": "2025-12-31T23:59:50.000000Z", "reportingComponent": "me" });
    check("", "events", once.clone(), json!(["10s", "Normal", "Up", "node", "", "me", "x", "10s", 1, "a"]));
    let mut series = once;
    series["series"] = json!({ "count": 3, "lastObservedTime": "2025-12-31T23:59:55.000000Z" });
    check("", "events", series, json!(["5s", "Normal", "Up", "node", "", "me", "x", "10s", 3, "a"]));
    let unknown = "<unknown>";
    check("", "events", json!({}), json!([unknown, "", "", "", "", "", "", unknown, 1, "a"]));
}

#[test]
fn volumes_and_claims_find_each_other() {
    let modes = json!(["ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany"]);
    let volume = json!({ "spec": { "capacity": { "storage": "1Gi" }, "accessModes": modes, "storageClassName": "fast",
        "persistentVolumeReclaimPolicy": "Delete", "claimRef": { "namespace": "n", "name": "disk" },
        "volumeMode": "Block" }, "status": { "phase": "Bound", "reason": "r" } });
    check(
        "",
        "persistentvolumes",
        volume,
        json!(["a", "1Gi", "RWO,ROX,RWX,RWOP", "Delete", "Bound", "n/disk", "fast", "<unset>", "r", "60m", "Block"]),
    );
    let annotated = json!({ "metadata": { "annotations": { "volume.beta.kubernetes.io/storage-class": "old" },
        "deletionTimestamp": "2026-01-01T00:00:00Z" }, "spec": { "storageClassName": "new",
        "volumeAttributesClassName": "gold" } });
    check(
        "",
        "persistentvolumes",
        annotated.clone(),
        json!(["a", "0", "", "", "Terminating", "", "old", "gold", "", "60m", "<unset>"]),
    );
    check(
        "",
        "persistentvolumeclaims",
        annotated,
        json!(["a", "Terminating", "", "", "", "old", "gold", "60m", "<unset>"]),
    );
    let bound = json!({ "spec": { "volumeName": "v", "volumeMode": "Filesystem" },
        "status": { "phase": "Bound", "capacity": { "storage": "5Gi" }, "accessModes": ["ReadWriteOnce"] } });
    check(
        "",
        "persistentvolumeclaims",
        bound,
        json!(["a", "Bound", "v", "5Gi", "RWO", "", "<unset>", "60m", "Filesystem"]),
    );
    let attachment = json!({ "spec": { "attacher": "x", "source": { "persistentVolumeName": "v" }, "nodeName": "n" },
        "status": { "attached": true } });
    check("storage.k8s.io", "volumeattachments", attachment, json!(["a", "x", "v", "n", true, "60m"]));
}

#[test]
fn storage_tells_how_it_is_provided() {
    let group = "storage.k8s.io";
    let is_default = json!({ "storageclass.kubernetes.io/is-default-class": "true" });
    let class = json!({ "metadata": { "annotations": is_default }, "provisioner": "x", "allowVolumeExpansion": true });
    check(group, "storageclasses", class, json!(["a (default)", "x", "Delete", "Immediate", true, "60m"]));
    let driver = json!({ "spec": { "attachRequired": false, "tokenRequests": [{ "audience": "x" }, { "audience": "y" }],
        "volumeLifecycleModes": ["Persistent", "Ephemeral"] } });
    check(group, "csidrivers", driver, json!(["a", false, false, false, "x,y", false, "Persistent,Ephemeral", "60m"]));
    check(group, "csidrivers", json!({}), json!(["a", true, false, false, "<unset>", false, "<none>", "60m"]));
    check(group, "csinodes", json!({ "spec": { "drivers": [{}] } }), json!(["a", 1, "60m"]));
    check(group, "volumeattributesclasses", json!({ "driverName": "x" }), json!(["a", "x", "60m"]));
}

#[test]
fn ingresses_tell_their_hosts() {
    let group = "networking.k8s.io";
    let check_hosts = |hosts: &[&str], expect: &str| {
        let rules: Value = hosts.iter().map(|host| json!({ "host": host })).collect();
        let object = json!({ "spec": { "rules": rules, "ingressClassName": "c" } });
        check(group, "ingresses", object, json!(["a", "c", expect, "", "80", "60m"]));
    };
    check_hosts(&[], "*");
    check_hosts(&[""], "*");
    check_hosts(&["a", "", "b", "c"], "a,b,c");
    check_hosts(&["a", "", "b", "c", ""], "a,b,c + 2 more...");
    let balanced =
        json!({ "spec": { "tls": [{}] }, "status": { "loadBalancer": { "ingress": [{ "ip": "1.2.3.4" }] } } });
    check(group, "ingresses", balanced, json!(["a", "<none>", "*", "1.2.3.4", "80, 443", "60m"]));
    let of = json!({ "apiGroup": "example.com", "kind": "Conf", "name": "p" });
    let class = json!({ "spec": { "controller": "x", "parameters": of } });
    check(group, "ingressclasses", class, json!(["a", "x", "Conf.example.com/p", "60m"]));
    check(group, "networkpolicies", json!({ "spec": { "podSelector": {} } }), json!(["a", "<none>", "60m"]));
    check(
        group,
        "servicecidrs",
        json!({ "spec": { "cidrs": ["10.0.0.0/8", "fd00::/64"] } }),
        json!(["a", "10.0.0.0/8,fd00::/64", "60m"]),
    );
    let parent = json!({ "resource": "services", "namespace": "n", "name": "web" });
    check(group, "ipaddresses", json!({ "spec": { "parentRef": parent } }), json!(["a", "services/n/web", "60m"]));
}

#[test]
fn autoscalers_tell_what_they_measure() {
    let check = |metrics: Value, current: Value, expect: &str| {
        let target = json!({ "kind": "Deployment", "name": "web" });
        let spec = json!({ "scaleTargetRef": target, "minReplicas": 2, "maxReplicas": 5, "metrics": metrics });
        let status = json!({ "currentReplicas": 3, "currentMetrics": current });
        let row = json!(["a", "Deployment/web", expect, "2", 5, 3, "60m"]);
        check("autoscaling", "horizontalpodautoscalers", json!({ "spec": spec, "status": status }), row);
    };
    let resource = |target: Value| json!({ "type": "Resource", "resource": { "name": "cpu", "target": target } });
    let cpu = resource(json!({ "type": "Utilization", "averageUtilization": 80 }));
    let used = json!({ "type": "Resource", "resource": { "name": "cpu", "current": { "averageUtilization": 41,
        "averageValue": "10m" } } });
    check(json!(null), json!(null), "<none>");
    check(json!([cpu]), json!(null), "cpu: <unknown>/80%");
    check(json!([cpu]), json!([used]), "cpu: 41%/80%");
    check(json!([resource(json!({ "averageValue": "100m" }))]), json!([used]), "cpu: 10m/100m");
    let pods = json!({ "type": "Pods", "pods": { "target": { "averageValue": "1k" } } });
    check(json!([pods]), json!([{ "type": "Pods", "pods": { "current": { "averageValue": "7" } } }]), "7/1k");
    let outside = |target: Value| json!({ "type": "External", "external": { "target": target } });
    let seen = json!({ "external": { "current": { "value": "9", "averageValue": "3" } } });
    check(json!([outside(json!({ "value": "10" }))]), json!([seen]), "9/10");
    check(json!([outside(json!({ "averageValue": "4" }))]), json!([seen]), "3/4 (avg)");
    check(json!([{ "type": "Object", "object": { "target": { "value": "10" } } }]), json!([]), "<unknown>/10");
    check(json!([cpu, pods, cpu, cpu]), json!([]), "cpu: <unknown>/80%, <unknown>/1k + 2 more...");
}

#[test]
fn bindings_tell_whom_they_bind() {
    let subjects = json!([{ "kind": "User", "name": "ann" }, { "kind": "Group", "name": "ops" },
        { "kind": "ServiceAccount", "name": "s", "namespace": "n" }, { "kind": "User", "name": "bob" }]);
    let binding = json!({ "roleRef": { "kind": "Role", "name": "r" }, "subjects": subjects });
    let row = json!(["a", "Role/r", "60m", "ann, bob", "ops", "n/s"]);
    check("rbac.authorization.k8s.io", "rolebindings", binding.clone(), row.clone());
    check("rbac.authorization.k8s.io", "clusterrolebindings", binding, row);
    let request = |status: Value, expect: &str| {
        let spec = json!({ "signerName": "s", "username": "u", "expirationSeconds": 7200 });
        let row = json!(["a", "60m", "s", "u", "120m", expect]);
        check("certificates.k8s.io", "certificatesigningrequests", json!({ "spec": spec, "status": status }), row);
    };
    request(json!({}), "Pending");
    request(json!({ "conditions": [{ "type": "Approved" }], "certificate": "x" }), "Approved,Issued");
    request(
        json!({ "conditions": [{ "type": "Approved" }, { "type": "Denied" }, { "type": "Failed" }] }),
        "Denied,Failed",
    );
}

#[test]
fn what_has_a_say_in_requests_tells_how_much() {
    let group = "admissionregistration.k8s.io";
    for plural in ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"] {
        check(group, plural, json!({ "webhooks": [{}, {}] }), json!(["a", 2, "60m"]));
    }
    let kind = json!({ "apiVersion": "example.com/v1", "kind": "Limit" });
    let policy = json!({ "spec": { "validations": [{}], "mutations": [{}, {}], "paramKind": kind } });
    check(group, "validatingadmissionpolicies", policy.clone(), json!(["a", 1, "example.com/v1/Limit", "60m"]));
    check(group, "mutatingadmissionpolicies", policy, json!(["a", 2, "example.com/v1/Limit", "60m"]));
    let bound = |of: Value, expect: &str| {
        let object = json!({ "spec": { "policyName": "p", "paramRef": of } });
        check(group, "validatingadmissionpolicybindings", object, json!(["a", "p", expect, "60m"]));
    };
    bound(json!(null), "<unset>");
    bound(json!({ "name": "x" }), "*/x");
    bound(json!({ "name": "x", "namespace": "n" }), "n/x");
    bound(
        json!({ "selector": { "matchLabels": { "a": "b" } } }),
        "&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}",
    );
    let group = "flowcontrol.apiserver.k8s.io";
    let schema = json!({ "spec": { "priorityLevelConfiguration": { "name": "l" }, "matchingPrecedence": 100,
        "distinguisherMethod": { "type": "ByUser" } }, "status": { "conditions": [{ "type": "Dangling", "status": "False" }] } });
    check(group, "flowschemas", schema, json!(["a", "l", 100, "ByUser", "60m", "False"]));
    let queuing = json!({ "queues": 64, "handSize": 6, "queueLengthLimit": 50 });
    let limited = json!({ "nominalConcurrencyShares": 5, "limitResponse": { "queuing": queuing } });
    let level = json!({ "spec": { "type": "Limited", "limited": limited } });
    check(group, "prioritylevelconfigurations", level, json!(["a", "Limited", 5, 64, 6, 50, "60m"]));
    let none = "<none>";
    check(
        group,
        "prioritylevelconfigurations",
        json!({ "spec": { "type": "Exempt" } }),
        json!(["a", "Exempt", none, none, none, none, "60m"]),
    );
    let service = json!({ "spec": { "service": { "namespace": "n", "name": "s" } },
        "status": { "conditions": [{ "type": "Available", "status": "False", "reason": "Gone" }] } });
    check("apiregistration.k8s.io", "apiservices", service, json!(["a", "n/s", "False (Gone)", "60m"]));
    check("apiregistration.k8s.io", "apiservices", json!({}), json!(["a", "Local", "Unknown", "60m"]));
}

#[test]
fn limits_tell_what_is_used() {
    let budget = json!({ "spec": { "minAvailable": "50%" }, "status": { "disruptionsAllowed": 1 } });
    check("policy", "poddisruptionbudgets", budget, json!(["a", "50%", "N/A", 1, "60m"]));
    check(
        "policy",
        "poddisruptionbudgets",
        json!({ "spec": { "maxUnavailable": 1 } }),
        json!(["a", "N/A", "1", 0, "60m"]),
    );
    let hard = json!({ "pods": "10", "limits.cpu": "4", "requests.cpu": "2" });
    let quota = json!({ "status": { "hard": hard, "used": { "pods": "3" } } });
    check("", "resourcequotas", quota, json!(["a", "pods: 3/10, requests.cpu: 0/2", "limits.cpu: 0/4", "60m"]));
    let class = json!({ "value": 7, "preemptionPolicy": "Never" });
    check("scheduling.k8s.io", "priorityclasses", class, json!(["a", 7, false, "60m", "Never"]));
}

#[test]
fn some_kinds_have_little_to_tell() {
    check("", "configmaps", json!({ "data": { "k": "v" }, "binaryData": { "b": "eA==" } }), json!(["a", 2, "60m"]));
    check("", "secrets", json!({ "type": "Opaque", "data": { "k": "v" } }), json!(["a", "Opaque", 1, "60m"]));
    check("", "namespaces", json!({ "status": { "phase": "Active" } }), json!(["a", "Active", "60m"]));
    check("", "serviceaccounts", json!({}), json!(["a", "60m"]));
    check("coordination.k8s.io", "leases", json!({ "spec": { "holderIdentity": "me" } }), json!(["a", "me", "60m"]));
    check("node.k8s.io", "runtimeclasses", json!({ "handler": "runc" }), json!(["a", "runc", "60m"]));
    let healthy = json!({ "type": "Healthy", "status": "True", "message": "ok" });
    check("", "componentstatuses", json!({ "conditions": [healthy] }), json!(["a", "Healthy", "ok", ""]));
    let claim = json!({ "status": { "allocation": {}, "reservedFor": [{}] } });
    check("resource.k8s.io", "resourceclaims", claim, json!(["a", "allocated,reserved", "60m"]));
    check("resource.k8s.io", "resourceclaims", json!({}), json!(["a", "pending", "60m"]));
    let slice = json!({ "spec": { "nodeName": "n", "driver": "d", "pool": { "name": "p" } } });
    check("resource.k8s.io", "resourceslices", slice, json!(["a", "n", "d", "p", "60m"]));
    check("resource.k8s.io", "deviceclasses", json!({}), json!(["a", "60m"]));
}
