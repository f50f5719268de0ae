//! Fields of which only it counts whether, or how often, they are there.

use std::fmt;

use masthead::lean::{Field, Found, Mismatch, Strings};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use super::nested;

/// An element of a list. A list of these takes no memory and knows its length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Element;

impl Field for Element {
    fn take(&mut self, _: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        Ok(())
    }
}

/// Whether there is something, whatever it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Presence(pub(super) bool);

impl Field for Presence {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        self.0 = found != Found::Null;
        Ok(())
    }
}

/// How many members an object has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Members(pub(super) usize);

impl Field for Members {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        if let Found::Nested(json) = found {
            *self = nested::read(json)?;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Members, D::Error> {
        struct Count;

        impl<'de> Visitor<'de> for Count {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Members, A::Error> {
                let mut count = 0;
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Members(count))
            }
        }

        from.deserialize_map(Count)
    }
}
