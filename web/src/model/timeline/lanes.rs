//! The lanes: which there are, what lies in which, and in what order they are shown.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use masthead::lean::Interned;

use super::{
    lane::{Lane, LaneId, LaneKey},
    point::{Point, Status},
    subject::{SubjectId, Subjects},
    track::PointId,
};

/// What lanes are lanes of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Objects, each in the lane of its owner.
    #[default]
    Owner,
    /// Namespaces, with their objects.
    Namespace,
    /// Reasons, with the objects they happened to.
    Reason,
}

/// The order of lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaneSort {
    /// Failures, then warnings, then the rest; where those are equal, the latest.
    #[default]
    Importance,
    /// The latest.
    Recency,
    /// By namespace and name.
    Name,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Grouping; 3] = [Grouping::Owner, Grouping::Namespace, Grouping::Reason];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Grouping::Owner => "owner",
            Grouping::Namespace => "namespace",
            Grouping::Reason => "reason",
        }
    }
}

impl LaneSort {
    /// All of them.
    pub const ALL: [LaneSort; 3] = [LaneSort::Importance, LaneSort::Recency, LaneSort::Name];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            LaneSort::Importance => "importance",
            LaneSort::Recency => "recency",
            LaneSort::Name => "name",
        }
    }
}

/// A lane on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which.
    pub lane: LaneId,
    /// Whether the lanes in it have rows of their own, below.
    pub is_open: bool,
}

/// All lanes.
#[derive(Debug, Default)]
pub struct Lanes {
    lanes: Vec<Lane>,
    roots: Vec<LaneId>,
    by_key: HashMap<(Option<LaneId>, LaneKey), LaneId>,
    /// The lane of each subject, and of its reason where reasons have lanes.
    leaves: HashMap<(SubjectId, Option<Interned>), LaneId>,
    /// Those with something in the range, in the order of the screen.
    rows: Vec<Row>,
    grouping: Grouping,
    /// Whether lanes are open unless somebody closed them.
    usually_open: bool,
    /// Those that are not as usual.
    toggled: HashSet<LaneKey>,
}

impl Lanes {
    /// Lets all lanes go; what somebody opened or closed stays known by its key.
    pub fn clear(&mut self, grouping: Grouping, usually_open: bool) {
        let toggled = std::mem::take(&mut self.toggled);
        let same = (self.grouping, self.usually_open) == (grouping, usually_open);
        let toggled = if same { toggled } else { HashSet::new() };
        *self = Lanes { grouping, usually_open, toggled, ..Lanes::default() };
    }

    /// Puts points, which come in the order of time, into their lanes and those around them.
    pub fn add(&mut self, batch: &[(PointId, &Point)], subjects: &Subjects) {
        // A lane that gets its first child takes what it has into its family, so all of them are there first.
        let leaves: Vec<LaneId> = batch.iter().map(|(_, point)| self.leaf(point, subjects)).collect();
        let (mut late, mut late_families) = (Late::new(), Late::new());
        for ((id, point), leaf) in batch.iter().zip(leaves) {
            if !self.lanes[leaf].own_mut().append(*id, point) {
                late.entry(leaf).or_default().push((*id, point));
            }
            let mut around = Some(leaf);
            while let Some(lane) = around {
                if self.lanes[lane].has_children() && !self.lanes[lane].family_mut().append(*id, point) {
                    late_families.entry(lane).or_default().push((*id, point));
                }
                around = self.lanes[lane].parent;
            }
        }
        late.into_iter().for_each(|(lane, part)| self.lanes[lane].own_mut().insert(&part));
        late_families.into_iter().for_each(|(lane, part)| self.lanes[lane].family_mut().insert(&part));
    }

    /// Decides which lanes have rows: those with something in `from..to`.
    pub fn arrange(&mut self, sort: LaneSort, from: i64, to: i64) {
        let mut rows = Vec::new();
        self.lay(&self.roots, sort, (from, to), &mut rows);
        self.rows = rows;
    }

    /// Opens a closed lane and closes an open one; whether there was anything to open. [`arrange`](Self::arrange) shows it.
    pub fn toggle(&mut self, lane: LaneId) -> bool {
        let Some(lane) = self.lanes.get(lane).filter(|lane| lane.has_children()) else { return false };
        if !self.toggled.remove(&lane.key) {
            self.toggled.insert(lane.key.clone());
        }
        true
    }

    /// The lanes on screen.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A lane.
    pub fn get(&self, id: LaneId) -> &Lane {
        &self.lanes[id]
    }

