//! Steps through a JSON tree whose shape nobody vouches for: what is not as expected is passed over.

use serde_json::{Map, Value};

/// The member, if it is an object.
pub(crate) fn member<'a>(parent: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    parent.get_mut(name).filter(|value| value.is_object())
}

/// The member that must be an object, made when it is not there.
pub(crate) fn made<'a>(parent: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    fill(parent, name, Value::Object(Map::new()));
    member(parent, name)
}

/// The items of a list that are objects.
pub(crate) fn members<'a>(parent: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let items = parent.get_mut(name).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter(|item| item.is_object())
}

/// Sets a member that is not there.
pub(crate) fn fill(parent: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = parent.as_object_mut()
        && fields.get(name).is_none_or(Value::is_null)
    {
        fields.insert(name.to_owned(), value.into());
    }
}

/// Sets a member that is not there or says nothing.
pub(crate) fn fill_empty(parent: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = parent.as_object_mut()
        && fields.get(name).is_none_or(is_empty)
    {
        fields.insert(name.to_owned(), value.into());
    }
}

/// Drops these members where they say nothing.
pub(crate) fn drop_empty(parent: &mut Value, names: &[&str]) {
    if let Some(fields) = parent.as_object_mut() {
        fields.retain(|name, value| !names.contains(&name.as_str()) || !is_empty(value));
    }
}

/// Whether a value is the zero value of its type.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// The text of a member; empty when there is none.
pub(crate) fn text<'a>(parent: &'a Value, name: &str) -> &'a str {
    parent[name].as_str().unwrap_or_default()
}

/// The items of a member; none when it is no list.
pub(crate) fn items<'a>(parent: &'a Value, name: &str) -> &'a [Value] {
    parent[name].as_array().map_or(&[], Vec::as_slice)
}

/// The entries of a member in the order of their keys; none when it is no object.
pub(crate) fn entries<'a>(parent: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    parent[name].as_object().into_iter().flatten()
}
