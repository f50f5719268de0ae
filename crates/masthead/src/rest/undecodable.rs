//! What can be said of an object that cannot be decoded: which one it is, and which field is wrong.

use masthead_scan::{Cursor, Stop, Text};

use super::EventType;
use crate::cache::ObjectKey;

/// The identity of an object that cannot be decoded, read from its metadata alone.
///
/// One field of the wrong type makes an object undecodable, and almost never is that its name: so a deletion is not missed,
/// and a state that cannot be read is known to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndecodableObject {
    /// The type of the event that it came in; `None` for an item of a list.
    pub event: Option<EventType>,
    /// Its namespace; empty where it has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its uid; empty where it cannot be read.
    pub uid: String,
    /// The version of the state that cannot be read; empty where it cannot be read either.
    pub resource_version: String,
}

impl UndecodableObject {
    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        ObjectKey::new(&self.namespace, &self.name)
    }

    /// Reads the identity of an object, of a table's row, or of the table that an event has; `None` where its name cannot
    /// be read.
    pub(crate) fn identify(object: &[u8], event: Option<EventType>) -> Option<UndecodableObject> {
        let mut identity = Identity::default();
        // Metadata comes before what is mostly damaged: what stops the walk later on does no harm.
        let _stopped = identity.read_object(&mut Cursor::new(object), 0);
        let name = identity.name?.read().filter(|name| !name.is_empty())?;
        let namespace = match identity.namespace {
            Member::Absent => Some("".into()),
            Member::Text(text) => text.read(),
            Member::Other => None,
        };
        let text = |text: Option<Text<'_>>| text.and_then(|text| text.read()).unwrap_or_default().into_owned();
        Some(UndecodableObject {
            event,
            namespace: namespace?.into_owned(),
            name: name.into_owned(),
            uid: text(identity.uid),
            resource_version: text(identity.resource_version),
        })
    }
}

#[derive(Default)]
struct Identity<'a> {
    /// `Some` only when the metadata that it stands in was read to its end.
    name: Option<Text<'a>>,
    namespace: Member<'a>,
    uid: Option<Text<'a>>,
    resource_version: Option<Text<'a>>,
}

#[derive(Clone, Copy, Default)]
enum Member<'a> {
    #[default]
    Absent,
    Text(Text<'a>),
    /// Neither a text nor `null`.
    Other,
}

impl<'a> Member<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Member<'a>, Stop> {
        match cursor.peek()? {
            b'"' => cursor.text().map(Member::Text),
            b'n' => cursor.skip().map(|()| Member::Absent),
            _ => cursor.skip().map(|()| Member::Other),
        }
    }

    fn text(self) -> Option<Text<'a>> {
        if let Member::Text(text) = self { Some(text) } else { None }
    }
}

impl<'a> Identity<'a> {
    /// Looks for `metadata`, or for that of the row or the object inside; a table is two levels above its object.
    fn read_object(&mut self, cursor: &mut Cursor<'a>, depth: u8) -> Result<(), Stop> {
        let mut first = true;
        cursor.expect(b'{')?;
        while let Some(name) = cursor.name(first)? {
            first = false;
            let next = cursor.peek()?;
            if name.is("metadata") && next == b'{' {
                self.read_metadata(cursor)?;
            } else if self.name.is_none() && depth < 2 && name.is("object") && next == b'{' {
                self.read_object(cursor, depth + 1)?;
            } else if self.name.is_none() && depth < 2 && name.is("rows") && next == b'[' {
                cursor.expect(b'[')?;
                let mut first = true;
                while cursor.element(first)? {
                    if first && cursor.peek()? == b'{' {
                        self.read_object(cursor, depth + 1)?;
                    } else {
                        cursor.skip()?;
                    }
                    first = false;
                }
            } else {
                cursor.skip()?;
            }
        }
        Ok(())
    }

    fn read_metadata(&mut self, cursor: &mut Cursor<'a>) -> Result<(), Stop> {
        let (mut found, mut object_name, mut first) = (Identity::default(), None, true);
        cursor.expect(b'{')?;
        while let Some(name) = cursor.name(first)? {
            first = false;
            if name.is("name") {
                object_name = Member::read(cursor)?.text();
            } else if name.is("namespace") {
                found.namespace = Member::read(cursor)?;
            } else if name.is("uid") {
                found.uid = Member::read(cursor)?.text();
            } else if name.is("resourceVersion") {
                found.resource_version = Member::read(cursor)?.text();
            } else {
                cursor.skip()?;
            }
        }
        found.name = object_name;
        // A table has metadata without a name, and so has whatever else an object is wrapped in.
        if found.name.is_some() {
            *self = found;
        }
        Ok(())
    }
}

/// The path of the field in which `error` arose while it read `object`; empty where serde does not say.
pub(crate) fn field_of(error: &serde_json::Error, object: &[u8]) -> String {
    let lines_before = error.line().checked_sub(1);
    let Some(lines_before) = lines_before else { return String::new() };
    let newlines = object.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let line = match lines_before {
        0 => Some(0),
        lines => newlines.map(|(at, _)| at + 1).nth(lines - 1),
    };
    let mut path = String::new();
    if let Some(line) = line {
        // What cannot be walked through ends the path where it is.
        let _stopped = descend(&mut Cursor::new(object), line + error.column(), &mut path);
    }
    path
}

