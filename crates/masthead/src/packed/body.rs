//! The bytes of an object, in as few as they fit.

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
};

use lz4_flex::block::{decompress, decompress_with_dict};

use crate::Error;

/// The bytes of one object.
pub(super) enum Body {
    /// As they are: compressing them does not pay.
    Plain(Box<[u8]>),
    /// Compressed by themselves.
    Alone { packed: Box<[u8]>, length: u32 },
    /// Compressed against the bytes of another object.
    Against { packed: Box<[u8]>, length: u32, dictionary: Rc<Dictionary> },
    /// Those of a dictionary.
    Shared(Rc<Dictionary>),
}

impl Body {
    /// The object.
    pub(super) fn json(&self) -> Result<Vec<u8>, Error> {
        let unpacked = match self {
            Body::Plain(json) => return Ok(json.to_vec()),
            Body::Shared(dictionary) => return Ok(dictionary.json()?.to_vec()),
            Body::Alone { packed, length } => decompress(packed, *length as usize),
            Body::Against { packed, length, dictionary } => {
                decompress_with_dict(packed, *length as usize, &dictionary.json()?)
            }
        };
        unpacked.map_err(|error| Error::undecodable("unpack object", serde::de::Error::custom(error)))
    }

    /// How many bytes it has for itself.
    pub(super) fn heap(&self) -> usize {
        match self {
            Body::Plain(bytes) | Body::Alone { packed: bytes, .. } | Body::Against { packed: bytes, .. } => bytes.len(),
            Body::Shared(_) => 0,
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, length) = match self {
            Body::Plain(json) => ("Plain", json.len()),
            Body::Alone { length, .. } => ("Alone", *length as usize),
            Body::Against { length, .. } => ("Against", *length as usize),
            Body::Shared(_) => ("Shared", 0),
        };
        f.debug_struct(form).field("length", &length).field("heap", &self.heap()).finish()
    }
}

/// An object that others are compressed against. Lives as long as one of them, or itself, does.
pub(super) struct Dictionary {
    body: Body,
    /// The object unpacked, while it is in use.
    unpacked: RefCell<Option<Rc<[u8]>>>,
    /// The fewest bytes that an object came to against it; none before the first.
    least: Cell<Option<usize>>,
    /// How many objects in a row were not like it.
    strangers: Cell<u8>,
    /// How many bytes all dictionaries have; this one's are among them.
    tally: Rc<Cell<usize>>,
}

impl Dictionary {
    /// The dictionary of `json`, which was packed as `body`.
    pub(super) fn new(body: Body, json: &[u8], tally: &Rc<Cell<usize>>) -> Dictionary {
        tally.set(tally.get() + size_of::<Dictionary>() + body.heap());
        Dictionary {
            body,
            unpacked: RefCell::new(Some(json.into())),
            least: Cell::new(None),
            strangers: Cell::new(0),
            tally: Rc::clone(tally),
        }
    }

    /// The object.
    pub(super) fn json(&self) -> Result<Rc<[u8]>, Error> {
        match &*self.unpacked.borrow() {
            Some(json) => Ok(Rc::clone(json)),
            None => self.body.json().map(Rc::from),
        }
    }

    /// Keeps the object unpacked.
    pub(super) fn unpack(&self) -> Result<Rc<[u8]>, Error> {
        let json = self.json()?;
        self.unpacked.replace(Some(Rc::clone(&json)));
        Ok(json)
    }

    /// Whether the object is kept unpacked.
    pub(super) fn is_unpacked(&self) -> bool {
        self.unpacked.borrow().is_some()
    }

    /// Keeps the packed object alone.
    pub(super) fn fold(&self) {
        self.unpacked.replace(None);
    }

    /// Notes that an object of `length` came to `packed` bytes; how many in a row were not alike.
    pub(super) fn met(&self, packed: usize, length: usize) -> u8 {
        let least = self.least.get().map_or(packed, |least| least.min(packed));
        let alike = packed * ALIKE <= length && packed <= 2 * least + SLACK;
        self.least.set(Some(least));
        self.strangers.set(if alike { 0 } else { self.strangers.get().saturating_add(1) });
        self.strangers.get()
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        self.tally.set(self.tally.get().saturating_sub(size_of::<Dictionary>() + self.body.heap()));
    }
}

/// A sibling is a fifth to a tenth of itself, an object of another template about a third.
const ALIKE: usize = 4;

/// Siblings differ in more than their names: one has been restarted, one waits for its node.
const SLACK: usize = 256;
