//! Reads packed objects with fields of another's making.

use std::fmt;

use super::{Packed, packer::first};
use crate::{
    Error,
    lean::Unread,
    rest::{Decoder, First, MediaType},
};

/// Reads objects and keeps what was made of their fields; see [`Packer::keeping`](super::Packer::keeping). Whatever it was
/// made from, it is of one type.
pub struct Keeper<U> {
    read: Box<Read<U>>,
}

/// Packs the object that some bytes begin with; how many of them it takes.
type Read<U> = dyn Fn(&[u8]) -> Result<(Packed<U>, usize), Unread>;

impl<U> Keeper<U> {
    pub(super) fn new(read: impl Fn(&[u8]) -> Result<(Packed<U>, usize), Unread> + 'static) -> Keeper<U> {
        Keeper { read: Box::new(read) }
    }
}

impl<U> Decoder<Packed<U>> for Keeper<U> {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Packed<U>, Error> {
        match media_type {
            MediaType::Json => (self.read)(object).map(|(packed, _)| packed).map_err(Error::from),
        }
    }

    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<Packed<U>> {
        match media_type {
            MediaType::Json => first((self.read)(bytes)),
        }
    }
}

impl<U> fmt::Debug for Keeper<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeper")
    }
}
