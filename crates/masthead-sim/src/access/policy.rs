//! The roles that are stored, and to whom they are bound.

use std::{collections::BTreeSet, rc::Rc};

use serde_json::Value;

use super::{attempt::Attempt, rule::Rule, user::User};
use crate::{
    object::{Key, Object},
    refusal::Refusal,
    registry::Registry,
    store::Store,
};

/// What the stored roles allow.
pub(crate) struct Policy<'a> {
    pub(crate) kinds: &'a Registry,
    pub(crate) store: &'a Store,
}

/// Whether somebody may do something, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) allowed: bool,
    /// Empty where there is nothing to say.
    pub(crate) reason: String,
}

/// A rule that holds for a user, and through what.
struct Granted {
    rule: Rule,
    source: String,
}

const GROUP: &str = "rbac.authorization.k8s.io";

impl Policy<'_> {
    /// Refuses what the user may not do.
    pub(crate) fn check(&self, user: &User, attempt: &Attempt) -> Result<(), Refusal> {
        let decision = self.decide(user, attempt);
        if decision.allowed { Ok(()) } else { Err(Refusal::denied(user, attempt, &decision.reason)) }
    }

    pub(crate) fn decide(&self, user: &User, attempt: &Attempt) -> Decision {
        if user.is_master() {
            return Decision { allowed: true, reason: String::new() };
        }
        let namespace = match attempt {
            Attempt::Resource(resource) => resource.namespace.as_str(),
            Attempt::Path { .. } => "",
        };
        let (granted, lost) = self.granted(user, namespace);
        match granted.iter().find(|granted| granted.rule.allows(attempt)) {
            Some(Granted { source, .. }) => Decision { allowed: true, reason: format!("RBAC: allowed by {source}") },
            None if lost.is_empty() => Decision { allowed: false, reason: String::new() },
            None => Decision { allowed: false, reason: format!("RBAC: {}", together(&lost)) },
        }
    }

    /// Every rule that holds for a user in a namespace, and what is wrong with the bindings.
    pub(crate) fn rules(&self, user: &User, namespace: &str) -> (Vec<Rule>, String) {
        let (granted, lost) = self.granted(user, namespace);
        (granted.into_iter().map(|granted| granted.rule).collect(), together(&lost))
    }

    fn granted(&self, user: &User, namespace: &str) -> (Vec<Granted>, BTreeSet<String>) {
        let (mut granted, mut lost) = (Vec::new(), BTreeSet::new());
        let cluster = self.bindings("clusterrolebindings", "");
        let local = if namespace.is_empty() { Vec::new() } else { self.bindings("rolebindings", namespace) };
        for binding in cluster.iter().chain(&local) {
            let value = binding.value();
            let mut subjects = value["subjects"].as_array().into_iter().flatten();
            let Some(subject) = subjects.find(|subject| user.is(subject, namespace)) else { continue };
            match self.rules_of(&value["roleRef"], &binding.key.namespace) {
                Ok(rules) => {
                    let source = source(binding, &value, subject);
                    granted.extend(rules.into_iter().map(|rule| Granted { rule, source: source.clone() }));
                }
                Err(missing) => drop(lost.insert(missing)),
            }
        }
        (granted, lost)
    }

    fn bindings(&self, plural: &str, namespace: &str) -> Vec<Rc<Object>> {
        let all = self.kinds.find(GROUP, "v1", plural).and_then(|kind| self.store.all(kind));
        let all = all.into_iter().flat_map(|all| all.values());
        all.filter(|binding| *binding.key.namespace == *namespace).cloned().collect()
    }

    /// The rules of the role that a binding names, or what to say where there is none.
    fn rules_of(&self, reference: &Value, namespace: &str) -> Result<Vec<Rule>, String> {
        let name = reference["name"].as_str().unwrap_or_default();
        let (plural, key) = match reference["kind"].as_str() {
            Some("Role") => ("roles", Key::new(namespace, name)),
            _ => ("clusterroles", Key::new("", name)),
        };
        let role = self.kinds.find(GROUP, "v1", plural).and_then(|kind| self.store.get(kind, &key));
        let role = role.ok_or_else(|| format!("{}.{GROUP} \"{name}\" not found", &plural[..plural.len() - 1]))?;
        Ok(role.value()["rules"].as_array().into_iter().flatten().map(Rule::read).collect())
    }
}

/// What a rule comes from, as a decision names it.
fn source(binding: &Object, value: &Value, subject: &Value) -> String {
    let text = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_owned();
    let named = match &*binding.key.namespace {
        "" => binding.key.name.to_string(),
        namespace => format!("{}/{namespace}", binding.key.name),
    };
    let subject_name = match text(subject, "kind").as_str() {
        "ServiceAccount" => format!("{}/{}", text(subject, "name"), text(subject, "namespace")),
        _ => text(subject, "name"),
    };
    format!(
        "{} {named:?} of {} {:?} to {} {subject_name:?}",
        binding.kind.kind,
        text(&value["roleRef"], "kind"),
        text(&value["roleRef"], "name"),
        text(subject, "kind"),
    )
}

/// Several things that are wrong, as Go puts them together.
fn together(all: &BTreeSet<String>) -> String {
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    if let [one] = all.as_slice() {
        (*one).to_owned()
    } else if all.is_empty() {
        String::new()
    } else {
        format!("[{}]", all.join(", "))
    }
}
