//! Kinds that are defined at run time, by CustomResourceDefinitions.
//!
//! A definition is an object like any other. What follows from it follows at once, where the real server takes a moment:
//! its names are accepted or not, its kinds are served, its end waits for that of its objects. CEL rules
//! (`x-kubernetes-validations`) are kept and not evaluated, and conversion webhooks are not called.

mod completion;
mod definition;
mod lifecycle;
mod names;
mod rules;
mod schema_rules;
mod structural;
mod validation;

use serde_json::Value;

use crate::{cause::Cause, kind::Kind, refusal::Refusal, schema::Schema};

pub(crate) use completion::{complete, keep_stored_versions};
pub(crate) use lifecycle::{CLEANUP, DELETION_PENDING, set_condition};
pub(crate) use structural::{complete_object, convert, unknown_fields};

/// What is wrong with an object of a custom kind, or with a definition.
pub(crate) fn check(kind: &Kind, object: &Value, before: Option<&Value>) -> Vec<Cause> {
    match &kind.custom {
        Some(custom) => validation::check(&custom.schema, object, before),
        None if kind.is_definition() => rules::check(object, before),
        None => Vec::new(),
    }
}

/// Refuses an object that does not say that it is of this kind: other than built-in ones it must.
pub(crate) fn check_type(kind: &Kind, body: &[u8], object: &Value) -> Result<(), Refusal> {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (given, version, expected) = (text("kind"), text("apiVersion"), kind.api_version());
    if given.is_empty() {
        let why = format!("Object 'Kind' is missing in '{}'", String::from_utf8_lossy(body));
        return Err(Refusal::unrecognised(kind, body, &why));
    }
    if version != expected {
        let why =
            format!("the API version in the data ({version}) does not match the expected API version ({expected})");
        return Err(Refusal::bad_request(why));
    }
    if given != kind.kind {
        let cause = Cause::invalid("kind", format_args!("{given:?}"), format!("must be {}", kind.kind));
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        return Err(Refusal::invalid_as(&kind.group, given, name, &[cause]));
    }
    Ok(())
}

/// Refuses metadata that are not what those of every object are, in Go's words.
pub(crate) fn check_metadata(metadata: &Value) -> Result<(), String> {
    match Schema::recorded("meta.v1.ObjectMeta") {
        Some(schema) if metadata.is_object() => schema.decode(&metadata.into()).map(|_| ()),
        _ => Ok(()),
    }
}

/// What a definition says of one version beyond its names.
#[derive(Debug, PartialEq)]
pub(crate) struct Custom {
    pub(crate) list_kind: String,
    /// The `openAPIV3Schema`.
    pub(crate) schema: Value,
    pub(crate) scale: Option<ScalePaths>,
    /// What every request is warned of.
    pub(crate) deprecation: Option<String>,
    /// The version of the store since which its changes are known.
    pub(crate) since: u64,
    pub(crate) phase: Phase,
}

/// Whether new objects may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Established,
    /// The definition was deleted and its objects are yet to go.
    Terminating,
}

/// Where an object has what its scale shows, as JSON pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScalePaths {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) selector: Option<String>,
}
