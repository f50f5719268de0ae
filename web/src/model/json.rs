//! Reads complete objects of any kind, however deep they nest.
//!
//! `serde_json` stops at 128 levels, and objects of kinds that somebody defined have more. What is read here is also
//! written, copied and dropped level by level, so that the depth is bounded all the same: by what the stack of a page
//! bears, with room to spare. The text of what is deeper is shown as it came.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Deserializer, Value};

/// How many arrays and objects lie in each other at most. An API server takes ten thousand.
pub const DEEPEST: usize = 1_250;

/// An object that the server gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// All of it.
    Object(Value),
    /// Its text, and why it is no more than that.
    Text(String, Unread),
}

/// Why a text is not read as an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It nests deeper than [`DEEPEST`].
    TooDeep,
    /// It is no JSON.
    NotJson,
}

/// Reads an object. What cannot be read is text: bytes that are none are replaced, so that this never fails.
pub fn read(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes);
    if depth(text.as_bytes()) > DEEPEST {
        return Read::Text(text.into_owned(), Unread::TooDeep);
    }
    let mut reader = Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    match Value::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value)) {
        Ok(value) => Read::Object(value),
        Err(_) => Read::Text(Cow::into_owned(text), Unread::NotJson),
    }
}

/// How deep the brackets of a JSON text nest; those in strings are text.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DEEPEST, Read, Unread, depth, read};
    use crate::model::yaml::{ManagedFields, Yaml};

    /// An object with `levels` of them in each other, each in an array and in a member.
    fn nested(levels: usize) -> String {
        let (open, close) = (r#"{"a":["#.repeat(levels / 2), "]}".repeat(levels / 2));
        format!(r#"{open}"bottom"{close}"#)
    }

    #[test]
    fn what_nests_deep_is_read_written_copied_and_dropped() {
        for levels in [2, 128, 1_000, DEEPEST] {
            let Read::Object(object) = read(nested(levels).as_bytes()) else { panic!("{levels} levels") };
            let copy = object.clone();
            assert_eq!(object.to_string(), nested(levels));
            assert!(serde_json::to_string_pretty(&copy).is_ok_and(|text| text.contains("bottom")));
            let yaml = Yaml::of(&copy, ManagedFields::Folded);
            assert!(yaml.text().trim_end().ends_with("- bottom"), "{levels} levels");
            assert_eq!(copy, object);
        }
    }

    #[test]
    fn what_nests_deeper_is_its_text() {
        for levels in [DEEPEST + 2, 10_000, 1_000_000] {
            let text = nested(levels);
            assert_eq!(read(text.as_bytes()), Read::Text(text, Unread::TooDeep));
        }
    }

    #[test]
    fn what_is_no_json_is_its_text() {
        for text in ["", "<html>", "{", "{} {}", r#"{"a":}"#, "]]]", "\"{{{{\\\""] {
            assert_eq!(read(text.as_bytes()), Read::Text(text.to_owned(), Unread::NotJson), "{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_cost_a_letter_and_not_the_object() {
        assert_eq!(read(b"{\"a\":\"x\xffy\"}"), Read::Object(json!({ "a": "x\u{fffd}y" })));
    }

    #[test]
    fn brackets_in_strings_do_not_nest() {
        let check = |json: &str, expected: usize| assert_eq!(depth(json.as_bytes()), expected, "{json}");
        check("1", 0);
        check("{}", 1);
        check(r#"{"a":[{}]}"#, 3);
        check(r#"{"a":"[[[[","b":"\"[[["}"#, 1);
        check(r#"{"a":"\\","b":[]}"#, 2);
        check("}}[", 1);
    }
}
