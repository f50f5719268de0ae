//! Times of objects.

use masthead::lean::{Field, Found, Mismatch, Strings};
use serde::{Deserialize, Deserializer};

use crate::model::timestamp;

/// A time in milliseconds since 1970. A text that is no time, and Go's zero time, is never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment(pub(super) Option<i64>);

impl Moment {
    pub(super) fn read(text: &str) -> Moment {
        Moment(timestamp::parse(text).filter(|moment| *moment != ZERO))
    }

    pub(super) fn is_some(self) -> bool {
        self.0.is_some()
    }

    /// This time, or the other where this is never.
    pub(super) fn or(self, other: Moment) -> Moment {
        Moment(self.0.or(other.0))
    }
}

/// The first second of year 1.
const ZERO: i64 = -62_135_596_800_000;

impl Field for Moment {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => Ok(()),
            Found::Text(text) => {
                *self = Moment::read(&text);
                Ok(())
            }
            _ => Err(Mismatch { expected: "a time" }),
        }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Moment, D::Error> {
        let text: Option<std::borrow::Cow<'de, str>> = Deserialize::deserialize(from)?;
        Ok(text.map_or(Moment(None), |text| Moment::read(&text)))
    }
}
