//! What a field can be.

use std::{borrow::Cow, collections::BTreeMap, rc::Rc};

use masthead_scan::members;

use super::{Found, Interned, Mismatch, Strings, cells::number};

/// A field of a lean object.
pub trait Field: Default {
    /// Takes a value; with `[*]` in the path, one after the other.
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch>;

    /// How many bytes it holds elsewhere in memory; what is shared counts for nothing.
    fn heap(&self) -> usize {
        0
    }
}

impl<F: Field> Field for Option<F> {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        if found == Found::Null {
            return Ok(());
        }
        self.get_or_insert_default().take(found, strings)
    }

    fn heap(&self) -> usize {
        self.as_ref().map_or(0, Field::heap)
    }
}

impl<F: Field> Field for Vec<F> {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let mut element = F::default();
        element.take(found, strings)?;
        if self.is_empty() {
            // Most lists have one element, and the usual growth makes room for four.
            self.reserve_exact(1);
        }
        self.push(element);
        Ok(())
    }

    fn heap(&self) -> usize {
        self.capacity() * size_of::<F>() + self.iter().map(Field::heap).sum::<usize>()
    }
}

impl<N: Field + Ord, F: Field> Field for BTreeMap<N, F> {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let object = match found {
            Found::Null => return Ok(()),
            Found::Nested(object) if object.starts_with(b"{") => object,
            _ => return Err(Mismatch { expected: "an object" }),
        };
        members(object, &mut |name, value| {
            let (mut key, mut field) = (N::default(), F::default());
            key.take(Found::Text(name), strings)?;
            field.take(value, strings)?;
            self.insert(key, field);
            Ok(())
        })
    }

    fn heap(&self) -> usize {
        // A node has room for eleven and is half full at least.
        let each = size_of::<(N, F)>() * 3 / 2;
        self.iter().map(|(name, field)| each + name.heap() + field.heap()).sum()
    }
}

impl Field for String {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        text(found, |text| *self = text.into_owned())
    }

    fn heap(&self) -> usize {
        self.capacity()
    }
}

impl Field for Box<str> {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        text(found, |text| *self = text.into())
    }

    fn heap(&self) -> usize {
        self.len()
    }
}

impl Field for Rc<str> {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        text(found, |text| *self = text.into())
    }

    fn heap(&self) -> usize {
        2 * size_of::<usize>() + self.len()
    }
}

impl Field for Interned {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        text(found, |text| *self = strings.intern(&text))
    }
}

impl Field for bool {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => {}
            Found::Bool(found) => *self = found,
            _ => return Err(Mismatch { expected: "true or false" }),
        }
        Ok(())
    }
}

macro_rules! numbers {
    ($($number:ty: $expected:literal),*) => {$(
        impl Field for $number {
            fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
                match found {
                    Found::Null => {}
                    Found::Number(number) => {
                        *self = number.parse().map_err(|_| Mismatch { expected: $expected })?;
                    }
                    _ => return Err(Mismatch { expected: $expected }),
                }
                Ok(())
            }
        }
    )*};
}

numbers! {
    u8: "a number in 0..=255", u16: "a number in 0..=65535", u32: "a number without sign, of 32 bits",
    u64: "a number without sign", i32: "a number of 32 bits", i64: "a whole number"
}

impl Field for f64 {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        const EXPECTED: Mismatch = Mismatch { expected: "a number" };
        match found {
            Found::Null => {}
            Found::Number(text) => *self = number(text).ok_or(EXPECTED)?,
            _ => return Err(EXPECTED),
        }
        Ok(())
    }
}

fn text(found: Found<'_>, set: impl FnOnce(Cow<'_, str>)) -> Result<(), Mismatch> {
    match found {
        Found::Null => {}
        Found::Text(text) => set(text),
        _ => return Err(TEXT),
    }
    Ok(())
}

const TEXT: Mismatch = Mismatch { expected: "a text" };
