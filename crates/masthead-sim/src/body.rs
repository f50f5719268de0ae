//! The bytes of an object at rest: its own, or those it shares with others that differ in a few places.

use std::rc::Rc;

use serde_json::{Map, Value};

/// `"metadata":…` and the rest without `kind` and `apiVersion`, to the brace that closes it.
#[derive(Debug, PartialEq)]
pub(crate) enum Body {
    /// All of it, and where the metadata end.
    Own(Box<[u8]>, usize),
    /// What it shares, and what it has of its own.
    Shared(Rc<Pattern>, Values),
}

impl Body {
    /// The body of an object that is like no other.
    pub(crate) fn of(value: &Value) -> Body {
        let (mut bytes, rest) = (metadata(value), rest(value));
        let end = bytes.len();
        bytes.extend_from_slice(&rest);
        Body::Own(bytes.into(), end)
    }

    /// Appends all of it.
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        match self {
            Body::Own(bytes, _) => out.extend_from_slice(bytes),
            Body::Shared(pattern, values) => {
                pattern.metadata.fill(values, out);
                pattern.rest.fill(values, out);
            }
        }
    }

    /// Appends `"metadata":…` without what follows.
    pub(crate) fn append_metadata(&self, out: &mut Vec<u8>) {
        match self {
            Body::Own(bytes, end) => out.extend_from_slice(&bytes[..*end]),
            Body::Shared(pattern, values) => pattern.metadata.fill(values, out),
        }
    }

    /// How many bytes it is, about.
    pub(crate) fn size(&self) -> usize {
        match self {
            Body::Own(bytes, _) => bytes.len(),
            Body::Shared(pattern, values) => {
                pattern.metadata.text.len() + pattern.rest.text.len() + values.text.len() * 2
            }
        }
    }
}

/// What many objects have in common.
#[derive(Debug, PartialEq)]
pub(crate) struct Pattern {
    metadata: Part,
    rest: Part,
}

/// Text with holes.
#[derive(Debug, PartialEq)]
struct Part {
    text: Box<[u8]>,
    /// Where the value of a number goes, first to last.
    holes: Box<[(u32, u8)]>,
}

/// What one object has in the holes of its pattern.
#[derive(Debug, PartialEq)]
pub(crate) struct Values {
    /// One after another.
    text: Box<str>,
    /// Where each ends.
    ends: Box<[u16]>,
}

impl Pattern {
    /// The pattern of an object that has [`hole`]s and [`number_hole`]s in it.
    pub(crate) fn of(value: &Value) -> Pattern {
        Pattern { metadata: Part::of(&metadata(value)), rest: Part::of(&rest(value)) }
    }
}

impl Values {
    /// The values of the holes 0 and up. None may need escaping in JSON.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Values {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for value in values {
            text.push_str(value);
            ends.push(u16::try_from(text.len()).expect("what tells two objects apart is short"));
        }
        Values { text: text.into(), ends: ends.into() }
    }

    fn get(&self, number: usize) -> &str {
        let from = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[from.into()..self.ends[number].into()]
    }

    /// A text with its holes filled.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut out = Vec::new();
        Part::of(text.as_bytes()).fill(self, &mut out);
        String::from_utf8(out).expect("texts with texts put in are text")
    }
}

/// Stands for a value in a string of a pattern.
pub(crate) fn hole(number: u8) -> String {
    format!("\u{1}{}\u{2}", char::from(b'A' + number))
}

/// Stands for a value that is no string.
pub(crate) fn number_hole(number: u8) -> String {
    format!("\u{1}#{}\u{2}", char::from(b'A' + number))
}

impl Part {
    fn of(text: &[u8]) -> Part {
        // As the JSON writer escapes the two marks, and plain, as they stand in a text.
        const OPEN: [&[u8]; 4] = [b"\"\\u0001#", b"\\u0001", b"\x01#", b"\x01"];
        const CLOSE: [&[u8]; 4] = [b"\\u0002\"", b"\\u0002", b"\x02", b"\x02"];
        let (mut plain, mut holes, mut left) = (Vec::new(), Vec::new(), text);
        while let Some((first, after)) = left.split_first() {
            let opened = OPEN.iter().zip(CLOSE).find(|(open, _)| left.starts_with(open));
            if let Some((open, close)) = opened
                && let [letter, after @ ..] = &left[open.len()..]
                && let Some(after) = after.strip_prefix(close)
            {
                let at = u32::try_from(plain.len()).expect("an object is far smaller than that");
                holes.push((at, letter - b'A'));
                left = after;
                continue;
            }
            plain.push(*first);
            left = after;
        }
        Part { text: plain.into(), holes: holes.into() }
    }

    fn fill(&self, values: &Values, out: &mut Vec<u8>) {
        let mut from = 0;
        for (at, number) in &self.holes {
            out.extend_from_slice(&self.text[from..*at as usize]);
            out.extend_from_slice(values.get(usize::from(*number)).as_bytes());
            from = *at as usize;
        }
        out.extend_from_slice(&self.text[from..]);
    }
}

fn metadata(value: &Value) -> Vec<u8> {
    format!("\"metadata\":{}", value["metadata"]).into_bytes()
}

fn rest(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    let empty = Map::new();
    for (key, value) in value.as_object().unwrap_or(&empty) {
        if !matches!(key.as_str(), "kind" | "apiVersion" | "metadata") {
            bytes.extend_from_slice(format!(",{}:{value}", Value::from(key.as_str())).as_bytes());
        }
    }
    bytes.push(b'}');
    bytes
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::{Value, json};

    use super::{Body, Pattern, Values, hole, number_hole};

    #[test]
    fn a_pattern_with_its_holes_filled_is_as_the_object_itself() {
        let object = |name: &str, uid: &str, count: Value| {
            json!({
                "kind": "Pod", "metadata": { "name": name, "x": { (format!("k:{{\"uid\":\"{uid}\"}}")): {} } },
                "spec": { "name": name, "text": "a \u{3} b" }, "status": { "count": count },
            })
        };
        let pattern = Pattern::of(&object(&hole(0), &hole(1), number_hole(2).into()));
        let shared = Body::Shared(Rc::new(pattern), Values::of(["web-1", "1f", "42"]));
        let own = Body::of(&object("web-1", "1f", json!(42)));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        shared.append(&mut a);
        own.append(&mut b);
        assert_eq!(String::from_utf8(a), String::from_utf8(b));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        shared.append_metadata(&mut a);
        own.append_metadata(&mut b);
        assert_eq!(a, b);
        assert_eq!(Values::of(["x", "yz"]).fill(&format!("a{}b{}", hole(1), hole(0))), "ayzbx");
    }
}
