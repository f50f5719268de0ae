//! Points in the order of time, with their sums: what any stretch of it holds is two searches and a subtraction.

use std::ops::Range;

use super::point::{Class, Point, Status};

/// Where a point lies in the [`Store`](super::store::Store).
pub type PointId = u32;

/// Points in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// Ascending.
    times: Vec<i64>,
    /// As long as `times`.
    ids: Vec<PointId>,
    /// The tally of everything up to and with each point; as long as `times`.
    sums: Vec<Tally>,
}

/// How many occurrences of each sort there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub all: u32,
    /// Those that are warnings.
    pub warnings: u32,
    /// Those that are failures.
    pub failures: u32,
    /// Objects that came.
    pub created: u32,
    /// Objects that changed.
    pub changed: u32,
    /// Objects that went.
    pub deleted: u32,
}

impl Track {
    /// Puts points in, which come in the order of time. Costs as much as lies behind the first of them.
    pub fn insert(&mut self, batch: &[(PointId, &Point)]) {
        let Some((_, first)) = batch.first() else { return };
        let at = self.times.partition_point(|time| *time <= first.time);
        let (times, ids, sums) = (self.times.split_off(at), self.ids.split_off(at), self.sums.split_off(at));
        let mut before = self.sums.last().copied().unwrap_or_default();
        let mut batch = batch.iter().peekable();
        for ((time, id), sum) in times.into_iter().zip(ids).zip(sums) {
            while let Some((id, point)) = batch.next_if(|(_, point)| point.time < time) {
                self.push(point.time, *id, Tally::of(point));
            }
            let mut one = sum;
            one.take(before);
            before = sum;
            self.push(time, id, one);
        }
        batch.for_each(|(id, point)| self.push(point.time, *id, Tally::of(point)));
    }

    /// Puts a point at the end; `false` where a later one is there already.
    pub fn append(&mut self, id: PointId, point: &Point) -> bool {
        let fits = self.times.last().is_none_or(|last| *last <= point.time);
        if fits {
            self.push(point.time, id, Tally::of(point));
        }
        fits
    }

    /// Which of the points lie in `from..to`.
    pub fn range(&self, from: i64, to: i64) -> Range<usize> {
        let start = self.times.partition_point(|time| *time < from);
        let end = start + self.times[start..].partition_point(|time| *time < to);
        start..end
    }

    /// The first point behind `start` that is not before `time`. Quick where it is near.
    pub fn seek(&self, start: usize, time: i64) -> usize {
        let mut step = 1;
        let mut low = start;
        while low + step < self.times.len() && self.times[low + step] < time {
            low += step;
            step *= 2;
        }
        let high = (low + step).min(self.times.len());
        low + self.times[low..high].partition_point(|at| *at < time)
    }

    /// What some of the points come to.
    pub fn tally(&self, range: Range<usize>) -> Tally {
        if range.is_empty() {
            return Tally::default();
        }
        let mut sum = self.sums[range.end - 1];
        if range.start > 0 {
            sum.take(self.sums[range.start - 1]);
        }
        sum
    }

    /// When the point at a place of the track was.
    pub fn time(&self, at: usize) -> i64 {
        self.times[at]
    }

    /// Which point lies at a place of the track.
    pub fn id(&self, at: usize) -> PointId {
        self.ids[at]
    }

    /// The points in the order of time.
    pub fn ids(&self) -> &[PointId] {
        &self.ids
    }

    /// When the last point was.
    pub fn last(&self) -> Option<i64> {
        self.times.last().copied()
    }

    /// When the first point was.
    pub fn first(&self) -> Option<i64> {
        self.times.first().copied()
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    fn push(&mut self, time: i64, id: PointId, one: Tally) {
        let mut sum = self.sums.last().copied().unwrap_or_default();
        sum.add(one);
        self.times.push(time);
        self.ids.push(id);
        self.sums.push(sum);
    }
}

impl Tally {
    /// What one point comes to.
    pub fn of(point: &Point) -> Tally {
        let weight = point.weight;
        let when = |is: bool| if is { weight } else { 0 };
        Tally {
            all: weight,
            warnings: when(point.status == Status::Warning),
            failures: when(point.status == Status::Failure),
            created: when(point.class == Class::Created),
            changed: when(point.class == Class::Changed),
            deleted: when(point.class == Class::Deleted),
        }
    }

