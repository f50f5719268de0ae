//! The values of a Secret: asked for by a person, shown one by one, kept nowhere.

use std::fmt;

use serde_json::{Map, Value};

use super::object::Object;

/// A value of a Secret. What it is never gets into a log.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue {
    /// Its key.
    pub key: String,
    /// The text, or `None` where the value is none.
    pub text: Option<String>,
    /// How many bytes it has.
    pub length: usize,
}

impl SecretValue {
    /// The values of a Secret, by key.
    pub fn all(secret: &Value) -> Vec<SecretValue> {
        let one = |(key, written): (&str, String)| {
            let bytes = decoded(&written).unwrap_or_default();
            SecretValue { key: key.to_owned(), length: bytes.len(), text: String::from_utf8(bytes).ok() }
        };
        Object(secret).pairs("/data").map(one).collect()
    }
}

impl SecretValue {
    /// The annotations of a Secret, by key: tools leave copies of its values there.
    pub fn annotations(secret: &Value) -> Vec<SecretValue> {
        let one =
            |(key, text): (&str, String)| SecretValue { key: key.to_owned(), length: text.len(), text: Some(text) };
        Object(secret).pairs("/metadata/annotations").map(one).collect()
    }

    /// Puts [`MASK`] in place of every annotation of an object's metadata.
    pub fn mask_annotations(metadata: &mut Map<String, Value>) {
        if let Some(Value::Object(annotations)) = metadata.get_mut("annotations") {
            annotations.values_mut().for_each(|value| *value = MASK.into());
        }
    }
}

/// What stands for a value that nobody asked for. It says nothing of the value, not even its length.
pub const MASK: &str = "••••••••";

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretValue").field("key", &self.key).field("length", &self.length).finish_non_exhaustive()
    }
}

/// Reads base64 of the standard alphabet; `None` when it is not that.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in letters {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    Some(bytes)
}
