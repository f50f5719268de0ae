//! An object as it is asked about: by path, and whatever is not there, or not what it should be, is nothing.

use serde_json::Value;

use crate::model::timestamp;

/// A part of an object. Paths are JSON pointers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<'a>(pub(super) &'a Value);

impl<'a> Object<'a> {
    pub(super) fn at(self, path: &str) -> Object<'a> {
        Object(self.0.pointer(path).unwrap_or(&Value::Null))
    }

    pub(super) fn exists(self) -> bool {
        !self.0.is_null()
    }

    pub(super) fn text(self, path: &str) -> &'a str {
        self.at(path).0.as_str().unwrap_or_default()
    }

    /// A text, number or flag, as it is written; empty for anything else.
    pub(super) fn written(self, path: &str) -> String {
        match self.at(path).0 {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => String::new(),
        }
    }

    pub(super) fn number(self, path: &str) -> Option<i64> {
        self.at(path).0.as_i64()
    }

    pub(super) fn is(self, path: &str) -> bool {
        self.at(path).0.as_bool() == Some(true)
    }

    /// A time, in milliseconds since 1970.
    pub(super) fn time(self, path: &str) -> Option<i64> {
        timestamp::parse(self.text(path))
    }

    pub(super) fn items(self, path: &str) -> impl Iterator<Item = Object<'a>> + use<'a> {
        self.at(path).0.as_array().into_iter().flatten().map(Object)
    }

    /// The texts of a list, with commas.
    pub(super) fn joined(self, path: &str) -> String {
        self.items(path).map(|item| item.written("")).collect::<Vec<_>>().join(", ")
    }

    /// The members of an object whose values are texts, numbers or flags.
    pub(super) fn pairs(self, path: &str) -> impl Iterator<Item = (&'a str, String)> + use<'a> {
        let members = self.at(path).0.as_object().into_iter().flatten();
        members.map(|(key, value)| (key.as_str(), Object(value).written("")))
    }

    /// The names of the members of an object.
    pub(super) fn keys(self, path: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.at(path).0.as_object().into_iter().flatten().map(|(key, _)| key.as_str())
    }
}
