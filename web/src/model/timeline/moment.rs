//! A point in time as an object has it, to the millisecond.

use masthead::lean::{Field, Found, Mismatch, Strings};

use crate::model::timestamp;

/// Milliseconds since 1970, where the object says so in a way that can be read.
///
/// A time that cannot be read counts as one that is not there: an event has five, and any of them will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(pub(super) Option<i64>);

impl Field for Moment {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => Ok(()),
            Found::Text(text) => {
                self.0 = timestamp::parse(&text);
                Ok(())
            }
            _ => Err(Mismatch { expected: "a time" }),
        }
    }
}
