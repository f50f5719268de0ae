//! What a write of one part of an object leaves as it is: its status, or all but that.

use super::field_set::FieldSet;
use crate::kind::{Kind, Subresource};

/// The fields that a write of this part cannot change.
pub(super) fn fields(kind: &Kind, part: Option<Subresource>) -> FieldSet {
    match part {
        _ if kind.is("certificates.k8s.io", "certificatesigningrequests") => {
            FieldSet::of(if part.is_some() { &["spec", "status.conditions"] } else { &["spec", "status"] })
        }
        Some(Subresource::Status) => FieldSet::of(beside_status(kind)),
        None if kind.has(Subresource::Status) => FieldSet::of(&["status"]),
        _ => FieldSet::default(),
    }
}

/// What a write of the status leaves as it is.
pub(crate) fn beside_status(kind: &Kind) -> &'static [&'static str] {
    match (kind.group.as_str(), kind.plural.as_str()) {
        ("", "pods") => &["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
        ("apps", "deployments") => &["spec", "metadata.labels"],
        ("" | "apps" | "autoscaling" | "batch" | "policy", _) | ("networking.k8s.io", "ingresses") => &["spec"],
        _ => &["spec", "metadata"],
    }
}
