//! Which other objects belong to an object: a question that the server answers.

use serde_json::Value;

use super::{label::Label, object::Object};

/// A list of objects to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// What they are to the object.
    pub label: Label,
    /// Their group, version and plural name.
    pub resource: [&'static str; 3],
    /// The namespace; empty for all.
    pub namespace: String,
    /// The label selector; empty for none.
    pub labels: String,
    /// The field selector; empty for none.
    pub fields: String,
    /// Only those that the object of this uid controls; empty for all.
    pub owner: String,
}

impl Relation {
    pub(super) fn pods(object: Object<'_>, labels: String) -> Relation {
        Relation {
            label: Label::Pods,
            resource: ["", "v1", "pods"],
            namespace: object.text("/metadata/namespace").to_owned(),
            labels,
            fields: String::new(),
            owner: String::new(),
        }
    }

    /// The same, of what the object controls only.
    pub(super) fn owned_by(mut self, object: Object<'_>) -> Relation {
        self.owner = object.text("/metadata/uid").to_owned();
        self
    }

    /// The events of the object of this uid.
    pub fn events(namespace: &str, uid: &str) -> Relation {
        Relation {
            label: Label::Events,
            resource: ["", "v1", "events"],
            namespace: namespace.to_owned(),
            labels: String::new(),
            fields: format!("involvedObject.uid={uid}"),
            owner: String::new(),
        }
    }
}

/// A label selector as requests have it; `None` where there is none, or one that selects nothing.
pub(super) fn selector(written: Object<'_>) -> Option<String> {
    let Value::Object(members) = written.0 else { return None };
    if !members.contains_key("matchLabels") && !members.contains_key("matchExpressions") {
        return Some(equal(written)).filter(|text| !text.is_empty());
    }
    let mut terms = vec![equal(written.at("/matchLabels"))];
    for expression in written.items("/matchExpressions") {
        let (key, values) = (expression.text("/key"), expression.joined("/values"));
        terms.push(match expression.text("/operator") {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            "DoesNotExist" => format!("!{key}"),
            _ => return None,
        });
    }
    terms.retain(|term| !term.is_empty());
    Some(terms.join(",")).filter(|text| !text.is_empty())
}

fn equal(labels: Object<'_>) -> String {
    labels.pairs("").map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
}
