//! The deployments a load is made of.

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
    app: &'static str,
    run: String,
}

const APPS: [&str; 12] = [
    "checkout",
    "catalogue",
    "payments",
    "search",
    "sessions",
    "ledger",
    "mailer",
    "gateway",
    "recommender",
    "invoices",
    "inventory",
    "thumbnails",
];
/// Repeated until the pods are used up: many small deployments, some large ones.
const SIZES: [usize; 10] = [3, 40, 5, 20, 60, 2, 30, 10, 50, 15];

/// Splits `pods` into deployments spread over `namespaces`.
pub(crate) fn plan(pods: usize, namespaces: usize, run: &str) -> Vec<Deployment> {
    let mut left = pods;
    let mut plan = Vec::new();
    while left > 0 {
        let index = plan.len();
        let behaviour = behaviour(index);
        let wish = if behaviour == Behaviour::Run { SIZES[index % SIZES.len()] } else { 4 };
        let replicas = wish.min(left);
        left -= replicas;
        let app = APPS[index % APPS.len()];
        plan.push(Deployment {
            namespace: namespace(index % namespaces.max(1)),
            name: format!("{app}-{run}-{index}"),
            replicas,
            behaviour,
            app,
            run: run.to_owned(),
        });
    }
    plan
}

pub(crate) fn namespace(index: usize) -> String {
    format!("load-{index}")
}

/// About two in a hundred pods crash, one lacks its image and one its node.
fn behaviour(index: usize) -> Behaviour {
    match index % 40 {
        7 | 17 | 27 => Behaviour::CrashLoop,
        12 | 34 => Behaviour::ImagePull,
        22 => Behaviour::Unschedulable,
        _ => Behaviour::Run,
    }
}

impl Deployment {
    pub(crate) fn collection(&self) -> String {
        format!("/apis/apps/v1/namespaces/{}/deployments", self.namespace)
    }

    pub(crate) fn object(&self) -> Value {
        let selector = json!({ "app.kubernetes.io/instance": self.name });
        json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": { "name": self.name, "labels": self.labels() },
            "spec": {
                "replicas": self.replicas,
                "revisionHistoryLimit": 2,
                "selector": { "matchLabels": selector },
                "template": { "metadata": { "labels": self.labels(), "annotations": self.annotations() }, "spec": self.pod() },
            },
        })
    }

    fn labels(&self) -> Value {
        let mut labels = Map::from_iter([
            ("app.kubernetes.io/name".to_owned(), json!(self.app)),
            ("app.kubernetes.io/instance".to_owned(), json!(self.name)),
            ("app.kubernetes.io/version".to_owned(), json!("4.17.2")),
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
        json!({
            "checksum/config": format!("{:032x}", self.replicas * 7919),
            "prometheus.io/scrape": "true",
        })
    }

    fn pod(&self) -> Value {
        let mut pod = json!({
            "containers": [self.container()],
            "volumes": [
                { "name": "config", "configMap": { "name": format!("{}-config", self.app) } },
            ],
        });
        if self.behaviour == Behaviour::Unschedulable {
            pod["nodeSelector"] = json!({ "masthead.dev/accelerator": "none-has-it" });
        }
        pod
    }

    fn container(&self) -> Value {
        let probe = |path: &str| json!({ "httpGet": { "path": path, "port": "http" }, "periodSeconds": 10 });
        let secret = json!({ "secretKeyRef": { "name": format!("{}-db", self.app), "key": "url" } });
        json!({
            "name": self.app,
            "image": format!("registry.example.com/shop/{}:4.17.2", self.app),
            "ports": [{ "name": "http", "containerPort": 8080 }],
            "env": [
                { "name": "POD_NAME", "valueFrom": { "fieldRef": { "fieldPath": "metadata.name" } } },
                { "name": "DATABASE_URL", "valueFrom": secret },
            ],
            "resources": { "requests": { "cpu": "50m", "memory": "64Mi" } },
            "livenessProbe": probe("/healthz"),
            "readinessProbe": probe("/readyz"),
            "volumeMounts": [
                { "name": "config", "mountPath": "/etc/app", "readOnly": true },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_exactly_the_pods_asked_for() {
        for pods in [0, 1, 7, 250, 10_000] {
            let plan = plan(pods, 3, "x");
            assert_eq!(plan.iter().map(|it| it.replicas).sum::<usize>(), pods);
            assert!(plan.iter().all(|it| it.replicas > 0));
        }
    }

    #[test]
    fn most_pods_run_and_every_behaviour_appears() {
        let plan = plan(10_000, 5, "x");
        let pods = |behaviour| plan.iter().filter(|it| it.behaviour == behaviour).map(|it| it.replicas).sum::<usize>();
        assert!(pods(Behaviour::Run) > 9_500);
        for rare in [Behaviour::CrashLoop, Behaviour::ImagePull, Behaviour::Unschedulable] {
            assert!(pods(rare) > 20, "{rare:?}");
        }
    }
}
