//! Who owns which fields of an object: its `managedFields`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::field_set::FieldSet;

/// The owners of the fields of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Owners(pub(super) BTreeMap<Owner, Owned>);

/// Whoever set fields. An applier is the same in every version, an updater is another one in each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    pub(super) name: String,
    pub(super) operation: Operation,
    /// Empty for appliers.
    pub(super) api_version: String,
    /// Empty for the object itself.
    pub(super) subresource: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Apply,
    Update,
}

/// What a manager owns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Owned {
    pub(super) fields: FieldSet,
    /// The version that `fields` are those of.
    pub(super) api_version: String,
    /// When it last changed, as objects name times; empty if nobody knows.
    pub(super) time: String,
}

/// How many updaters an object has at most; the oldest become one.
const MOST_UPDATERS: usize = 10;

impl Owners {
    /// Reads `managedFields`; `None` where they make no sense.
    pub(super) fn decode(entries: &Value) -> Option<Owners> {
        let mut managers = Owners::default();
        for entry in entries.as_array().into_iter().flatten() {
            let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
            let operation = match entry["operation"].as_str() {
                Some("Apply") => Operation::Apply,
                Some("Update") => Operation::Update,
                _ => return None,
            };
            let api_version = text("apiVersion");
            if api_version.is_empty() || entry["fieldsType"] != "FieldsV1" {
                return None;
            }
            let manager = Owner::new(&text("manager"), operation, &api_version, &text("subresource"));
            let fields = FieldSet::from_json(&entry["fieldsV1"]);
            managers.0.insert(manager, Owned { fields, api_version, time: text("time") });
        }
        Some(managers)
    }

    /// As an object has them: appliers first, then by time.
    pub(super) fn encode(&self) -> Value {
        let mut entries: Vec<(&Owner, &Owned)> = self.0.iter().collect();
        entries.sort_by_key(|(manager, owned)| {
            (
                manager.operation,
                owned.time.clone(),
                manager.name.clone(),
                owned.api_version.clone(),
                &manager.subresource,
            )
        });
        let entries = entries.into_iter().map(|(manager, owned)| {
            let mut entry = json!({
                "manager": manager.name, "operation": manager.operation.name(), "apiVersion": owned.api_version,
                "fieldsType": "FieldsV1", "fieldsV1": owned.fields.to_json(),
            });
            for (field, value) in [("time", &owned.time), ("subresource", &manager.subresource)] {
                if !value.is_empty() {
                    entry[field] = value.as_str().into();
                }
            }
            entry
        });
        entries.collect()
    }

    /// Makes the oldest updaters one until there are not too many.
    pub(super) fn cap(&mut self) {
        let is_updater = |(manager, _): &(&Owner, &Owned)| manager.operation == Operation::Update;
        let mut updaters: Vec<(String, Owner)> =
            self.0.iter().filter(is_updater).map(|(manager, owned)| (owned.time.clone(), manager.clone())).collect();
        let mut left = updaters.len();
        if left <= MOST_UPDATERS {
            return;
        }
        updaters.sort();
        let mut first: BTreeMap<String, Owner> = BTreeMap::new();
        for (time, manager) in updaters {
            if left <= MOST_UPDATERS {
                break;
            }
            let Some(owned) = self.0.get(&manager).cloned() else { continue };
            let Some(oldest) = first.get(&owned.api_version) else {
                first.insert(owned.api_version.clone(), manager);
                continue;
            };
            let bucket = Owner::new("ancient-changes", Operation::Update, &owned.api_version, "");
            let known = match self.0.remove(&bucket) {
                Some(known) => Some(known),
                None => self.0.remove(oldest),
            };
            let fields = known.map_or_else(FieldSet::default, |known| known.fields).union(&owned.fields);
            self.0.remove(&manager);
            self.0.insert(bucket, Owned { fields, api_version: owned.api_version, time });
            left -= 1;
        }
    }
}

impl Owner {
    pub(super) fn new(name: &str, operation: Operation, api_version: &str, subresource: &str) -> Owner {
        let name = if name.is_empty() { "unknown" } else { name }.to_owned();
        let api_version = if operation == Operation::Apply { "" } else { api_version }.to_owned();
        Owner { name, operation, api_version, subresource: subresource.to_owned() }
    }

    /// As conflicts name it.
    pub(super) fn show(&self) -> String {
        let mut text = format!("{:?}", self.name);
        if !self.subresource.is_empty() {
            text += &format!(" with subresource {:?}", self.subresource);
        }
        if self.operation == Operation::Update {
            text += &format!(" using {}", self.api_version);
        }
        text
    }
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Apply => "Apply",
            Operation::Update => "Update",
        }
    }
}
