//! Reviews: what somebody may do, asked instead of tried.

use serde_json::{Value, json};

use super::{
    attempt::{Attempt, Resource},
    policy::Policy,
    token_review,
    user::User,
};
use crate::{cause::Cause, kind::Kind, refusal::Refusal, timestamp};

/// A question about access, and who asks it.
pub(crate) struct Review<'a> {
    pub(crate) policy: Policy<'a>,
    pub(crate) user: &'a User,
    /// Where it is asked; empty for the cluster.
    pub(crate) namespace: &'a str,
    pub(crate) wall: std::time::Duration,
}

impl Review<'_> {
    /// The review with its answer.
    pub(crate) fn answer(&self, kind: &Kind, mut review: Value) -> Result<Value, Refusal> {
        match kind.kind.as_str() {
            "SelfSubjectReview" => {
                let metadata = json!({ "creationTimestamp": timestamp::format(self.wall) });
                let status = json!({ "userInfo": self.user.shown() });
                Ok(
                    json!({ "kind": kind.kind, "apiVersion": kind.api_version(), "metadata": metadata, "status": status }),
                )
            }
            "SelfSubjectRulesReview" => self.rules(kind, &review),
            "TokenReview" => token_review::answer(review, self.wall),
            name => {
                let user = self.subject(name, &review)?;
                let decision = self.policy.decide(&user, &attempt(&review["spec"]));
                review["status"] = json!({ "allowed": decision.allowed });
                if !decision.reason.is_empty() {
                    review["status"]["reason"] = decision.reason.into();
                }
                Ok(review)
            }
        }
    }

    /// Whom an access review is about; refuses one that cannot be answered.
    fn subject(&self, name: &str, review: &Value) -> Result<User, Refusal> {
        let spec = &review["spec"];
        let mut causes: Vec<Cause> = attributes_cause(spec).into_iter().collect();
        let texts = |field: &str| spec[field].as_array().into_iter().flatten().filter_map(Value::as_str);
        let user = spec["user"].as_str().unwrap_or_default();
        let is_about_self = name == "SelfSubjectAccessReview";
        if !is_about_self && user.is_empty() && texts("groups").next().is_none() {
            causes.push(Cause::invalid("spec.user", "\"\"", "at least one of user or group must be specified"));
        }
        if name == "LocalSubjectAccessReview" {
            let asked = spec["resourceAttributes"]["namespace"].as_str().unwrap_or_default();
            if spec["resourceAttributes"].is_object() && asked != self.namespace {
                let field = "spec.resourceAttributes.namespace";
                causes.push(Cause::invalid(field, format_args!("{asked:?}"), "must match metadata.namespace"));
            }
            if let Some(shown) = shown_path(spec) {
                causes.push(Cause::invalid("spec.nonResourceAttributes", shown, "disallowed on this kind of request"));
            }
        }
        if !causes.is_empty() {
            return Err(Refusal::invalid_review(&causes));
        }
        if is_about_self {
            return Ok(self.user.clone());
        }
        let groups = texts("groups").map(str::to_owned).collect();
        Ok(User { name: user.to_owned(), groups, ..User::default() })
    }

    fn rules(&self, kind: &Kind, review: &Value) -> Result<Value, Refusal> {
        let namespace = review["spec"]["namespace"].as_str().unwrap_or_default();
        if namespace.is_empty() {
            return Err(Refusal::bad_request("no namespace on request"));
        }
        let (rules, lost) = self.policy.rules(self.user, namespace);
        let (paths, resources): (Vec<_>, Vec<_>) = rules.iter().partition(|rule| !rule.urls.is_empty());
        let shown = |rules: Vec<&super::rule::Rule>| rules.into_iter().map(|rule| rule.shown()).collect::<Value>();
        let mut status = json!({
            "resourceRules": shown(resources), "nonResourceRules": shown(paths), "incomplete": !lost.is_empty(),
        });
        if !lost.is_empty() {
            status["evaluationError"] = lost.into();
        }
        Ok(json!({
            "kind": kind.kind, "apiVersion": kind.api_version(), "metadata": {}, "spec": {}, "status": status,
        }))
    }
}

fn attempt(spec: &Value) -> Attempt {
    let text = |part: &str, field: &str| spec[part][field].as_str().unwrap_or_default().to_owned();
    if spec["nonResourceAttributes"].is_object() {
        let (verb, path) = (text("nonResourceAttributes", "verb"), text("nonResourceAttributes", "path"));
        return Attempt::Path { verb, path };
    }
    let text = |field: &str| text("resourceAttributes", field);
    Attempt::Resource(Resource {
        verb: text("verb"),
        group: text("group"),
        resource: text("resource"),
        subresource: text("subresource"),
        namespace: text("namespace"),
        name: text("name"),
    })
}

fn attributes_cause(spec: &Value) -> Option<Cause> {
    match (spec["resourceAttributes"].is_object(), shown_path(spec)) {
        (true, Some(shown)) => {
            let why = "cannot be specified in combination with resourceAttributes";
            Some(Cause::invalid("spec.nonResourceAttributes", shown, why))
        }
        (false, None) => {
            let why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
            Some(Cause::invalid("spec.resourceAttributes", "null", why))
        }
        _ => None,
    }
}

/// The path that a review asks about, as Go writes it.
fn shown_path(spec: &Value) -> Option<String> {
    let path = spec["nonResourceAttributes"].as_object()?;
    let text = |field: &str| path.get(field).cloned().unwrap_or_else(|| "".into());
    Some(format!("{{\"Path\":{},\"Verb\":{}}}", text("path"), text("verb")))
}
