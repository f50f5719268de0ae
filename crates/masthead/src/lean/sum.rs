//! All numbers at a path in one.

use super::{Field, Found, Mismatch, Strings};

/// The sum of the numbers at a path with `[*]`, and the count of what is `true` there: how often containers were restarted,
/// how many are ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum(pub u32);

impl Field for Sum {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        let more = match found {
            Found::Null => 0,
            Found::Bool(value) => u32::from(value),
            Found::Number(number) => number.parse().map_err(|_| EXPECTED)?,
            Found::Text(_) | Found::Nested(_) => return Err(EXPECTED),
        };
        self.0 = self.0.saturating_add(more);
        Ok(())
    }
}

const EXPECTED: Mismatch = Mismatch { expected: "a number without sign, of 32 bits, or true or false" };
