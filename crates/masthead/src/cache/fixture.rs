//! Small objects for the tests of this module. `foo10` is the object `foo` with the value 10.

use std::{collections::BTreeMap, rc::Rc};

use super::{Delta, DeltaBatch, DeltaQueue, KnownObjects, Object, ObjectKey, Tombstone};

#[derive(Debug, PartialEq)]
pub(super) struct TestObject {
    pub(super) name: &'static str,
    pub(super) value: u32,
    version: String,
}

impl Object for TestObject {
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

pub(super) fn test_object(name: &'static str, value: u32) -> Rc<TestObject> {
    Rc::new(TestObject { name, value, version: value.to_string() })
}

pub(super) fn tombstone(name: &'static str, value: u32) -> Tombstone<TestObject> {
    Tombstone::Deleted(test_object(name, value))
}

/// A store that never changes.
pub(super) struct FixedStore(BTreeMap<ObjectKey, Rc<TestObject>>);

impl FixedStore {
    pub(super) fn of(objects: impl IntoIterator<Item = (&'static str, u32)>) -> FixedStore {
        FixedStore(
            objects.into_iter().map(|(name, value)| (ObjectKey::new("", name), test_object(name, value))).collect(),
        )
    }
}

impl KnownObjects<TestObject> for FixedStore {
    fn keys(&self) -> Vec<ObjectKey> {
        self.0.keys().cloned().collect()
    }

    fn contains(&self, key: &ObjectKey) -> bool {
        self.0.contains_key(key)
    }

    fn get(&self, key: &ObjectKey) -> Option<Rc<TestObject>> {
        self.0.get(key).cloned()
    }
}

/// Pops everything, one line per batch.
pub(super) fn drain(queue: &mut impl DeltaQueue<TestObject>, limit: usize) -> Vec<String> {
    std::iter::from_fn(|| queue.pop(limit)).map(|batch| format_batch(&batch)).collect()
}

pub(super) fn format_batch(batch: &DeltaBatch<TestObject>) -> String {
    batch.deltas.iter().map(format_delta).collect::<Vec<_>>().join(", ")
}

fn format_delta(delta: &Delta<TestObject>) -> String {
    let name = |object: &Rc<TestObject>| format!("{}{}", object.name, object.value);
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
