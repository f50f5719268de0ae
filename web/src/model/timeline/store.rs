//! Every point there is: each once, and not too many.
//!
//! A point is known by its series and its place in it, so that what comes from a list, from a watch and from an earlier visit
//! of the page is there once. There are at most [`LIMIT`]: beyond that the oldest points of those namespaces go that hold the
//! most, so that one that is noisy loses its own past and nobody else's.

use std::collections::HashMap;

use masthead::lean::Interned;

use super::{
    point::{Point, Series},
    subject::{SubjectId, Subjects},
    track::PointId,
};

/// How many points there are at most.
pub const LIMIT: usize = 120_000;

/// How many are left when there were too many: room for a while, as letting points go costs as much as looking at all.
const AFTER_SIFTING: usize = LIMIT / 20 * 19;

/// Every point there is.
#[derive(Debug)]
pub struct Store {
    points: Vec<Point>,
    /// The points of each series by ordinal, ascending.
    series: HashMap<u64, Vec<(u32, PointId)>>,
    limit: usize,
}

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is there now, behind all of its series.
    New(PointId),
    /// It is there now, and another of its series stands for fewer occurrences than before.
    Between(PointId),
    /// It was there.
    Known,
}

impl Default for Store {
    fn default() -> Store {
        Store { points: Vec::new(), series: HashMap::new(), limit: LIMIT }
    }
}

impl Store {
    /// A store of at most `limit` points.
    #[cfg(test)]
    pub(super) fn with_limit(limit: usize) -> Store {
        Store { limit, ..Store::default() }
    }

    /// Takes a point, unless it is there. What it stands for is what happened since the one before it in its series.
    pub fn record(&mut self, mut point: Point) -> Recorded {
        let series = self.series.entry(point.series.origin).or_default();
        let ordinal = point.series.ordinal;
        let at = series.partition_point(|(known, _)| *known < ordinal);
        let next = series.get(at).copied();
        if next.is_some_and(|(known, _)| known == ordinal) {
            return Recorded::Known;
        }
        let before = at.checked_sub(1).map_or(0, |before| series[before].0);
        point.weight = ordinal - before;
        let id = self.points.len() as PointId;
        series.insert(at, (ordinal, id));
        self.points.push(point);
        match next {
            Some((later, next)) => {
                self.points[next as usize].weight = later - ordinal;
                Recorded::Between(id)
            }
            None => Recorded::New(id),
        }
    }

    /// The last ordinal of a series; 0 where nothing of it is known.
    pub fn ordinal(&self, origin: u64) -> u32 {
        self.series.get(&origin).and_then(|series| series.last()).map_or(0, |(ordinal, _)| *ordinal)
    }

    /// Whether there are too many.
    pub fn is_full(&self) -> bool {
        self.points.len() > self.limit
    }

    /// Lets the oldest points of the largest namespaces go. Afterwards every point has another id.
    pub fn sift(&mut self, subjects: &Subjects) {
        let mut spaces: HashMap<Interned, Vec<i64>> = HashMap::new();
        for point in &self.points {
            spaces.entry(subjects.get(point.subject).namespace.clone()).or_default().push(point.time);
        }
        let share = share(spaces.values().map(Vec::len).collect(), self.limit * AFTER_SIFTING / LIMIT);
        let mut bounds = HashMap::new();
        for (space, mut times) in spaces.into_iter().filter(|(_, times)| times.len() > share) {
            let place = times.len() - share;
            let oldest = *times.select_nth_unstable(place).1;
            let later = times.iter().filter(|time| **time > oldest).count();
            bounds.insert(space, Bound { oldest, room: share - later });
        }
        self.points.retain(|point| match bounds.get_mut(&subjects.get(point.subject).namespace) {
            Some(bound) => bound.keeps(point.time),
            None => true,
        });
        self.number();
    }

    /// Gives every subject its new place; points of subjects that are gone go too.
    pub fn move_subjects(&mut self, moved: &[Option<SubjectId>]) {
        self.points.retain_mut(|point| match moved[point.subject.index()] {
            Some(subject) => {
                point.subject = subject;
                true
            }
            None => false,
        });
        self.number();
    }

    /// A point.
    pub fn get(&self, id: PointId) -> &Point {
        &self.points[id as usize]
    }

