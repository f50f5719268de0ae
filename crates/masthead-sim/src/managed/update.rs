//! POST, PUT and PATCH: whoever writes owns what changed.

use serde_json::{Map, Value};

use super::{
    Operation, Owned, Owner, Owners, Ownership, comparison::Comparison, give_up, put_entries, settle, take_entries,
    without_identity,
};

impl Ownership<'_> {
    /// Writes into `next` who owns what once it takes the place of `live`, which is empty for a new object.
    pub(crate) fn update(&self, live: &Value, next: &mut Value) {
        let given = take_entries(next);
        let known = || Owners::decode(&live["metadata"]["managedFields"]).unwrap_or_default();
        let mut managers = match &given {
            _ if !self.subresource.is_empty() => known(),
            Some(entries) if is_reset(entries) => Owners::default(),
            Some(entries) => match Owners::decode(entries) {
                Some(given) if !given.0.is_empty() => given,
                _ => known(),
            },
            None => known(),
        };
        // Nobody owns anything of an object whose owners were given up, until somebody applies it.
        let is_new = live["metadata"]["uid"].as_str().is_none_or(str::is_empty);
        if !managers.0.is_empty() || is_new {
            self.forget_other_groups(&mut managers);
            self.track(live, next, &mut managers);
            managers.cap();
        }
        put_entries(next, &managers);
    }

    /// Gives up the owners that set fields of another group's version of the object: there is no telling what those are here.
    fn forget_other_groups(&self, managers: &mut Owners) {
        let group = |version: &str| version.split_once('/').map(|(group, _)| group.to_owned());
        managers.0.retain(|_, owned| group(&owned.api_version) == group(&self.api_version));
    }

    /// Makes the writer the owner of what differs between two states.
    pub(super) fn track(&self, live: &Value, next: &Value, managers: &mut Owners) {
        let mut before = live.clone();
        if live.as_object().is_none_or(Map::is_empty) {
            self.schema.write(&mut before);
        }
        let comparison = Comparison::of(&self.schema, &before, next).without(&self.reset);
        // Nobody is called so: the writer itself loses what it changes, and gets it back below.
        let this = Owner::new(" ", Operation::Update, "", "");
        let lost = give_up(managers, &this, &comparison);
        settle(managers, &this, &lost, &comparison.removed);
        let fields = without_identity(&comparison.modified.union(&comparison.added));
        if fields.is_empty() {
            return;
        }
        let manager = self.manager(Operation::Update);
        let fields = match managers.0.get(&manager) {
            Some(previous) => fields.union(&previous.fields),
            None => fields,
        };
        let owned = Owned { fields, api_version: self.api_version.clone(), time: self.time.to_owned() };
        managers.0.insert(manager, owned);
    }
}

/// Whether the owners are to be given up: a list with nothing in it, or with one empty entry.
fn is_reset(entries: &Value) -> bool {
    match entries.as_array().map(Vec::as_slice) {
        Some([]) => true,
        Some([entry]) => entry.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}
