//! The strip above the lanes: how much happened when in the whole range, and the window in it.

use super::{
    calendar::DAY,
    scale::Scale,
    track::{Tally, Track},
    window::{FARTHEST, Window, lead},
};

/// How far back the strip reaches. Never less than the window does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// An hour: what servers keep of events.
    #[default]
    Hour,
    /// Six hours.
    SixHours,
    /// A day.
    Day,
    /// A week: all that history keeps.
    Week,
}

impl Reach {
    /// All of them, shortest first.
    pub const ALL: [Reach; 4] = [Reach::Hour, Reach::SixHours, Reach::Day, Reach::Week];

    /// In milliseconds.
    pub fn span(self) -> i64 {
        match self {
            Reach::Hour => DAY / 24,
            Reach::SixHours => DAY / 4,
            Reach::Day => DAY,
            Reach::Week => FARTHEST,
        }
    }

    /// Its name, on screen and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Reach::Hour => "1h",
            Reach::SixHours => "6h",
            Reach::Day => "24h",
            Reach::Week => "7d",
        }
    }

    /// This one, or the shortest that has all of `window`.
    pub fn around(self, window: Window, now: i64) -> Reach {
        let start = window.bounds(now).0;
        Reach::ALL.into_iter().find(|reach| *reach >= self && reach.bounds(now).0 <= start).unwrap_or(Reach::Week)
    }

    /// The first and the last moment of the strip.
    pub fn bounds(self, now: i64) -> (i64, i64) {
        (now - self.span(), now + lead(self.span()) / 4)
    }
}

/// What of the strip is under a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// The beginning of the window.
    Start,
    /// Its end.
    End,
    /// Its middle.
    Body,
    /// Nothing of it.
    Elsewhere,
}

/// What a pointer at `x` takes hold of.
pub fn grip(scale: &Scale, window: Window, x: f64, now: i64) -> Grip {
    let (start, end) = window.bounds(now);
    let (left, right) = (scale.x(start), scale.x(end));
    // A window of a few pixels is easier to move than to stretch.
    let edge = if right - left > 4.0 * EDGE { EDGE } else { 0.0 };
    match x {
        x if (x - left).abs() <= EDGE && x < left + edge.max(1.0) => Grip::Start,
        x if (x - right).abs() <= EDGE && x > right - edge.max(1.0) => Grip::End,
        x if x >= left && x <= right => Grip::Body,
        _ => Grip::Elsewhere,
    }
}

/// How near to an edge takes hold of it.
const EDGE: f64 = 6.0;

/// The window after a pointer took hold of `grip` at one moment and is at another now. `window` is what it was at first.
pub fn drag(window: Window, grip: Grip, (from, to): (i64, i64), now: i64) -> Window {
    let (start, end) = window.bounds(now);
    match grip {
        Grip::Body => window.pan(to - from, now),
        Grip::Start => Window::between(to.min(end - super::window::SHORTEST), end, now),
        Grip::End => Window::between(start, to.max(start + super::window::SHORTEST), now),
        Grip::Elsewhere => Window::between(from.min(to), from.max(to), now),
    }
}

/// How much happened in each of as many columns as there is room for, from the left.
pub fn histogram(track: &Track, scale: &Scale, columns: usize, width: f64, found: &mut Vec<Tally>) {
    found.clear();
    let mut from = track.seek(0, scale.time(scale.left));
    for column in 1..=columns {
        let to = track.seek(from, scale.time(scale.left + width * column as f64 / columns as f64));
        found.push(track.tally(from..to));
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::{
        fixture::point,
        point::{Class, Status},
        sample::Dice,
    };

    const NOW: i64 = 1_794_836_188_000;
    const HOUR: i64 = 3_600_000;

    #[test]
    fn the_range_has_all_of_the_window() {
        let check = |reach: Reach, window: Window, expect: Reach| assert_eq!(reach.around(window, NOW), expect);
        check(Reach::Hour, Window::default(), Reach::Hour);
        check(Reach::Day, Window::default(), Reach::Day);
        check(Reach::Hour, Window::Live { span: 2 * HOUR }, Reach::SixHours);
        check(Reach::Hour, Window::Fixed { start: NOW - 30 * HOUR, span: HOUR }, Reach::Week);
        check(Reach::Hour, Window::Live { span: DAY }, Reach::Day);
    }

    #[test]
    fn the_window_is_dragged_by_its_middle_and_its_edges() {
        let scale = Scale::new(NOW - HOUR, HOUR, 0.0, 1000.0);
        let window = Window::Fixed { start: NOW - HOUR / 2, span: HOUR / 10 };
        let held = |x: f64| grip(&scale, window, x, NOW);
        assert_eq!(
            [held(498.0), held(550.0), held(603.0), held(300.0)],
            [Grip::Start, Grip::Body, Grip::End, Grip::Elsewhere]
        );
        let minute = 60_000;
        let dragged = |grip: Grip, by: i64| drag(window, grip, (NOW - HOUR / 2, NOW - HOUR / 2 + by), NOW).bounds(NOW);
        let (start, end) = window.bounds(NOW);
        assert_eq!(dragged(Grip::Body, minute), (start + minute, end + minute));
        assert_eq!(dragged(Grip::Start, minute), (start + minute, end));
        assert_eq!(dragged(Grip::Elsewhere, minute), (start, start + minute));
        let end_dragged = drag(window, Grip::End, (end, end + minute), NOW).bounds(NOW);
        assert_eq!(end_dragged, (start, end + minute));
        assert_eq!(
            dragged(Grip::Start, HOUR).1 - dragged(Grip::Start, HOUR).0,
            1000,
            "an edge does not pass the other"
        );
    }

    #[test]
    fn a_window_of_a_few_pixels_can_be_moved() {
        let scale = Scale::new(NOW - HOUR, HOUR, 0.0, 1000.0);
        let window = Window::Fixed { start: NOW - HOUR / 2, span: HOUR / 250 };
        assert_eq!(grip(&scale, window, 502.0, NOW), Grip::Body);
    }

    #[test]
    fn columns_hold_what_happened_in_them() {
        let (mut dice, mut track) = (Dice(1), Track::default());
        for id in 0..500 {
            track.insert(&[(id, &point(dice.roll(1200) as i64, Class::Event, Status::ALL[dice.roll(3)]))]);
        }
        let mut found = Vec::new();
        histogram(&track, &Scale::new(0, 1000, 0.0, 300.0), 50, 300.0, &mut found);
        assert_eq!(found.len(), 50);
        let all: u32 = found.iter().map(|tally| tally.all).sum();
        assert_eq!(all as usize, track.range(0, 1000).len());
        assert_eq!(found[7], track.tally(track.range(140, 160)));
    }
}
