//! The conditions of an object.

use masthead::lean::{Interned, Lean, Part};

/// One condition: what it is about, and whether it is so.
#[derive(Clone, Debug, Lean)]
pub(super) struct Condition {
    #[lean("type")]
    pub(super) kind: Interned,
    #[lean("status")]
    pub(super) status: Interned,
    #[lean("reason")]
    pub(super) reason: Interned,
}

/// The condition of this type.
pub(super) fn find<'a>(conditions: &'a [Part<Condition>], kind: &str) -> Option<&'a Condition> {
    conditions.iter().map(|part| &part.0).find(|condition| condition.kind == *kind)
}

/// Whether the condition of this type holds.
pub(super) fn holds(conditions: &[Part<Condition>], kind: &str) -> bool {
    find(conditions, kind).is_some_and(|condition| condition.status == "True")
}
