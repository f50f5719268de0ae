//! A recorder for tests of what records.

use std::{cell::RefCell, fmt, rc::Rc};

use futures::{FutureExt, StreamExt};
use k8s_openapi::api::core::v1::{Event, EventSource};

use super::{BroadcasterOptions, EventBroadcaster, EventRecorder, correlator::text};
use crate::{runtime::VirtualTime, watch::Watcher};

/// Keeps the events of its recorders as lines: `Normal Started pulled the image`.
///
/// ```
/// use masthead::record::{EventType, FakeRecorder};
///
/// let fake = FakeRecorder::new(10);
/// fake.recorder().event(&Default::default(), EventType::Warning, "Failed", "no such image");
/// assert_eq!(fake.lines(), ["Warning Failed no such image"]);
/// ```
pub struct FakeRecorder {
    broadcaster: EventBroadcaster,
    watcher: RefCell<Watcher<Rc<Event>>>,
    /// Whether a line also says which kind of object its event is about.
    pub include_object: bool,
}

impl FakeRecorder {
    /// A fake that holds up to `size` events; those that come then are dropped and counted.
    pub fn new(size: usize) -> FakeRecorder {
        let options = BroadcasterOptions { queue: size, ..BroadcasterOptions::default() };
        let broadcaster = EventBroadcaster::new(&VirtualTime::new().runtime(), options);
        let watcher = broadcaster.watch().expect("a new broadcaster is not shut down");
        FakeRecorder { broadcaster, watcher: RefCell::new(watcher), include_object: false }
    }

    /// A recorder to hand to what is under test.
    pub fn recorder(&self) -> EventRecorder {
        self.broadcaster.new_recorder(EventSource::default())
    }

    /// The events since the last call, as they were recorded.
    pub fn events(&self) -> Vec<Rc<Event>> {
        let mut watcher = self.watcher.borrow_mut();
        std::iter::from_fn(|| watcher.next().now_or_never().flatten()).collect()
    }

    /// The events since the last call, as lines.
    pub fn lines(&self) -> Vec<String> {
        self.events().iter().map(|event| self.line(event)).collect()
    }

    /// How many events found no room.
    pub fn dropped(&self) -> u64 {
        self.watcher.borrow().dropped()
    }

    fn line(&self, event: &Event) -> String {
        let mut line = format!("{} {} {}", text(&event.type_), text(&event.reason), text(&event.message));
        let object = &event.involved_object;
        if self.include_object {
            let (kind, version) = (text(&object.kind), text(&object.api_version));
            line += &format!(" involvedObject{{kind={kind},apiVersion={version}}}");
        }
        if let Some(annotations) = event.metadata.annotations.as_ref() {
            let pairs: Vec<String> = annotations.iter().map(|(key, value)| format!("{key}:{value}")).collect();
            line += &format!(" map[{}]", pairs.join(" "));
        }
        line
    }
}

impl fmt::Debug for FakeRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FakeRecorder").field("intake", &self.broadcaster.intake()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_openapi::api::core::v1::ObjectReference;

    use super::FakeRecorder;
    use crate::record::EventType;

    #[test]
    fn keeps_what_was_recorded_and_drops_what_is_too_much() {
        let mut fake = FakeRecorder::new(3);
        fake.include_object = true;
        let recorder = fake.recorder();
        let pod =
            ObjectReference { kind: Some("Pod".into()), api_version: Some("v1".into()), ..ObjectReference::default() };
        let notes = BTreeMap::from([("a".into(), "1".into()), ("b".into(), "2".into())]);
        recorder.event(&pod, EventType::Normal, "Started", "100% done");
        recorder.annotated_eventf(&pod, notes, EventType::Warning, "Failed", format_args!("{} times", 2));
        assert_eq!(
            fake.lines(),
            [
                "Normal Started 100% done involvedObject{kind=Pod,apiVersion=v1}",
                "Warning Failed 2 times involvedObject{kind=Pod,apiVersion=v1} map[a:1 b:2]",
            ]
        );
        for _ in 0..5 {
            recorder.event(&pod, EventType::Normal, "Again", "");
        }
        assert_eq!((fake.lines().len(), fake.dropped()), (3, 2));
    }
}
