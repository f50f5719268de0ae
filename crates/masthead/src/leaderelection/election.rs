//! The decision whether to acquire, to renew or to wait.

use std::time::Duration;

use super::Record;
use crate::runtime::Instant;

/// One candidate's view of an election: no clock and no requests of its own.
///
/// Safe whatever other clocks say, as long as they run at about the same speed: a lease ends when the record has not
/// changed for its duration, counted from when this candidate first saw it so.
#[derive(Clone, Debug)]
pub struct Election {
    identity: String,
    lease_duration: Duration,
    observed: Option<Observed>,
    /// The leader that [`new_leader`](Self::new_leader) told of last.
    reported: String,
}

#[derive(Clone, Debug)]
struct Observed {
    record: Record,
    /// When this record was first seen, by the own clock.
    at: Instant,
}

/// What to do about a lock that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// There is none: create it with this record.
    Create(Record),
    /// It is free, over or the own one: write this record.
    Update(Record),
    /// Another candidate holds it.
    Wait,
}

impl Election {
    /// A candidate that has seen nothing yet.
    pub fn new(identity: impl Into<String>, lease_duration: Duration) -> Election {
        // What is written is what is read again: whole seconds.
        let lease_duration = Duration::from_secs(lease_duration.as_secs());
        Election { identity: identity.into(), lease_duration, observed: None, reported: String::new() }
    }

    /// Who this candidate is.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The record to write at once, without a look, when the own lease still lasts.
    pub fn renewal(&self, now: Instant, wall: Duration) -> Option<Record> {
        let observed = self.observed.as_ref().filter(|_| self.is_leader(now))?;
        Some(self.successor(&observed.record, wall))
    }

    /// Takes in what was read of the lock; `None` when there is none.
    pub fn read(&mut self, found: Option<Record>, now: Instant, wall: Duration) -> Decision {
        let Some(found) = found else {
            return Decision::Create(Record::acquired_by(&self.identity, self.lease_duration, wall));
        };
        if self.observed.as_ref().is_none_or(|observed| observed.record != found) {
            self.observed = Some(Observed { record: found.clone(), at: now });
        }
        let is_held = !found.holder.is_empty() && found.holder != self.identity;
        if is_held && self.is_valid(now) {
            return Decision::Wait;
        }
        Decision::Update(self.successor(&found, wall))
    }

    /// Takes in that `record` was written by a request that was sent at `sent`.
    pub fn written(&mut self, record: Record, sent: Instant) {
        self.observed = Some(Observed { record, at: sent });
    }

    /// The record to write when the lock is given up.
    pub fn release(&self, found: &Record, wall: Duration) -> Option<Record> {
        let is_own = found.holder == self.identity;
        is_own.then(|| {
            let released = Record::acquired_by("", Duration::from_secs(1), wall);
            Record { transitions: found.transitions, ..released }
        })
    }

    /// Whether this candidate holds a lease that lasts at `now`.
    pub fn is_leader(&self, now: Instant) -> bool {
        self.leader() == Some(&self.identity) && self.is_valid(now)
    }

    /// Who held the lock when it was last seen.
    pub fn leader(&self) -> Option<&str> {
        let holder = self.observed.as_ref()?.record.holder.as_str();
        Some(holder).filter(|holder| !holder.is_empty())
    }

    /// The leader, if it is not the one that was told of before.
    pub fn new_leader(&mut self) -> Option<String> {
        let leader = self.leader().unwrap_or_default();
        if leader == self.reported {
            return None;
        }
        leader.to_owned().clone_into(&mut self.reported);
        Some(self.reported.clone()).filter(|leader| !leader.is_empty())
    }

    fn is_valid(&self, now: Instant) -> bool {
        self.observed.as_ref().is_some_and(|observed| observed.at + observed.record.lease_duration > now)
    }

    /// The record that follows `old` when this candidate writes it.
    fn successor(&self, old: &Record, wall: Duration) -> Record {
        let record = Record::acquired_by(&self.identity, self.lease_duration, wall);
        if old.holder == self.identity {
            Record { acquired: old.acquired.clone(), transitions: old.transitions, ..record }
        } else {
            Record { transitions: old.transitions.saturating_add(1), ..record }
        }
    }
}

#[cfg(test)]
mod tests;
