//! Kubernetes timestamps: RFC 3339, in UTC.

/// Reads `2026-11-16T13:36:28Z`, with or without a fraction, as milliseconds since 1970; `None` when it is not that.
pub fn parse(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let (seconds, millis) = match time.split_once('.') {
        Some((seconds, fraction)) => (seconds, millis(fraction)?),
        None => (time, 0),
    };
    let [year, month, day] = fields(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = fields(seconds, ':', [2, 2, 2])?;
    let valid = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    valid.then(|| (((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millis)
}

/// Writes milliseconds since 1970 for a person, in UTC.
pub fn write(millis: i64) -> String {
    let seconds = millis.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The other way round than [`days_since_1970`]: years begin in March, four hundred of them are an era.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_BEFORE_1970;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

fn millis(fraction: &str) -> Option<i64> {
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit()) && !fraction.is_empty();
    let padded: String = fraction.chars().chain("00".chars()).take(3).collect();
    digits.then(|| padded.parse().ok())?
}

fn fields(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(separator);
    let mut found = [0; 3];
    for (slot, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        let digits = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        *slot = digits.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(found)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counts in years that begin in March, so that a leap day is the last of its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month_from_march * 153 + 2) / 5 + day - 1 - DAYS_BEFORE_1970
}

/// From 1 March of the year 0 to 1 January 1970.
const DAYS_BEFORE_1970: i64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_servers_write() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(parse("2000-02-29T12:30:45Z"), Some(951_827_445_000));
        assert_eq!(parse("2026-11-16T13:36:28Z"), Some(1_794_836_188_000));
        assert_eq!(parse("2026-11-16T13:36:28.123456Z"), Some(1_794_836_188_123));
        assert_eq!(parse("2026-11-16T13:36:28.5Z"), Some(1_794_836_188_500));
        assert_eq!(parse("1969-12-31T23:59:59Z"), Some(-1000));
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["1970-01-01T00:00:00Z", "2000-02-29T12:30:45Z", "2026-12-31T23:59:59Z", "1899-03-01T00:00:01Z"] {
            let written = write(parse(text).unwrap());
            assert_eq!(written, text.replace('T', " ").replace('Z', " UTC"));
        }
        assert_eq!(write(1_794_836_188_999), "2026-11-16 13:36:28 UTC");
    }

    #[test]
    fn refuses_everything_else() {
        for text in [
            "",
            "Z",
            "now",
            "2026-11-16",
            "2026-11-16T13:36:28",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-11-16T24:00:00Z",
            "2026-11-16T13:36Z",
            "2026-11-16T13:36:28.Z",
            "2026-11-16T13:36:28.xZ",
            "+026-11-16T13:36:28Z",
            "2026-11-16T13:36:28Z2026-11-16T13:36:28Z",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
