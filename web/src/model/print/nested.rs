//! Fields that are lists or objects themselves.

use std::ops::Deref;

use masthead::lean::{Field, Found, Mismatch, Strings};
use serde::de::DeserializeOwned;

/// A list or an object, read whole. For what few objects have, or what is short.
#[derive(Clone, Debug, Default)]
pub(super) struct Nested<T>(pub(super) T);

impl<T: DeserializeOwned + Default> Field for Nested<T> {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => {}
            Found::Nested(json) => self.0 = read(json)?,
            _ => return Err(EXPECTED),
        }
        Ok(())
    }
}

impl<T> Deref for Nested<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Reads a list or an object.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(json: &'a [u8]) -> Result<T, Mismatch> {
    serde_json::from_slice(json).map_err(|_| EXPECTED)
}

pub(super) const EXPECTED: Mismatch = Mismatch { expected: "what objects of this kind have here" };
