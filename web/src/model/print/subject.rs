//! What is read of an object: the metadata that every row tells of, and the fields of its kind.

use masthead::lean::{Field, Found, Interned, Lean, Mismatch, Part, Strings, elements, members};

use super::moment::Moment;
use crate::model::table::row::Owner;

/// An object of the kind `K`.
pub(super) struct Subject<K> {
    pub(super) meta: Meta,
    pub(super) of: K,
}

/// The metadata of an object.
#[derive(Lean)]
pub(super) struct Meta {
    #[lean("metadata.labels")]
    pub(super) labels: Labels,
    #[lean("metadata.ownerReferences")]
    pub(super) owner: Controller,
    #[lean("metadata.creationTimestamp")]
    pub(super) created: Moment,
    #[lean("metadata.deletionTimestamp")]
    pub(super) deleted: Moment,
}

/// A kind has no more fields than this leaves room for, or it does not compile.
const MOST: usize = 32;

impl<K: Lean> Subject<K> {
    const ALL: &'static [&'static str; MOST] = &joined(Meta::PATHS, K::PATHS);
}

const fn joined(meta: &[&'static str], kind: &[&'static str]) -> [&'static str; MOST] {
    let (mut all, mut at) = ([""; MOST], 0);
    while at < meta.len() + kind.len() {
        all[at] = if at < meta.len() { meta[at] } else { kind[at - meta.len()] };
        at += 1;
    }
    all
}

impl<K: Lean> Lean for Subject<K> {
    const PATHS: &'static [&'static str] = Self::ALL.split_at(Meta::PATHS.len() + K::PATHS.len()).0;

    fn blank(_: usize) -> Subject<K> {
        Subject { meta: Meta::blank(Meta::PATHS.len()), of: K::blank(K::PATHS.len()) }
    }

    fn set(&mut self, slot: usize, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        match slot.checked_sub(Meta::PATHS.len()) {
            Some(slot) => self.of.set(slot, found, strings),
            None => self.meta.set(slot, found, strings),
        }
    }

    fn heap(&self) -> usize {
        self.meta.heap() + self.of.heap()
    }
}

/// The labels of an object, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels(pub(super) Vec<(Interned, Interned)>);

impl Field for Labels {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let json = match found {
            Found::Null => return Ok(()),
            Found::Nested(json) => json,
            _ => return Err(Mismatch { expected: "an object" }),
        };
        let mut labels: Vec<(Interned, Interned)> = Vec::new();
        members(json, &mut |key, value| {
            let mut text = Interned::default();
            text.take(value, strings)?;
            labels.push((strings.intern(&key), text));
            Ok(())
        })?;
        // Servers write them so.
        if !labels.is_sorted() {
            labels.sort();
        }
        self.0 = labels;
        Ok(())
    }
}

/// Who controls the object.
#[derive(Clone, Debug, Default)]
pub(super) struct Controller {
    pub(super) owner: Option<Owner>,
    /// The group and version of the owner's kind.
    pub(super) api_version: Interned,
}

/// An owner as it is written.
#[derive(Lean)]
struct Reference {
    #[lean("apiVersion")]
    api_version: Interned,
    #[lean("kind")]
    kind: Interned,
    #[lean("name")]
    name: Interned,
    #[lean("uid")]
    uid: Interned,
    #[lean("controller")]
    controls: bool,
}

impl Field for Controller {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let Found::Nested(json) = found else { return Ok(()) };
        elements(json, &mut |found| {
            let mut reference = Part::<Reference>::default();
            reference.take(found, strings)?;
            if self.owner.is_none() && reference.controls {
                let Reference { api_version, kind, name, uid, .. } = reference.0;
                *self = Controller { owner: Some(Owner { kind, name, uid }), api_version };
            }
            Ok(())
        })
    }
}
