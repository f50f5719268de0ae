//! Days and hours of a moment, for axes and addresses.

/// A moment taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    /// 0 to 23.
    pub hour: i64,
    /// 0 to 59.
    pub minute: i64,
    /// 0 to 59.
    pub second: i64,
    /// 0 to 999.
    pub millis: i64,
}

impl Civil {
    /// Takes milliseconds since 1970 apart, `offset` milliseconds east of UTC.
    pub fn of(time: i64, offset: i64) -> Civil {
        let local = time + offset;
        let (days, millis) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        // Counts in years that begin in March, so that a leap day is the last of its year.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute) = (millis / 3_600_000, millis / 60_000 % 60);
        Civil { year, month, day, hour, minute, second: millis / 1000 % 60, millis: millis % 1000 }
    }

    /// As in `2026-11-17`.
    pub fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// As in `21:05:10`.
    pub fn clock(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }

    /// As in `21:05:10.250`.
    pub fn clock_millis(&self) -> String {
        format!("{}.{:03}", self.clock(), self.millis)
    }
}

/// As servers write it, to the millisecond where there is one.
pub fn rfc3339(time: i64) -> String {
    let civil = Civil::of(time, 0);
    let clock = if civil.millis == 0 { civil.clock() } else { civil.clock_millis() };
    format!("{}T{clock}Z", civil.date())
}

/// Milliseconds of a day.
pub const DAY: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timestamp;

    #[test]
    fn writes_what_can_be_read() {
        for time in [0, -1000, 951_827_445_000, 1_794_836_188_123, 4_107_542_399_999, 1_709_164_800_000] {
            assert_eq!(timestamp::parse(&rfc3339(time)), Some(time), "{}", rfc3339(time));
        }
        assert_eq!(rfc3339(951_827_445_000), "2000-02-29T12:30:45Z");
    }

    #[test]
    fn an_offset_moves_the_day() {
        let civil = Civil::of(-3_600_000, 8 * 3_600_000);
        assert_eq!((civil.date(), civil.clock()), ("1970-01-01".into(), "07:00:00".into()));
    }
}
