//! The fields of a message, as they stand one after the other.

/// What is no protobuf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// A field's value before its type is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw<'a> {
    /// A varint, or eight or four bytes as they are.
    Number(u64),
    /// A string, bytes, or a message.
    Bytes(&'a [u8]),
}

/// Reads a message field by field. Ends after the first that is malformed.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn of(message: &'a [u8]) -> Fields<'a> {
        Fields { rest: message }
    }

    fn field(&mut self) -> Option<(u64, Raw<'a>)> {
        let tag = self.varint()?;
        let raw = match tag & 7 {
            0 => Raw::Number(self.varint()?),
            1 => Raw::Number(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?)),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Raw::Bytes(self.bytes(length)?)
            }
            5 => Raw::Number(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?).into()),
            _ => return None,
        };
        Some((tag >> 3, raw))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.bytes(1)? else { return None };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Raw<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.rest = &[];
        }
        Some(field.ok_or(Malformed))
    }
}
