//! A recorder for tests of what records.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::events::v1::Event;

use super::EventRecorder;
use crate::{
    record::{Hub, Limits, text},
    runtime::VirtualTime,
    watch::{Broadcaster, Watcher, WhenFull},
};

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
    hub: Rc<Hub<Event>>,
    watcher: RefCell<Watcher<Rc<Event>>>,
}

impl FakeRecorder {
    /// A fake that holds up to `size` events; those that come then are dropped and counted.
    pub fn new(size: usize) -> FakeRecorder {
        let limits = Limits { queue: size, when_full: WhenFull::Drop, pause: Duration::ZERO };
        let fan = Broadcaster::long_queue(size, limits.when_full);
        let hub = Hub::new(&VirtualTime::new().runtime(), fan, limits, None);
        let watcher = RefCell::new(hub.watch().expect("a new hub is not shut down"));
        FakeRecorder { hub, watcher }
    }

    /// A recorder to hand to what is under test.
    pub fn recorder(&self) -> EventRecorder {
        EventRecorder::new(Rc::clone(&self.hub), "fake", "fake-recorder")
    }

    /// The events since the last call, as they were recorded.
    pub fn events(&self) -> Vec<Rc<Event>> {
        let mut watcher = self.watcher.borrow_mut();
        std::iter::from_fn(|| watcher.next().now_or_never().flatten()).collect()
    }

    /// The events since the last call, as lines.
    pub fn lines(&self) -> Vec<String> {
        let line = |event: &Rc<Event>| [&event.type_, &event.reason, &event.note].map(text).join(" ");
        self.events().iter().map(line).collect()
    }

    /// How many events found no room.
    pub fn dropped(&self) -> u64 {
        self.watcher.borrow().dropped()
    }
}

impl fmt::Debug for FakeRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeRecorder").field("intake", &self.hub.intake()).finish_non_exhaustive()
    }
}
