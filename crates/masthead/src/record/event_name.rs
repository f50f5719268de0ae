//! Names that no two events share.

use std::{cell::Cell, time::Duration};

use crate::{labels::is_subdomain, runtime::Runtime};

/// The name of an event about an object: the object's name and the time, or `uuid` where that is no valid name.
pub(super) fn event_name(object: &str, nanoseconds: u64, uuid: impl FnOnce() -> String) -> String {
    let name = format!("{object}.{nanoseconds:x}");
    if is_subdomain(&name) { name } else { uuid() }
}

/// Names events of one program.
#[derive(Debug)]
pub(super) struct EventNames {
    runtime: Runtime,
    /// The part of a millisecond that these names have: a page tells no less, and another page may record at the same one.
    share: Duration,
    /// The time in the last name. Later ones are later, whatever the clock says.
    last: Cell<u64>,
}

impl EventNames {
    pub(super) fn new(runtime: &Runtime) -> EventNames {
        let share = Duration::from_millis(1).mul_f64(runtime.random());
        EventNames { runtime: runtime.clone(), share, last: Cell::new(0) }
    }

    /// A name for an event about `object`, recorded now.
    pub(super) fn name(&self, object: &str) -> String {
        let shown = u64::try_from((self.runtime.wall() + self.share).as_nanos()).unwrap_or(u64::MAX);
        let time = shown.max(self.last.get().saturating_add(1));
        self.last.set(time);
        event_name(object, time, || uuid(&self.runtime))
    }
}

/// A random UUID, as version 4 has it.
fn uuid(runtime: &Runtime) -> String {
    let mut bytes = [0u8; 16];
    bytes.fill_with(|| (runtime.random() * 256.0) as u8);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = |range: std::ops::Range<usize>| bytes[range].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    [hex(0..4), hex(4..6), hex(6..8), hex(8..10), hex(10..16)].join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::runtime::VirtualTime;

    #[test]
    fn es_09_a_name_is_the_objects_and_the_time_or_a_uuid() {
        let never = || unreachable!("the name is valid");
        assert_eq!(event_name("test-pod", 105_999_103_295_324_396, never), "test-pod.178959f726d80ec");
        let names = EventNames::new(&VirtualTime::new().runtime());
        for invalid in ["Test_Pod", "a b", "", &"x".repeat(250)] {
            let name = names.name(invalid);
            let parts: Vec<usize> = name.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{name}");
            assert!(name.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()), "{name}");
            assert_eq!((name.as_bytes()[14], names.name(invalid) == name), (b'4', false));
        }
    }

    #[test]
    fn names_differ_within_a_tick_of_the_clock_and_between_pages() {
        let pages = [1, 2].map(|seed| EventNames::new(&VirtualTime::seeded(seed).runtime()));
        let names: HashSet<String> = (0..200).map(|turn| pages[turn % 2].name("pod")).collect();
        assert_eq!(names.len(), 200);
    }
}
