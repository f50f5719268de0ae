//! Similar events as one.

use std::{borrow::Cow, collections::VecDeque, time::Duration};

use k8s_openapi::api::core::v1::Event;
use kube_core::ObjectMeta;

use super::{
    CorrelatorOptions,
    correlator::{LruCache, key_of, lru_cache, source_of, text},
};
use crate::runtime::Instant;

/// Replaces events by one that stands for all of them, once there are too many different ones that are similar.
#[derive(Debug)]
pub(super) struct Aggregator {
    options: CorrelatorOptions,
    groups: LruCache<Group>,
}

/// Events that are similar.
#[derive(Debug, Default)]
struct Group {
    /// What tells its events apart, each once, oldest first; fewer than `max_events` between two events.
    members: VecDeque<String>,
    last: Instant,
}

impl Aggregator {
    pub(super) fn new(options: CorrelatorOptions) -> Aggregator {
        Aggregator { groups: lru_cache(options.cache_size), options }
    }

    /// The event to count, and the key to count it by.
    pub(super) fn aggregate<'a>(&mut self, event: &'a Event, now: Instant) -> (Cow<'a, Event>, String) {
        let (group_key, member) = (self.options.aggregate_key)(event);
        let group = self.groups.get_or_insert_mut_ref(&group_key, Group::default);
        group.add(member, now, self.options.max_interval);
        if group.members.len() < self.options.max_events {
            return (Cow::Borrowed(event), event_key(event));
        }
        // Makes room, so that the next different one is combined again.
        group.members.pop_front();
        let message = (self.options.aggregate_message)(event);
        (Cow::Owned(standing_for(event, message)), group_key)
    }
}

impl Group {
    fn add(&mut self, member: String, now: Instant, max_interval: Duration) {
        if now.since(self.last) > max_interval {
            self.members.clear();
        }
        self.last = now;
        if !self.members.contains(&member) {
            self.members.push_back(member);
        }
    }
}

/// The event for all those similar to `event`. It takes the name of this one, which is not written itself.
fn standing_for(event: &Event, message: String) -> Event {
    Event {
        metadata: ObjectMeta {
            name: event.metadata.name.clone(),
            namespace: event.metadata.namespace.clone(),
            ..ObjectMeta::default()
        },
        count: Some(1),
        first_timestamp: event.last_timestamp.clone(),
        involved_object: event.involved_object.clone(),
        last_timestamp: event.last_timestamp.clone(),
        message: Some(message),
        type_: event.type_.clone(),
        reason: event.reason.clone(),
        source: event.source.clone(),
        ..Event::default()
    }
}

/// Equal events have an equal key.
fn event_key(event: &Event) -> String {
    let [component, host] = source_of(event);
    let object = &event.involved_object;
    key_of([
        component,
        host,
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.field_path),
        text(&object.uid),
        text(&object.api_version),
        text(&event.type_),
        text(&event.reason),
        text(&event.message),
    ])
}

/// Similar: one object, source, type and reason. Told apart by the message.
pub(super) fn by_reason(event: &Event) -> (String, String) {
    let [component, host] = source_of(event);
    let object = &event.involved_object;
    let key = key_of([
        component,
        host,
        text(&object.kind),
        text(&object.namespace),
        text(&object.name),
        text(&object.uid),
        text(&object.api_version),
        text(&event.type_),
        text(&event.reason),
        text(&event.reporting_component),
        text(&event.reporting_instance),
    ]);
    (key, text(&event.message).to_owned())
}

/// The last message, marked as one of many.
pub(super) fn combined(event: &Event) -> String {
    format!("(combined from similar events): {}", text(&event.message))
}
