//! One watch, event by event.

use std::{cell::RefCell, rc::Rc};

use futures::StreamExt;
use masthead::{
    Error,
    rest::{Bookmark, Watch, WatchEvent},
};
use serde::Serialize;
use serde_json::value::RawValue;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::pending::Pending;

/// An open watch. Freeing it closes it, unless an event is waited for: then ending that does.
#[wasm_bindgen]
pub struct Watching {
    /// Elsewhere while an event is waited for.
    watch: Rc<RefCell<Option<Watch<Box<RawValue>>>>>,
}

impl Watching {
    pub(crate) fn new(watch: Watch<Box<RawValue>>) -> Watching {
        Watching { watch: Rc::new(RefCell::new(Some(watch))) }
    }
}

#[wasm_bindgen]
impl Watching {
    /// Gives the JSON of the next event; nothing at the end. One at a time.
    pub fn next(&self) -> Pending {
        let place = Rc::clone(&self.watch);
        Pending::begin("watch", async move {
            let Some(mut watch) = place.borrow_mut().take() else { return Ok(JsValue::UNDEFINED) };
            let next = watch.next().await;
            place.replace(Some(watch));
            match next {
                None => Ok(JsValue::UNDEFINED),
                Some(Ok(WatchEvent::Error(status))) => Err(Error::refused("watch", status)),
                Some(Ok(event)) => text(&event).map(|text| JsValue::from_str(&text)),
                Some(Err(error)) => Err(error),
            }
        })
    }
}

#[derive(Serialize)]
struct Event<'a, T: Serialize> {
    r#type: &'a str,
    object: T,
}

/// A bookmark has a version and nothing else.
#[derive(Serialize)]
struct Mark<'a> {
    metadata: MarkMetadata<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MarkMetadata<'a> {
    resource_version: &'a str,
}

fn text(event: &WatchEvent<Box<RawValue>>) -> Result<String, Error> {
    let written = match event {
        WatchEvent::Added(object) => serde_json::to_string(&Event { r#type: "ADDED", object }),
        WatchEvent::Modified(object) => serde_json::to_string(&Event { r#type: "MODIFIED", object }),
        WatchEvent::Deleted(object) => serde_json::to_string(&Event { r#type: "DELETED", object }),
        WatchEvent::Bookmark(Bookmark { resource_version, .. }) => {
            let object = Mark { metadata: MarkMetadata { resource_version } };
            serde_json::to_string(&Event { r#type: "BOOKMARK", object })
        }
        WatchEvent::Error(status) => return Err(Error::refused("watch", status.clone())),
    };
    written.map_err(|error| Error::invalid("watch", error.to_string()))
}
