//! Which other objects refer to an object, and which it refers to.
//!
//! No server answers the first, so that each object that might is looked at. Where to look is a table.

use masthead::labels::Selector;
use serde_json::{Value, json};

use super::{object::Object, reference::Reference, relation::selector};

/// Objects of one kind that may refer to an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// The id of their kind.
    pub kind: &'static str,
    /// Where they lie; empty for all namespaces, and for kinds that lie in none.
    pub namespace: String,
    /// How they would refer to it.
    tie: Tie,
}

/// How one object refers to another.
#[derive(Clone, Debug, PartialEq)]
enum Tie {
    /// At one of these places below `base` stands this, or an object with these members. A place is members with slashes
    /// between them, `*` for all of a list, `@` for all containers.
    Names { base: &'static str, places: Vec<&'static str>, what: Value },
    /// The selector at this place selects an object of these labels.
    Selects { place: &'static str, labels: Vec<(String, String)> },
}

impl Usage {
    /// Who may refer to a complete object.
    pub fn of(object: &Value) -> Vec<Usage> {
        let object = Object(object);
        let [kind, name, namespace] = ["/kind", "/metadata/name", "/metadata/namespace"].map(|path| object.text(path));
        let mut all = Vec::new();
        if !is_kubernetes(object) {
            return all;
        }
        let places: Vec<&str> = IN_POD_SPEC.iter().filter(|(to, _)| *to == kind).map(|(_, place)| *place).collect();
        if !places.is_empty() {
            all.extend(POD_SPECS.iter().map(|(id, _, base)| Usage {
                kind: id,
                namespace: namespace.to_owned(),
                tie: Tie::Names { base, places: places.clone(), what: name.into() },
            }));
        }
        let what = |form: Form| match form {
            Form::Name => name.into(),
            Form::KindAndName => json!({ "kind": kind, "name": name }),
            Form::Everything => json!({ "kind": kind, "name": name, "namespace": namespace }),
        };
        all.extend(ELSEWHERE.iter().filter(|(to, ..)| to.split(' ').any(|to| to == kind)).map(
            |(_, form, id, places)| Usage {
                kind: id,
                namespace: if matches!(form, Form::Everything) { String::new() } else { namespace.to_owned() },
                tie: Tie::Names { base: "", places: places.to_vec(), what: what(*form) },
            },
        ));
        let labels = match kind {
            "Pod" => object.pairs("/metadata/labels"),
            "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" => object.pairs("/spec/template/metadata/labels"),
            _ => return all,
        };
        let labels: Vec<(String, String)> = labels.map(|(key, value)| (key.to_owned(), value)).collect();
        all.extend(SELECTORS.iter().map(|(id, place)| Usage {
            kind: id,
            namespace: namespace.to_owned(),
            tie: Tie::Selects { place, labels: labels.clone() },
        }));
        all
    }

    /// Whether they would select it, rather than name it.
    pub fn is_selection(&self) -> bool {
        matches!(self.tie, Tie::Selects { .. })
    }

    /// Whether the object with this JSON refers to it.
    pub fn is_by(&self, json: &[u8]) -> bool {
        match &self.tie {
            Tie::Names { base, places, what } => {
                let name = what.as_str().or_else(|| what["name"].as_str()).unwrap_or_default();
                // Most objects have not even its name in them.
                json.windows(name.len().max(1)).any(|part| part == name.as_bytes())
                    && serde_json::from_slice(json).is_ok_and(|object: Value| {
                        let mut named = false;
                        places.iter().for_each(|place| {
                            visit(Object(&object).at(base), place, &mut |found| named |= holds(found.0, what));
                        });
                        named
                    })
            }
            Tie::Selects { place, labels } => {
                serde_json::from_slice(json).is_ok_and(|object: Value| selects(Object(&object).at(place), labels))
            }
        }
    }
}

/// Which objects an object refers to, as far as it makes pods or is one; each once, by kind and name.
pub fn used_by(object: &Value) -> Vec<Reference> {
    let object = Object(object);
    let spec = POD_SPECS.iter().find(|(_, kind, _)| *kind == object.text("/kind"));
    let Some((_, _, base)) = spec.filter(|_| is_kubernetes(object)) else { return Vec::new() };
    let namespace = object.text("/metadata/namespace");
    let mut all = Vec::new();
    for (kind, place) in IN_POD_SPEC {
        visit(object.at(base), place, &mut |found| {
            if let Some(name) = found.0.as_str().filter(|name| !name.is_empty()) {
                all.push(Reference::new("v1", kind, namespace, name));
            }
        });
    }
    all.sort_by(|one, other| (&one.kind, &one.name).cmp(&(&other.kind, &other.name)));
    all.dedup();
    all
}

/// Whether the kind is Kubernetes' own: others have Services and Jobs too.
fn is_kubernetes(object: Object<'_>) -> bool {
    let group = object.text("/apiVersion").split_once('/').map_or("", |(group, _)| group);
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// Calls `found` with everything that lies at `place`.
fn visit<'a>(at: Object<'a>, place: &str, found: &mut dyn FnMut(Object<'a>)) {
    let (first, rest) = match place.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (place, None),
    };
    let mut go_on = |next: Object<'a>| match rest {
        _ if !next.exists() => {}
        Some(rest) => visit(next, rest, found),
        None => found(next),
    };
    match first {
        "*" => at.items("").for_each(go_on),
        "@" => ["/containers", "/initContainers", "/ephemeralContainers"]
            .iter()
            .flat_map(|list| at.items(list))
            .for_each(go_on),
        member => go_on(Object(at.0.get(member).unwrap_or(&Value::Null))),
    }
}

