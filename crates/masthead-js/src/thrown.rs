//! Errors as JavaScript gets them.

use masthead::{
    Error,
    rest::{Status, StatusCause},
};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// What the facade makes a `KubernetesError` of: the JSON of what is known of the error.
pub(crate) fn thrown(error: &Error) -> JsValue {
    let status = error.status();
    let thrown = Thrown {
        message: error.to_string(),
        code: status.map(|status| status.code),
        reason: status.map(|status| status.reason.as_str()).filter(|reason| !reason.is_empty()),
        details: status.map(Details::of),
        retry_after: error.retry_after().map(|pause| pause.as_secs_f64()),
        kinds: kinds(error),
    };
    let text = serde_json::to_string(&thrown).unwrap_or_else(|_| error.to_string());
    JsValue::from_str(&text)
}

/// As [`thrown`], of an error that is the caller's mistake.
pub(crate) fn refused(operation: &str, why: impl Into<String>) -> JsValue {
    thrown(&Error::invalid(operation, why))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Thrown<'a> {
    message: String,
    code: Option<u16>,
    reason: Option<&'a str>,
    details: Option<Details<'a>>,
    /// In seconds.
    retry_after: Option<f64>,
    /// What cannot be told from the code.
    kinds: Vec<&'static str>,
}

#[derive(Serialize)]
struct Details<'a> {
    message: &'a str,
    name: &'a str,
    group: &'a str,
    kind: &'a str,
    causes: Vec<Cause<'a>>,
}

#[derive(Serialize)]
struct Cause<'a> {
    reason: &'a str,
    message: &'a str,
    field: &'a str,
}

impl<'a> Details<'a> {
    fn of(status: &'a Status) -> Details<'a> {
        let details = status.details.as_ref();
        let cause =
            |cause: &'a StatusCause| Cause { reason: &cause.reason, message: &cause.message, field: &cause.field };
        Details {
            message: &status.message,
            name: details.map_or("", |details| &details.name),
            group: details.map_or("", |details| &details.group),
            kind: details.map_or("", |details| &details.kind),
            causes: details.map(|details| details.causes.iter().map(cause).collect()).unwrap_or_default(),
        }
    }
}

fn kinds(error: &Error) -> Vec<&'static str> {
    let kinds = [
        ("network", error.is_network()),
        ("timeout", error.is_timeout()),
        ("aborted", error.is_aborted()),
        ("closed", error.is_closed()),
        ("gone", error.is_gone()),
        ("invalidRequest", error.is_invalid_request()),
        ("undecodable", error.is_undecodable()),
        ("notJson", error.is_not_json()),
        ("tooLarge", error.is_too_large()),
        ("noMatch", error.is_no_match()),
        ("ambiguous", error.is_ambiguous()),
    ];
    kinds.into_iter().filter_map(|(name, is)| is.then_some(name)).collect()
}
