//! The ticks of the time axis.

use super::{
    calendar::{Civil, DAY},
    scale::Scale,
};

/// A line of the axis with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it lies.
    pub x: f64,
    /// What stands there.
    pub label: String,
    /// Whether a day begins here.
    pub is_day: bool,
}

/// The ticks of `width` pixels, at round times `offset` milliseconds east of UTC.
pub fn ticks(scale: &Scale, width: f64, offset: i64, found: &mut Vec<Tick>) {
    found.clear();
    let wanted = scale.span(APART);
    let step = STEPS.iter().copied().find(|step| *step >= wanted).unwrap_or(DAY);
    let end = scale.time(scale.left + width);
    let mut time = (scale.time(scale.left) + offset).div_euclid(step) * step + step - offset;
    while time <= end {
        let civil = Civil::of(time, offset);
        let is_day = (time + offset).rem_euclid(DAY) == 0;
        found.push(Tick { x: scale.x(time), label: label(&civil, step, is_day), is_day });
        time += step;
    }
}

fn label(civil: &Civil, step: i64, is_day: bool) -> String {
    match step {
        _ if is_day => format!("{:02}-{:02}", civil.month, civil.day),
        ..1000 => format!("{:02}.{:01}", civil.second, civil.millis / 100),
        1000..60_000 => civil.clock(),
        _ => format!("{:02}:{:02}", civil.hour, civil.minute),
    }
}

/// How far labels are apart at least, in pixels.
const APART: f64 = 88.0;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

const STEPS: [i64; 21] = [
    100,
    200,
    500,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(start: i64, span: i64, offset: i64) -> String {
        let mut found = Vec::new();
        ticks(&Scale::new(start, span, 0.0, 800.0), 800.0, offset, &mut found);
        assert!(found.windows(2).all(|pair| pair[1].x - pair[0].x >= APART));
        found.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_stand_at_round_times() {
        assert_eq!(labels(30_000, 30 * MINUTE, 0), "00:05 00:10 00:15 00:20 00:25 00:30");
        assert_eq!(labels(250, SECOND, 0), "00.4 00.6 00.8 01.0 01.2");
        assert_eq!(labels(0, 10 * SECOND, 0), "00:00:02 00:00:04 00:00:06 00:00:08 00:00:10");
        assert_eq!(labels(1, DAY, 0), "03:00 06:00 09:00 12:00 15:00 18:00 21:00 01-02");
    }

    #[test]
    fn ticks_are_round_where_the_person_is() {
        let india = 5 * HOUR + 30 * MINUTE;
        assert_eq!(labels(0, 6 * HOUR, india), "06:00 07:00 08:00 09:00 10:00 11:00");
    }
}
