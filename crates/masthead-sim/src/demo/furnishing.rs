//! What the demo's workloads use: classes, services, ingresses, volumes, configuration, budgets, autoscalers, certificates.

use serde_json::{Value, json};

use super::{
    Founding,
    company::{App, INGRESSES, NAMESPACES, Shape, Twist},
};

impl Founding<'_> {
    /// Puts in place what is there before the workloads.
    pub(super) fn furnish(&mut self) {
        self.put(json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
            "metadata": {
                "name": "gp3", "annotations": { "storageclass.kubernetes.io/is-default-class": "true" },
                "creationTimestamp": self.hours_ago(2100),
            },
            "provisioner": "ebs.csi.aws.com", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer",
            "allowVolumeExpansion": true, "parameters": { "type": "gp3", "encrypted": "true" },
        }));
        self.put(json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "IngressClass",
            "metadata": { "name": "nginx", "creationTimestamp": self.hours_ago(720) },
            "spec": { "controller": "k8s.io/ingress-nginx" },
        }));
        for namespace in NAMESPACES {
            let created = self.hours_ago(1400);
            self.put(json!({
                "apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/dockerconfigjson",
                "metadata": { "name": "registry-acme-io", "namespace": namespace, "creationTimestamp": created },
                "data": { ".dockerconfigjson": "eyJhdXRocyI6e319" },
            }));
            self.put(json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": { "name": "telemetry", "namespace": namespace, "creationTimestamp": created },
                "data": { "endpoint": "http://otel-collector.monitoring:4317", "sampling": "0.05" },
            }));
        }
        self.certificates();
        for (host, namespace, service) in INGRESSES {
            self.ingress(host, namespace, service);
        }
    }

    /// The service of an app, with its budget and its autoscaler.
    pub(super) fn service(&mut self, app: &App, labels: &Value) {
        let (created, scoped) = (self.hours_ago(app.age * 2), !matches!(app.shape, Shape::DaemonSet));
        if !scoped {
            return;
        }
        let port = if app.port == 53 { 53 } else { 80 };
        let mut spec = json!({
            "selector": labels, "ports": [{ "name": "http", "port": port, "targetPort": app.port, "protocol": "TCP" }],
        });
        match app.shape {
            Shape::StatefulSet(..) => spec["clusterIP"] = "None".into(),
            _ => {
                self.remembered += 1;
                spec["clusterIP"] = format!("10.96.{}.{}", self.remembered / 250, self.remembered % 250 + 5).into();
                spec["clusterIPs"] = json!([spec["clusterIP"]]);
            }
        }
        if app.namespace == "ingress-nginx" {
            spec["type"] = "LoadBalancer".into();
        }
        let mut service = json!({
            "apiVersion": "v1", "kind": "Service", "spec": spec,
            "metadata": {
                "name": app.name, "namespace": app.namespace, "labels": labels, "creationTimestamp": created,
            },
        });
        if app.namespace == "ingress-nginx" {
            let host = "a1b2c3d4e5f6-1234567890.eu-central-1.elb.amazonaws.com";
            service["status"] = json!({ "loadBalancer": { "ingress": [{ "hostname": host }] } });
        }
        self.put(service);
        let many = matches!(app.shape, Shape::Deployment(replicas) if replicas > 2);
        if many || matches!(app.shape, Shape::StatefulSet(..)) {
            self.put(json!({
                "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                "metadata": { "name": app.name, "namespace": app.namespace, "creationTimestamp": created },
                "spec": { "maxUnavailable": 1, "selector": { "matchLabels": labels } },
            }));
        }
        if let Twist::Scaled(least, most) = app.twist {
            self.autoscaler(app, (least, most), &created);
        }
    }

    fn autoscaler(&mut self, app: &App, (least, most): (u64, u64), created: &str) {
        let Shape::Deployment(replicas) = app.shape else { return };
        let target = json!({ "type": "Utilization", "averageUtilization": 70 });
        let current = json!({ "averageUtilization": 64, "averageValue": "96m" });
        self.put(json!({
            "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
            "metadata": { "name": app.name, "namespace": app.namespace, "creationTimestamp": created },
            "spec": {
                "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": app.name },
                "minReplicas": least, "maxReplicas": most,
                "metrics": [{ "type": "Resource", "resource": { "name": "cpu", "target": target } }],
            },
            "status": {
                "currentReplicas": replicas, "desiredReplicas": replicas,
                "currentMetrics": [{ "type": "Resource", "resource": { "name": "cpu", "current": current } }],
            },
        }));
    }

    /// The claim of a pod of a stateful set, with its volume.
    pub(super) fn claim(&mut self, app: &App, pod: &str, size: &str, created: &str) {
        let (name, uid) = (format!("data-{pod}"), crate::fleet::uid(&self.sim.shared().runtime));
        let volume = format!("pvc-{uid}");
        let claim = self.put(json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim",
            "metadata": {
                "name": name, "namespace": app.namespace, "uid": uid, "creationTimestamp": created,
                "labels": { "app.kubernetes.io/name": app.name }, "finalizers": ["kubernetes.io/pvc-protection"],
                "annotations": {
                    "pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes",
                    "volume.kubernetes.io/storage-provisioner": "ebs.csi.aws.com",
                },
            },
            "spec": {
                "accessModes": ["ReadWriteOnce"], "storageClassName": "gp3", "volumeMode": "Filesystem",
                "volumeName": volume, "resources": { "requests": { "storage": size } },
            },
            "status": { "phase": "Bound", "accessModes": ["ReadWriteOnce"], "capacity": { "storage": size } },
        }));
        self.put(json!({
            "apiVersion": "v1", "kind": "PersistentVolume",
            "metadata": {
                "name": volume, "creationTimestamp": created, "finalizers": ["kubernetes.io/pv-protection"],
                "annotations": { "pv.kubernetes.io/provisioned-by": "ebs.csi.aws.com" },
            },
            "spec": {
                "capacity": { "storage": size }, "accessModes": ["ReadWriteOnce"], "storageClassName": "gp3",
                "persistentVolumeReclaimPolicy": "Delete", "volumeMode": "Filesystem",
                "claimRef": {
                    "apiVersion": "v1", "kind": "PersistentVolumeClaim", "name": name, "namespace": app.namespace,
                    "uid": claim["metadata"]["uid"],
                },
                "csi": { "driver": "ebs.csi.aws.com", "fsType": "ext4", "volumeHandle": format!("vol-0{}", &volume[4..12]) },
            },
            "status": { "phase": "Bound" },
        }));
    }

    fn ingress(&mut self, host: &str, namespace: &str, service: &str) {
        let backend = json!({ "service": { "name": service, "port": { "name": "http" } } });
        self.put(json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "Ingress",
            "metadata": {
                "name": service, "namespace": namespace, "creationTimestamp": self.hours_ago(690),
                "annotations": { "cert-manager.io/cluster-issuer": "letsencrypt" },
            },
            "spec": {
                "ingressClassName": "nginx", "tls": [{ "hosts": [host], "secretName": format!("{service}-tls") }],
                "rules": [{ "host": host, "http": { "paths": [{
                    "path": "/", "pathType": "Prefix", "backend": backend,
                }] } }],
            },
            "status": { "loadBalancer": { "ingress": [{
                "hostname": "a1b2c3d4e5f6-1234567890.eu-central-1.elb.amazonaws.com",
            }] } },
        }));
        self.put(json!({
            "apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
            "metadata": { "name": format!("{service}-tls"), "namespace": namespace, "creationTimestamp": self.hours_ago(690) },
            "data": { "tls.crt": "LS0tLS1CRUdJTg==", "tls.key": "LS0tLS1CRUdJTg==" },
        }));
        let (ready, reason) = if service == "argocd-server" { ("False", "DoesNotExist") } else { ("True", "Ready") };
        self.put(json!({
            "apiVersion": "cert-manager.io/v1", "kind": "Certificate",
            "metadata": { "name": format!("{service}-tls"), "namespace": namespace, "creationTimestamp": self.hours_ago(690) },
            "spec": {
                "secretName": format!("{service}-tls"), "dnsNames": [host],
                "issuerRef": { "group": "cert-manager.io", "kind": "ClusterIssuer", "name": "letsencrypt" },
            },
            "status": { "conditions": [{ "type": "Ready", "status": ready, "reason": reason }] },
        }));
    }

    fn certificates(&mut self) {
        let text = json!({ "type": "string" });
        let column = |name: &str, path: &str| json!({ "name": name, "type": "string", "jsonPath": path });
        let open = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        self.put(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": { "name": "certificates.cert-manager.io", "creationTimestamp": self.hours_ago(700) },
            "spec": {
                "group": "cert-manager.io", "scope": "Namespaced",
                "names": {
                    "kind": "Certificate", "listKind": "CertificateList", "plural": "certificates",
                    "singular": "certificate", "shortNames": ["cert", "certs"], "categories": ["cert-manager"],
                },
                "versions": [{
                    "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                    "additionalPrinterColumns": [
                        column("Ready", ".status.conditions[?(@.type==\"Ready\")].status"),
                        column("Secret", ".spec.secretName"),
                        { "name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp" },
                    ],
                    "schema": { "openAPIV3Schema": { "type": "object", "properties": {
                        "spec": {
                            "type": "object", "required": ["secretName", "issuerRef"],
                            "properties": {
                                "secretName": text, "issuerRef": open,
                                "dnsNames": { "type": "array", "items": text },
                            },
                        },
                        "status": open,
                    } } },
                }],
            },
        }));
    }
}