    /// The worst there is.
    pub fn worst(&self) -> Status {
        match (self.failures, self.warnings) {
            (1.., _) => Status::Failure,
            (_, 1..) => Status::Warning,
            _ => Status::Activity,
        }
    }

    /// What all of it is, if it is all of one class.
    pub fn class(&self) -> Option<Class> {
        match *self {
            Tally { all, created, .. } if all == created => Some(Class::Created),
            Tally { all, changed, .. } if all == changed => Some(Class::Changed),
            Tally { all, deleted, .. } if all == deleted => Some(Class::Deleted),
            Tally { created: 0, changed: 0, deleted: 0, .. } => Some(Class::Event),
            _ => None,
        }
    }

    /// Sums wrap, so that a track of more than four billion occurrences still knows its stretches.
    fn add(&mut self, other: Tally) {
        self.zip(other, u32::wrapping_add);
    }

    fn take(&mut self, other: Tally) {
        self.zip(other, u32::wrapping_sub);
    }

    fn zip(&mut self, other: Tally, with: fn(u32, u32) -> u32) {
        self.all = with(self.all, other.all);
        self.warnings = with(self.warnings, other.warnings);
        self.failures = with(self.failures, other.failures);
        self.created = with(self.created, other.created);
        self.changed = with(self.changed, other.changed);
        self.deleted = with(self.deleted, other.deleted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::{fixture::point, sample::Dice};

    /// Whatever the order they come in, every stretch holds what a plain scan finds in it.
    #[test]
    fn any_stretch_holds_what_a_scan_finds() {
        let mut dice = Dice(7);
        let (mut track, mut points) = (Track::default(), Vec::new());
        for id in 0..400 {
            let point = point(dice.roll(1000) as i64, Class::ALL[dice.roll(4)], Status::ALL[dice.roll(3)]);
            points.push((id, point));
        }
        for part in points.chunks(23) {
            let mut part: Vec<_> = part.iter().map(|(id, point)| (*id, point)).collect();
            part.sort_by_key(|(_, point)| point.time);
            track.insert(&part);
        }
        assert!(track.ids().windows(2).all(|pair| points[pair[0] as usize].1.time <= points[pair[1] as usize].1.time));
        for _ in 0..200 {
            let (from, to) = (dice.roll(1000) as i64, dice.roll(1100) as i64);
            let range = track.range(from, to.max(from));
            let inside: Vec<&Point> =
                points.iter().map(|(_, point)| point).filter(|point| (from..to).contains(&point.time)).collect();
            assert_eq!(range.len(), inside.len(), "{from}..{to}");
            let tally = track.tally(range.clone());
            let failures = inside.iter().filter(|point| point.status == Status::Failure).count();
            let deleted = inside.iter().filter(|point| point.class == Class::Deleted).count();
            assert_eq!(
                (tally.all, tally.failures, tally.deleted),
                (inside.len() as u32, failures as u32, deleted as u32)
            );
            assert_eq!(track.seek(0, from), range.start);
            assert_eq!(track.seek(range.start, to.max(from)), range.end);
        }
    }

    #[test]
    fn a_tally_knows_the_worst_and_whether_all_are_of_one_class() {
        let mut track = Track::default();
        track.insert(&[(0, &point(1, Class::Created, Status::Activity))]);
        track.insert(&[(1, &point(2, Class::Created, Status::Warning))]);
        track.insert(&[(2, &point(3, Class::Event, Status::Failure))]);
        assert_eq!((track.tally(0..2).class(), track.tally(0..2).worst()), (Some(Class::Created), Status::Warning));
        assert_eq!((track.tally(0..3).class(), track.tally(0..3).worst()), (None, Status::Failure));
        assert_eq!(track.tally(2..3).class(), Some(Class::Event));
    }
}
