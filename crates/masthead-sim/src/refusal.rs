//! What the server says when it does not do what it was asked: a `Status`, worded as the real server words it.

use serde_json::{Map, Value, json};

use crate::{
    access::{Attempt, User},
    cause::Cause,
    kind::{Kind, qualified},
};

/// A request that was refused.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) code: u16,
    reason: &'static str,
    message: String,
    details: Option<Value>,
    /// The token of a page that can still be had, where a list expired.
    resume: Option<String>,
    pub(crate) retry_after: Option<u32>,
}

impl Refusal {
    fn new(code: u16, reason: &'static str, message: impl Into<String>, details: Option<Value>) -> Refusal {
        Refusal { code, reason, message: message.into(), details, resume: None, retry_after: None }
    }

    /// A status of any code, as a fault asks for it.
    pub(crate) fn scripted(code: u16, retry_after: Option<u32>) -> Refusal {
        let (reason, message) = match code {
            401 => ("Unauthorized", "Unauthorized"),
            403 => ("Forbidden", "forbidden"),
            404 => ("NotFound", "the server could not find the requested resource"),
            409 => ("Conflict", "the server reported a conflict"),
            410 => ("Expired", "too old resource version"),
            429 => ("TooManyRequests", "too many requests, please try again later"),
            503 => ("ServiceUnavailable", "the server is currently unable to handle the request"),
            504 => ("Timeout", "the server was unable to return a response in the time allotted"),
            _ => ("InternalError", "an error on the server has prevented the request from succeeding"),
        };
        let details = retry_after.map(|seconds| json!({ "retryAfterSeconds": seconds }));
        Refusal { retry_after, ..Refusal::new(code, reason, message, details) }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Refusal {
        Refusal::new(400, "BadRequest", message, None)
    }

    /// A body that is no object of the kind; of what it is, the beginning is shown.
    pub(crate) fn unrecognised(kind: &Kind, body: &[u8], why: &str) -> Refusal {
        const SHOWN: usize = 30;
        let start = &body[..body.len().min(SHOWN)];
        let more = if body.len() > SHOWN { " ..." } else { "" };
        let shown = match start.first() {
            None => "<empty>".to_owned(),
            Some(b'{') => String::from_utf8_lossy(start).into_owned(),
            Some(_) => start.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let kind = &kind.kind;
        Refusal::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): {why} ({shown}{more})"
        ))
    }

    /// An update that does not name the version it is based on: here the real server names the resource, not the kind.
    pub(crate) fn unversioned(kind: &Kind, name: &str) -> Refusal {
        let cause = Cause::invalid("metadata.resourceVersion", "0", "must be specified for an update");
        Refusal::invalid_as(&kind.group, &kind.plural, name, &[cause])
    }

    /// What the real server says where one of its own errors is not a status.
    pub(crate) fn internal(message: impl Into<String>) -> Refusal {
        Refusal::new(500, "", message, None)
    }

    /// What went wrong on the server's side.
    pub(crate) fn internal_error(why: &str) -> Refusal {
        let details = json!({ "causes": [{ "message": why }] });
        Refusal::new(500, "InternalError", format!("Internal error occurred: {why}"), Some(details))
    }

    pub(crate) fn unknown_resource() -> Refusal {
        Refusal::new(404, "NotFound", "the server could not find the requested resource", Some(json!({})))
    }

    pub(crate) fn method_not_allowed() -> Refusal {
        let message = "the server does not allow this method on the requested resource";
        Refusal::new(405, "MethodNotAllowed", message, Some(json!({})))
    }

    pub(crate) fn unsupported_media_type() -> Refusal {
        Refusal::new(415, "UnsupportedMediaType", "415: Unsupported Media Type", Some(json!({})))
    }

    /// A body of a form that nobody reads.
    pub(crate) fn unknown_format() -> Refusal {
        let message =
            format!("the body of the request was in an unknown format - accepted media types include: {MEDIA_TYPES}");
        Refusal::new(415, "UnsupportedMediaType", message, None)
    }

    /// A patch of a form that custom kinds do not take.
    pub(crate) fn unknown_patch_format() -> Refusal {
        let message = "the body of the request was in an unknown format - accepted media types include: \
                       application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
        Refusal::new(415, "UnsupportedMediaType", message, None)
    }

    pub(crate) fn not_acceptable(message: impl Into<String>) -> Refusal {
        Refusal::new(406, "NotAcceptable", message, None)
    }

    /// A list, where the form of an object was asked for.
    pub(crate) fn a_list(kind: &Kind) -> Refusal {
        let what = go_type(kind);
        let message = format!("you requested PartialObjectMetadata, but the requested object is a list ({what}List)");
        Refusal::not_acceptable(message)
    }

    /// An object, where the form of a list was asked for.
    pub(crate) fn not_a_list(kind: &Kind) -> Refusal {
        if kind.columns.is_some() {
            return Refusal::internal("content is not a list");
        }
        let what = go_type(kind);
        let message =
            format!("you requested PartialObjectMetadataList, but the requested object is not a list ({what})");
        Refusal::not_acceptable(message)
    }

    /// No media type that the request accepts is served; `streams` where a watch would be one.
    pub(crate) fn no_representation(streams: bool) -> Refusal {
        let streamed = if streams {
            ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"
        } else {
            ""
        };
        let message = format!("406: Not Acceptable\n\nAvailable representations: {MEDIA_TYPES}{streamed}");
        Refusal::new(406, "NotAcceptable", message, Some(json!({})))
    }

    /// No form of a media type that the request accepts is served.
    pub(crate) fn no_form() -> Refusal {
        Refusal::not_acceptable(format!("only the following media types are accepted: {MEDIA_TYPES}"))
    }

    /// A patch that does not fit the object it is for.
    pub(crate) fn unfit_patch() -> Refusal {
        let message = "the server rejected our request due to an error in our request";
        Refusal::new(422, "Invalid", message, Some(json!({})))
    }

    pub(crate) fn not_found(kind: &Kind, name: &str) -> Refusal {
        let message = format!("{} \"{name}\" not found", kind.qualified_plural());
        Refusal::new(404, "NotFound", message, Some(details(name, &kind.group, &kind.plural)))
    }

    /// Nothing of this name, where the real server calls the resource otherwise than its path does.
    pub(crate) fn not_found_as(resource: &str, name: &str) -> Refusal {
        let message = format!("{resource} \"{name}\" not found");
        Refusal::new(404, "NotFound", message, Some(details(name, "", resource)))
    }

    /// A watch of what cannot be watched.
    pub(crate) fn unwatchable(kind: &Kind) -> Refusal {
        let message = format!("watch is not supported on resources of kind \"{}\"", kind.plural);
        Refusal::new(405, "MethodNotAllowed", message, Some(details("", "", &kind.plural)))
    }

    pub(crate) fn already_exists(kind: &Kind, name: &str) -> Refusal {
        let message = format!("{} \"{name}\" already exists", kind.qualified_plural());
        Refusal::new(409, "AlreadyExists", message, Some(details(name, &kind.group, &kind.plural)))
    }

    /// A new object of the name of one that is about to go.
    pub(crate) fn being_deleted(kind: &Kind, name: &str) -> Refusal {
        let mut refusal = Refusal::already_exists(kind, name);
        refusal.message = format!("object is being deleted: {}", refusal.message);
        refusal
    }

    /// The object changed since the version that the request is based on.
    pub(crate) fn modified(kind: &Kind, name: &str) -> Refusal {
        let why = "the object has been modified; please apply your changes to the latest version and try again";
        Refusal::conflict(&kind.qualified_plural(), details(name, &kind.group, &kind.plural), why)
    }

    /// A precondition that does not hold: here the real server names the kind, not the resource.
    pub(crate) fn precondition(kind: &Kind, name: &str, why: &str) -> Refusal {
        Refusal::conflict(&kind.qualified_kind(), details(name, &kind.group, &kind.kind), why)
    }

    /// A conflict about `what`, in the words of `why`.
    pub(crate) fn conflict(what: &str, details: Value, why: &str) -> Refusal {
        let name = details["name"].as_str().unwrap_or_default();
        let message = format!("Operation cannot be fulfilled on {what} \"{name}\": {why}");
        Refusal::new(409, "Conflict", message, Some(details))
    }

    /// An applied object that would change what others own.
    pub(crate) fn apply_conflict(message: String, causes: Vec<Value>) -> Refusal {
        Refusal::new(409, "Conflict", message, Some(json!({ "causes": causes })))
    }

    pub(crate) fn forbidden(kind: &Kind, name: &str, why: &str) -> Refusal {
        let message = format!("{} \"{name}\" is forbidden: {why}", kind.qualified_plural());
        Refusal::new(403, "Forbidden", message, Some(details(name, &kind.group, &kind.plural)))
    }

    /// Something that the user may not do, before anything is looked at.
    pub(crate) fn denied(user: &User, attempt: &Attempt, reason: &str) -> Refusal {
        let user = &user.name;
        let (mut why, subject, details) = match attempt {
            Attempt::Path { verb, path } => {
                (format!("User {user:?} cannot {verb} path {path:?}"), String::new(), json!({}))
            }
            Attempt::Resource(attempt) => {
                let (verb, group, combined) = (&attempt.verb, &attempt.group, attempt.combined());
                let place = match attempt.namespace.as_str() {
                    "" => "at the cluster scope".to_owned(),
                    namespace => format!("in the namespace {namespace:?}"),
                };
                let name = if attempt.name.is_empty() { String::new() } else { format!("{:?} ", attempt.name) };
                (
                    format!("User {user:?} cannot {verb} resource {combined:?} in API group {group:?} {place}"),
                    format!("{} {name}is ", qualified(&attempt.resource, group)),
                    details(&attempt.name, group, &attempt.resource),
                )
            }
        };
        if !reason.is_empty() {
            why = format!("{why}: {reason}");
        }
        Refusal::new(403, "Forbidden", format!("{subject}forbidden: {why}"), Some(details))
    }

    /// Nothing new comes into a namespace that ends.
    pub(crate) fn terminating(kind: &Kind, name: &str, namespace: &str) -> Refusal {
        let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut refusal = Refusal::forbidden(kind, name, &why);
        if let Some(details) = &mut refusal.details {
            details["causes"] = json!([{
                "reason": "NamespaceTerminating",
                "message": format!("namespace {namespace} is being terminated"),
                "field": "metadata.namespace",
            }]);
        }
        refusal
    }

    /// An eviction that a disruption budget forbids; `retry_after` where it may soon allow it.
    pub(crate) fn disrupts(why: &str, retry_after: Option<u32>) -> Refusal {
        let message = "Cannot evict pod as it would violate the pod's disruption budget.";
        let mut details = json!({ "causes": [{ "reason": "DisruptionBudget", "message": why }] });
        if let Some(seconds) = retry_after {
            details["retryAfterSeconds"] = seconds.into();
        }
        Refusal { retry_after, ..Refusal::new(429, "TooManyRequests", message, Some(details)) }
    }

    /// An eviction under a budget that is out of order: the real server names the kind in the singular.
    pub(crate) fn forbidden_budget(kind: &Kind, name: &str, why: &str) -> Refusal {
        let message = format!("{} {name:?} is forbidden: {why}", qualified(&kind.singular, &kind.group));
        Refusal::new(403, "Forbidden", message, Some(details(name, &kind.group, &kind.singular)))
    }

    /// An eviction of a pod that several budgets are about.
    pub(crate) fn many_budgets() -> Refusal {
        let why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        Refusal::new(500, "", why, None)
    }

    /// An object that breaks the rules of its kind.
    pub(crate) fn invalid(kind: &Kind, name: &str, causes: &[Cause]) -> Refusal {
        Refusal::invalid_as(&kind.group, &kind.kind, name, causes)
    }

    /// Options that break their rules.
    pub(crate) fn invalid_options(kind: &str, causes: &[Cause]) -> Refusal {
        Refusal::invalid_as("meta.k8s.io", kind, "", causes)
    }

    /// A question about access that has no answer: the real server leaves out what it is about.
    pub(crate) fn invalid_review(causes: &[Cause]) -> Refusal {
        Refusal::invalid_as("authorization.k8s.io", "", "", causes)
    }

    /// A request for a token that breaks the rules.
    pub(crate) fn invalid_token(name: &str, causes: &[Cause]) -> Refusal {
        Refusal::invalid_as("authentication.k8s.io", "TokenRequest", name, causes)
    }

    /// Something that a cluster of real machines can do and this one cannot.
    pub(crate) fn not_simulated(what: &str) -> Refusal {
        let message = format!("the simulator has no {what}: nothing runs behind its pods, services and nodes");
        Refusal::new(501, "NotImplemented", message, None)
    }

    /// A patch after which an object is none of its kind; the real server does not say of which.
    pub(crate) fn invalid_patch(causes: &[Cause]) -> Refusal {
        Refusal::invalid_as("", "", "", causes)
    }

    /// An object of a kind by its name that breaks the rules.
    pub(crate) fn invalid_as(group: &str, kind: &str, name: &str, causes: &[Cause]) -> Refusal {
        let mut each: Vec<String> = Vec::new();
        for cause in causes.iter().map(|cause| format!("{}: {}", cause.field, cause.message)) {
            // What is said twice stands in the causes twice, and in the message once.
            if !each.contains(&cause) {
                each.push(cause);
            }
        }
        let all = if let [one] = each.as_slice() { one.clone() } else { format!("[{}]", each.join(", ")) };
        let qualified = if group.is_empty() { kind.to_owned() } else { format!("{kind}.{group}") };
        let mut details = details(name, group, kind);
        let shown = causes.iter().map(|c| json!({ "reason": c.reason, "message": c.message, "field": c.field }));
        details["causes"] = shown.collect();
        Refusal::new(422, "Invalid", format!("{qualified} \"{name}\" is invalid: {all}"), Some(details))
    }

    /// A version that the server has not reached.
    pub(crate) fn too_large_version(asked: u64, current: u64) -> Refusal {
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        let cause = json!({ "reason": "ResourceVersionTooLarge", "message": "Too large resource version" });
        let details = json!({ "causes": [cause], "retryAfterSeconds": 1 });
        Refusal { retry_after: Some(1), ..Refusal::new(504, "Timeout", message, Some(details)) }
    }

    /// A version that a watch can no longer begin at.
    pub(crate) fn too_old_version(asked: u64, oldest: u64) -> Refusal {
        Refusal::new(410, "Expired", format!("too old resource version: {asked} ({oldest})"), None)
    }

    /// A version that can no longer be listed.
    pub(crate) fn expired_list() -> Refusal {
        Refusal::new(410, "Expired", "The resourceVersion for the provided list is too old.", None)
    }

    /// A page whose version is forgotten; `resume` goes on from there without consistency.
    pub(crate) fn expired_page(resume: String) -> Refusal {
        let message = "The provided continue parameter is too old to display a consistent list result. You can start a \
                       new list without the continue parameter, or use the continue token in this response to retrieve \
                       the remainder of the results. Continuing with the provided token results in an inconsistent list \
                       - objects that were created, modified, or deleted between the time the first chunk was returned \
                       and now may show up in the list.";
        Refusal { resume: Some(resume), ..Refusal::new(410, "Expired", message, None) }
    }

    /// The `Status` as it goes over the wire.
    pub(crate) fn status(&self) -> Value {
        let mut metadata = Map::new();
        if let Some(token) = &self.resume {
            metadata.insert("continue".into(), token.as_str().into());
        }
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": metadata,
            "status": "Failure", "message": self.message, "code": self.code,
        });
        if !self.reason.is_empty() {
            status["reason"] = self.reason.into();
        }
        if let Some(details) = &self.details {
            status["details"] = details.clone();
        }
        status
    }
}

/// What the real server reads and writes. This one writes only the first, but a client is told the same.
const MEDIA_TYPES: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/// What the real server holds an object of the kind in.
fn go_type(kind: &Kind) -> String {
    let group = &kind.hub.as_ref().map_or(kind, |hub| hub).group;
    match group.split('.').next() {
        _ if kind.columns.is_some() => "*unstructured.Unstructured".to_owned(),
        None | Some("") => format!("*core.{}", kind.kind),
        Some(package) => format!("*{package}.{}", kind.kind),
    }
}

/// What a status is about, without what is empty.
pub(crate) fn details(name: &str, group: &str, kind: &str) -> Value {
    let named = [("name", name), ("group", group), ("kind", kind)].into_iter().filter(|(_, value)| !value.is_empty());
    Value::Object(named.map(|(key, value)| (key.to_owned(), value.into())).collect())
}
