//! Reports streams that do not complete their initial events, as client-go's `initialEventsEndBookmarkTicker`.

use std::time::Duration;

use crate::runtime::Instant;

/// Produces a message in each period in which a stream has not sent the bookmark that ends its initial events.
#[derive(Debug)]
pub(super) struct StreamDeadline {
    period: Duration,
    began: Instant,
    last_event: Option<Instant>,
    /// When the next message is due.
    next: Instant,
}

impl StreamDeadline {
    /// How often a message is produced.
    pub(super) const PERIOD: Duration = Duration::from_secs(10);

    pub(super) fn new(period: Duration, now: Instant) -> StreamDeadline {
        StreamDeadline { period, began: now, last_event: None, next: now + period }
    }

    /// Reports an event of the stream.
    pub(super) fn event(&mut self, now: Instant) {
        self.last_event = Some(now);
    }

    /// How long until the next message is due.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        self.next.since(now)
    }

    /// Returns the message if it is due. `what` names the collection.
    pub(super) fn overdue_message(&mut self, what: &str, now: Instant) -> Option<String> {
        if now < self.next {
            return None;
        }
        self.next = now + self.period;
        Some(match self.last_event {
            None => {
                let seconds = now.since(self.began).as_secs();
                format!(
                    "{what}: awaiting required bookmark event for initial events stream, no events received for {seconds}s"
                )
            }
            Some(last) => format!(
                "{what}: hasn't received required bookmark event marking the end of initial events stream, received last \
                 event {}s ago",
                now.since(last).as_secs()
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::StreamDeadline;
    use crate::runtime::Instant;

    #[test]
    fn wl_11_an_overdue_bookmark_is_reported_every_period() {
        let at = |seconds| Instant::ORIGIN + Duration::from_secs(seconds);
        let mut deadline = StreamDeadline::new(Duration::from_secs(1), at(0));
        let mut check = |seconds, expect: &str| {
            assert_eq!(deadline.overdue_message("testName", at(seconds)).as_deref().unwrap_or_default(), expect);
            if seconds == 2 {
                deadline.event(at(2));
            }
        };
        let none = "testName: awaiting required bookmark event for initial events stream, no events received for";
        check(0, "");
        check(1, &format!("{none} 1s"));
        check(2, &format!("{none} 2s"));
        check(
            3,
            "testName: hasn't received required bookmark event marking the end of initial events stream, received last \
             event 1s ago",
        );
    }
}
