//! One deployment of a load, and the pods it asks for.

use serde_json::{Map, Value, json};

/// Chooses the stage that kwok plays for a pod; absent on pods that simply run.
pub(crate) const BEHAVIOUR_LABEL: &str = "masthead.dev/behaviour";
/// Tells one load's objects from another's.
pub(crate) const RUN_LABEL: &str = "masthead.dev/load";

/// What becomes of a deployment's pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    Run,
    CrashLoop,
    ImagePull,
    /// Its node selector matches no node.
    Unschedulable,
}

/// One deployment of a load.
#[derive(Debug)]
pub(crate) struct Deployment {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) replicas: usize,
    pub(crate) behaviour: Behaviour,
    pub(crate) app: &'static str,
    pub(crate) run: String,
}

impl Deployment {
    pub(crate) fn collection(&self) -> String {
        format!("/apis/apps/v1/namespaces/{}/deployments", self.namespace)
    }

    pub(crate) fn object(&self) -> Value {
        json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {
                "name": self.name,
                "labels": self.labels(),
                "annotations": { "deployment.kubernetes.io/revision": "1" },
            },
            "spec": {
                "replicas": self.replicas,
                "revisionHistoryLimit": 2,
                "selector": { "matchLabels": self.selector() },
                "template": self.template(),
            },
        })
    }

    pub(crate) fn selector(&self) -> Value {
        json!({ "app.kubernetes.io/instance": self.name })
    }

    pub(crate) fn template(&self) -> Value {
        json!({ "metadata": { "labels": self.labels(), "annotations": self.annotations() }, "spec": self.pod() })
    }

    fn labels(&self) -> Value {
        let mut labels = Map::from_iter([
            ("app.kubernetes.io/name".to_owned(), json!(self.app)),
            ("app.kubernetes.io/instance".to_owned(), json!(self.name)),
            (RUN_LABEL.to_owned(), json!(self.run)),
        ]);
        let behaviour = match self.behaviour {
            Behaviour::Run => None,
            Behaviour::CrashLoop => Some("crash-loop"),
            Behaviour::ImagePull => Some("image-pull"),
            Behaviour::Unschedulable => Some("unschedulable"),
        };
        if let Some(behaviour) = behaviour {
            labels.insert(BEHAVIOUR_LABEL.to_owned(), json!(behaviour));
        }
        Value::Object(labels)
    }

    fn annotations(&self) -> Value {
        json!({ "checksum/config": format!("{:032x}", self.replicas * 7919) })
    }

    fn pod(&self) -> Value {
        let mut pod = json!({
            "containers": [self.container()],
            "volumes": [{ "name": "config", "configMap": { "name": format!("{}-config", self.app) } }],
        });
        if self.behaviour == Behaviour::Unschedulable {
            pod["nodeSelector"] = json!({ "masthead.dev/accelerator": "none-has-it" });
        }
        pod
    }

    /// Small on purpose: with what the server, kwok and a restart add, a crash-looping pod stays under 6 KB.
    fn container(&self) -> Value {
        let secret = json!({ "secretKeyRef": { "name": format!("{}-db", self.app), "key": "url" } });
        json!({
            "name": self.app,
            "image": format!("registry.example.com/shop/{}:4.17.2", self.app),
            "ports": [{ "name": "http", "containerPort": 8080 }],
            "env": [{ "name": "DATABASE_URL", "valueFrom": secret }],
            "resources": { "requests": { "cpu": "50m", "memory": "64Mi" } },
            "readinessProbe": { "httpGet": { "path": "/readyz", "port": "http" }, "periodSeconds": 10 },
            "volumeMounts": [{ "name": "config", "mountPath": "/etc/app" }],
        })
    }
}
