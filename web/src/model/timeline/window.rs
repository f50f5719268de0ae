//! The stretch of time that the lanes show: zoom, pan and the live edge.

use super::calendar::{DAY, rfc3339};
use crate::model::timestamp;

/// What the lanes show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The last so many milliseconds, for as long as nobody moves it.
    Live {
        /// How many.
        span: i64,
    },
    /// From one moment for so many milliseconds.
    Fixed {
        /// The beginning, in milliseconds since 1970.
        start: i64,
        /// How many milliseconds.
        span: i64,
    },
}

/// The shortest window.
pub const SHORTEST: i64 = 1000;
/// The longest window.
pub const LONGEST: i64 = DAY;
/// How far back a window may lie: as far as history is kept.
pub const FARTHEST: i64 = 7 * DAY;

impl Default for Window {
    fn default() -> Window {
        Window::Live { span: 30 * 60_000 }
    }
}

impl Window {
    /// How long it is.
    pub fn span(self) -> i64 {
        match self {
            Window::Live { span } | Window::Fixed { span, .. } => span,
        }
    }

    /// Its first and its last moment, when it is `now`. A live window reaches a little beyond now, so that what happens now
    /// can be seen.
    pub fn bounds(self, now: i64) -> (i64, i64) {
        match self {
            Window::Live { span } => (now + lead(span) - span, now + lead(span)),
            Window::Fixed { start, span } => (start, start + span),
        }
    }

    /// Whether it follows now.
    pub fn is_live(self) -> bool {
        matches!(self, Window::Live { .. })
    }

    /// The window from `start` to `end`: live if it reaches to now.
    pub fn between(start: i64, end: i64, now: i64) -> Window {
        let span = (end - start).clamp(SHORTEST, LONGEST);
        let latest = now + lead(span) - span;
        match start {
            // Half a hundredth of the window is less than a person can see.
            start if start >= latest - span / 200 => Window::Live { span },
            start => Window::Fixed { start: start.max(now - FARTHEST), span },
        }
    }

    /// `factor` times as long, with the moment at `anchor` (0 at its beginning, 1 at its end) left where it is.
    pub fn zoom(self, factor: f64, anchor: f64, now: i64) -> Window {
        let (start, end) = self.bounds(now);
        let span = ((end - start) as f64 * factor).clamp(SHORTEST as f64, LONGEST as f64);
        let fixed = start as f64 + (end - start) as f64 * anchor;
        let start = (fixed - span * anchor).round() as i64;
        Window::between(start, start + span.round() as i64, now)
    }

    /// As long, and so many milliseconds later.
    pub fn pan(self, by: i64, now: i64) -> Window {
        let (start, end) = self.bounds(now);
        Window::between(start + by, end + by, now)
    }

    /// As long, and live.
    pub fn live(self) -> Window {
        Window::Live { span: self.span() }
    }

    /// As long, with `time` in its middle.
    pub fn centred(self, time: i64, now: i64) -> Window {
        let half = self.span() / 2;
        Window::between(time - half, time - half + self.span(), now)
    }

    /// As an address has it: `live~30m`, or `2026-11-17T21:00:00Z~1h30m`.
    pub fn print(self) -> String {
        match self {
            Window::Live { span } => format!("live~{}", print_span(span)),
            Window::Fixed { start, span } => format!("{}~{}", rfc3339(start), print_span(span)),
        }
    }

    /// Reads what [`print`](Self::print) writes; `None` where it is anything else, or longer or shorter than can be shown.
    pub fn parse(text: &str) -> Option<Window> {
        let (start, span) = text.split_once('~')?;
        let span = parse_span(span).filter(|span| (SHORTEST..=LONGEST).contains(span))?;
        match start {
            "live" => Some(Window::Live { span }),
            start => Some(Window::Fixed { start: timestamp::parse(start)?, span }),
        }
    }
}

/// How far a live window reaches beyond now.
pub fn lead(span: i64) -> i64 {
    span / 25
}

/// Writes a length of time exactly, as in `1h30m` or `1s500ms`.
pub fn print_span(span: i64) -> String {
    let mut text = String::new();
    let mut left = span;
    for (unit, millis) in UNITS {
        let count = left / millis;
        left %= millis;
        if count > 0 {
            text.push_str(&format!("{count}{unit}"));
        }
    }
    text
}

