//! The marks of a lane: points one by one where there is room, pills of many where there is not.

use std::ops::Range;

use super::{
    scale::Scale,
    track::{PointId, Tally, Track},
};

/// A point or a pill on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its left edge.
    pub x: f64,
    /// How wide it is.
    pub width: f64,
    /// The points in it, as places of the lane's track.
    pub places: Range<usize>,
    /// The first of them.
    pub first: PointId,
    /// What they come to.
    pub tally: Tally,
}

impl Mark {
    /// Whether it stands for more than one occurrence.
    pub fn is_pill(&self) -> bool {
        self.tally.all > 1
    }
}

/// How wide a single mark is.
pub const SINGLE: f64 = 11.0;
/// How much of the lane a pill takes.
pub const PILL: f64 = 42.0;

/// The marks of `track` between `left` and `right`, from the left. Costs as much as there are marks, however many points are
/// in them.
///
/// Marks are the same wherever the window lies, but near its left edge: they are made from a moment that does not move with
/// it.
pub fn marks(track: &Track, scale: &Scale, (left, right): (f64, f64), found: &mut Vec<Mark>) {
    let (near, far) = (scale.span(SINGLE), scale.span(PILL));
    let block = far * BLOCK;
    let start = (scale.time(left) - far).div_euclid(block) * block;
    let end = scale.time(right + SINGLE);
    let mut at = track.seek(0, start);
    while at < track.len() && track.time(at) < end {
        let from = at;
        let time = track.time(from);
        at = track.seek(from, time + near);
        let mut tally = track.tally(from..at);
        if tally.all > 1 {
            at = track.seek(at - 1, time + far);
            tally = track.tally(from..at);
        }
        let (first, last) = (scale.x(time), scale.x(track.time(at - 1)));
        let width = if tally.all > 1 { (last - first + SINGLE).clamp(PILL - 4.0, PILL) } else { SINGLE };
        let x = first - SINGLE / 2.0;
        if (x + width).max(last) >= left {
            found.push(Mark { x, width, places: from..at, first: track.id(from), tally });
        }
    }
}

/// After how many pills a new beginning is made. More makes marks steadier, and each frame look at more of them.
const BLOCK: i64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::{
        fixture::point,
        point::{Class, Point, Status},
        sample::Dice,
    };

    fn track(times: &[i64]) -> Track {
        let mut track = Track::default();
        for (id, time) in times.iter().enumerate() {
            track.insert(&[(id as PointId, &point(*time, Class::Event, Status::Activity))]);
        }
        track
    }

    fn told(track: &Track, start: i64, span: i64) -> String {
        let mut found = Vec::new();
        marks(track, &Scale::new(start, span, 0.0, 1000.0), (0.0, 1000.0), &mut found);
        found.iter().map(|mark| format!("{}×{}", mark.x + SINGLE / 2.0, mark.tally.all)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn near_points_merge_and_zoom_parts_them() {
        let track = track(&[100, 105, 109, 300, 320, 600]);
        assert_eq!(told(&track, 0, 1000), "100×3 300×1 320×1 600×1");
        assert_eq!(told(&track, 90, 50), "200×1 300×1 380×1");
        assert_eq!(told(&track, 0, 10_000), "10×5 60×1");
    }

    #[test]
    fn what_is_known_by_its_number_is_a_pill() {
        let mut track = Track::default();
        track.insert(&[(0, &Point { weight: 37, ..point(100, Class::Event, Status::Warning) })]);
        assert_eq!(told(&track, 0, 1000), "100×37");
    }

    /// Against a walk over every point.
    #[test]
    fn every_point_is_in_one_mark_and_no_two_marks_overlap() {
        let mut dice = Dice(3);
        let times: Vec<i64> = (0..2000).map(|_| dice.roll(100_000) as i64).collect();
        let track = track(&times);
        for span in [1000, 10_000, 100_000] {
            let start = dice.roll(50_000) as i64;
            let scale = Scale::new(start, span, 0.0, 1000.0);
            let mut found = Vec::new();
            marks(&track, &scale, (0.0, 1000.0), &mut found);
            let inside = times.iter().filter(|time| (0.0..=1000.0).contains(&scale.x(**time))).count();
            let counted: usize = found.iter().map(|mark| mark.places.len()).sum();
            assert!(counted >= inside, "{counted} of {inside}");
            for pair in found.windows(2) {
                assert_eq!(pair[0].places.end, pair[1].places.start);
                assert!(pair[0].x + pair[0].width <= pair[1].x + 1.0, "{pair:?}");
            }
        }
    }

    /// Panning by less than a block leaves the marks in the middle of the window as they are.
    #[test]
    fn panning_does_not_regroup() {
        let mut dice = Dice(5);
        let times: Vec<i64> = (0..4000).map(|_| dice.roll(20_000) as i64).collect();
        let track = track(&times);
        let groups = |start: i64| {
            let mut found = Vec::new();
            marks(&track, &Scale::new(start, 1000, 0.0, 1000.0), (0.0, 1000.0), &mut found);
            let middle = found.into_iter().filter(|mark| (3100..3400).contains(&track.time(mark.places.start)));
            middle.map(|mark| mark.places).collect::<Vec<_>>()
        };
        let before = groups(2800);
        assert!(before.len() > 3);
        assert!((2801..3000).all(|start| groups(start) == before));
    }
}
