//! The timeline: what is shown of what happened.
//!
//! It is told news and asked for frames; both take the time as an argument. A frame costs as much as is on screen.

use std::{collections::HashMap, ops::Range, rc::Rc};

use super::{
    chronicle::{Chronicle, News, Told},
    filter::{Facet, Filter},
    frame::{Frame, FrameRow, ROW, Viewport},
    lane::{LaneId, LaneKey},
    lanes::{Grouping, LaneSort, Lanes},
    marks,
    phase::Stretch,
    point::Point,
    record::Record,
    strip::Reach,
    subject::{Subject, SubjectId},
    track::{PointId, Track},
    window::Window,
};

/// What is asked of the timeline, besides the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// Which points are shown.
    pub filter: Filter,
    /// The namespaces of the page; all where it is empty.
    pub scope: Vec<String>,
    /// Only this object, and what it owns.
    pub focus: Option<Subject>,
    /// What lanes are lanes of.
    pub grouping: Grouping,
    /// Their order.
    pub sort: LaneSort,
    /// How far back lanes reach.
    pub reach: Reach,
}

/// What happened, as it is shown.
#[derive(Debug, Default)]
pub struct Timeline {
    chronicle: Chronicle,
    question: Question,
    /// Every point that is shown.
    shown: Track,
    lanes: Lanes,
    /// Whether lanes are to be made anew.
    upset: bool,
    made_at: i64,
    /// Whether rows are to be arranged anew.
    unsorted: bool,
    arranged_at: i64,
    frame: Frame,
}

/// What a list of points shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Only those of this lane, as its row shows them.
    pub lane: Option<(LaneKey, bool)>,
    /// The first moment.
    pub from: i64,
    /// The moment behind the last.
    pub to: i64,
}

impl Timeline {
    /// Takes news in, and gives back what is worth keeping between visits.
    pub fn hear(&mut self, news: Vec<News>, now: i64) -> Vec<Record> {
        let (mut kept, mut fresh) = (Vec::new(), Vec::new());
        for news in news {
            let remembered = matches!(news, News::Remembered(_));
            let mut told = Told::default();
            self.chronicle.hear(news, now, &mut told);
            self.upset |= told.upset;
            if !remembered {
                let (store, subjects) = (self.chronicle.store(), self.chronicle.subjects());
                kept.extend(told.fresh.iter().filter_map(|id| Record::of(store.get(*id), subjects)));
            }
            fresh.append(&mut told.fresh);
        }
        match self.chronicle.sift() {
            true => self.make(),
            false => self.show(fresh),
        }
        kept
    }

    /// Asks for something else.
    pub fn ask(&mut self, question: Question) {
        if question == self.question {
            return;
        }
        let only_order =
            Question { sort: self.question.sort, reach: self.question.reach, ..question.clone() } == self.question;
        self.question = question;
        match only_order {
            true => self.unsorted = true,
            false => self.make(),
        }
        self.arranged_at = i64::MIN;
    }

    /// Opens or closes a lane; whether there is anything to open.
    pub fn toggle(&mut self, lane: LaneId) -> bool {
        let toggled = self.lanes.toggle(lane);
        if toggled {
            (self.unsorted, self.arranged_at) = (true, i64::MIN);
        }
        toggled
    }

    /// Lays out what is on screen. While `held`, rows stay where they are.
    pub fn lay(&mut self, viewport: &Viewport, window: Window, now: i64, held: bool) -> &Frame {
        self.settle(now, held);
        let rows = self.lanes.rows();
        self.frame.content = rows.len() as f64 * ROW;
        let scale = self.frame.begin(viewport, window.bounds(now));
        let first = (viewport.scroll / ROW).floor().max(0.0) as usize;
        let count = (viewport.height / ROW).ceil() as usize + 1;
        let (left, right) = (viewport.names, viewport.width);
        let here = scale.x(now).clamp(left, right);
        for (place, row) in rows.iter().enumerate().skip(first).take(count) {
            let lane = self.lanes.get(row.lane);
            let (from_mark, from_bar) = (self.frame.marks.len(), self.frame.bars.len());
            marks::marks(lane.shown(row.is_open), &scale, (left, right), &mut self.frame.marks);
            if let Some(subject) = lane.subject {
                let bounds = (scale.time(left), scale.time(right));
                let stretches = stretches(&mut self.chronicle, subject, row.is_open, bounds);
                self.frame.lay_bars(stretches, &scale, (left, here));
            }
            let (marks, bars) = (from_mark..self.frame.marks.len(), from_bar..self.frame.bars.len());
            let y = place as f64 * ROW - viewport.scroll;
            self.frame.rows.push(FrameRow { place, lane: row.lane, is_open: row.is_open, y, marks, bars });
        }
        &self.frame
    }

