//! Cron schedules: five fields, or a name for them. All times are UTC.

use std::time::Duration;

use crate::timestamp;

/// When something is to happen: the minutes, hours, days, months and weekdays it may, a bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Whether a day must fit only one of the two, since both are given.
    either_day: bool,
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/// How many days ahead a time is looked for: a leap day is at most eight years away.
const HORIZON: u64 = 366 * 9;
const DAY: u64 = 86_400;

impl Schedule {
    /// Reads a schedule; `None` for what is none.
    pub(crate) fn parse(text: &str) -> Option<Schedule> {
        let text = match text.trim() {
            "@yearly" | "@annually" => "0 0 1 1 *",
            "@monthly" => "0 0 1 * *",
            "@weekly" => "0 0 * * 0",
            "@daily" | "@midnight" => "0 0 * * *",
            "@hourly" => "0 * * * *",
            other => other,
        };
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = fields[..] else { return None };
        let any = |field: &str| field.starts_with(['*', '?']);
        // Sunday is 0 and 7.
        let week = bits(weekdays, 0, 7, &WEEKDAYS)?;
        Some(Schedule {
            minutes: bits(minutes, 0, 59, &[])?,
            hours: bits(hours, 0, 23, &[])?,
            days: bits(days, 1, 31, &[])?,
            months: bits(months, 1, 12, &MONTHS)?,
            weekdays: (week | week >> 7) & 0x7f,
            either_day: !any(days) && !any(weekdays),
        })
    }

    /// The first time after one; `None` when there is none for years.
    pub(crate) fn next(&self, after: Duration) -> Option<Duration> {
        let from = (after.as_secs() / 60 + 1) * 60;
        for day in from / DAY..from / DAY + HORIZON {
            if !self.has_day(day) {
                continue;
            }
            let first = if day == from / DAY { from % DAY / 60 } else { 0 };
            let minute = (first..24 * 60).find(|minute| has(self.hours, minute / 60) && has(self.minutes, minute % 60));
            if let Some(minute) = minute {
                return Some(Duration::from_secs(day * DAY + minute * 60));
            }
        }
        None
    }

    fn has_day(&self, days: u64) -> bool {
        let (_, month, day) = timestamp::civil(days);
        // The first of January 1970 was a Thursday.
        let (fits, week) = (has(self.days, day), has(self.weekdays, (days + 4) % 7));
        has(self.months, month) && if self.either_day { fits || week } else { fits && week }
    }
}

fn has(bits: u64, number: u64) -> bool {
    bits >> number & 1 == 1
}

fn bits(field: &str, least: u64, most: u64, names: &[&str]) -> Option<u64> {
    field.split(',').try_fold(0, |bits, part| Some(bits | range(part, least, most, names)?))
}

fn range(part: &str, least: u64, most: u64, names: &[&str]) -> Option<u64> {
    let number = |text: &str| {
        let named = names.iter().position(|name| text.eq_ignore_ascii_case(name)).map(|at| at as u64 + least);
        named.or_else(|| text.parse().ok())
    };
    let (span, step) = part.split_once('/').map_or((part, None), |(span, step)| (span, Some(step)));
    let step = step.map_or(Some(1), |step| step.parse::<usize>().ok().filter(|step| *step > 0))?;
    let (from, to) = match span {
        "*" | "?" => (least, most),
        _ => match span.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None if part.contains('/') => (number(span)?, most),
            None => (number(span)?, number(span)?),
        },
    };
    let fits = least <= from && from <= to && to <= most;
    fits.then(|| (from..=to).step_by(step).fold(0, |bits, number| bits | 1 << number))
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::timestamp::{format, parse};

    #[test]
    fn the_next_time_is_the_first_that_fits() {
        let check = |schedule: &str, after: &str, expect: &str| {
            let next = Schedule::parse(schedule).and_then(|schedule| schedule.next(parse(after).unwrap()));
            assert_eq!(next.map(format).unwrap_or_default(), expect, "{schedule} after {after}");
        };
        check("* * * * *", "2026-01-01T00:00:30Z", "2026-01-01T00:01:00Z");
        check("*/15 * * * *", "2026-01-01T00:45:00Z", "2026-01-01T01:00:00Z");
        check("30 2 * * *", "2026-01-01T02:30:00Z", "2026-01-02T02:30:00Z");
        check("0 9-17/4 * * mon-fri", "2026-01-02T17:00:00Z", "2026-01-05T09:00:00Z");
        check("0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z");
        check("0 0 13 * 5", "2026-01-03T00:00:00Z", "2026-01-09T00:00:00Z");
        check("5,35 0 * JAN 7", "2026-01-04T00:05:00Z", "2026-01-04T00:35:00Z");
        check("@hourly", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z");
        check("0 0 31 2 *", "2026-01-01T00:00:00Z", "");
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in ["", "* * * *", "60 * * * *", "* 24 * * *", "*/0 * * * *", "5-3 * * * *", "x * * * *", "@never"] {
            assert_eq!(Schedule::parse(text), None, "{text}");
        }
    }
}
