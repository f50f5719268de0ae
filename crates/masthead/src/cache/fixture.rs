//! Small objects for the tests of this module: `foo10` is the object `foo` with the value 10.

use std::{collections::BTreeMap, rc::Rc};

use super::{Batch, Delta, Known, Object, ObjectKey, Queue, Tombstone};

#[derive(Debug, PartialEq)]
pub(super) struct Thing {
    pub(super) name: &'static str,
    pub(super) value: u32,
    version: String,
}

impl Object for Thing {
    fn key(&self) -> ObjectKey {
        ObjectKey::new("", self.name)
    }

    fn resource_version(&self) -> &str {
        &self.version
    }

    fn uid(&self) -> &str {
        self.name
    }
}

pub(super) fn thing(name: &'static str, value: u32) -> Rc<Thing> {
    Rc::new(Thing { name, value, version: value.to_string() })
}

pub(super) fn gone(name: &'static str, value: u32) -> Tombstone<Thing> {
    Tombstone::Deleted(thing(name, value))
}

/// A store that never changes.
pub(super) struct Shelf(BTreeMap<ObjectKey, Rc<Thing>>);

impl Shelf {
    pub(super) fn of(things: impl IntoIterator<Item = (&'static str, u32)>) -> Shelf {
        Shelf(things.into_iter().map(|(name, value)| (ObjectKey::new("", name), thing(name, value))).collect())
    }
}

impl Known<Thing> for Shelf {
    fn keys(&self) -> Vec<ObjectKey> {
        self.0.keys().cloned().collect()
    }

    fn contains(&self, key: &ObjectKey) -> bool {
        self.0.contains_key(key)
    }

    fn get(&self, key: &ObjectKey) -> Option<Rc<Thing>> {
        self.0.get(key).cloned()
    }
}

/// Everything a queue has, one batch a line.
pub(super) fn drain(queue: &mut impl Queue<Thing>, limit: usize) -> Vec<String> {
    std::iter::from_fn(|| queue.pop(limit)).map(|batch| told(&batch)).collect()
}

pub(super) fn told(batch: &Batch<Thing>) -> String {
    batch.deltas.iter().map(tell).collect::<Vec<_>>().join(", ")
}

fn tell(delta: &Delta<Thing>) -> String {
    let name = |thing: &Rc<Thing>| format!("{}{}", thing.name, thing.value);
    match delta {
        Delta::Added(object) => format!("Added {}", name(object)),
        Delta::Updated(object) => format!("Updated {}", name(object)),
        Delta::Replaced(object) => format!("Replaced {}", name(object)),
        Delta::Sync(object) => format!("Sync {}", name(object)),
        Delta::Deleted(Tombstone::Deleted(object)) => format!("Deleted {}", name(object)),
        Delta::Deleted(Tombstone::FinalStateUnknown { key, last }) => {
            format!("Unknown {}", last.as_ref().map_or(key.to_string(), name))
        }
        Delta::ReplacedAll { list, .. } => {
            let objects: Vec<_> = list.objects.iter().map(name).collect();
            format!("ReplacedAll @{} [{}]", list.resource_version, objects.join(" "))
        }
        Delta::Stale(stale) => format!("Stale {}", stale.key),
        Delta::SyncAll => "SyncAll".to_owned(),
        Delta::Bookmark(version) => format!("Bookmark {version}"),
    }
}
