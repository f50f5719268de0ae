//! Spans of time as kubectl prints them.

use std::time::Duration;

use serde_json::Value;

use super::cell::UNKNOWN;
use crate::timestamp;

/// How long before `now` a time of an object was; no time is an unknown one.
pub(super) fn since(time: &Value, now: Duration) -> String {
    match moment(time) {
        Some(then) => human(micros(now) - then),
        None => UNKNOWN.to_owned(),
    }
}

/// The age of an object.
pub(super) fn of(object: &Value, now: Duration) -> String {
    since(&object["metadata"]["creationTimestamp"], now)
}

/// How long after `start` the time `end` was.
pub(super) fn between(start: &Value, end: &Value) -> String {
    human(moment(end).unwrap_or_default() - moment(start).unwrap_or_default())
}

/// A time of an object, in microseconds since 1970; `None` where there is none.
pub(super) fn moment(time: &Value) -> Option<i64> {
    time.as_str().and_then(timestamp::parse_micro).filter(|moment| *moment != ZERO)
}

fn micros(wall: Duration) -> i64 {
    i64::try_from(wall.as_micros()).unwrap_or(i64::MAX)
}

/// Go's zero time, the first second of year 1.
const ZERO: i64 = -62_135_596_800_000_000;

/// Two or three figures of a span in microseconds; a span that is not yet over is none.
pub(super) fn human(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let two = |first: i64, unit: &str, second: i64, smaller: &str| match second {
        0 => format!("{first}{unit}"),
        second => format!("{first}{unit}{second}{smaller}"),
    };
    match seconds {
        // Clocks may differ by a second.
        i64::MIN..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        _ if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => two(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if days < 8 => two(days, "d", hours % 24, "h"),
        _ if days < 365 * 2 => format!("{days}d"),
        _ if days < 365 * 8 => two(days / 365, "y", days % 365, "d"),
        _ => format!("{}y", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    #[test]
    fn spans_have_two_or_three_figures() {
        let check = |seconds: i64, expect: &str| assert_eq!(super::human(seconds * 1_000_000), expect, "{seconds}");
        check(-2, "<invalid>");
        check(-1, "0s");
        check(0, "0s");
        check(119, "119s");
        check(120, "2m");
        check(200, "3m20s");
        check(600, "10m");
        check(10_799, "179m");
        check(10_800, "3h");
        check(3 * 3600 + 61, "3h1m");
        check(8 * 3600 + 61, "8h");
        check(47 * 3600, "47h");
        check(48 * 3600, "2d");
        check(49 * 3600, "2d1h");
        check(8 * 86_400 + 3600, "8d");
        check(729 * 86_400, "729d");
        check(730 * 86_400, "2y");
        check(731 * 86_400, "2y1d");
        check(8 * 365 * 86_400 + 86_400, "8y");
    }

    #[test]
    fn a_time_that_is_missing_or_zero_is_unknown() {
        let now = Duration::from_millis(1_767_225_605_900);
        let check = |time, expect: &str| assert_eq!(super::since(&time, now), expect, "{time}");
        check(json!("2026-01-01T00:00:00Z"), "5s");
        check(json!("2026-01-01T00:00:00.950000Z"), "4s");
        check(json!("2026-01-01T02:00:00+02:00"), "5s");
        check(json!("2026-01-01T00:00:06Z"), "0s");
        check(json!(null), "<unknown>");
        check(json!("0001-01-01T00:00:00Z"), "<unknown>");
        check(json!("soon"), "<unknown>");
    }
}
