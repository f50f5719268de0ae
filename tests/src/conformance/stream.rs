//! The events of one open watch.

use std::{rc::Rc, time::Duration};

use anyhow::{Context, Result, bail};
use futures::{
    StreamExt,
    future::{Either, select},
};
use masthead::{
    rest::{Body, Framer},
    runtime::Clock,
};
use serde_json::Value;

/// An open watch, read event by event. Closed when dropped.
pub(crate) struct EventStream {
    body: Body,
    framer: Framer,
    clock: Rc<dyn Clock>,
}

impl EventStream {
    pub(crate) fn new(body: Body, clock: Rc<dyn Clock>) -> EventStream {
        EventStream { body, framer: Framer::new(MAX_EVENT), clock }
    }

    /// The next event that is no mere bookmark; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>> {
        loop {
            let event = self.next_frame().await?;
            if !event.as_ref().is_some_and(is_mere_bookmark) {
                return Ok(event);
            }
        }
    }

    async fn next_frame(&mut self) -> Result<Option<Value>> {
        loop {
            if let Some(frame) = self.framer.next_frame()? {
                return Ok(Some(serde_json::from_slice(frame).context("an event is JSON")?));
            }
            match select(self.body.next(), self.clock.sleep(PATIENCE)).await {
                Either::Left((Some(chunk), _)) => self.framer.push(&chunk?),
                Either::Left((None, _)) => return Ok(None),
                Either::Right(_) => bail!("no event came in {} s", PATIENCE.as_secs()),
            }
        }
    }
}

/// How long an event may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Larger than any event of a script.
const MAX_EVENT: usize = 1 << 20;

/// Whether an event only tells a version; when those come is up to the server.
fn is_mere_bookmark(event: &Value) -> bool {
    const END: &str = "k8s.io/initial-events-end";
    let ends = |object: &Value| object["metadata"]["annotations"].get(END).is_some();
    let object = &event["object"];
    event["type"] == "BOOKMARK" && !ends(object) && !ends(&object["rows"][0]["object"])
}
