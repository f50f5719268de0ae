//! What is wrong right now, how full the cluster is, and what changed: counted as changes arrive.
//!
//! Every figure is kept by adding what an object counts for and taking away what it counted for before, so that a change
//! costs the same whatever the number of objects. Names are kept of what is wrong only.

mod changes;
mod figure;
mod tally;

use std::collections::BTreeMap;

use masthead::lean::Interned;

use crate::model::table::{
    cell::{Cell, Tone},
    load::Load,
    row::Row,
};

pub use changes::{Change, Changes, What};
pub use figure::Figure;
use tally::Tally;

/// A kind that the overview counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the kinds are what they are called")]
pub enum Counted {
    Pods,
    Nodes,
    Deployments,
    StatefulSets,
    DaemonSets,
    Warnings,
}

impl Counted {
    /// Every kind, in the order in which they are best asked for: that of which there are most comes last.
    pub const ALL: [Counted; 6] = [
        Counted::Nodes,
        Counted::Deployments,
        Counted::StatefulSets,
        Counted::DaemonSets,
        Counted::Pods,
        Counted::Warnings,
    ];

    /// The kind's id, as in routes.
    pub fn id(self) -> &'static str {
        match self {
            Counted::Pods => "pods",
            Counted::Nodes => "nodes",
            Counted::Deployments => "deployments.apps",
            Counted::StatefulSets => "statefulsets.apps",
            Counted::DaemonSets => "daemonsets.apps",
            Counted::Warnings => "events",
        }
    }

    fn is_workload(self) -> bool {
        matches!(self, Counted::Deployments | Counted::StatefulSets | Counted::DaemonSets)
    }
}

/// All that is counted.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// Pods that ask for attention, by state.
    pods: BTreeMap<Interned, Tally>,
    /// Events that warn, by reason.
    warnings: BTreeMap<Interned, Tally>,
    unready: Tally,
    pressed: Tally,
    cordoned: Tally,
    lacking: BTreeMap<Counted, Tally>,
    totals: BTreeMap<Counted, usize>,
    asked: Load,
    offered: Load,
    /// What changed of late.
    pub changes: Changes,
}

impl Board {
    /// An object of this kind was one thing before and is another now; `None` for what is not there.
    pub fn turn(&mut self, kind: Counted, before: Option<&Row>, after: Option<&Row>, now: i64) {
        if let Some(row) = before {
            self.count(kind, row, Tally::remove);
            *self.totals.entry(kind).or_default() -= 1;
        }
        if let Some(row) = after {
            self.count(kind, row, Tally::add);
            *self.totals.entry(kind).or_default() += 1;
        }
        match kind {
            Counted::Pods => {
                self.asked += after.map(|row| row.load).unwrap_or_default();
                self.asked -= before.map(|row| row.load).unwrap_or_default();
            }
            Counted::Nodes => {
                self.offered += after.map(|row| row.load).unwrap_or_default();
                self.offered -= before.map(|row| row.load).unwrap_or_default();
            }
            _ => {}
        }
        if kind.is_workload() || kind == Counted::Nodes {
            self.changes.note(kind, before, after, now);
        }
    }

    fn count(&mut self, kind: Counted, row: &Row, act: fn(&mut Tally, &Row)) {
        let state = row.cells.iter().find_map(|cell| match cell {
            Cell::Status(word, tone) => Some((word, *tone)),
            _ => None,
        });
        match (kind, state) {
            (Counted::Pods, Some((word, Tone::Warning | Tone::Failure))) => {
                act(self.pods.entry(word.clone()).or_default(), row);
                self.pods.retain(|_, tally| tally.count() > 0);
            }
            (Counted::Nodes, Some((word, tone))) => {
                if word.contains("SchedulingDisabled") {
                    act(&mut self.cordoned, row);
                }
                if !word.starts_with("Ready") {
                    act(&mut self.unready, row);
                } else if tone == Tone::Quiet && row.tone > Tone::Quiet {
                    act(&mut self.pressed, row);
                }
            }
            // Others than those that warn may be told too.
            (Counted::Warnings, Some((_, Tone::Warning))) => {
                // LAST SEEN, TYPE, REASON.
                if let Some(Cell::Text(reason)) = row.cells.get(2) {
                    act(self.warnings.entry(reason.clone()).or_default(), row);
                    self.warnings.retain(|_, tally| tally.count() > 0);
                }
            }
            (kind, _) if kind.is_workload() && row.tone > Tone::Quiet => {
                act(self.lacking.entry(kind).or_default(), row);
            }
            _ => {}
        }
    }

    /// How many objects of a kind there are.
    pub fn total(&self, kind: Counted) -> usize {
        self.totals.get(&kind).copied().unwrap_or(0)
    }

    /// Pods that ask for attention, by state, the most frequent first.
    pub fn failing_pods(&self) -> Vec<Figure> {
        let figures = self.pods.iter().map(|(word, tally)| Figure::of_state("pods", "STATUS", word, tally));
        Figure::most_first(figures)
    }

    /// Warnings by reason, the most frequent first.
    pub fn warnings(&self) -> Vec<Figure> {
        let figures = self.warnings.iter().map(|(word, tally)| Figure::of_state("events", "REASON", word, tally));
        Figure::most_first(figures)
    }

    /// Nodes that are not ready, that are under pressure, and that are closed.
    pub fn nodes(&self) -> [Figure; 3] {
        [&self.unready, &self.pressed, &self.cordoned].map(|tally| Figure::of_names("nodes", "", tally))
    }

    /// Workloads of which there are fewer pods than there should be, by kind.
    pub fn lacking(&self) -> Vec<Figure> {
        let some = self.lacking.iter().filter(|(_, tally)| tally.count() > 0);
        some.map(|(kind, tally)| Figure::of_names(kind.id(), "", tally)).collect()
    }

    /// What pods ask for.
    pub fn asked(&self) -> Load {
        self.asked
    }

    /// What nodes have for pods.
    pub fn offered(&self) -> Load {
        self.offered
    }
}

#[cfg(test)]
mod tests;
