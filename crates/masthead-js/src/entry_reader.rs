//! Reads objects for an informer.

use js_sys::{Array, Function};
use masthead::{
    Error,
    lean::Cells,
    packed::{Packed, Packer},
    rest::{Decoder, First, MediaType},
};
use wasm_bindgen::{JsCast, JsValue};

use crate::{entry::Entry, settings::words};

/// Packs objects, after the page's own function has had a look at them.
///
/// The function is called here, before an object is anywhere near the store, so that it may ask the store anything.
pub(crate) struct EntryReader {
    packer: Packer<Cells>,
    prepare: Option<Function>,
}

impl EntryReader {
    /// Reads what lies at `paths`. `prepare` is given the text of each object; it answers an array of what to keep in its
    /// place, if anything else, and then the values of each index by a function.
    pub(crate) fn new(paths: &[&str], prepare: Option<Function>) -> Result<EntryReader, Error> {
        Ok(EntryReader { packer: Packer::of_paths(paths)?, prepare })
    }

    fn prepared(&self, prepare: &Function, object: &[u8]) -> Result<Entry, Error> {
        let refuse = |why: String| Error::invalid("prepare object", why);
        let text = std::str::from_utf8(object).map_err(|error| refuse(error.to_string()))?;
        let answer = prepare.call1(&JsValue::NULL, &JsValue::from_str(text)).map_err(|error| refuse(words(&error)))?;
        let answer: Array = answer.dyn_into().map_err(|_| refuse("no array came back".to_owned()))?;
        let packed = match answer.get(0).as_string() {
            Some(other) => self.packer.decode(MediaType::Json, other.as_bytes())?,
            None => self.packer.decode(MediaType::Json, object)?,
        };
        let texts = |values: JsValue| Array::from(&values).iter().filter_map(|value| value.as_string()).collect();
        let values = (1..answer.length()).map(|place| texts(answer.get(place)));
        Ok(Entry::new(packed, values.collect()))
    }
}

impl Decoder<Entry> for EntryReader {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Entry, Error> {
        match &self.prepare {
            Some(prepare) => self.prepared(prepare, object),
            None => self.packer.decode(media_type, object).map(plain),
        }
    }

    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<Entry> {
        if self.prepare.is_some() {
            return First::Unknown;
        }
        match self.packer.decode_first(media_type, bytes) {
            First::Whole { object, length } => First::Whole { object: plain(object), length },
            First::Cut => First::Cut,
            First::Unknown => First::Unknown,
        }
    }
}

fn plain(packed: Packed<Cells>) -> Entry {
    Entry::new(packed, Box::default())
}
