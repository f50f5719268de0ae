//! The conditions of an object.

use std::borrow::Cow;

use masthead::lean::{Field, Found, Interned, Mismatch, Strings};
use serde::Deserialize;

use super::nested;

/// One condition: what it is about, and whether it is so.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    pub(super) kind: Interned,
    pub(super) status: Interned,
    pub(super) reason: Interned,
}

/// The condition of this type.
pub(super) fn find<'a>(conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.kind == *kind)
}

/// Whether the condition of this type holds.
pub(super) fn holds(conditions: &[Condition], kind: &str) -> bool {
    find(conditions, kind).is_some_and(|condition| condition.status == "True")
}

impl Field for Condition {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Written<'a> {
            #[serde(borrow)]
            r#type: Cow<'a, str>,
            #[serde(borrow)]
            status: Cow<'a, str>,
            #[serde(borrow)]
            reason: Cow<'a, str>,
        }

        if let Found::Nested(json) = found {
            let written: Written<'_> = nested::read(json)?;
            let [kind, status, reason] = [written.r#type, written.status, written.reason].map(|it| strings.intern(&it));
            *self = Condition { kind, status, reason };
        }
        Ok(())
    }
}
