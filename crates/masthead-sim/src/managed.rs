//! Who owns which fields of an object, kept as the real server keeps it.
//!
//! Every write ends in one of two ways: an update owns what it changed, an apply owns what it names and merges it by type.
//! The rules are those of the real server's structured merge and diff, one by one.

mod apply;
mod check;
mod comparison;
mod field_set;
mod footprint;
mod item;
mod merging;
mod owners;
mod removal;
mod reset;
mod scale;
mod update;

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::{
    kind::{Kind, Subresource},
    schema::Schema,
};
use field_set::FieldSet;
use owners::{Operation, Owned, Owner, Owners};

pub(crate) use apply::Unapplied;
pub(crate) use check::plain;
pub(crate) use reset::beside_status;

/// A write to an object, as far as owners are concerned.
#[derive(Clone, Debug)]
pub(crate) struct Ownership<'a> {
    schema: Rc<Schema>,
    api_version: String,
    kind: &'a str,
    /// Empty for the object itself.
    subresource: &'static str,
    /// What the write cannot change, and so cannot own.
    reset: FieldSet,
    /// Who writes.
    manager: &'a str,
    /// When, as objects name times.
    time: &'a str,
}

impl<'a> Ownership<'a> {
    /// A write of an object or of a part that is the object itself, at a time as objects name it.
    pub(crate) fn new(kind: &'a Kind, part: Option<Subresource>, manager: &'a str, time: &'a str) -> Ownership<'a> {
        Ownership {
            schema: Rc::clone(&kind.schema),
            api_version: kind.api_version(),
            kind: &kind.kind,
            subresource: part.map_or("", Subresource::name),
            reset: reset::fields(kind, part),
            manager,
            time,
        }
    }

    fn manager(&self, operation: Operation) -> Owner {
        Owner::new(self.manager, operation, &self.api_version, self.subresource)
    }
}

/// Takes the owners out of an object.
fn take_entries(object: &mut Value) -> Option<Value> {
    object.get_mut("metadata")?.as_object_mut()?.remove("managedFields")
}

/// Writes the owners into an object.
fn put_entries(object: &mut Value, managers: &Owners) {
    take_entries(object);
    if managers.0.is_empty() {
        return;
    }
    if let Some(object) = object.as_object_mut() {
        let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
        metadata["managedFields"] = managers.encode();
    }
}

/// What no manager owns: it is the object's identity, or the server's.
fn without_identity(fields: &FieldSet) -> FieldSet {
    fields.difference(&FieldSet::of(&[
        "apiVersion",
        "kind",
        "metadata",
        "metadata.name",
        "metadata.namespace",
        "metadata.creationTimestamp",
        "metadata.selfLink",
        "metadata.uid",
        "metadata.clusterName",
        "metadata.generation",
        "metadata.managedFields",
        "metadata.resourceVersion",
    ]))
}

/// What every manager but one loses to that one once what `comparison` found is written.
fn give_up(managers: &Owners, but: &Owner, comparison: &comparison::Comparison) -> Vec<(Owner, FieldSet)> {
    let changed = comparison.modified.union(&comparison.added);
    let others = managers.0.iter().filter(|(manager, _)| *manager != but);
    let lost = others.map(|(manager, owned)| (manager.clone(), owned.fields.intersection(&changed)));
    lost.filter(|(_, fields)| !fields.is_empty()).collect()
}

/// Carries out what `give_up` found, and takes what was removed from all but one.
fn settle(managers: &mut Owners, but: &Owner, lost: &[(Owner, FieldSet)], removed: &FieldSet) {
    for (manager, fields) in lost {
        if let Some(owned) = managers.0.get_mut(manager) {
            owned.fields = owned.fields.difference(fields);
        }
    }
    for (_, owned) in managers.0.iter_mut().filter(|(manager, _)| *manager != but) {
        owned.fields = owned.fields.difference(removed);
    }
    managers.0.retain(|_, owned| !owned.fields.is_empty());
}

/// Takes back new times of owners where nothing but those changed.
pub(crate) fn keep_times(before: &Value, next: &mut Value) {
    let timeless = |object: &Value| {
        let mut object = object.clone();
        let entries = object["metadata"]["managedFields"].as_array_mut();
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            entry.remove("time");
        }
        object
    };
    if next["metadata"]["managedFields"].is_array() && timeless(before) == timeless(next) {
        *next = before.clone();
    }
}

#[cfg(test)]
mod tests;
