//! Ages as `kubectl get` writes them: two digits' worth of precision, never more than two units.

use std::fmt::{self, Write};

/// How long ago `created` was, as kubectl writes it.
pub fn age(created: i64, now: i64) -> String {
    let mut text = String::new();
    write(created, now, &mut text).expect("a text takes whatever is written");
    text
}

/// Writes how long ago `created` was, as kubectl does.
///
/// Clocks differ by a little everywhere, so a time up to two seconds ahead counts as now.
pub fn write(created: i64, now: i64, to: &mut impl Write) -> fmt::Result {
    let seconds = (now - created) / 1000;
    if seconds < -1 {
        return to.write_str("<invalid>");
    }
    let seconds = seconds.max(0);
    let (minutes, hours) = (seconds / MINUTE, seconds / HOUR);
    let (days, years) = (seconds / DAY, seconds / YEAR);
    if seconds < 2 * MINUTE {
        write!(to, "{seconds}s")
    } else if seconds < 10 * MINUTE {
        pair(to, minutes, "m", seconds % 60, "s")
    } else if seconds < 3 * HOUR {
        write!(to, "{minutes}m")
    } else if seconds < 8 * HOUR {
        pair(to, hours, "h", minutes % 60, "m")
    } else if seconds < 2 * DAY {
        write!(to, "{hours}h")
    } else if seconds < 8 * DAY {
        pair(to, days, "d", hours % 24, "h")
    } else if seconds < 2 * YEAR {
        write!(to, "{days}d")
    } else if seconds < 8 * YEAR {
        pair(to, years, "y", days % 365, "d")
    } else {
        write!(to, "{years}y")
    }
}

/// What kubectl writes for an object without a creation time.
pub const UNKNOWN: &str = "<unknown>";

fn pair(to: &mut impl Write, large: i64, large_unit: &str, small: i64, small_unit: &str) -> fmt::Result {
    match small {
        0 => write!(to, "{large}{large_unit}"),
        small => write!(to, "{large}{large_unit}{small}{small_unit}"),
    }
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, expect: &str) {
        assert_eq!(age(0, seconds * 1000), expect, "{seconds} s");
    }

    /// The boundaries of `HumanDuration` in k8s.io/apimachinery.
    #[test]
    fn writes_what_kubectl_writes() {
        check(-2, "<invalid>");
        check(-1, "0s");
        check(0, "0s");
        check(119, "119s");
        check(120, "2m");
        check(150, "2m30s");
        check(599, "9m59s");
        check(600, "10m");
        check(3 * HOUR - 1, "179m");
        check(3 * HOUR, "3h");
        check(5 * HOUR + 60, "5h1m");
        check(8 * HOUR - 1, "7h59m");
        check(8 * HOUR, "8h");
        check(2 * DAY - 1, "47h");
        check(2 * DAY, "2d");
        check(3 * DAY + 4 * HOUR, "3d4h");
        check(8 * DAY - 1, "7d23h");
        check(8 * DAY, "8d");
        check(2 * YEAR - 1, "729d");
        check(2 * YEAR, "2y");
        check(2 * YEAR + DAY, "2y1d");
        check(8 * YEAR - 1, "7y364d");
        check(8 * YEAR, "8y");
        check(100 * YEAR, "100y");
    }

    #[test]
    fn parts_of_a_second_do_not_round_up() {
        assert_eq!(age(0, 119_999), "119s");
        assert_eq!(age(1_999, 0), "0s");
    }
}