    /// The lane of a key, if there is one.
    pub fn find(&self, key: &LaneKey) -> Option<LaneId> {
        self.lanes.iter().position(|lane| lane.key == *key)
    }

    /// The row in which a point is shown.
    pub fn row_of(&self, point: &Point) -> Option<usize> {
        let leaf = *self.leaves.get(&self.address(point))?;
        let around: Vec<LaneId> = std::iter::successors(Some(leaf), |lane| self.lanes[*lane].parent).collect();
        around.iter().find_map(|lane| self.rows.iter().position(|row| row.lane == *lane))
    }

    fn address(&self, point: &Point) -> (SubjectId, Option<Interned>) {
        match self.grouping {
            Grouping::Reason => (point.subject, Some(point.reason.clone())),
            Grouping::Owner | Grouping::Namespace => (point.subject, None),
        }
    }

    fn leaf(&mut self, point: &Point, subjects: &Subjects) -> LaneId {
        let address = self.address(point);
        if let Some(leaf) = self.leaves.get(&address) {
            return *leaf;
        }
        let subject = point.subject;
        let mut path: Vec<(LaneKey, Option<SubjectId>)> = Vec::new();
        match self.grouping {
            Grouping::Owner => {
                let family = subjects.lineage(subject).map(|id| (LaneKey::Subject(subjects.get(id).clone()), Some(id)));
                path.extend(family);
                path.reverse();
            }
            Grouping::Namespace => path.push((LaneKey::Namespace(subjects.get(subject).namespace.clone()), None)),
            Grouping::Reason => path.push((LaneKey::Reason(point.reason.clone()), None)),
        }
        if self.grouping != Grouping::Owner {
            path.push((LaneKey::Subject(subjects.get(subject).clone()), Some(subject)));
        }
        let mut parent = None;
        for (key, subject) in path {
            parent = Some(self.lane(parent, key, subject));
        }
        let leaf = parent.expect("a path ends at the subject");
        self.leaves.insert(address, leaf);
        leaf
    }

    fn lane(&mut self, parent: Option<LaneId>, key: LaneKey, subject: Option<SubjectId>) -> LaneId {
        let place = (parent, key);
        if let Some(lane) = self.by_key.get(&place) {
            return *lane;
        }
        let id = self.lanes.len();
        let depth = parent.map_or(0, |parent| self.lanes[parent].depth + 1);
        self.lanes.push(Lane::new(place.1.clone(), subject, parent, depth));
        match parent {
            Some(parent) => self.lanes[parent].bear(id),
            None => self.roots.push(id),
        }
        self.by_key.insert(place, id);
        id
    }

    fn lay(&self, siblings: &[LaneId], sort: LaneSort, range: (i64, i64), rows: &mut Vec<Row>) {
        let mut ranked: Vec<(Rank, &LaneKey, LaneId)> = Vec::new();
        for id in siblings {
            let lane = &self.lanes[*id];
            if let Some(rank) = rank(lane, sort, range) {
                ranked.push((rank, &lane.key, *id));
            }
        }
        ranked.sort();
        for (_, key, lane) in ranked {
            let is_open = self.lanes[lane].has_children() && self.toggled.contains(key) != self.usually_open;
            rows.push(Row { lane, is_open });
            if is_open {
                self.lay(&self.lanes[lane].children, sort, range, rows);
            }
        }
    }
}

/// Points of lanes that have later ones already.
type Late<'a> = HashMap<LaneId, Vec<(PointId, &'a Point)>>;

/// What comes first has the smallest.
type Rank = (Reverse<Status>, Reverse<u32>, Reverse<i64>);

/// Numbers that grow with every event would shuffle the lanes with every event: their size is enough.
fn rank(lane: &Lane, sort: LaneSort, (from, to): (i64, i64)) -> Option<Rank> {
    let track = lane.all();
    let places = track.range(from, to);
    let last = track.time(places.clone().last()?);
    let tally = track.tally(places);
    Some(match sort {
        LaneSort::Importance => {
            let count = if tally.failures > 0 { tally.failures } else { tally.warnings };
            (Reverse(tally.worst()), Reverse(u32::BITS - count.leading_zeros()), Reverse(last / FIVE_MINUTES))
        }
        LaneSort::Recency => (Reverse(Status::Activity), Reverse(0), Reverse(last)),
        LaneSort::Name => (Reverse(Status::Activity), Reverse(0), Reverse(0)),
    })
}

const FIVE_MINUTES: i64 = 300_000;

#[cfg(test)]
mod tests;
