//! What a machine has to say to the metrics, said once nothing is borrowed any more.

use std::time::Duration;

use super::metrics::QueueMetrics;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Note {
    Added {
        priority: i32,
    },
    Raised {
        from: i32,
        to: i32,
    },
    Taken {
        priority: i32,
        waited: Duration,
    },
    Finished {
        worked: Duration,
    },
    /// With the priority at which it went back; nothing if it was to come again anyway.
    Abandoned {
        returned: Option<i32>,
    },
    Retried,
}

/// What happened during one call. Remembers nothing where nobody wants to know.
#[derive(Debug)]
pub(super) struct Notes {
    wanted: bool,
    list: Vec<Note>,
}

impl Notes {
    pub(super) fn new(wanted: bool) -> Notes {
        Notes { wanted, list: Vec::new() }
    }

    pub(super) fn push(&mut self, note: Note) {
        if self.wanted {
            self.list.push(note);
        }
    }

    pub(super) fn tell(self, metrics: &dyn QueueMetrics) {
        for note in self.list {
            match note {
                Note::Added { priority } => {
                    metrics.added();
                    metrics.depth(1, priority);
                }
                Note::Raised { from, to } => {
                    metrics.depth(-1, from);
                    metrics.depth(1, to);
                }
                Note::Taken { priority, waited } => {
                    metrics.depth(-1, priority);
                    metrics.latency(waited);
                }
                Note::Finished { worked } => metrics.work_duration(worked),
                Note::Abandoned { returned } => {
                    metrics.abandoned();
                    if let Some(priority) = returned {
                        metrics.depth(1, priority);
                    }
                }
                Note::Retried => metrics.retried(),
            }
        }
    }
}
