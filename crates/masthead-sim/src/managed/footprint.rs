//! The fields that a value sets.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    field_set::{FieldSet, Step},
    item::{Form, as_list, as_map, form, is_field, is_whole, items, step_to, under},
};
use crate::schema::Schema;

/// Every field that a value of a type sets.
pub(super) fn of(schema: &Schema, value: &Value) -> FieldSet {
    let mut set = FieldSet::default();
    walk(schema, value, &mut Vec::new(), &mut set);
    set
}

fn walk(schema: &Schema, value: &Value, path: &mut Vec<Step>, set: &mut FieldSet) {
    match form(schema, Some(value)) {
        Form::Scalar => set.insert(path),
        form if is_whole(schema, form) => set.insert(path),
        Form::List => walk_list(schema, as_list(Some(value)), path, set),
        Form::Map => {
            for (key, inner) in as_map(Some(value)).into_iter().flatten() {
                path.push(Step::Field(key.clone()));
                walk(&under(schema, key), inner, path, set);
                let empty = inner.is_null() || inner.as_object().is_some_and(serde_json::Map::is_empty);
                if empty || !is_field(schema, key) {
                    set.insert(path);
                }
                path.pop();
            }
        }
    }
}

/// Items that are there twice are one field, without what lies in them.
fn walk_list(schema: &Schema, list: &[Value], path: &mut Vec<Step>, set: &mut FieldSet) {
    let steps: Vec<Option<Step>> = list.iter().map(|item| step_to(schema, item).ok()).collect();
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for step in steps.iter().flatten() {
        if !seen.insert(step) {
            twice.insert(step);
        }
    }
    for (step, item) in steps.iter().zip(list).filter_map(|(step, item)| Some((step.as_ref()?, item))) {
        path.push(step.clone());
        if !twice.contains(step) {
            walk(&items(schema), item, path, set);
        }
        set.insert(path);
        path.pop();
    }
}
