//! The roles and bindings that every cluster begins with.

use serde_json::{Map, Value, json};

use crate::{refusal::Refusal, write::Write};

/// As a 1.36 server makes them, a line for each role, each of its rules and each binding.
///
/// `role NAME LABEL… <AGGREGATED-LABEL…`, then its rules: verbs, groups (`-` is the core), resources and names, or verbs and
/// paths. `binding NAME KIND=ROLE SUBJECT…`. A name with a namespace is `namespace/name`.
const POLICY: &str = include_str!("defaults.txt");

/// Stores them.
pub(crate) fn seed(write: &mut Write<'_>) -> Result<(), Refusal> {
    for object in objects() {
        let text = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
        if let Some(kind) = write.kinds.of_object(&text("apiVersion"), &text("kind")).cloned() {
            write.seed(&kind, object)?;
        }
    }
    Ok(())
}

fn objects() -> Vec<Value> {
    let mut objects: Vec<Value> = Vec::new();
    for line in POLICY.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["role", name, labels @ ..] => objects.push(role(name, labels)),
            ["binding", name, role, subjects @ ..] => objects.push(binding(name, role, subjects)),
            rule => {
                let role = objects.last_mut().and_then(|role| role["rules"].as_array_mut());
                role.expect("a rule follows its role").push(read_rule(rule));
            }
        }
    }
    objects
}

fn role(name: &str, labels: &[&str]) -> Value {
    let is_selector = |label: &&&str| label.starts_with('<');
    let mut role = object(name, "Role", "ClusterRole");
    for label in labels.iter().filter(|label| !is_selector(label)) {
        role["metadata"]["labels"][*label] = "true".into();
    }
    let selectors = labels.iter().filter(is_selector).map(|label| json!({ "matchLabels": { &label[1..]: "true" } }));
    let selectors: Vec<Value> = selectors.collect();
    if !selectors.is_empty() {
        role["aggregationRule"] = json!({ "clusterRoleSelectors": selectors });
    }
    role["rules"] = json!([]);
    role
}

fn read_rule(words: &[&str]) -> Value {
    let list = |word: &str| word.split(',').map(|part| if part == "-" { "" } else { part }).collect::<Value>();
    let names: &[&str] = match words.len() {
        2 => &["verbs", "nonResourceURLs"],
        _ => &["verbs", "apiGroups", "resources", "resourceNames"],
    };
    Value::Object(names.iter().zip(words).map(|(name, word)| ((*name).to_owned(), list(word))).collect())
}

fn binding(name: &str, role: &str, subjects: &[&str]) -> Value {
    let (kind, role) = role.split_once('=').unwrap_or(("ClusterRole", role));
    let subjects: Vec<Value> = subjects
        .iter()
        .map(|subject| match subject.split_once('=').unwrap_or(("user", subject)) {
            ("account", account) => {
                let (namespace, name) = account.split_once('/').unwrap_or(("", account));
                json!({ "kind": "ServiceAccount", "name": name, "namespace": namespace })
            }
            ("group", name) => json!({ "apiGroup": GROUP, "kind": "Group", "name": name }),
            (_, name) => json!({ "apiGroup": GROUP, "kind": "User", "name": name }),
        })
        .collect();
    let mut binding = object(name, "RoleBinding", "ClusterRoleBinding");
    binding["roleRef"] = json!({ "apiGroup": GROUP, "kind": kind, "name": role });
    if !subjects.is_empty() {
        binding["subjects"] = subjects.into();
    }
    binding
}

/// An object of the kind for its scope, with what marks those that a server begins with.
fn object(name: &str, local: &str, cluster: &str) -> Value {
    let (namespace, name) = name.split_once('/').unwrap_or(("", name));
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), name.into());
    metadata.insert("labels".to_owned(), json!({ "kubernetes.io/bootstrapping": "rbac-defaults" }));
    metadata.insert("annotations".to_owned(), json!({ "rbac.authorization.kubernetes.io/autoupdate": "true" }));
    if !namespace.is_empty() {
        metadata.insert("namespace".to_owned(), namespace.into());
    }
    let kind = if namespace.is_empty() { cluster } else { local };
    json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata })
}

const GROUP: &str = "rbac.authorization.k8s.io";
