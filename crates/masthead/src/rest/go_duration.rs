//! Durations as Go writes them, which is how the server reads them.

use std::time::Duration;

/// `1h30m0s`, `1.5s`, `300ms`; no time at all is `0s`.
pub(crate) fn format(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    if seconds == 0 {
        return match nanos {
            0 => "0s".to_owned(),
            1..1_000 => format!("{nanos}ns"),
            1_000..1_000_000 => format!("{}µs", decimal(nanos.into(), 1_000)),
            _ => format!("{}ms", decimal(nanos.into(), 1_000_000)),
        };
    }
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let rest = decimal(rest * NANOS + u64::from(nanos), NANOS);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, minutes) => format!("{minutes}m{rest}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{rest}s"),
    }
}

const NANOS: u64 = 1_000_000_000;

/// `value / unit` without zeros at its end; `unit` is a power of ten.
fn decimal(value: u64, unit: u64) -> String {
    let (whole, fraction) = (value / unit, value % unit);
    if fraction == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    let fraction = format!("{fraction:0digits$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::format;

    #[test]
    fn writes_durations_as_go_does() {
        for (duration, expected) in [
            (Duration::ZERO, "0s"),
            (Duration::from_nanos(7), "7ns"),
            (Duration::from_micros(1), "1µs"),
            (Duration::from_millis(300), "300ms"),
            (Duration::from_millis(1_500), "1.5s"),
            (Duration::from_secs(90), "1m30s"),
            (Duration::from_secs(3600), "1h0m0s"),
            (Duration::from_nanos(1_000_000_001), "1.000000001s"),
        ] {
            assert_eq!(format(duration), expected);
        }
    }
}
