//! What a value is taken for, and how the items of a list are told apart.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::field_set::{Leaf, Step};
use crate::schema::{ListMerge, ListType, Schema, TypeRef};

/// How a value is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Scalar,
    List,
    Map,
}

/// What a value is taken for where its type is `schema`.
pub(super) fn form(schema: &Schema, value: Option<&Value>) -> Form {
    match (schema, value) {
        (Schema::Scalar(_), _) => Form::Scalar,
        (Schema::List(_), _) => Form::List,
        (Schema::Struct(_) | Schema::Map(_), _) => Form::Map,
        (Schema::Any | Schema::Opaque, Some(Value::Array(_))) => Form::List,
        (Schema::Any | Schema::Opaque, None | Some(Value::Object(_) | Value::Null)) => Form::Map,
        (Schema::Any | Schema::Opaque, _) => Form::Scalar,
    }
}

/// Whether a value of this type and form merges as a whole.
pub(super) fn is_whole(schema: &Schema, form: Form) -> bool {
    match (schema, form) {
        (Schema::Any, Form::Map) => false,
        (Schema::Any, _) => true,
        _ => schema.is_atomic(),
    }
}

/// The type of what lies under a key; anything where nothing may.
pub(super) fn under(schema: &Schema, key: &str) -> Rc<Schema> {
    schema.under(key).unwrap_or_else(|| Rc::new(Schema::Any))
}

/// Whether a key is the name of a field, not just any key of a map.
pub(super) fn is_field(schema: &Schema, key: &str) -> bool {
    matches!(schema, Schema::Struct(of) if of.fields.contains_key(key))
}

/// The type of the items of a list.
pub(super) fn items(schema: &Schema) -> Rc<Schema> {
    match schema {
        Schema::List(ListType { items, .. }) => items.schema(),
        _ => Rc::new(Schema::Opaque),
    }
}

pub(super) fn as_list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn as_map(value: Option<&Value>) -> Option<&Map<String, Value>> {
    value.and_then(Value::as_object)
}

/// The keys of two objects, each once.
pub(super) fn keys<'a>(a: Option<&'a Value>, b: Option<&'a Value>) -> Vec<&'a String> {
    let (a, b) = (as_map(a), as_map(b));
    let new = b.into_iter().flat_map(Map::keys).filter(|key| a.is_none_or(|a| !a.contains_key(*key)));
    a.into_iter().flat_map(Map::keys).chain(new).collect()
}

/// The step from a list to one of its items, or why there is none.
pub(super) fn step_to(schema: &Schema, item: &Value) -> Result<Step, String> {
    let Schema::List(ListType { items, merge }) = schema else {
        return Err("invalid indexing of non-associative list".to_owned());
    };
    match (merge, item) {
        (ListMerge::Keyed(keys), Value::Object(fields)) => keyed_step(keys, items, fields),
        (ListMerge::Keyed(_), Value::Null) => Err("associative list with keys may not have a null element".to_owned()),
        (ListMerge::Keyed(_), _) => Err("associative list with keys may not have non-map elements".to_owned()),
        (_, Value::Object(_)) => Err("associative list without keys has an element that's a map type".to_owned()),
        (_, Value::Array(_)) => Err("not supported: associative list with lists as elements".to_owned()),
        (_, Value::Null) => Err("associative list without keys has an element that's an explicit null".to_owned()),
        (_, value) => Ok(Step::Value(Leaf(value.clone()))),
    }
}

fn keyed_step(keys: &[Rc<str>], items: &TypeRef, fields: &Map<String, Value>) -> Result<Step, String> {
    let schema = items.schema();
    let default = |key: &str| match &*schema {
        Schema::Struct(of) => of.fields.get(key).and_then(|field| field.default.clone()),
        _ => None,
    };
    let found = keys.iter().filter_map(|key| {
        let value = fields.get(&**key).cloned().or_else(|| default(key))?;
        Some((key.to_string(), Leaf(value)))
    });
    let mut found: Vec<(String, Leaf)> = found.collect();
    if found.is_empty() {
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for \
             any key fields)",
            keys.join(" ")
        ));
    }
    found.sort();
    Ok(Step::Key(found))
}
