//! Reads lean objects.

use std::{borrow::Cow, fmt, marker::PhantomData};

use masthead_scan::{Extent, Halt, Plan, Stop};

use super::{Cells, Found, Lean, Mismatch, Row, Strings, path};
use crate::{
    Error,
    cache::ObjectKey,
    rest::{Decoder, First, MediaType},
};

/// Reads the fields of `T` out of objects, and skips the rest.
///
/// What is skipped is not judged: an object with a mistake in a part that nobody asked for is read all the same.
pub struct Projector<T> {
    scan: Scan,
    strings: Strings,
    fields: PhantomData<fn() -> T>,
}

impl<T: Lean> Projector<T> {
    /// Reads the fields that `T` declares.
    ///
    /// # Panics
    ///
    /// When a path of a `Lean` that was written by hand is wrong; the derive refuses those.
    pub fn new() -> Projector<T> {
        let scan = Scan::new(T::PATHS).expect("the paths of a lean type are checked where it is derived");
        Projector { scan, strings: Strings::new(), fields: PhantomData }
    }
}

impl Projector<Cells> {
    /// Reads what lies at `paths`: for a table whose columns a person chose.
    ///
    /// ```
    /// use masthead::{lean::Projector, rest::{Decoder, MediaType}};
    ///
    /// let columns = Projector::of_paths(&["spec.replicas", r"metadata.labels.app\.kubernetes\.io/name"])?;
    /// let json = br#"{"metadata":{"name":"web","labels":{"app.kubernetes.io/name":"shop"}},"spec":{"replicas":3}}"#;
    /// let row = columns.decode(MediaType::Json, json)?;
    /// assert_eq!((row.get(0).to_string(), row.get(1).to_string()), ("3".into(), "shop".into()));
    /// # Ok::<(), masthead::Error>(())
    /// ```
    pub fn of_paths(paths: &[&str]) -> Result<Projector<Cells>, Error> {
        Ok(Projector { scan: Scan::new(paths)?, strings: Strings::new(), fields: PhantomData })
    }
}

impl<T: Lean> Projector<T> {
    /// Shares its texts with others: views of one page mostly show the same ones.
    #[must_use]
    pub fn strings(mut self, strings: &Strings) -> Projector<T> {
        self.strings = strings.clone();
        self
    }

    /// The texts that its rows share.
    pub fn shared(&self) -> &Strings {
        &self.strings
    }

    /// What it looks for, also the owner and the managed fields, and the texts that its rows share: for objects that are to
    /// be packed.
    pub(crate) fn for_packing(mut self) -> (Scan, Strings) {
        self.scan.look_around();
        (self.scan, self.strings)
    }

    /// Reads the object that `bytes` begin with.
    fn project<'a>(&self, bytes: &'a [u8]) -> Result<Projected<'a, T>, Unread> {
        let mut fields = T::blank(self.scan.slots());
        let found = self.scan.read(bytes, &mut |slot, found| fields.set(slot, found, &self.strings))?;
        Ok(Projected { row: found.row.with(fields), owner: found.owner, extent: found.extent })
    }
}

impl<T: Lean> Decoder<Row<T>> for Projector<T> {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Row<T>, Error> {
        match media_type {
            MediaType::Json => self.project(object).map(|projected| projected.row).map_err(Error::from),
        }
    }

    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<Row<T>> {
        match media_type {
            MediaType::Json => match self.project(bytes) {
                Ok(Projected { row, extent, .. }) => First::Whole { object: row, length: extent.length },
                Err(Unread::Short) => First::Cut,
                Err(Unread::Wrong(_)) => First::Unknown,
            },
        }
    }
}

impl<T: Lean> Default for Projector<T> {
    fn default() -> Projector<T> {
        Projector::new()
    }
}

impl<T> fmt::Debug for Projector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projector").field("strings", &self.strings).finish_non_exhaustive()
    }
}

/// An object that was read, and what else was seen on the way.
pub(crate) struct Projected<'a, T> {
    pub(crate) row: Row<T>,
    /// The uid of the first owner; empty where there is none.
    pub(crate) owner: Cow<'a, str>,
    pub(crate) extent: Extent,
}

