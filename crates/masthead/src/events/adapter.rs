//! Either event API, whichever the server has.

use std::{fmt, rc::Rc};

use k8s_openapi::api::core::v1::{EventSource, ObjectReference};
use kube_core::GroupVersion;

use super::EventRecorder;
use crate::{
    Error,
    discovery::DiscoveryClient,
    events, record,
    record::{ClientSink, EventType, Recording},
    rest::RestClient,
};

/// A broadcaster of the newest event API that a server has.
#[derive(Debug)]
pub struct EventBroadcasterAdapter {
    client: RestClient,
    core: record::EventBroadcaster,
    /// `None` where the server does not have it.
    events: Option<events::EventBroadcaster>,
}

/// A recorder of either API.
#[derive(Clone, Debug)]
pub enum AnyRecorder {
    /// For `events.k8s.io/v1`.
    Events(EventRecorder),
    /// For `core/v1`, which knows no action and no related object.
    Core(record::EventRecorder),
}

/// The ways of events to the server; see [`Recording`].
#[must_use = "stops writing when dropped"]
#[derive(Debug)]
pub struct Recordings {
    /// Events of `core/v1`.
    pub core: Recording,
    /// Events of `events.k8s.io/v1`, where the server has them.
    pub events: Option<Recording>,
}

impl EventBroadcasterAdapter {
    /// Asks the server what it has. One that cannot be asked is taken to have `core/v1` only.
    pub async fn new(client: &RestClient) -> EventBroadcasterAdapter {
        let runtime = &client.config().runtime;
        let version = GroupVersion::gv("events.k8s.io", "v1");
        let found = DiscoveryClient::over(client.clone()).server_resources_for_group_version(&version).await;
        let events = found.is_ok().then(|| {
            let sink = Rc::new(ClientSink::new(client));
            events::EventBroadcaster::new(runtime, sink, Default::default())
        });
        let core = record::EventBroadcaster::new(runtime, Default::default());
        EventBroadcasterAdapter { client: client.clone(), core, events }
    }

    /// Begins to write events to the server.
    pub fn start_recording_to_sink(&self) -> Result<Recordings, Error> {
        let events = self.events.as_ref().map(events::EventBroadcaster::start_recording_to_sink).transpose()?;
        let core = self.core.start_recording_to_sink(Rc::new(ClientSink::new(&self.client)))?;
        Ok(Recordings { core, events })
    }

    /// A recorder of the events of `controller`, which runs on `host`.
    pub fn new_recorder(&self, controller: &str, host: &str) -> AnyRecorder {
        match &self.events {
            Some(events) => AnyRecorder::Events(events.new_recorder(controller, host)),
            None => AnyRecorder::Core(self.new_core_recorder(controller)),
        }
    }

    /// A recorder of `core/v1` events, whatever the server has.
    pub fn new_core_recorder(&self, component: &str) -> record::EventRecorder {
        self.core.new_recorder(EventSource { component: Some(component.to_owned()), ..EventSource::default() })
    }

    /// Takes nothing more, as the broadcasters of both APIs do.
    pub fn shutdown(&self) {
        self.core.shutdown();
        if let Some(events) = &self.events {
            events.shutdown();
        }
    }
}

impl AnyRecorder {
    /// Records as [`EventRecorder::eventf`] does; what `core/v1` does not know is left out there.
    #[expect(clippy::too_many_arguments, reason = "those of client-go")]
    pub fn eventf(
        &self,
        regarding: &ObjectReference,
        related: Option<&ObjectReference>,
        kind: EventType,
        reason: &str,
        action: &str,
        note: fmt::Arguments<'_>,
    ) {
        match self {
            AnyRecorder::Events(recorder) => recorder.eventf(regarding, related, kind, reason, action, note),
            AnyRecorder::Core(recorder) => recorder.eventf(regarding, kind, reason, note),
        }
    }
}
