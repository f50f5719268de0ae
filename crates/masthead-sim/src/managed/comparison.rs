//! What changed from one value to another, field by field.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    field_set::{FieldSet, Step},
    item::{Form, as_list, as_map, form, is_whole, items, keys, step_to, under},
};
use crate::schema::Schema;

/// The fields in which two values differ. No field is in more than one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Comparison {
    pub(super) removed: FieldSet,
    pub(super) modified: FieldSet,
    pub(super) added: FieldSet,
}

/// A pair of values, either of which may be missing, but not both.
#[derive(Clone, Copy)]
struct Pair<'a> {
    before: Option<&'a Value>,
    after: Option<&'a Value>,
}

impl Comparison {
    /// Compares two values of a type.
    pub(super) fn of(schema: &Schema, before: &Value, after: &Value) -> Comparison {
        let mut comparison = Comparison::default();
        let pair = Pair { before: Some(before), after: Some(after) };
        comparison.walk(schema, pair, &mut Vec::new());
        comparison
    }

    /// Without these fields and what lies below them.
    pub(super) fn without(self, fields: &FieldSet) -> Comparison {
        Comparison {
            removed: self.removed.without_trees(fields),
            modified: self.modified.without_trees(fields),
            added: self.added.without_trees(fields),
        }
    }

    fn walk(&mut self, schema: &Schema, pair: Pair<'_>, path: &mut Vec<Step>) {
        let (old, new) = (form(schema, pair.before), form(schema, pair.after));
        let whole = if pair.after.is_none() {
            self.walk_as(old, schema, pair, path)
        } else {
            if pair.before.is_some() && old != new {
                self.walk_as(old, schema, pair, path);
            }
            self.walk_as(new, schema, pair, path)
        };
        if !whole {
            match (pair.before, pair.after) {
                (None, _) => self.added.insert(path),
                (_, None) => self.removed.insert(path),
                _ => {}
            }
        }
    }

    /// Says whether the pair was compared as a whole.
    fn walk_as(&mut self, form: Form, schema: &Schema, pair: Pair<'_>, path: &mut Vec<Step>) -> bool {
        let is_empty = |value: Option<&Value>| match form {
            Form::Scalar => false,
            Form::List => as_list(value).is_empty(),
            Form::Map => as_map(value).is_none_or(serde_json::Map::is_empty),
        };
        let both_empty = is_empty(pair.before) && is_empty(pair.after);
        if form == Form::Scalar || is_whole(schema, form) || both_empty {
            match (pair.before, pair.after) {
                (None, _) => self.added.insert(path),
                (_, None) => self.removed.insert(path),
                (before, after) if before != after => self.modified.insert(path),
                _ => {}
            }
            return true;
        }
        match form {
            Form::List => self.walk_list(schema, pair, path),
            _ => {
                for key in keys(pair.before, pair.after) {
                    let before = as_map(pair.before).and_then(|map| map.get(key));
                    let after = as_map(pair.after).and_then(|map| map.get(key));
                    path.push(Step::Field(key.clone()));
                    self.walk(&under(schema, key), Pair { before, after }, path);
                    path.pop();
                }
            }
        }
        false
    }

    fn walk_list(&mut self, schema: &Schema, pair: Pair<'_>, path: &mut Vec<Step>) {
        let (before, after) = (by_step(schema, pair.before), by_step(schema, pair.after));
        let new = after.iter().filter(|(step, _)| !before.contains_key(step)).map(|(step, _)| step);
        let (item_schema, none) = (items(schema), Vec::new());
        for step in before.keys().chain(new) {
            let old = before.get(step).unwrap_or(&none);
            let new = after.get(step).unwrap_or(&none);
            path.push(step.clone());
            match (old.as_slice(), new.as_slice()) {
                ([] | [_], [] | [_]) => {
                    let pair = Pair { before: old.first().copied(), after: new.first().copied() };
                    self.walk(&item_schema, pair, path);
                }
                // Items that are there more than once are compared as one.
                ([_, _, ..], [_, _, ..]) => {
                    if old != new {
                        self.modified.insert(path);
                    }
                }
                ([_, _, ..], rest) => {
                    if let Some(after) = rest.first() {
                        self.walk(&item_schema, Pair { before: None, after: Some(after) }, path);
                    }
                    self.removed.insert(path);
                }
                (rest, _) => {
                    if let Some(before) = rest.first() {
                        self.walk(&item_schema, Pair { before: Some(before), after: None }, path);
                    }
                    self.added.insert(path);
                }
            }
            path.pop();
        }
    }
}

fn by_step<'a>(schema: &Schema, list: Option<&'a Value>) -> BTreeMap<Step, Vec<&'a Value>> {
    let mut found: BTreeMap<Step, Vec<&Value>> = BTreeMap::new();
    for item in as_list(list) {
        if let Ok(step) = step_to(schema, item) {
            found.entry(step).or_default().push(item);
        }
    }
    found
}
