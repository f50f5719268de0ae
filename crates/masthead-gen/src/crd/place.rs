//! A value in a document, and the way to it.

use std::fmt;

use serde_json::{Map, Value};

/// A value in a document, with the path that leads to it.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) value: &'a Value,
    path: String,
}

/// What is wrong at a path, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    path: String,
    why: String,
}

impl<'a> Place<'a> {
    /// A whole object.
    pub(super) fn whole(value: &'a Value) -> Place<'a> {
        Place { value, path: String::new() }
    }

    /// A mistake here.
    pub(super) fn wrong(&self, why: impl Into<String>) -> Wrong {
        Wrong { path: self.path.clone(), why: why.into() }
    }

    /// The value of a key; `null` is as good as none.
    pub(super) fn at(&self, key: &str) -> Option<Place<'a>> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Place { value, path: self.below(key) })
    }

    /// The value of a key that must be there; `example` is what could be.
    pub(super) fn need(&self, key: &str, example: &str) -> Result<Place<'a>, Wrong> {
        let missing = || Wrong { path: self.below(key), why: format!("missing; it would be {example}") };
        self.at(key).ok_or_else(missing)
    }

    pub(super) fn text(&self) -> Result<&'a str, Wrong> {
        self.value.as_str().ok_or_else(|| self.wrong(format!("{}, where a string is right", called(self.value))))
    }

    pub(super) fn list(&self) -> Result<Vec<Place<'a>>, Wrong> {
        let items = self
            .value
            .as_array()
            .ok_or_else(|| self.wrong(format!("{}, where a list is right", called(self.value))))?;
        let item = |(index, value)| Place { value, path: format!("{}[{index}]", self.path) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The values of a map by their keys, in the order of the keys.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Place<'a>)>, Wrong> {
        let mut entries: Vec<(&str, Place<'a>)> =
            self.map()?.iter().map(|(key, value)| (key.as_str(), Place { value, path: self.below(key) })).collect();
        entries.sort_by_key(|(key, _)| *key);
        Ok(entries)
    }

    pub(super) fn map(&self) -> Result<&'a Map<String, Value>, Wrong> {
        self.value.as_object().ok_or_else(|| self.wrong(format!("{}, where a map is right", called(self.value))))
    }

    /// The flag of a key, which is off where there is none.
    pub(super) fn flag(&self, key: &str) -> Result<bool, Wrong> {
        let Some(place) = self.at(key) else { return Ok(false) };
        let no_flag = || place.wrong(format!("{}, where true or false is right", called(place.value)));
        place.value.as_bool().ok_or_else(no_flag)
    }

    /// The text of a key that may be missing.
    pub(super) fn text_at(&self, key: &str) -> Result<Option<&'a str>, Wrong> {
        self.at(key).map(|place| place.text()).transpose()
    }

    fn below(&self, key: &str) -> String {
        let is_plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_$".contains(c));
        match (is_plain, self.path.is_empty()) {
            (true, true) => key.to_owned(),
            (true, false) => format!("{}.{key}", self.path),
            (false, _) => format!("{}[{key:?}]", self.path),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.why) } else { write!(f, "{}: {}", self.path, self.why) }
    }
}

/// A value in a sentence.
fn called(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
        Value::String(text) if text.len() < 40 => format!("{text:?}"),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a map".to_owned(),
    }
}