    /// All points, by id.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    fn number(&mut self) {
        self.series.clear();
        for (id, point) in self.points.iter().enumerate() {
            let Series { origin, ordinal } = point.series;
            self.series.entry(origin).or_default().push((ordinal, id as PointId));
        }
        self.series.values_mut().for_each(|series| series.sort());
    }
}

/// What a namespace may keep.
struct Bound {
    oldest: i64,
    /// How many more of just that time.
    room: usize,
}

impl Bound {
    fn keeps(&mut self, time: i64) -> bool {
        if time == self.oldest && self.room > 0 {
            self.room -= 1;
            return true;
        }
        time > self.oldest
    }
}

/// How many each may keep, so that together they keep `room` at most and those below it lose nothing.
fn share(mut sizes: Vec<usize>, room: usize) -> usize {
    sizes.sort();
    let mut left = room;
    for (done, size) in sizes.iter().enumerate() {
        let equal = left / (sizes.len() - done);
        if *size > equal {
            return equal;
        }
        left -= size;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::timeline::{
        fixture::point,
        point::{Class, Status},
        subject::Subject,
    };

    fn of(series: (u64, u32), time: i64) -> Point {
        let series = Series { origin: series.0, ordinal: series.1 };
        Point { series, ..point(time, Class::Event, Status::Activity) }
    }

    fn weights(store: &Store) -> Vec<(u32, u32)> {
        let mut found: Vec<_> = store.points().iter().map(|point| (point.series.ordinal, point.weight)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_point_stands_for_what_happened_since_the_one_before() {
        let mut store = Store::default();
        assert_eq!(store.record(of((7, 1), 10)), Recorded::New(0));
        assert_eq!(store.record(of((7, 5), 50)), Recorded::New(1));
        assert_eq!(weights(&store), [(1, 1), (5, 4)]);
        assert_eq!(store.record(of((7, 3), 30)), Recorded::Between(2));
        assert_eq!(weights(&store), [(1, 1), (3, 2), (5, 2)]);
        assert_eq!(store.record(of((7, 5), 50)), Recorded::Known);
        assert_eq!((store.ordinal(7), store.ordinal(8)), (5, 0));
    }

    /// A noisy namespace loses its own past; a quiet one keeps all of its own.
    #[test]
    fn one_noisy_namespace_does_not_evict_the_others() {
        let (mut store, mut subjects) = (Store::with_limit(100), Subjects::default());
        let quiet = subjects.place(Subject::new("Pod", "quiet", "a"));
        let noisy = subjects.place(Subject::new("Pod", "noisy", "b"));
        for time in 0..20 {
            store.record(Point { subject: quiet, ..of((time, 1), time as i64) });
        }
        for time in 100..400 {
            store.record(Point { subject: noisy, ..of((time, 1), time as i64) });
        }
        assert!(store.is_full());
        store.sift(&subjects);
        let times = |of: SubjectId| {
            let times = store.points().iter().filter(|point| point.subject == of).map(|point| point.time);
            let times: Vec<i64> = times.collect();
            (times.len(), times.iter().min().copied(), times.iter().max().copied())
        };
        assert_eq!(times(quiet), (20, Some(0), Some(19)));
        assert_eq!(times(noisy), (75, Some(325), Some(399)));
        assert!(!store.is_full());
        assert_eq!(store.record(of((399, 1), 399)), Recorded::Known, "what is left is still known");
    }

    #[test]
    fn points_of_one_moment_are_bounded_too() {
        let (mut store, mut subjects) = (Store::with_limit(100), Subjects::default());
        let subject = subjects.place(Subject::new("Pod", "noisy", "b"));
        for origin in 0..101 {
            store.record(Point { subject, ..of((origin, 1), 5) });
        }
        store.sift(&subjects);
        assert_eq!(store.points().len(), 95);
    }

    #[test]
    fn shares_are_equal_among_those_who_want_more() {
        assert_eq!(share(vec![1, 2, 3], 10), usize::MAX);
        assert_eq!(share(vec![10, 10], 10), 5);
        assert_eq!(share(vec![2, 10, 10], 12), 5);
        assert_eq!(share(vec![], 12), usize::MAX);
    }
}
