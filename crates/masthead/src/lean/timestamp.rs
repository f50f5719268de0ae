//! Points in time, as many as rows have, in four bytes each.

use super::{Field, Found, Mismatch, Strings};

/// A point in time as the server writes it, to the second. Never, where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u32);

impl Timestamp {
    /// Seconds since 1970; `None` for never.
    pub fn seconds(self) -> Option<u64> {
        (self.0 != 0).then_some(u64::from(self.0))
    }

    /// Reads `2026-11-16T17:30:00Z`, with a fraction of the second or without.
    fn parse(text: &str) -> Option<Timestamp> {
        let bytes = text.as_bytes();
        let (whole, rest) = bytes.split_at_checked(19)?;
        let fraction = rest.strip_suffix(b"Z")?;
        let is_fraction = fraction.is_empty() || fraction[0] == b'.' && fraction[1..].iter().all(u8::is_ascii_digit);
        let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        if !is_fraction || marks.iter().any(|(at, mark)| whole[*at] != *mark) {
            return None;
        }
        let number = |from: usize, to: usize| {
            whole[from..to]
                .iter()
                .try_fold(0_i64, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))
        };
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        u32::try_from(seconds).ok().map(Timestamp)
    }
}

/// Days since 1970 in the calendar of today. Years begin in March, so that the day which is there every four years is their
/// last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap = year / 4 - year / 100 + year / 400;
    year * 365 + leap + (month * 153 + 2) / 5 + day - 1 - 719_468
}

impl Field for Timestamp {
    fn take(&mut self, found: Found<'_>, _: &Strings) -> Result<(), Mismatch> {
        match found {
            Found::Null => {}
            Found::Text(text) => {
                *self = Timestamp::parse(&text).ok_or(EXPECTED)?;
            }
            _ => return Err(EXPECTED),
        }
        Ok(())
    }
}

const EXPECTED: Mismatch = Mismatch { expected: "a time between 1970 and 2106, in UTC" };

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn reads_times_to_the_second() {
        let check =
            |text: &str, seconds| assert_eq!(Timestamp::parse(text).and_then(Timestamp::seconds), seconds, "{text}");
        check("1970-01-01T00:00:01Z", Some(1));
        check("2000-02-29T12:00:00Z", Some(951_825_600));
        check("2026-11-16T17:30:00Z", Some(1_794_850_200));
        check("2026-11-16T17:30:00.123456Z", Some(1_794_850_200));
        check("2100-03-01T00:00:00Z", Some(4_107_542_400));
        for wrong in ["", "2026-11-16", "2026-11-16T17:30:00", "2026-13-16T17:30:00Z", "2026-11-16T17:30:00+01:00"] {
            check(wrong, None);
        }
        check("1969-12-31T23:59:59Z", None);
        check("2026-11-16T17:30:00.é9Z", None);
    }
}
