//! Numbers that may be written as texts: quantities, and counts that may be shares.

use std::borrow::Cow;

use masthead::lean::{Field, Found, Interned, Mismatch, Strings};
use serde::{Deserialize, Deserializer};

use super::cells::Cells;

/// A number or a text, as it is written; empty where there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Scalar(Interned);

impl Scalar {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, if there is one.
    pub(super) fn given(&self) -> Option<&str> {
        Some(self.as_str()).filter(|text| !text.is_empty())
    }

    /// Makes a cell of it: of a whole number one that sorts as such.
    pub(super) fn show(&self, to: &mut Cells<'_>, otherwise: &str) {
        match self.0.parse() {
            Ok(count) => to.count(count),
            Err(_) => to.known(&self.0, otherwise),
        }
    }
}

impl Field for Scalar {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => {}
            Found::Number(number) => self.0 = strings.intern(number),
            Found::Text(text) => self.0 = strings.intern(&text),
            _ => return Err(Mismatch { expected: "a number or a text" }),
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Scalar, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written<'a> {
            Number(serde_json::Number),
            Text(#[serde(borrow)] Cow<'a, str>),
        }

        Ok(Scalar(match Written::deserialize(from)? {
            Written::Number(number) => number.to_string().as_str().into(),
            Written::Text(text) => text.as_ref().into(),
        }))
    }
}
