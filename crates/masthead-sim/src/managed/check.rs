//! Whether an applied object is of its type, in the words in which the real server says that it is not.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    field_set::Step,
    item::{Form, form, items, step_to, under},
};
use crate::schema::{ListMerge, ListType, Scalar, Schema, Unknown};

/// Everything that is wrong with a value of a type; `None` when nothing is.
pub(super) fn check(schema: &Schema, value: &Value) -> Option<String> {
    let mut wrong = Vec::new();
    walk(schema, value, "", &mut wrong);
    match wrong.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        all => Some(format!("errors:\n  {}", all.join("\n  "))),
    }
}

fn walk(schema: &Schema, value: &Value, path: &str, wrong: &mut Vec<String>) {
    let mut refuse = |what: String| {
        wrong.push(if path.is_empty() { what } else { format!("{path}: {what}") });
    };
    match (form(schema, Some(value)), value) {
        (_, Value::Null) => {}
        (Form::Scalar, _) => {
            if let Some(what) = wrong_scalar(schema, value) {
                refuse(what);
            }
        }
        (Form::List, Value::Array(list)) => walk_list(schema, list, path, wrong),
        (Form::List, _) => refuse(format!("expected list, got &{{{}}}", plain(value))),
        (Form::Map, Value::Object(fields)) => {
            let known = |key: &str| match schema {
                Schema::Struct(of) => of.unknown == Unknown::Kept || of.fields.contains_key(key),
                _ => true,
            };
            for (key, inner) in fields {
                if !known(key) {
                    wrong.push(format!("{path}.{key}: field not declared in schema"));
                    return;
                }
                walk(&under(schema, key), inner, &format!("{path}.{key}"), wrong);
            }
        }
        (Form::Map, _) => refuse(format!("expected map, got &{{{}}}", plain(value))),
    }
}

fn walk_list(schema: &Schema, list: &[Value], path: &str, wrong: &mut Vec<String>) {
    let whole = !matches!(schema, Schema::List(ListType { merge: ListMerge::Set | ListMerge::Keyed(_), .. }));
    let (mut seen, item_schema) = (BTreeSet::new(), items(schema));
    for (index, item) in list.iter().enumerate() {
        let step = if whole { Ok(Step::Index(index)) } else { step_to(schema, item) };
        let step = match step {
            Ok(step) => step,
            // Without a name for the item there is nothing to say about what is in it.
            Err(why) => return wrong.push(format!("{path}: element {index}: {why}")),
        };
        if !seen.insert(step.clone()) {
            wrong.push(format!("{path}: duplicate entries for key {step}"));
        }
        walk(&item_schema, item, &format!("{path}{step}"), wrong);
    }
}

fn wrong_scalar(schema: &Schema, value: &Value) -> Option<String> {
    match (schema, value) {
        (Schema::Scalar(Scalar::Int32 | Scalar::Int64 | Scalar::Number), Value::Number(_))
        | (Schema::Scalar(Scalar::String | Scalar::Bytes), Value::String(_))
        | (Schema::Scalar(Scalar::Boolean), Value::Bool(_)) => None,
        (Schema::Scalar(Scalar::Int32 | Scalar::Int64 | Scalar::Number), _) => {
            Some(format!("expected numeric (int or float), got {}", go_type(value)))
        }
        (Schema::Scalar(Scalar::String | Scalar::Bytes), _) => {
            Some(format!("expected string, got &value.valueUnstructured{{Value:{}}}", literal(value)))
        }
        (Schema::Scalar(Scalar::Boolean), _) => Some(format!("expected boolean, got &{{{}}}", plain(value))),
        (_, Value::Array(_) | Value::Object(_)) => Some(format!("expected any scalar, got &{{{}}}", plain(value))),
        _ => None,
    }
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// A value as Go prints it.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", plain(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
        other => other.to_string(),
    }
}

/// A value as Go writes it in a program.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Array(items) => {
            format!("[]interface {{}}{{{}}}", items.iter().map(literal).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key:?}:{}", literal(value))).collect();
            format!("map[string]interface {{}}{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}
