//! What is asked for, or offered, of processors and memory.

use std::borrow::Cow;

use masthead::lean::{Field, Found, Mismatch, Strings};
use serde::Deserialize;

use super::nested;
use crate::model::table::load::Load;

/// The amounts of one list of resources.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests(pub(super) Load);

impl Field for Requests {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        if let Found::Nested(json) = found {
            *self = nested::read(json)?;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Requests {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Requests, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Written<'a> {
            #[serde(borrow)]
            cpu: Cow<'a, str>,
            #[serde(borrow)]
            memory: Cow<'a, str>,
        }

        // Servers write amounts as texts.
        let written = Written::deserialize(from)?;
        Ok(Requests(Load::parse(&written.cpu, &written.memory)))
    }
}