/// Whether `found` is what is looked for, or has all of its members.
fn holds(found: &Value, what: &Value) -> bool {
    match what {
        Value::Object(members) => members.iter().all(|(member, value)| found.get(member) == Some(value)),
        _ => found == what,
    }
}

/// Whether a selector selects these labels. One that is empty selects everything where it is of the newer form, and nothing
/// in a Service, which has none then.
fn selects(written: Object<'_>, labels: &[(String, String)]) -> bool {
    let plain = written.0.as_object().is_none_or(|members| {
        !members.is_empty() && !members.contains_key("matchLabels") && !members.contains_key("matchExpressions")
    });
    let label = |key: &str| labels.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    match selector(written) {
        Some(text) => text.parse::<Selector>().is_ok_and(|selector| selector.matches(label)),
        None => !plain,
    }
}

/// What stands where something is named.
#[derive(Clone, Copy)]
enum Form {
    /// Its name, in the same namespace.
    Name,
    /// Kind and name, in the same namespace.
    KindAndName,
    /// Kind, name and namespace, from wherever.
    Everything,
}

/// Kinds that are or make pods: id, kind, and where the spec of the pod is.
const POD_SPECS: &[(&str, &str, &str)] = &[
    ("pods", "Pod", "/spec"),
    ("deployments.apps", "Deployment", "/spec/template/spec"),
    ("statefulsets.apps", "StatefulSet", "/spec/template/spec"),
    ("daemonsets.apps", "DaemonSet", "/spec/template/spec"),
    ("jobs.batch", "Job", "/spec/template/spec"),
    ("cronjobs.batch", "CronJob", "/spec/jobTemplate/spec/template/spec"),
];

/// What is named in the spec of a pod, and where.
const IN_POD_SPEC: &[(&str, &str)] = &[
    ("ConfigMap", "volumes/*/configMap/name"),
    ("ConfigMap", "volumes/*/projected/sources/*/configMap/name"),
    ("ConfigMap", "@/envFrom/*/configMapRef/name"),
    ("ConfigMap", "@/env/*/valueFrom/configMapKeyRef/name"),
    ("Secret", "volumes/*/secret/secretName"),
    ("Secret", "volumes/*/projected/sources/*/secret/name"),
    ("Secret", "volumes/*/csi/nodePublishSecretRef/name"),
    ("Secret", "@/envFrom/*/secretRef/name"),
    ("Secret", "@/env/*/valueFrom/secretKeyRef/name"),
    ("Secret", "imagePullSecrets/*/name"),
    ("PersistentVolumeClaim", "volumes/*/persistentVolumeClaim/claimName"),
    ("ServiceAccount", "serviceAccountName"),
];

/// What is named elsewhere: kinds, in which form, by which kind, and where.
const ELSEWHERE: &[(&str, Form, &str, &[&str])] = &[
    ("Secret", Form::Name, "ingresses.networking.k8s.io", &["spec/tls/*/secretName"]),
    ("Secret", Form::Name, "serviceaccounts", &["secrets/*/name", "imagePullSecrets/*/name"]),
    (
        "Service",
        Form::Name,
        "ingresses.networking.k8s.io",
        &["spec/rules/*/http/paths/*/backend/service/name", "spec/defaultBackend/service/name"],
    ),
    ("Service", Form::Name, "statefulsets.apps", &["spec/serviceName"]),
    (
        "Deployment StatefulSet ReplicaSet",
        Form::KindAndName,
        "horizontalpodautoscalers.autoscaling",
        &["spec/scaleTargetRef"],
    ),
    ("ServiceAccount", Form::Everything, "rolebindings.rbac.authorization.k8s.io", &["subjects/*"]),
    ("ServiceAccount", Form::Everything, "clusterrolebindings.rbac.authorization.k8s.io", &["subjects/*"]),
    ("Role ClusterRole", Form::KindAndName, "rolebindings.rbac.authorization.k8s.io", &["roleRef"]),
    ("ClusterRole", Form::KindAndName, "clusterrolebindings.rbac.authorization.k8s.io", &["roleRef"]),
    ("PersistentVolume", Form::Name, "persistentvolumeclaims", &["spec/volumeName"]),
    ("StorageClass", Form::Name, "persistentvolumeclaims", &["spec/storageClassName"]),
    ("StorageClass", Form::Name, "persistentvolumes", &["spec/storageClassName"]),
    ("IngressClass", Form::Name, "ingresses.networking.k8s.io", &["spec/ingressClassName"]),
];

/// What selects pods, and where.
const SELECTORS: &[(&str, &str)] = &[
    ("services", "/spec/selector"),
    ("poddisruptionbudgets.policy", "/spec/selector"),
    ("networkpolicies.networking.k8s.io", "/spec/podSelector"),
];

#[cfg(test)]
mod tests;
