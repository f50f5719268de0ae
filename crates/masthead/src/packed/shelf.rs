//! Which object is compressed against which.
//!
//! The first object of an owner is the dictionary of its siblings; the first object of all is the dictionary of the
//! dictionaries, and of objects without an owner. So an object is two steps at most from what is kept as it is.

use std::{
    cell::Cell,
    collections::VecDeque,
    rc::{Rc, Weak},
};

use lz4_flex::block::{compress_into, compress_into_with_dict, get_maximum_output_size};
use rustc_hash::FxHashMap;

use super::body::{Body, Dictionary};

/// Compresses objects and remembers their dictionaries.
#[derive(Default)]
pub(super) struct Shelf {
    /// The first object of all that is still in use.
    base: Weak<Dictionary>,
    /// The dictionary of each owner, by a hash of its uid: two owners with the same one are no worse than a bad sibling.
    owners: FxHashMap<u64, Weak<Dictionary>>,
    /// How many dictionaries to do without before those out of use are looked for again.
    credit: usize,
    /// The dictionaries that are kept unpacked, the one in use the longest ago first.
    unpacked: VecDeque<Rc<Dictionary>>,
    tally: Rc<Cell<usize>>,
    /// For what is being compressed, and what becomes of it.
    json: Vec<u8>,
    packed: Vec<u8>,
}

/// How many owners have a dictionary at most. Objects of further ones are compressed against the base.
const OWNERS: usize = 1 << 16;

/// Lists come in the order of names, so siblings mostly follow each other.
const UNPACKED: usize = 64;

/// After so many objects in a row that are not alike, the owner's template has changed.
const STRANGERS: u8 = 2;

/// Buffers for larger objects are not kept.
const SCRATCH: usize = 1 << 20;

impl Shelf {
    /// Packs the object whose bytes are `parts`, one behind the other.
    pub(super) fn pack(&mut self, owner: Option<u64>, parts: [&[u8]; 2]) -> Body {
        let mut json = std::mem::take(&mut self.json);
        json.clear();
        parts.iter().for_each(|part| json.extend_from_slice(part));
        let body = match owner {
            Some(owner) => self.pack_sibling(owner, &json),
            None => self.pack_alone(&json),
        };
        if json.capacity() <= SCRATCH {
            self.json = json;
        }
        if self.packed.capacity() > SCRATCH {
            self.packed = Vec::new();
        }
        body
    }

    /// How many bytes dictionaries and their index take.
    pub(super) fn bytes(&self) -> usize {
        let unpacked: usize =
            self.unpacked.iter().filter_map(|dictionary| dictionary.json().ok()).map(|j| j.len()).sum();
        let index = self.owners.capacity() * (size_of::<(u64, Weak<Dictionary>)>() + 1);
        self.tally.get() + unpacked + index + self.json.capacity() + self.packed.capacity()
    }

    fn pack_sibling(&mut self, owner: u64, json: &[u8]) -> Body {
        let Some(dictionary) = self.owners.get(&owner).and_then(Weak::upgrade) else {
            return self.begin(owner, json);
        };
        let Some(packed) = self.against(&dictionary, json).filter(|packed| *packed < json.len()) else {
            return self.by_itself(json);
        };
        if dictionary.met(packed, json.len()) >= STRANGERS {
            return self.begin(owner, json);
        }
        Body::Against { packed: self.packed[..packed].into(), length: length(json), dictionary }
    }

    /// Makes the object the dictionary of its owner, if there is room for one more.
    fn begin(&mut self, owner: u64, json: &[u8]) -> Body {
        if !self.has_room(owner) {
            return self.pack_alone(json);
        }
        let dictionary = match self.pack_alone(json) {
            Body::Shared(dictionary) => dictionary,
            body => Rc::new(Dictionary::new(body, json, &self.tally)),
        };
        self.owners.insert(owner, Rc::downgrade(&dictionary));
        self.shelve(&dictionary);
        Body::Shared(dictionary)
    }

    /// Packs the object against the base, which it becomes if there is none.
    fn pack_alone(&mut self, json: &[u8]) -> Body {
        let Some(base) = self.base.upgrade() else {
            let base = Rc::new(Dictionary::new(self.by_itself(json), json, &self.tally));
            self.base = Rc::downgrade(&base);
            return Body::Shared(base);
        };
        match self.against(&base, json) {
            Some(packed) if packed < json.len() => {
                Body::Against { packed: self.packed[..packed].into(), length: length(json), dictionary: base }
            }
            _ => self.by_itself(json),
        }
    }

    fn by_itself(&mut self, json: &[u8]) -> Body {
        self.packed.resize(get_maximum_output_size(json.len()), 0);
        match compress_into(json, &mut self.packed) {
            Ok(packed) if packed < json.len() => {
                Body::Alone { packed: self.packed[..packed].into(), length: length(json) }
            }
            _ => Body::Plain(json.into()),
        }
    }

    /// Compresses the object into `packed`; how many bytes it is there.
    fn against(&mut self, dictionary: &Rc<Dictionary>, json: &[u8]) -> Option<usize> {
        let kept = dictionary.is_unpacked();
        let bytes = dictionary.unpack().ok()?;
        if !kept {
            self.shelve(dictionary);
        }
        let room = get_maximum_output_size(json.len());
        if self.packed.len() < room {
            self.packed.resize(room, 0);
        }
        compress_into_with_dict(json, &mut self.packed, &bytes).ok()
    }

    /// Counts a dictionary that was unpacked among those that are kept so.
    fn shelve(&mut self, dictionary: &Rc<Dictionary>) {
        if self.unpacked.len() == UNPACKED
            && let Some(oldest) = self.unpacked.pop_front()
        {
            oldest.fold();
        }
        self.unpacked.push_back(Rc::clone(dictionary));
    }

    fn has_room(&mut self, owner: u64) -> bool {
        if self.owners.len() < OWNERS || self.owners.contains_key(&owner) {
            return true;
        }
        if self.credit > 0 {
            self.credit -= 1;
            return false;
        }
        self.owners.retain(|_, dictionary| dictionary.strong_count() > 0);
        if self.owners.len() == OWNERS {
            self.credit = OWNERS;
        }
        self.owners.len() < OWNERS
    }
}

fn length(json: &[u8]) -> u32 {
    u32::try_from(json.len()).expect("an object is smaller than what is read at once")
}