/// Why there is no object.
#[derive(Debug)]
pub(crate) enum Unread {
    Short,
    Wrong(String),
}

impl From<Unread> for Error {
    fn from(unread: Unread) -> Error {
        let why = match unread {
            Unread::Short => "the object is cut".to_owned(),
            Unread::Wrong(why) => why,
        };
        Error::undecodable("read object", serde::de::Error::custom(why))
    }
}

/// The part of a projector that does not depend on its fields.
pub(crate) struct Scan {
    plan: Plan,
    paths: Vec<Box<str>>,
}

/// Where the metadata that every object has lies; these slots come first.
const IDENTITY: [&str; 5] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.resourceVersion",
    "metadata.uid",
    "metadata.ownerReferences[*].uid",
];

/// The owner is looked for in objects that are to be packed only.
const OWNER: usize = 4;

#[derive(Default)]
struct Identity<'a> {
    name: Cow<'a, str>,
    namespace: Cow<'a, str>,
    version: Cow<'a, str>,
    uid: Cow<'a, str>,
    owner: Cow<'a, str>,
}

/// Who takes a field.
pub(crate) type Set<'s> = dyn FnMut(usize, Found<'_>) -> Result<(), Mismatch> + 's;

impl Scan {
    fn new(paths: &[&str]) -> Result<Scan, Error> {
        let mut plan = Plan::default();
        for (slot, path) in IDENTITY.iter().take(OWNER).chain(paths).enumerate() {
            let slot = if slot < OWNER { slot } else { slot + 1 };
            plan.add(&path::parse(path)?, slot);
        }
        Ok(Scan { plan, paths: IDENTITY.iter().chain(paths).map(|path| (*path).into()).collect() })
    }

    fn look_around(&mut self) {
        let known = |path| path::parse(path).expect("a path of ours");
        self.plan.add(&known(IDENTITY[OWNER]), OWNER);
        self.plan.cut(&known("metadata.managedFields"));
    }

    pub(crate) fn slots(&self) -> usize {
        self.paths.len() - IDENTITY.len()
    }

    /// Not generic: a page that prints fifty kinds has this once.
    pub(crate) fn read<'a>(&self, bytes: &'a [u8], set: &mut Set<'_>) -> Result<Projected<'a, ()>, Unread> {
        let mut identity = Identity::default();
        let mut sink = |slot: usize, json: &'a [u8]| {
            let found = Found::read(json).ok_or(Mismatch { expected: "a value" })?;
            match slot.checked_sub(IDENTITY.len()) {
                Some(slot) => set(slot, found),
                None => identity.take(slot, found),
            }
        };
        let extent = self.plan.walk(bytes, &mut sink).map_err(|halt| self.unread(&halt))?;
        if identity.name.is_empty() {
            return Err(Unread::Wrong("metadata.name is missing".to_owned()));
        }
        let Identity { name, namespace, version, uid, owner } = identity;
        let row = Row::bare(ObjectKey::new(&namespace, &name), &uid, &version);
        let row = row.ok_or_else(|| Unread::Wrong("metadata.uid: too long".into()))?;
        Ok(Projected { row, owner, extent })
    }

    fn unread(&self, halt: &Halt) -> Unread {
        match halt {
            Halt::Stop(Stop::Short) => Unread::Short,
            Halt::Stop(Stop::Malformed(at)) => Unread::Wrong(format!("no JSON at byte {at} of the object")),
            Halt::Mismatch { slot, mismatch } => {
                let path = self.paths.get(*slot).map_or("", |path| path);
                Unread::Wrong(format!("{path}: {mismatch}"))
            }
        }
    }
}

impl<'a> Identity<'a> {
    fn take(&mut self, slot: usize, found: Found<'a>) -> Result<(), Mismatch> {
        let text = match found {
            Found::Text(text) => text,
            Found::Null => return Ok(()),
            _ => return Err(Mismatch { expected: "a text" }),
        };
        match slot {
            0 => self.name = text,
            1 => self.namespace = text,
            2 => self.version = text,
            3 => self.uid = text,
            _ if self.owner.is_empty() => self.owner = text,
            _ => {}
        }
        Ok(())
    }
}
