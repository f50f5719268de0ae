//! From the bytes of one object to the object.

use std::{fmt, marker::PhantomData};

use serde::de::DeserializeOwned;

use super::response::is_json;
use crate::Error;

/// Reads objects of type `T`, whichever way they came: as items of a list or in the events of a watch.
///
/// A source of objects is told how they are read by one of these: [`Json`] reads whole objects, a
/// [`Projector`](crate::lean::Projector) the fields that somebody asked for, a [`Packer`](crate::packed::Packer) both.
pub trait Decoder<T> {
    /// Reads one object. An error concerns this object alone.
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<T, Error>;

    /// Reads the object that `bytes` begin with, and finds where it ends on the way.
    ///
    /// Worth its while where finding the end of an object takes as long as reading it.
    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<T> {
        let _ = (media_type, bytes);
        First::Unknown
    }
}

/// What some bytes begin with.
#[derive(Debug, PartialEq, Eq)]
pub enum First<T> {
    /// An object.
    Whole {
        /// The object.
        object: T,
        /// How many of the bytes it takes.
        length: usize,
    },
    /// A part of an object: more bytes are needed.
    Cut,
    /// Something that cannot be read, or does not tell where it ends: [`Decoder::decode`] is asked once that is known.
    Unknown,
}

/// How objects are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MediaType {
    /// `application/json`.
    Json,
}

impl MediaType {
    /// What a `Content-Type` header says; `None` where nothing here can read it.
    pub fn of(content_type: &str) -> Option<MediaType> {
        is_json(content_type).then_some(MediaType::Json)
    }
}

/// Reads whole objects by serde.
pub struct Json<K>(PhantomData<fn() -> K>);

impl<K> Json<K> {
    /// A decoder of objects of type `K`.
    pub fn new() -> Json<K> {
        Json(PhantomData)
    }
}

impl<K: DeserializeOwned> Decoder<K> for Json<K> {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<K, Error> {
        match media_type {
            MediaType::Json => {
                serde_json::from_slice(object).map_err(|source| Error::undecodable("read object", source))
            }
        }
    }
}

impl<K> Default for Json<K> {
    fn default() -> Json<K> {
        Json::new()
    }
}

impl<K> fmt::Debug for Json<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Json")
    }
}
