//! How much of a log is asked for.

use std::time::Duration;

use crate::{cause::Cause, query::Query, refusal::Refusal, timestamp};

/// The parameters of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogOptions {
    pub(super) follow: bool,
    pub(super) timestamps: bool,
    /// How many of the last lines to begin with.
    pub(super) tail: Option<u64>,
    /// Where to stop, in the middle of a line too.
    pub(super) bytes: Option<u64>,
    pub(super) since: Since,
}

/// From when on to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Since {
    Start,
    /// So long ago.
    Ago(Duration),
    /// A time on the wall clock.
    Time(Duration),
}

impl LogOptions {
    /// Reads a query; `pod` is whom a refusal names.
    pub(super) fn read(query: &Query, pod: &str) -> Result<LogOptions, Refusal> {
        let (tail, bytes) = (number(query, "tailLines")?, number(query, "limitBytes")?);
        let (seconds, time) = (number(query, "sinceSeconds")?, since_time(query)?);
        let mut causes = Vec::new();
        let mut need = |field: &str, value: Option<i64>, least: i64, why: &str| {
            if let Some(value) = value.filter(|value| *value < least) {
                causes.push(Cause::invalid(field, value, why));
            }
        };
        need("tailLines", tail, 0, "must be greater than or equal to 0");
        need("limitBytes", bytes, 1, "must be greater than 0");
        if seconds.is_some() && time.is_some() {
            causes.push(Cause::forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
        } else {
            need("sinceSeconds", seconds, 1, "must be greater than 0");
        }
        if !query.text("stream").is_empty() {
            causes.push(Cause::forbidden("stream", "may not be specified"));
        }
        if !causes.is_empty() {
            return Err(Refusal::invalid_as("", "PodLogOptions", pod, &causes));
        }
        let positive = |value: Option<i64>| value.and_then(|value| u64::try_from(value).ok());
        let since = match (positive(seconds), time) {
            (Some(seconds), _) => Since::Ago(Duration::from_secs(seconds)),
            (None, Some(time)) => Since::Time(time),
            (None, None) => Since::Start,
        };
        let (follow, timestamps) = (query.flag("follow"), query.flag("timestamps"));
        Ok(LogOptions { follow, timestamps, tail: positive(tail), bytes: positive(bytes), since })
    }
}

fn number(query: &Query, name: &str) -> Result<Option<i64>, Refusal> {
    match query.text(name) {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| Refusal::bad_request(format!("strconv.ParseInt: parsing {text:?}: invalid syntax"))),
    }
}

fn since_time(query: &Query) -> Result<Option<Duration>, Refusal> {
    match query.text("sinceTime") {
        "" => Ok(None),
        text => timestamp::parse(text).map(Some).ok_or_else(|| {
            let form = "2006-01-02T15:04:05Z07:00";
            Refusal::bad_request(format!("parsing time {text:?} as {form:?}: cannot parse {text:?} as \"2006\""))
        }),
    }
}