/// Follows the values that hold the byte before `offset`, from the outermost in.
fn descend(cursor: &mut Cursor<'_>, offset: usize, path: &mut String) -> Result<(), Stop> {
    // Each level is looked through once more than the one above it.
    for _ in 0..DEEPEST_PATH {
        if path.len() >= LONGEST_PATH {
            break;
        }
        match cursor.peek()? {
            b'{' => {
                cursor.expect(b'{')?;
                let mut first = true;
                let name = loop {
                    let Some(name) = cursor.name(first)? else { return Ok(()) };
                    first = false;
                    if holds(cursor, offset)? {
                        break name;
                    }
                };
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&name.read().unwrap_or_default());
            }
            b'[' => {
                cursor.expect(b'[')?;
                let mut index = 0;
                while cursor.element(index == 0)? {
                    if holds(cursor, offset)? {
                        break;
                    }
                    index += 1;
                }
                path.push_str(&format!("[{index}]"));
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// Whether the next value ends at `offset` or behind it; steps over it if not.
fn holds(cursor: &mut Cursor<'_>, offset: usize) -> Result<bool, Stop> {
    let mut ahead = cursor.clone();
    ahead.skip()?;
    let holds = offset <= ahead.at();
    if !holds {
        *cursor = ahead;
    }
    Ok(holds)
}

/// A longer path helps nobody, and its names come from the server.
const LONGEST_PATH: usize = 256;
const DEEPEST_PATH: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn identify(object: &str) -> String {
        match UndecodableObject::identify(object.as_bytes(), None) {
            Some(object) => format!("{} uid={} version={}", object.key(), object.uid, object.resource_version),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn reads_an_identity_past_whatever_is_wrong() {
        let whole = r#"{"kind":7,"metadata":{"labels":3,"name":"a","namespace":"ns","uid":"u","resourceVersion":"5"}}"#;
        assert_eq!(identify(whole), "ns/a uid=u version=5");
        assert_eq!(identify(r#"{"spec":[[[]]],"metadata":{"name":"a","uid":7}}"#), "a uid= version=");
        assert_eq!(identify(r#"{"metadata":{"name":"a","namespace":null},"spec":@}"#), "a uid= version=");
        assert_eq!(identify(r#"{"metadata":{"name":"\u0061b"}}"#), "ab uid= version=");
    }

    #[test]
    fn a_name_that_cannot_be_read_is_no_identity() {
        for object in [
            r#"{"metadata":7}"#,
            r#"{"metadata":{"name":7}}"#,
            r#"{"metadata":{"name":""}}"#,
            r#"{"metadata":{"name":"a","namespace":7}}"#,
            r#"{"metadata":{"name":"a","labels":@}}"#,
            r#"{"spec":{"metadata":{"name":"a"}}}"#,
            "[]",
            "",
        ] {
            assert_eq!(identify(object), "none", "{object}");
        }
        assert_eq!(UndecodableObject::identify(b"{\"metadata\":{\"name\":\"\xff\"}}", None), None);
    }

    #[test]
    fn the_row_of_a_table_has_its_objects_identity() {
        let row = r#"{"cells":7,"object":{"metadata":{"name":"a","resourceVersion":"5"}}}"#;
        assert_eq!(identify(row), "a uid= version=5");
        let table = format!(r#"{{"kind":"Table","metadata":{{"resourceVersion":"9"}},"rows":[{row},{{}}]}}"#);
        assert_eq!(identify(&table), "a uid= version=5");
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        let check = |object: &str, expect: &str| {
            let error = serde_json::from_str::<k8s_openapi::api::core::v1::Pod>(object).expect_err("it is wrong");
            assert_eq!(field_of(&error, object.as_bytes()), expect, "{error}");
        };
        check(r#"{"metadata":{"labels":7}}"#, "metadata.labels");
        check(r#"{"metadata":{"labels":{"app":7}}}"#, "metadata.labels.app");
        check(r#"{"spec":{"containers":[{"name":"a"},{"name":"b","ports":"none"}]}}"#, "spec.containers[1].ports");
        check("{\n  \"spec\": {\n    \"containers\": 7\n  }\n}", "spec.containers");
        check(r#"{"spec":{"containers":[{"name":"a"}],"priority":"high","x":{}},"status":{}}"#, "spec.priority");
        check("7", "");
    }

    #[test]
    fn the_path_of_a_deep_field_is_cut() {
        for (name, length) in [("", 0), ("a", 2 * DEEPEST_PATH - 1)] {
            let object = format!("{}7{}", format!("{{\"{name}\":").repeat(10_000), "}".repeat(10_000));
            let error = serde_json::from_str::<serde_json::Value>(&object).expect_err("too deep");
            assert_eq!(field_of(&error, object.as_bytes()).len(), length);
        }
    }

    #[test]
    fn a_missing_field_is_told_by_the_object_that_lacks_it() {
        #[derive(Debug, serde::Deserialize)]
        struct Outer {
            #[expect(dead_code, reason = "read to see it fail")]
            inner: Inner,
        }
        #[derive(Debug, serde::Deserialize)]
        struct Inner {
            #[expect(dead_code, reason = "read to see it fail")]
            name: String,
        }
        let object = r#"{"inner":{"a":7}}"#;
        let error = serde_json::from_str::<Outer>(object).expect_err("it is wrong");
        assert_eq!(field_of(&error, object.as_bytes()), "inner");
    }
}
