//! Reads packed objects.

use std::{
    cell::RefCell,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    ops::Range,
};

use rustc_hash::FxHasher;

use super::{Body, Keeper, Packed, shelf::Shelf};
use crate::{
    Error,
    lean::{Cells, Lean, Projected, Projector, Row, Scan, Set, Strings, Unread},
    rest::{Decoder, First, MediaType},
};

/// Reads the fields of `T` out of objects and packs the objects themselves.
///
/// One packer is for objects of one kind, which are alike. It remembers at most 65,536 owners and keeps 64 dictionaries
/// unpacked.
pub struct Packer<T> {
    press: Press,
    fields: PhantomData<fn() -> T>,
}

impl<T: Lean> Packer<T> {
    /// Reads the fields that `T` declares.
    pub fn new() -> Packer<T> {
        Packer::with(Projector::new())
    }

    /// Reads the fields that `projector` reads.
    pub fn with(projector: Projector<T>) -> Packer<T> {
        let (scan, strings) = projector.for_packing();
        Packer { press: Press { scan, strings, shelf: RefCell::default() }, fields: PhantomData }
    }

    /// Reads objects as it does, and keeps what `make` makes of their fields: what a view shows of them, say.
    pub fn keeping<U>(self, make: impl Fn(&Row<T>) -> U + 'static) -> Keeper<U> {
        Keeper::new(move |bytes| self.pack(bytes).map(|(object, length)| (object.map(&make), length)))
    }

    /// How many bytes of memory objects share: dictionaries and texts. Each object's own are told by [`Packed::bytes`].
    pub fn bytes(&self) -> usize {
        self.press.shelf.borrow().bytes() + self.press.strings.bytes()
    }

    pub(super) fn pack(&self, bytes: &[u8]) -> Result<(Packed<T>, usize), Unread> {
        let Press { scan, strings, .. } = &self.press;
        let mut fields = T::blank(scan.slots());
        let (packed, length) = self.press.pack(bytes, &mut |slot, found| fields.set(slot, found, strings))?;
        Ok((Packed { row: packed.row.with(fields), body: packed.body }, length))
    }
}

impl Packer<Cells> {
    /// Reads what lies at `paths`: for a table whose columns a person chose.
    pub fn of_paths(paths: &[&str]) -> Result<Packer<Cells>, Error> {
        Projector::of_paths(paths).map(Packer::with)
    }
}

impl<T: Lean> Decoder<Packed<T>> for Packer<T> {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Packed<T>, Error> {
        match media_type {
            MediaType::Json => self.pack(object).map(|(packed, _)| packed).map_err(Error::from),
        }
    }

    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<Packed<T>> {
        match media_type {
            MediaType::Json => first(self.pack(bytes)),
        }
    }
}

/// What the bytes begin with, by what came of packing it.
pub(super) fn first<T>(packed: Result<(Packed<T>, usize), Unread>) -> First<Packed<T>> {
    match packed {
        Ok((object, length)) => First::Whole { object, length },
        Err(Unread::Short) => First::Cut,
        Err(Unread::Wrong(_)) => First::Unknown,
    }
}

/// The part of a packer that does not depend on its fields: a page that prints fifty kinds has it once.
struct Press {
    scan: Scan,
    strings: Strings,
    shelf: RefCell<Shelf>,
}

impl Press {
    /// Packs the object that `bytes` begin with; `set` takes its fields.
    fn pack(&self, bytes: &[u8], set: &mut Set<'_>) -> Result<(Packed<()>, usize), Unread> {
        let Projected { row, owner, extent } = self.scan.read(bytes, set)?;
        let length = extent.length;
        let body = shelve(&mut self.shelf.borrow_mut(), &bytes[..length], &owner, extent.cut);
        Ok((Packed { row, body }, length))
    }
}

impl<T: Lean> Default for Packer<T> {
    fn default() -> Packer<T> {
        Packer::new()
    }
}

impl<T> fmt::Debug for Packer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer").field("strings", &self.press.strings).finish_non_exhaustive()
    }
}

/// Packs the object of this owner without the member at `cut`.
fn shelve(shelf: &mut Shelf, object: &[u8], owner: &str, cut: Option<Range<usize>>) -> Body {
    shelf.pack((!owner.is_empty()).then(|| hash(owner)), without(object, cut))
}

/// The object without the member at `cut`, and without one of the commas beside it.
fn without(object: &[u8], cut: Option<Range<usize>>) -> [&[u8]; 2] {
    let Some(cut) = cut else { return [object, &[]] };
    let (before, behind) = (&object[..cut.start], &object[cut.end..]);
    let next = behind.trim_ascii_start();
    if let Some(rest) = next.strip_prefix(b",") {
        return [before, rest];
    }
    let last = before.trim_ascii_end();
    [last.strip_suffix(b",").unwrap_or(last), behind]
}

fn hash(owner: &str) -> u64 {
    let mut hasher = FxHasher::default();
    owner.hash(&mut hasher);
    hasher.finish()
}
