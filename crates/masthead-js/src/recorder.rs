//! The recorder of the npm package: events of either event API, written to the server.

use std::rc::Rc;

use js_sys::Function;
use k8s_openapi::api::core::v1::{EventSource, ObjectReference};
use masthead::{
    Error, events,
    record::{self, ClientSink, EventType, LostEvent, LostEventHandler, RecorderCounts, RecordingHandle},
    rest::RestClient,
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    given::Given,
    pending::Pending,
    thrown::{refused, thrown},
};

/// Records events of one component. Freeing it stops writing them.
#[wasm_bindgen]
pub struct Recorder {
    api: Api,
    recording: Rc<RecordingHandle>,
}

/// The event API, with its broadcaster and recorder.
enum Api {
    /// `core/v1`.
    Core { recorder: record::EventRecorder, broadcaster: record::EventBroadcaster },
    /// `events.k8s.io/v1`.
    Events { recorder: events::EventRecorder, broadcaster: events::EventBroadcaster },
}

impl Recorder {
    /// Starts to write events of `core/v1`, or of `events.k8s.io/v1` if `modern`. Calls `lost` with a log line for every
    /// lost event.
    pub(crate) fn new(
        client: &RestClient,
        (component, host): (&str, Option<String>),
        modern: bool,
        lost: Option<Function>,
    ) -> Result<Recorder, Error> {
        let on_lost_event = lost.map(|lost| -> LostEventHandler {
            Rc::new(move |event: &LostEvent| {
                // The facade's function does not throw.
                lost.call1(&JsValue::NULL, &JsValue::from_str(&event.to_string())).ok();
            })
        });
        let runtime = &client.config().runtime;
        let (api, recording) = if modern {
            let options = events::BroadcasterOptions { on_lost_event, ..Default::default() };
            let broadcaster = events::EventBroadcaster::new(runtime, Rc::new(ClientSink::new(client)), options);
            let recording = broadcaster.start_recording_to_sink()?;
            let recorder = broadcaster.new_recorder(component, host.as_deref().unwrap_or_default());
            (Api::Events { recorder, broadcaster }, recording)
        } else {
            let options = record::BroadcasterOptions { on_lost_event, ..Default::default() };
            let broadcaster = record::EventBroadcaster::new(runtime, options);
            let recording = broadcaster.start_recording_to_sink(Rc::new(ClientSink::new(client)))?;
            let recorder = broadcaster.new_recorder(EventSource { component: Some(component.to_owned()), host });
            (Api::Core { recorder, broadcaster }, recording)
        };
        Ok(Recorder { api, recording: Rc::new(recording) })
    }

    fn recorder_counts(&self) -> RecorderCounts {
        match &self.api {
            Api::Core { broadcaster, .. } => broadcaster.recorder_counts(),
            Api::Events { broadcaster, .. } => broadcaster.recorder_counts(),
        }
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
    /// Records an event. `about` is JSON: the `action`, and references to `objects`. The first is the event's object, the
    /// second is related to it.
    pub fn event(&self, about: &str, warning: bool, reason: &str, message: &str) -> Result<(), JsValue> {
        let about = Given::parse("record event", about).map_err(|error| thrown(&error))?;
        let objects: Vec<ObjectReference> = about.objects("objects").iter().map(reference).collect();
        let action = about.text_or_empty("action");
        let object = objects.first().ok_or_else(|| refused("record event", "of no object"))?;
        let kind = if warning { EventType::Warning } else { EventType::Normal };
        match &self.api {
            Api::Core { recorder, .. } => recorder.event(object, kind, reason, message),
            Api::Events { recorder, .. } => {
                recorder.eventf(object, objects.get(1), kind, reason, &action, format_args!("{message}"));
            }
        }
        Ok(())
    }

    /// Waits until every event recorded so far is written or given up.
    pub fn flushed(&self) -> Pending {
        let recording = Rc::clone(&self.recording);
        Pending::begin("record events", async move {
            recording.flushed().await;
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Returns the counts of events as JSON.
    pub fn counts(&self) -> Result<String, JsValue> {
        let (counts, recorded) = (self.recording.counts(), self.recorder_counts());
        let lost = recorded.refused + counts.dropped + counts.rejected + counts.abandoned;
        let (written, merged, filtered, pending) = (counts.written, counts.merged, counts.filtered, counts.pending);
        let shown = CountsShown { written, merged, filtered, lost, pending };
        serde_json::to_string(&shown).map_err(|error| thrown(&Error::invalid("count events", error.to_string())))
    }
}

fn reference(object: &Given) -> ObjectReference {
    ObjectReference {
        api_version: object.text("apiVersion"),
        kind: object.text("kind"),
        name: object.text("name"),
        namespace: object.text("namespace"),
        resource_version: object.text("resourceVersion"),
        uid: object.text("uid"),
        field_path: None,
    }
}
