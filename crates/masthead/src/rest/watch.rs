//! Watch events: what one frame of a watch stream says.

use std::borrow::Cow;

use masthead_scan::{Cursor, Stop, Text};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Error,
    rest::{Decoder, Json, MediaType, Status},
};

/// One event of a watch.
#[derive(Clone, Debug, PartialEq)]
pub enum WatchEvent<K> {
    /// The object exists; it may have existed before.
    Added(K),
    /// The object changed.
    Modified(K),
    /// The object is gone; this is its last state.
    Deleted(K),
    /// Nothing changed up to this version.
    Bookmark(Bookmark),
    /// The server ends the watch and says why. Expired versions arrive here, inside a response that says 200.
    Error(Status),
}

impl<K: DeserializeOwned> WatchEvent<K> {
    /// Reads one frame of a watch.
    ///
    /// An error concerns this frame alone. One that is of an object names it ([`Error::undecodable_object`]): its state is
    /// not known from then on, or it is gone. After any other, anything may have been missed.
    pub fn decode(frame: &[u8]) -> Result<Self, Error> {
        WatchEvent::decode_with(frame, &Json::new())
    }
}

impl<K> WatchEvent<K> {
    /// As [`decode`](Self::decode), with objects read by `decoder`.
    pub fn decode_with(frame: &[u8], decoder: &dyn Decoder<K>) -> Result<Self, Error> {
        let Envelope { kind, object } = envelope(frame)?;
        let decode = |event| {
            let decoded = decoder.decode(MediaType::Json, object);
            decoded.map_err(|error| error.in_object(object, Some(event)).during(OPERATION))
        };
        match kind.as_ref() {
            "ADDED" => decode(EventType::Added).map(Self::Added),
            "MODIFIED" => decode(EventType::Modified).map(Self::Modified),
            "DELETED" => decode(EventType::Deleted).map(Self::Deleted),
            "BOOKMARK" => bookmark(object).map(Self::Bookmark),
            "ERROR" => Ok(Self::Error(read(object).unwrap_or_else(|error| unreadable_status(&error)))),
            other => Err(Error::unknown_event(OPERATION, other)),
        }
    }

    /// Its type, if it has an object.
    pub(crate) fn event_type(&self) -> Option<EventType> {
        match self {
            Self::Added(_) => Some(EventType::Added),
            Self::Modified(_) => Some(EventType::Modified),
            Self::Deleted(_) => Some(EventType::Deleted),
            Self::Bookmark(_) | Self::Error(_) => None,
        }
    }

    /// The same event with its object made into something else.
    pub(crate) fn try_map<T>(self, map: impl FnOnce(K) -> Result<T, Error>) -> Result<WatchEvent<T>, Error> {
        Ok(match self {
            Self::Added(object) => WatchEvent::Added(map(object)?),
            Self::Modified(object) => WatchEvent::Modified(map(object)?),
            Self::Deleted(object) => WatchEvent::Deleted(map(object)?),
            Self::Bookmark(mark) => WatchEvent::Bookmark(mark),
            Self::Error(status) => WatchEvent::Error(status),
        })
    }
}

/// The type of an event that has an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// `ADDED`.
    Added,
    /// `MODIFIED`.
    Modified,
    /// `DELETED`.
    Deleted,
}

/// The progress mark of a watch.
///
/// Its object carries a version and nothing else, so that it is never read as an object of the watched kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Bookmark {
    /// Everything up to here was sent; a new watch may start from it. Opaque.
    pub resource_version: String,
    /// The state the watch began with is complete. Only watches with `sendInitialEvents` say so.
    pub initial_events_end: bool,
}

fn bookmark(object: &[u8]) -> Result<Bookmark, Error> {
    let mark: Mark<'_> = read(object)?;
    if mark.metadata.resource_version.is_empty() {
        return Err(refused("a bookmark without a resourceVersion"));
    }
    // A Table has no annotations: its bookmark carries them in the object of its one row.
    let rows = mark.rows.unwrap_or_default().into_iter().filter_map(|row| row.object?.metadata.annotations);
    let mut annotations = rows.chain(mark.metadata.annotations);
    Ok(Bookmark {
        initial_events_end: annotations.any(|found| found.initial_events_end.as_deref() == Some("true")),
        resource_version: mark.metadata.resource_version.into_owned(),
    })
}

/// Whatever an ERROR event says, it ends the watch; client-go makes this of one that it cannot decode.
fn unreadable_status(error: &Error) -> Status {
    let message = format!("unable to decode an event from the watch stream: {error}");
    Status { code: 500, reason: "InternalError".into(), message, ..Status::default() }
}

fn read<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|source| Error::undecodable(OPERATION, source))
}

/// The two halves of an event. Where its object ends is found without reading it: its decoder will.
struct Envelope<'a> {
    kind: Cow<'a, str>,
    object: &'a [u8],
}