/// Reads a length of time of one unit or more.
pub fn parse_span(text: &str) -> Option<i64> {
    let (mut rest, mut total) = (text, 0_i64);
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count: i64 = rest[..digits].parse().ok()?;
        let behind = &rest[digits..];
        let letters = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (_, millis) = UNITS.iter().find(|(unit, _)| *unit == &behind[..letters])?;
        total = total.checked_add(count.checked_mul(*millis)?)?;
        rest = &behind[letters..];
    }
    (total > 0).then_some(total)
}

const UNITS: [(&str, i64); 5] = [("d", DAY), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_794_836_188_000;
    const MINUTE: i64 = 60_000;

    /// Whatever the factor, the moment under the cursor stays under the cursor, unless now or the limits are in the way.
    #[test]
    fn zoom_keeps_what_is_under_the_cursor() {
        let window = Window::Fixed { start: NOW - 60 * MINUTE, span: 10 * MINUTE };
        for factor in [0.001, 0.5, 0.9, 1.1, 2.0] {
            for anchor in [0.0, 0.25, 0.7, 1.0] {
                let under = |window: Window| {
                    let (start, end) = window.bounds(NOW);
                    start as f64 + (end - start) as f64 * anchor
                };
                let zoomed = window.zoom(factor, anchor, NOW);
                assert!((under(zoomed) - under(window)).abs() <= 1.0, "{factor} {anchor} {zoomed:?}");
            }
        }
    }

    #[test]
    fn zoom_ends_at_a_second_and_at_a_day() {
        let mut window = Window::default();
        (0..200).for_each(|_| window = window.zoom(0.8, 0.3, NOW));
        assert_eq!(window.span(), SHORTEST);
        (0..400).for_each(|_| window = window.zoom(1.25, 0.3, NOW));
        assert_eq!(window.span(), LONGEST);
    }

    #[test]
    fn a_live_window_follows_now_until_it_is_moved() {
        let live = Window::Live { span: 10 * MINUTE };
        assert_eq!(live.bounds(NOW + MINUTE).1 - live.bounds(NOW).1, MINUTE);
        let back = live.pan(-MINUTE, NOW);
        assert!(!back.is_live());
        assert_eq!(back.bounds(NOW), back.bounds(NOW + MINUTE));
        assert_eq!(back.pan(MINUTE, NOW), live, "moved to now it is live again");
        assert_eq!(back.pan(99 * MINUTE, NOW), live, "nobody sees the future");
        assert_eq!(back.live(), live);
    }

    #[test]
    fn a_window_at_the_edge_stays_live_when_it_is_zoomed_there() {
        let live = Window::Live { span: 10 * MINUTE };
        assert_eq!(live.zoom(2.0, 0.5, NOW), Window::Live { span: 20 * MINUTE });
        assert!(!live.zoom(0.5, 0.5, NOW).is_live(), "zoomed in around its middle it has left the edge");
    }

    #[test]
    fn the_past_ends_where_history_does() {
        let window = Window::default().pan(-30 * DAY, NOW);
        assert_eq!(window.bounds(NOW).0, NOW - FARTHEST);
    }

    #[test]
    fn an_address_holds_a_window() {
        let check = |window: Window, text: &str| {
            assert_eq!(window.print(), text);
            assert_eq!(Window::parse(text), Some(window), "{text}");
        };
        check(Window::default(), "live~30m");
        check(Window::Fixed { start: NOW, span: 90 * MINUTE }, "2026-11-16T13:36:28Z~1h30m");
        check(Window::Fixed { start: NOW + 5, span: 1500 }, "2026-11-16T13:36:28.005Z~1s500ms");
        check(Window::Live { span: DAY }, "live~1d");
        for text in [
            "",
            "live",
            "live~",
            "live~0s",
            "live~2d",
            "live~999ms",
            "now~5m",
            "live~5",
            "live~m",
            "live~9999999999999d",
            "x~5m",
        ] {
            assert_eq!(Window::parse(text), None, "{text}");
        }
    }
}
