//! What is asked for, or offered, of processors and memory.

use masthead::lean::{Field, Found, Interned, Lean, Mismatch, Part, Strings};

use crate::model::table::load::Load;

/// The amounts of one list of resources.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests(pub(super) Load);

/// Servers write amounts as texts.
#[derive(Lean)]
struct Written {
    #[lean("cpu")]
    cpu: Interned,
    #[lean("memory")]
    memory: Interned,
}

impl Field for Requests {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let mut written = Part::<Written>::default();
        written.take(found, strings)?;
        self.0 = Load::parse(&written.cpu, &written.memory);
        Ok(())
    }
}