fn envelope(frame: &[u8]) -> Result<Envelope<'_>, Error> {
    let halves = halves(frame).map_err(|stop| match stop {
        Stop::Short => refused("the event is cut"),
        Stop::Malformed(at) => refused(format_args!("no watch event: not what was expected at byte {at}")),
    })?;
    match halves {
        (Some(kind), Some(object)) => {
            Ok(Envelope { kind: kind.read().ok_or_else(|| refused("`type` is no text"))?, object })
        }
        (None, _) => Err(refused("missing field `type`")),
        (_, None) => Err(refused("missing field `object`")),
    }
}

fn halves(frame: &[u8]) -> Result<(Option<Text<'_>>, Option<&[u8]>), Stop> {
    let (mut kind, mut object, mut first) = (None, None, true);
    let mut cursor = Cursor::new(frame);
    cursor.expect(b'{')?;
    while let Some(name) = cursor.name(first)? {
        first = false;
        if name.is("type") {
            kind = Some(cursor.text()?);
        } else if name.is("object") {
            object = Some(cursor.value()?);
        } else {
            cursor.skip()?;
        }
    }
    Ok((kind, object))
}

fn refused(why: impl std::fmt::Display) -> Error {
    Error::undecodable(OPERATION, serde::de::Error::custom(why))
}

#[derive(Deserialize)]
struct Mark<'a> {
    #[serde(borrow)]
    metadata: MarkMeta<'a>,
    #[serde(borrow)]
    rows: Option<Vec<MarkRow<'a>>>,
}

#[derive(Deserialize)]
struct MarkRow<'a> {
    #[serde(borrow)]
    object: Option<MarkObject<'a>>,
}

#[derive(Deserialize)]
struct MarkObject<'a> {
    #[serde(borrow)]
    metadata: MarkObjectMeta<'a>,
}

#[derive(Deserialize)]
struct MarkObjectMeta<'a> {
    #[serde(borrow)]
    annotations: Option<MarkAnnotations<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MarkMeta<'a> {
    #[serde(borrow)]
    resource_version: Cow<'a, str>,
    #[serde(borrow)]
    annotations: Option<MarkAnnotations<'a>>,
}

#[derive(Deserialize)]
struct MarkAnnotations<'a> {
    #[serde(rename = "k8s.io/initial-events-end", borrow)]
    initial_events_end: Option<Cow<'a, str>>,
}

const OPERATION: &str = "read watch event";

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Named {
        name: String,
    }

    fn check(frame: &str, expect: &str) {
        let got = match WatchEvent::<Named>::decode(frame.as_bytes()) {
            Ok(WatchEvent::Added(object)) => format!("added {}", object.name),
            Ok(WatchEvent::Modified(object)) => format!("modified {}", object.name),
            Ok(WatchEvent::Deleted(object)) => format!("deleted {}", object.name),
            Ok(WatchEvent::Bookmark(mark)) => {
                format!("bookmark {} initial_end={}", mark.resource_version, mark.initial_events_end)
            }
            Ok(WatchEvent::Error(status)) => format!("error {status} gone={}", status.is_gone()),
            Err(error) => format!("failed undecodable={}", error.is_undecodable()),
        };
        assert_eq!(got, expect);
    }

    #[test]
    fn reads_every_type() {
        check(r#"{"type":"ADDED","object":{"name":"a"}}"#, "added a");
        check(r#"{"object":{"name":"b"},"type":"MODIFIED"}"#, "modified b");
        check(r#"{"type":"DELETED","object":{"name":"\u0063"}}"#, "deleted c");
    }

    #[test]
    fn reads_a_bookmark_that_is_no_object_of_the_kind() {
        check(r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"12"}}}"#, "bookmark 12 initial_end=false");
        check(
            r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"12",
               "annotations":{"k8s.io/initial-events-end":"true"}}}}"#,
            "bookmark 12 initial_end=true",
        );
        check(
            r#"{"type":"BOOKMARK","object":{"kind":"Table","metadata":{"resourceVersion":"12"},"rows":[{"cells":["",0],
               "object":{"metadata":{"resourceVersion":"12","annotations":{"k8s.io/initial-events-end":"true"}}}}]}}"#,
            "bookmark 12 initial_end=true",
        );
    }

    #[test]
    fn reads_an_expired_version_inside_the_stream() {
        check(
            r#"{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}"#,
            "error 410 Expired: too old gone=true",
        );
        check(r#"{"type":"ERROR","object":{"code":500}}"#, "error 500 gone=false");
    }

    #[test]
    fn an_unreadable_frame_is_an_error_of_its_own() {
        check(r#"{"type":"ADDED","object":{"name":7}}"#, "failed undecodable=true");
        check(r#"{"type":"RENAMED","object":{"name":"a"}}"#, "failed undecodable=true");
        check(r#"{"type":"ADDED"}"#, "failed undecodable=true");
        check("[]", "failed undecodable=true");
        check("{\"type\":\"ADDED\",\"object\":{\"name\":\"\u{1}\"}}", "failed undecodable=true");
    }
}
