//! What the timeline reads of an Event.

use masthead::{
    cache::Object,
    lean::{Interned, Lean, Row},
};

use super::{moment::Moment, point::Status, subject::Subject};

/// The fields of a core/v1 Event, whichever of its two ways of counting it was written in.
#[derive(Clone, Debug, Lean)]
pub(super) struct EventFields {
    /// `Normal` or `Warning`.
    #[lean("type")]
    pub(super) severity: Interned,
    /// One word for what happened.
    #[lean("reason")]
    pub(super) reason: Interned,
    /// A sentence for it.
    #[lean("message")]
    pub(super) message: Interned,
    #[lean("involvedObject.kind")]
    kind: Interned,
    #[lean("involvedObject.namespace")]
    namespace: Interned,
    #[lean("involvedObject.name")]
    name: Interned,
    #[lean("source.component")]
    component: Interned,
    #[lean("reportingComponent")]
    reporter: Interned,
    #[lean("count")]
    count: i64,
    #[lean("series.count")]
    series_count: i64,
    #[lean("series.lastObservedTime")]
    observed: Moment,
    #[lean("lastTimestamp")]
    last: Moment,
    #[lean("eventTime")]
    once: Moment,
    #[lean("firstTimestamp")]
    first: Moment,
    #[lean("metadata.creationTimestamp")]
    created: Moment,
}

impl EventFields {
    /// When it happened last: the latest of all times that it has.
    pub(super) fn last(&self) -> Option<i64> {
        [self.observed, self.last, self.once, self.first, self.created].iter().filter_map(|moment| moment.0).max()
    }

    /// When it happened first: the earliest of all times that it has.
    pub(super) fn first(&self) -> Option<i64> {
        [self.first, self.once, self.last, self.created].iter().filter_map(|moment| moment.0).min()
    }

    /// How often it happened; at least once.
    pub(super) fn count(&self) -> u32 {
        let count = if self.series_count > 0 { self.series_count } else { self.count };
        u32::try_from(count.max(1)).unwrap_or(u32::MAX)
    }

    /// Who tells of it.
    pub(super) fn source(&self) -> &Interned {
        if self.component.is_empty() { &self.reporter } else { &self.component }
    }

    /// How bad it is.
    pub(super) fn status(&self) -> Status {
        Status::of_event(&self.severity, &self.reason)
    }

    /// The object it is about.
    pub(super) fn subject(&self) -> Subject {
        Subject { kind: self.kind.clone(), namespace: self.namespace.clone(), name: self.name.clone() }
    }
}

/// What identifies an Event.
pub(super) fn identity(event: &Row<EventFields>) -> String {
    match event.uid() {
        "" => event.key().as_str().to_owned(),
        uid => uid.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::timeline::fixture::event;

    #[test]
    fn the_last_time_is_the_latest_of_all() {
        let at = |second: u32| format!("1970-01-01T00:00:{second:02}Z");
        let check = |fields: serde_json::Value, last, first| {
            let event = event(fields);
            assert_eq!((event.last(), event.first()), (last, first));
        };
        check(json!({ "firstTimestamp": at(1), "lastTimestamp": at(9) }), Some(9000), Some(1000));
        check(
            json!({ "eventTime": "1970-01-01T00:00:02.500000Z", "firstTimestamp": null, "lastTimestamp": null }),
            Some(2500),
            Some(2500),
        );
        check(
            json!({ "eventTime": at(2), "lastTimestamp": at(3), "series": { "count": 4, "lastObservedTime": at(7) } }),
            Some(7000),
            Some(2000),
        );
        check(json!({ "metadata": { "name": "e", "uid": "u", "creationTimestamp": at(5) } }), Some(5000), Some(5000));
        check(json!({ "lastTimestamp": "yesterday" }), None, None);
    }

    #[test]
    fn the_series_counts_before_the_count() {
        assert_eq!(event(json!({ "count": 3 })).count(), 3);
        assert_eq!(event(json!({ "count": 3, "series": { "count": 7 } })).count(), 7);
        assert_eq!(event(json!({})).count(), 1);
        assert_eq!(event(json!({ "count": -4 })).count(), 1);
    }

    #[test]
    fn the_source_is_whoever_is_named() {
        let old = json!({ "source": { "component": "kubelet" }, "reportingComponent": "other" });
        assert_eq!(event(old).source().as_str(), "kubelet");
        let new = json!({ "source": {}, "reportingComponent": "default-scheduler" });
        assert_eq!(event(new).source().as_str(), "default-scheduler");
    }
}
