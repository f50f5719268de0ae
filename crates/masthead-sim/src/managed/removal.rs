//! A value without some of its fields.

use serde_json::{Map, Value};

use super::{
    field_set::{FieldSet, Step},
    item::{Form, form, is_whole, items, step_to, under},
};
use crate::schema::Schema;

/// The value without the fields of a set; `null` when nothing is left of it.
pub(super) fn remove(schema: &Schema, value: Value, gone: &FieldSet) -> Value {
    let form = form(schema, Some(&value));
    match value {
        Value::Array(_) | Value::Object(_) if is_whole(schema, form) => Value::Null,
        Value::Array(list) if form == Form::List => {
            let mut matched = false;
            let items: Vec<Value> = list
                .into_iter()
                .filter_map(|item| {
                    let Ok(step) = step_to(schema, &item) else { return Some(item) };
                    matched |= gone.below(&step).is_some() && !gone.has(&step);
                    keep(&items(schema), item, &step, gone)
                })
                .collect();
            if items.is_empty() && !matched { Value::Null } else { Value::Array(items) }
        }
        Value::Object(fields) if form == Form::Map => {
            let mut matched = false;
            let fields: Map<String, Value> = fields
                .into_iter()
                .filter_map(|(key, inner)| {
                    let step = Step::Field(key.clone());
                    matched |= gone.below(&step).is_some() && !gone.has(&step);
                    Some((key.clone(), keep(&under(schema, &key), inner, &step, gone)?))
                })
                .collect();
            if fields.is_empty() && !matched { Value::Null } else { Value::Object(fields) }
        }
        other => other,
    }
}

/// A part of a value, if it stays. One that loses everything inside stays empty.
fn keep(schema: &Schema, part: Value, step: &Step, gone: &FieldSet) -> Option<Value> {
    if gone.has(step) {
        return None;
    }
    let Some(below) = gone.below(step) else { return Some(part) };
    let emptied = match &part {
        Value::Object(_) => Value::Object(Map::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        _ => Value::Null,
    };
    match remove(schema, part, below) {
        Value::Null => Some(emptied),
        left => Some(left),
    }
}
