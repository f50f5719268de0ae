//! Times as they stand in objects: RFC 3339 in UTC, in whole seconds or in microseconds.

use std::time::Duration;

/// The time since 1970 as Kubernetes writes it, as in `2026-01-01T00:00:00Z`. Years have four digits: what is later than the
/// last of them is written as its last second.
pub fn format(wall: Duration) -> String {
    let seconds = wall.as_secs().min(LAST);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The same with microseconds, as leases and new events have it.
pub fn format_micro(wall: Duration) -> String {
    let seconds = format(wall);
    format!("{}.{:06}Z", seconds.trim_end_matches('Z'), wall.subsec_micros())
}

/// The time since 1970 that a text names, in whole seconds; `None` for what is no time.
pub fn parse(text: &str) -> Option<Duration> {
    u64::try_from(parse_micro(text)? / 1_000_000).ok().map(Duration::from_secs)
}

/// The same in microseconds, and before 1970 too.
pub fn parse_micro(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (clock, rest) = rest.strip_prefix(['T', 't'])?.split_at_checked(8)?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?),
        None => ("", rest),
    };
    let micros: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset(zone)?;
    fits.then_some(seconds * 1_000_000 + micros)
}

/// A time as it is written again, in seconds or microseconds; one before 1970 stays as it is.
pub fn rewrite(text: &str, in_micros: bool) -> Option<String> {
    let micros = parse_micro(text)?;
    let Ok(micros) = u64::try_from(micros) else { return Some(text.to_owned()) };
    let wall = Duration::from_micros(micros);
    Some(if in_micros { format_micro(wall) } else { format(wall) })
}

/// The last second of the last year that has four digits.
const LAST: u64 = 253_402_300_799;

/// As many numbers as there are widths, each of so many digits.
fn numbers<const N: usize>(text: &str, between: char, widths: [usize; N]) -> Option<[i64; N]> {
    let (mut parts, mut found) = (text.split(between), [0; N]);
    for (number, width) in found.iter_mut().zip(widths) {
        let part = parts.next().filter(|part| part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

/// How many seconds a zone is ahead.
fn offset(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let [hours, minutes] = numbers(zone.strip_prefix(['+', '-'])?, ':', [2, 2])?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = hours * 3600 + minutes * 60;
    Some(if zone.starts_with('-') { -seconds } else { seconds })
}

/// The day since 1970 of a date in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a day since 1970, in the Gregorian calendar.
pub fn civil(days: u64) -> (u64, u64, u64) {
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

    #[test]
    fn a_time_is_read_as_it_is_written() {
        let check = |text: &str, expect| assert_eq!(super::parse_micro(text), expect, "{text}");
        for seconds in [0, 951_782_400, 951_868_800, 1_767_225_599, 1_767_225_600, 4_107_542_400] {
            check(&super::format(Duration::from_secs(seconds)), Some(seconds as i64 * 1_000_000));
        }
        check("2026-01-01T00:00:00.25Z", Some(1_767_225_600_250_000));
        check("2026-01-01T01:30:00.123456789+01:30", Some(1_767_225_600_123_456));
        check("0001-01-01T00:00:00Z", Some(-62_135_596_800_000_000));
        for no_time in ["", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-01-01 00:00:00Z", "soon"]
        {
            check(no_time, None);
        }
    }

    #[test]
    fn years_have_four_digits_and_offsets_less_than_a_day() {
        assert_eq!(super::format(Duration::MAX), "9999-12-31T23:59:59Z");
        assert!(super::format_micro(Duration::MAX).starts_with("9999-12-31T23:59:59."));
        assert!(super::parse_micro("9999-12-31T23:59:59-23:59").is_some());
        for no_time in [
            "999999-1-1T00:00:00Z",
            "99999999-1T00:00:00Z",
            "2026-01-01T00:00:00+9223372036854775807:00",
            "2026-01-01T00:00:00+00:9223372036854775807",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+-1:00",
            "2026-01-01T00:00:00+1:0",
        ] {
            assert_eq!(super::parse_micro(no_time), None, "{no_time}");
        }
    }
}
