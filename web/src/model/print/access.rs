//! The rows of role bindings and of certificates that are asked for.

use masthead::lean::{Interned, Lean, Part};
use serde::Deserialize;

use super::{
    cells::Cells,
    condition::{self, Condition},
    heading::{Heading, wide, words},
    nested::Nested,
    presence::Presence,
    subject::Subject,
    words::{NONE, joined},
};
use crate::model::table::cell::Tone;

pub(super) const BINDING: &[Heading] =
    &[words("NAME"), words("ROLE"), words("AGE"), wide("USERS"), wide("GROUPS"), wide("SERVICEACCOUNTS")];

#[derive(Lean)]
pub(super) struct Binding {
    #[lean("roleRef.kind")]
    kind: Interned,
    #[lean("roleRef.name")]
    name: Interned,
    #[lean("subjects")]
    subjects: Nested<Vec<Bound>>,
}

/// Whom a role is given to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Bound {
    kind: String,
    name: String,
    namespace: String,
}

pub(super) fn binding(subject: &Subject<Binding>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.word(&format!("{}/{}", it.kind, it.name));
    to.age();
    let of = |kind: &'static str| it.subjects.iter().filter(move |bound| bound.kind == kind);
    to.own(&joined(of("User").map(|bound| &bound.name), ", "), "");
    to.own(&joined(of("Group").map(|bound| &bound.name), ", "), "");
    let accounts = of("ServiceAccount").map(|bound| format!("{}/{}", bound.namespace, bound.name));
    to.own(&joined(accounts, ", "), "");
}

pub(super) const SIGNING_REQUEST: &[Heading] = &[
    words("NAME"),
    words("AGE"),
    words("SIGNERNAME"),
    words("REQUESTOR"),
    words("REQUESTEDDURATION"),
    words("CONDITION"),
];

#[derive(Lean)]
pub(super) struct SigningRequest {
    #[lean("spec.signerName")]
    signer: Interned,
    #[lean("spec.username")]
    requestor: Interned,
    #[lean("spec.expirationSeconds")]
    seconds: Option<i64>,
    #[lean("status.conditions[*]")]
    conditions: Vec<Part<Condition>>,
    #[lean("status.certificate")]
    certificate: Presence,
}

pub(super) fn signing_request(subject: &Subject<SigningRequest>, to: &mut Cells<'_>) {
    let it = &subject.of;
    to.name();
    to.age();
    to.known(&it.signer, NONE);
    to.known(&it.requestor, "");
    match it.seconds {
        Some(seconds) => to.span(seconds.saturating_mul(1000)),
        None => to.word(NONE),
    }
    decision(it, to);
}

fn decision(it: &SigningRequest, to: &mut Cells<'_>) {
    let has = |kind: &str| condition::find(&it.conditions, kind).is_some();
    let (decision, tone) = match (has("Denied"), has("Approved")) {
        (true, _) => ("Denied", Tone::Warning),
        (false, true) => ("Approved", Tone::Quiet),
        (false, false) => ("Pending", Tone::Busy),
    };
    let (failed, tone) = if has("Failed") { (",Failed", Tone::Failure) } else { ("", tone) };
    let issued = if it.certificate.0 { ",Issued" } else { "" };
    to.status(&format!("{decision}{failed}{issued}"), tone);
}