    /// What was laid out last.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The lanes.
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Every point that is shown, in the order of time.
    pub fn shown(&self) -> &Track {
        &self.shown
    }

    /// How many points there are, shown or not.
    pub fn len(&self) -> usize {
        self.chronicle.store().points().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point.
    pub fn point(&self, id: PointId) -> &Point {
        self.chronicle.store().get(id)
    }

    /// What a point happened to.
    pub fn subject(&self, point: &Point) -> &Subject {
        self.chronicle.subjects().get(point.subject)
    }

    /// The track that a list reads, and the places of it that it shows.
    pub fn listed(&self, listing: &Listing) -> (&Track, Range<usize>) {
        let lane = listing.lane.as_ref().and_then(|(key, is_open)| Some((self.lanes.find(key)?, *is_open)));
        let track = lane.map_or(&self.shown, |(lane, is_open)| self.lanes.get(lane).shown(is_open));
        (track, track.range(listing.from, listing.to))
    }

    /// How often each value of a facet is there between two moments, whatever the filter asks of it; the most frequent first.
    pub fn values(&self, facet: Facet, from: i64, to: i64) -> Vec<(String, u32)> {
        let filter = self.question.filter.clone().without(facet);
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for point in self.chronicle.store().points().iter().filter(|point| (from..to).contains(&point.time)) {
            let subject = self.subject(point);
            if self.in_focus(point.subject) && filter.shows(point, subject, &self.question.scope) {
                *counts.entry(facet.of(point, subject)).or_default() += point.weight;
            }
        }
        let mut values: Vec<(String, u32)> =
            counts.into_iter().map(|(value, count)| (value.to_owned(), count)).collect();
        values.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        values
    }

    /// Brings lanes and rows up to date, if it is time to.
    fn settle(&mut self, now: i64, held: bool) {
        let patience = if self.len() > MANY { LONG } else { SHORT };
        if self.upset && (now - self.made_at >= patience || self.made_at > now) {
            self.make();
            self.made_at = now;
        }
        let stays = held && self.arranged_at != i64::MIN;
        // A clock that was set back is no reason to wait.
        let due = !stays && !(0..SETTLING).contains(&now.saturating_sub(self.arranged_at));
        if self.unsorted && due || self.arranged_at == i64::MIN {
            let (from, to) = self.question.reach.bounds(now);
            self.lanes.arrange(self.question.sort, from, to);
            (self.unsorted, self.arranged_at) = (false, now);
        }
    }

    /// Makes everything that is made of the points.
    fn make(&mut self) {
        (self.upset, self.unsorted, self.arranged_at) = (false, true, i64::MIN);
        self.shown = Track::default();
        // Of one object there is room to show all it owns.
        self.lanes.clear(self.question.grouping, self.question.focus.is_some());
        self.show((0..self.len() as PointId).collect());
    }

    /// Puts points into what is shown, if they are to be.
    fn show(&mut self, points: Vec<PointId>) {
        let (store, subjects) = (self.chronicle.store(), self.chronicle.subjects());
        let batch = points.into_iter().map(|id| (id, store.get(id)));
        let mut batch: Vec<(PointId, &Point)> = batch.filter(|(_, point)| self.shows(point)).collect();
        batch.sort_unstable_by_key(|(id, point)| (point.time, *id));
        self.shown.insert(&batch);
        self.lanes.add(&batch, subjects);
        self.unsorted |= !batch.is_empty();
    }

    fn shows(&self, point: &Point) -> bool {
        self.in_focus(point.subject) && self.question.filter.shows(point, self.subject(point), &self.question.scope)
    }

    fn in_focus(&self, subject: SubjectId) -> bool {
        let subjects = self.chronicle.subjects();
        self.question
            .focus
            .as_ref()
            .is_none_or(|focus| subjects.lineage(subject).any(|ancestor| subjects.get(ancestor) == focus))
    }
}

/// The phases of a row: an open one has its own, a closed one those of its family.
fn stretches(chronicle: &mut Chronicle, subject: SubjectId, is_open: bool, (from, to): (i64, i64)) -> Vec<Stretch> {
    if is_open {
        return chronicle.phases(subject).map(|phases| phases.within(from, to).collect()).unwrap_or_default();
    }
    let all: Rc<[Stretch]> = chronicle.stretches(subject);
    let first = all.partition_point(|stretch| stretch.to < from);
    let end = all.partition_point(|stretch| stretch.from <= to);
    all[first..end.max(first)].to_vec()
}

/// Lanes of more points than this are made anew less often.
const MANY: usize = 5000;
const SHORT: i64 = 50;
const LONG: i64 = 400;

/// How often rows may change places by themselves.
const SETTLING: i64 = 1000;

#[cfg(test)]
mod tests;
