//! Times as they stand in objects: RFC 3339, in whole seconds, UTC.

use std::time::Duration;

/// The time since 1970 as Kubernetes writes it, as in `2026-01-01T00:00:00Z`.
pub(crate) fn format(wall: Duration) -> String {
    let seconds = wall.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The same with microseconds, as leases and new events have it.
pub(crate) fn format_micro(wall: Duration) -> String {
    let seconds = format(wall);
    format!("{}.{:06}Z", seconds.trim_end_matches('Z'), wall.subsec_micros())
}

/// The time since 1970 that a text names, in whole seconds; `None` for what is no time.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let days = days_until(year, month, day)?;
    Some(Duration::from_secs(days * 86_400 + hour * 3600 + minute * 60 + second))
}

/// The days from 1970 to a date of the Gregorian calendar: the inverse of [`civil`].
fn days_until(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, month) = if month <= 2 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let of_year = (153 * month + 2) / 5 + day.checked_sub(1)?;
    (year * 365 + year / 4 - year / 100 + year / 400 + of_year).checked_sub(719_468)
}

/// Year, month and day of a day since 1970, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that the leap day is the last of its year.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn days_fall_where_the_calendar_has_them() {
        let check = |seconds, expect: &str| assert_eq!(super::format(Duration::from_secs(seconds)), expect);
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(1_767_225_599, "2025-12-31T23:59:59Z");
        check(1_767_225_600, "2026-01-01T00:00:00Z");
        check(4_107_542_400, "2100-03-01T00:00:00Z");
    }

    #[test]
    fn what_is_written_can_be_read() {
        for days in 0..60_000 {
            let time = Duration::from_secs(days * 86_400 + days % 86_400);
            assert_eq!(super::parse(&super::format(time)), Some(time));
        }
        let micro = Duration::from_micros(1_767_225_600_000_042);
        assert_eq!(super::format_micro(micro), "2026-01-01T00:00:00.000042Z");
        assert_eq!(super::parse("2026-01-01T00:00:00.000042Z"), Some(Duration::from_secs(1_767_225_600)));
        for other in ["", "yesterday", "2026-00-00T00:00:00Z", "0000-01-01T00:00:00Z"] {
            assert_eq!(super::parse(other), None, "{other}");
        }
    }
}
