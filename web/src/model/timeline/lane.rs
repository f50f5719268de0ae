//! A lane: the points of one subject, namespace or reason.

use masthead::lean::Interned;

use super::{
    subject::{Subject, SubjectId},
    track::Track,
};

/// What a lane is a lane of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaneKey {
    /// A namespace; empty for what has none.
    Namespace(Interned),
    /// A reason.
    Reason(Interned),
    /// An object.
    Subject(Subject),
}

impl LaneKey {
    /// What a person reads at its left.
    pub fn name(&self) -> &str {
        match self {
            LaneKey::Namespace(name) | LaneKey::Reason(name) => name,
            LaneKey::Subject(subject) => &subject.name,
        }
    }
}

/// A lane's place among the [`Lanes`](super::lanes::Lanes); good until they are made anew.
pub type LaneId = usize;

/// A lane, with those below it.
#[derive(Debug)]
pub struct Lane {
    /// What it is a lane of.
    pub key: LaneKey,
    /// The subject of a lane that has one.
    pub subject: Option<SubjectId>,
    /// The lane that it lies in.
    pub parent: Option<LaneId>,
    /// How many lanes it lies in.
    pub depth: usize,
    /// Those that lie in it.
    pub(super) children: Vec<LaneId>,
    /// Its own points.
    own: Track,
    /// Its own points and those of all lanes in it; empty where there are none.
    family: Track,
}

impl Lane {
    pub(super) fn new(key: LaneKey, subject: Option<SubjectId>, parent: Option<LaneId>, depth: usize) -> Lane {
        Lane { key, subject, parent, depth, children: Vec::new(), own: Track::default(), family: Track::default() }
    }

    /// Takes a lane in.
    pub(super) fn bear(&mut self, child: LaneId) {
        if self.children.is_empty() {
            self.family = self.own.clone();
        }
        self.children.push(child);
    }

    /// Whether there are lanes in it.
    pub fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    /// Everything in it.
    pub fn all(&self) -> &Track {
        if self.has_children() { &self.family } else { &self.own }
    }

    /// What its row shows: its own points where the lanes in it have rows of their own.
    pub fn shown(&self, is_open: bool) -> &Track {
        if is_open { &self.own } else { self.all() }
    }

    pub(super) fn own_mut(&mut self) -> &mut Track {
        &mut self.own
    }

    pub(super) fn family_mut(&mut self) -> &mut Track {
        &mut self.family
    }
}
