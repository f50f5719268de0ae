//! The row of an event, of either of the groups that serve them.

use masthead::lean::{Interned, Lean};

use super::{
    cells::Cells,
    heading::{Heading, wide, words},
    moment::Moment,
    presence::Presence,
    subject::Subject,
    words::or,
};
use crate::model::table::cell::Tone;

pub(super) const COLUMNS: &[Heading] = &[
    words("LAST SEEN"),
    words("TYPE"),
    words("REASON"),
    words("OBJECT"),
    wide("SUBOBJECT"),
    wide("SOURCE"),
    words("MESSAGE"),
    wide("FIRST SEEN"),
    wide("COUNT"),
    wide("NAME"),
];

/// An event. What the two groups call differently is empty in the one or in the other.
#[derive(Lean)]
pub(super) struct Event {
    #[lean("type")]
    kind: Interned,
    #[lean("reason")]
    reason: Interned,
    #[lean("message")]
    message: Box<str>,
    #[lean("note")]
    note: Box<str>,
    #[lean("involvedObject.kind")]
    involved_kind: Interned,
    #[lean("regarding.kind")]
    regarding_kind: Interned,
    #[lean("involvedObject.name")]
    involved_name: Box<str>,
    #[lean("regarding.name")]
    regarding_name: Box<str>,
    #[lean("involvedObject.fieldPath")]
    involved_part: Interned,
    #[lean("regarding.fieldPath")]
    regarding_part: Interned,
    #[lean("firstTimestamp")]
    first: Moment,
    #[lean("deprecatedFirstTimestamp")]
    deprecated_first: Moment,
    #[lean("lastTimestamp")]
    last: Moment,
    #[lean("deprecatedLastTimestamp")]
    deprecated_last: Moment,
    #[lean("eventTime")]
    time: Moment,
    #[lean("count")]
    count: i64,
    #[lean("deprecatedCount")]
    deprecated_count: i64,
    #[lean("series")]
    series: Presence,
    #[lean("series.lastObservedTime")]
    series_last: Moment,
    #[lean("series.count")]
    series_count: i64,
    #[lean("source.component")]
    source: Interned,
    #[lean("deprecatedSource.component")]
    deprecated_source: Interned,
    #[lean("source.host")]
    host: Interned,
    #[lean("deprecatedSource.host")]
    deprecated_host: Interned,
    #[lean("reportingComponent")]
    component: Interned,
    #[lean("reportingController")]
    controller: Interned,
    #[lean("reportingInstance")]
    instance: Interned,
}

pub(super) fn cells(subject: &Subject<Event>, to: &mut Cells<'_>) {
    let it = &subject.of;
    let first = it.first.or(it.deprecated_first).or(it.time);
    let last = it.last.or(it.deprecated_last);
    let (last, count) = match it.series.0 {
        true => (it.series_last, it.series_count),
        // An event that happened once need not say so.
        false => (last.or(first), it.count.max(it.deprecated_count).max(1)),
    };
    to.since(last.0);
    to.status(&it.kind, if it.kind == "Warning" { Tone::Warning } else { Tone::Quiet });
    to.known(&it.reason, "");
    let kind = or(&it.involved_kind, &it.regarding_kind).to_ascii_lowercase();
    match or(&it.involved_name, &it.regarding_name) {
        "" => to.word(&kind),
        name => to.own(&format!("{kind}/{name}"), ""),
    }
    to.word(or(&it.involved_part, &it.regarding_part));
    source(it, to);
    to.own(or(&it.message, &it.note).trim(), "");
    to.since(first.0);
    to.count(count);
    to.name();
}

fn source(it: &Event, to: &mut Cells<'_>) {
    let component = [&it.source, &it.deprecated_source, &it.component, &it.controller];
    let instance = [&it.host, &it.deprecated_host, &it.instance];
    match (first_of(&component), first_of(&instance)) {
        (component, "") => to.word(component),
        (component, instance) => to.word(&format!("{component}, {instance}")),
    }
}

fn first_of<'a>(words: &[&'a Interned]) -> &'a str {
    words.iter().find(|word| !word.is_empty()).map_or("", |word| word.as_str())
}
