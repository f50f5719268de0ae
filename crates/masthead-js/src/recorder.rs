//! Events that tell what a component does.

use std::rc::Rc;

use js_sys::Function;
use k8s_openapi::api::core::v1::{EventSource, ObjectReference};
use masthead::{
    Error,
    record::{
        BroadcasterOptions, ClientSink, EventBroadcaster, EventRecorder, EventType, Loss, LossHandler, Recording,
    },
    rest::RestClient,
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    pending::Pending,
    thrown::{refused, thrown},
};

/// Records events of one component. Freeing it ends the writing.
#[wasm_bindgen]
pub struct Recorder {
    recorder: EventRecorder,
    recording: Rc<Recording>,
    broadcaster: EventBroadcaster,
}

impl Recorder {
    /// `lost` is told in words of every event that is lost.
    pub(crate) fn new(
        client: &RestClient,
        component: &str,
        host: Option<String>,
        lost: Option<Function>,
    ) -> Result<Recorder, Error> {
        let on_loss = lost.map(|lost| -> LossHandler {
            Rc::new(move |loss: &Loss| {
                // The facade's function does not throw.
                lost.call1(&JsValue::NULL, &JsValue::from_str(&loss.to_string())).ok();
            })
        });
        let options = BroadcasterOptions { on_loss, ..BroadcasterOptions::default() };
        let broadcaster = EventBroadcaster::new(&client.config().runtime, options);
        let recording = Rc::new(broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(client)))?);
        let recorder = broadcaster.new_recorder(EventSource { component: Some(component.to_owned()), host });
        Ok(Recorder { recorder, recording, broadcaster })
    }
}

#[derive(Serialize)]
struct CountsShown {
    written: u64,
    merged: u64,
    filtered: u64,
    lost: u64,
    pending: u64,
}

#[wasm_bindgen]
impl Recorder {
    /// Records that something happened to the object of this reference, which is JSON.
    pub fn event(&self, object: &str, warning: bool, reason: &str, message: &str) -> Result<(), JsValue> {
        let object: ObjectReference =
            serde_json::from_str(object).map_err(|error| refused("record event", error.to_string()))?;
        let kind = if warning { EventType::Warning } else { EventType::Normal };
        self.recorder.event(&object, kind, reason, message);
        Ok(())
    }

    /// Waits until everything that was recorded was written or given up.
    pub fn flushed(&self) -> Pending {
        let recording = Rc::clone(&self.recording);
        Pending::begin("record events", async move {
            recording.flushed().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// The JSON of what became of the events.
    pub fn counts(&self) -> Result<String, JsValue> {
        let (counts, intake) = (self.recording.counts(), self.broadcaster.intake());
        let lost = intake.refused + counts.dropped + counts.rejected + counts.abandoned;
        let (written, merged, filtered, pending) = (counts.written, counts.merged, counts.filtered, counts.pending);
        let shown = CountsShown { written, merged, filtered, lost, pending };
        serde_json::to_string(&shown).map_err(|error| thrown(&Error::invalid("count events", error.to_string())))
    }
}
