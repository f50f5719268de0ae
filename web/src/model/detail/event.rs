//! Events: of an object, or looked at themselves.

use serde_json::Value;

use super::{Detail, Facts, Label, Object, Told};
use crate::model::table::cell::Tone;

/// Something that was said of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What tells it from others.
    pub uid: String,
    /// Whether it is a warning.
    pub warning: bool,
    /// One word.
    pub reason: String,
    /// A sentence.
    pub message: String,
    /// Who says so.
    pub source: String,
    /// How often it was said.
    pub count: i64,
    /// When it was said first, in milliseconds since 1970.
    pub first: Option<i64>,
    /// When it was said last, in milliseconds since 1970.
    pub last: Option<i64>,
}

impl Event {
    /// Reads an event of the core group.
    pub fn of(event: &Value) -> Event {
        let event = Object(event);
        let own = |path| event.text(path).to_owned();
        let times = [
            "/series/lastObservedTime",
            "/lastTimestamp",
            "/eventTime",
            "/firstTimestamp",
            "/metadata/creationTimestamp",
        ];
        let first = ["/firstTimestamp", "/eventTime", "/metadata/creationTimestamp"];
        Event {
            uid: own("/metadata/uid"),
            warning: event.text("/type") == "Warning",
            reason: own("/reason"),
            message: own("/message"),
            source: match event.text("/source/component") {
                "" => own("/reportingComponent"),
                component => component.to_owned(),
            },
            count: event.number("/series/count").or(event.number("/count")).unwrap_or(1).max(1),
            first: first.iter().find_map(|path| event.time(path)),
            last: times.iter().filter_map(|path| event.time(path)).max(),
        }
    }

    /// Puts events in order, the newest first; at most as many as a person reads.
    pub fn newest_first(mut events: Vec<Event>) -> Vec<Event> {
        events.sort_by(|one, other| (other.last, &other.uid).cmp(&(one.last, &one.uid)));
        events.truncate(MOST);
        events
    }
}

const MOST: usize = 500;

pub(super) fn tell(it: Object<'_>, facts: &mut Facts, _: &mut Detail) {
    let event = Event::of(it.0);
    let tone = if event.warning { Tone::Warning } else { Tone::Quiet };
    facts.tell(Label::Type, Told::State(it.text("/type").to_owned(), tone));
    facts.text(Label::Reason, event.reason);
    facts.text(Label::Message, event.message);
    let about = it.at("/involvedObject");
    let kind = [about.text("/apiVersion"), about.text("/kind")];
    facts.link(Label::Object, kind, [about.text("/namespace"), about.text("/name")]);
    facts.text(Label::Source, event.source);
    facts.text(Label::Count, event.count.to_string());
    facts.time(Label::FirstSeen, event.first);
    facts.time(Label::LastSeen, event.last);
}
