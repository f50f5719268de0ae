//! The events of a watch as bytes.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    kind::Kind,
    object::{Form, Object},
    table::Head,
    view::View,
};

/// Writes the events of one watch, one after the other.
#[derive(Debug)]
pub(crate) struct Telling {
    view: View,
    /// Whether the table of the next event tells its columns.
    head: Head,
}

impl Telling {
    pub(crate) fn new(view: View) -> Telling {
        Telling { view, head: Head::Told }
    }

    /// Makes the ages that follow those of this time on the wall clock.
    pub(crate) fn set_time(&mut self, wall: Duration) {
        if let View::Table(table) = self.view {
            self.view = View::Table(table.at(wall));
        }
    }

    /// Appends an event about a stored object.
    pub(crate) fn object(&mut self, event: &str, object: &Object, chunk: &mut Vec<u8>) {
        chunk.extend_from_slice(format!("{{\"type\":\"{event}\",\"object\":").as_bytes());
        match self.view {
            View::Objects(form) => object.write(form, chunk),
            View::Table(table) => table.write_object(object, self.head, chunk),
        }
        self.head = Head::Left;
        chunk.extend_from_slice(b"}\n");
    }

    /// Appends an event that tells how far the watch is; `ends` where the initial events are over with it.
    pub(crate) fn bookmark(&mut self, kind: &Kind, version: u64, ends: bool, chunk: &mut Vec<u8>) {
        let (name, api_version) = match self.view {
            View::Objects(Form::Metadata(meta)) => ("PartialObjectMetadata", meta.api_version().to_owned()),
            View::Objects(Form::Whole) | View::Table(_) => (kind.kind.as_str(), kind.api_version()),
        };
        let mut metadata = json!({ "resourceVersion": version.to_string() });
        if ends {
            metadata["annotations"] = json!({ "k8s.io/initial-events-end": "true" });
        }
        let bookmark = json!({ "kind": name, "apiVersion": api_version, "metadata": metadata });
        match self.view {
            View::Objects(_) => write_event("BOOKMARK", &bookmark, chunk),
            View::Table(table) => {
                chunk.extend_from_slice(b"{\"type\":\"BOOKMARK\",\"object\":");
                table.write_bookmark(kind, &bookmark, self.head, chunk);
                chunk.extend_from_slice(b"}\n");
            }
        }
        self.head = Head::Left;
    }
}

/// Appends an event whose object is no stored one.
pub(crate) fn write_event(event: &str, object: &Value, chunk: &mut Vec<u8>) {
    chunk.extend_from_slice(format!("{{\"type\":\"{event}\",\"object\":{object}}}\n").as_bytes());
}
