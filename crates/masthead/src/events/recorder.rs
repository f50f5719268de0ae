//! Recorders of `events.k8s.io/v1` events: the one that components hold, and a fake for their tests.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt};
use k8s_openapi::{
    api::{core::v1::ObjectReference, events::v1::Event},
    apimachinery::pkg::apis::meta::v1::MicroTime,
};

use crate::{
    record::{BroadcasterCore, EventType, SinkLimits, text},
    runtime::VirtualTime,
    watch::{Broadcaster, Watcher, WhenFull},
};

/// Records events of one controller. Cheap to clone.
///
/// Recording never waits and never fails, as with the [recorder of `core/v1`](crate::record::EventRecorder).
#[derive(Clone)]
pub struct EventRecorder {
    core: Rc<BroadcasterCore<Event>>,
    reporting_controller: String,
    reporting_instance: String,
}

impl EventRecorder {
    pub(super) fn new(core: Rc<BroadcasterCore<Event>>, controller: &str, instance: &str) -> EventRecorder {
        let (reporting_controller, reporting_instance) = (controller.to_owned(), instance.to_owned());
        EventRecorder { core, reporting_controller, reporting_instance }
    }

    /// Records that the controller took `action` on `regarding`, for `reason`.
    ///
    /// `related` is a second object that the action involved. [`reference`](fn@crate::record::reference) makes references.
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
        self.core.record(Event {
            metadata: self.core.event_metadata(regarding),
            event_time: Some(MicroTime(self.core.timestamp())),
            reporting_controller: Some(self.reporting_controller.clone()),
            reporting_instance: Some(self.reporting_instance.clone()),
            action: Some(action.to_owned()),
            reason: Some(reason.to_owned()),
            regarding: Some(regarding.clone()),
            related: related.cloned(),
            note: Some(note.to_string()),
            type_: Some(kind.to_string()),
            ..Event::default()
        });
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("controller", &self.reporting_controller).finish_non_exhaustive()
    }
}

/// Keeps the events of its recorders as lines: `Normal Started pulled the image`.
///
/// ```
/// use masthead::{events::FakeRecorder, record::EventType};
///
/// let fake = FakeRecorder::new(10);
/// let note = format_args!("{} of them", 2);
/// fake.recorder().eventf(&Default::default(), None, EventType::Warning, "Failed", "Pulling", note);
/// assert_eq!(fake.lines(), ["Warning Failed 2 of them"]);
/// ```
pub struct FakeRecorder {
    core: Rc<BroadcasterCore<Event>>,
    watcher: RefCell<Watcher<Rc<Event>>>,
}

impl FakeRecorder {
    /// A fake that holds up to `size` events; it drops and counts further ones.
    pub fn new(size: usize) -> FakeRecorder {
        let limits = SinkLimits { queue: size, when_full: WhenFull::Drop, pause: Duration::ZERO };
        let broadcaster = Broadcaster::long_queue(size, limits.when_full);
        let core = BroadcasterCore::new(&VirtualTime::new().runtime(), broadcaster, limits, None);
        let watcher = RefCell::new(core.watch().expect("a new broadcaster is not shut down"));
        FakeRecorder { core, watcher }
    }

    /// Returns a recorder for the code under test.
    pub fn recorder(&self) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.core), "fake", "fake-recorder")
    }

    /// Returns the events since the last call.
    pub fn events(&self) -> Vec<Rc<Event>> {
        let mut watcher = self.watcher.borrow_mut();
        std::iter::from_fn(|| watcher.next().now_or_never().flatten()).collect()
    }

    /// Returns the events since the last call as lines.
    pub fn lines(&self) -> Vec<String> {
        let line = |event: &Rc<Event>| [&event.type_, &event.reason, &event.note].map(text).join(" ");
        self.events().iter().map(line).collect()
    }

    /// Returns how many events were dropped.
    pub fn dropped(&self) -> u64 {
        self.watcher.borrow().dropped()
    }
}

impl fmt::Debug for FakeRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeRecorder").field("recorded", &self.core.recorder_counts()).finish_non_exhaustive()
    }
}
