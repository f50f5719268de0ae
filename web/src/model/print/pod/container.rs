//! The containers of a pod: what is asked for, and what became of it.

use masthead::lean::{Field, Found, Interned, Lean, Mismatch, Part, Strings};

use super::super::{moment::Moment, presence::Presence, requests::Requests};

/// A container that runs before the others, or beside them.
#[derive(Lean)]
pub(super) struct Init {
    #[lean("name")]
    pub(super) name: Interned,
    #[lean("restartPolicy")]
    policy: Interned,
    #[lean("resources.requests")]
    pub(super) requests: Requests,
}

impl Init {
    /// Whether it goes on running.
    pub(super) fn is_sidecar(&self) -> bool {
        self.policy == "Always"
    }
}

/// A container as the kubelet last saw it.
#[derive(Debug, Default)]
pub(super) struct Container {
    pub(super) name: Interned,
    pub(super) ready: bool,
    pub(super) started: bool,
    pub(super) restarts: u32,
    pub(super) state: State,
    /// When it began to run, or ended, if it does or did.
    pub(super) since: Moment,
    /// When the run before this one ended.
    pub(super) ended_before: Moment,
}

/// What a container does.
#[derive(Debug, Default)]
pub(super) enum State {
    /// It waits, for this reason.
    Waiting(Interned),
    Running,
    /// It is over, in the words that stand for how.
    Ended {
        how: Interned,
        failed: bool,
    },
    /// It waits and does not say why, or nothing is known.
    #[default]
    Unknown,
}

impl Field for Container {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        let mut written = Part::<Written>::default();
        written.take(found, strings)?;
        *self = written.0.read(strings);
        Ok(())
    }
}

/// A container's status as it is written.
#[derive(Lean)]
struct Written {
    #[lean("name")]
    name: Interned,
    #[lean("ready")]
    ready: bool,
    #[lean("started")]
    started: bool,
    #[lean("restartCount")]
    restarts: u32,
    #[lean("state.waiting.reason")]
    waits_for: Interned,
    #[lean("state.running")]
    running: Presence,
    #[lean("state.running.startedAt")]
    started_at: Moment,
    #[lean("state.terminated")]
    ended: Presence,
    #[lean("state.terminated.reason")]
    reason: Interned,
    #[lean("state.terminated.signal")]
    signal: i64,
    #[lean("state.terminated.exitCode")]
    exit_code: i64,
    #[lean("state.terminated.finishedAt")]
    finished_at: Moment,
    #[lean("lastState.terminated.finishedAt")]
    ended_before: Moment,
}

impl Written {
    fn read(self, strings: &Strings) -> Container {
        let state = match (self.ended.0, self.running.0) {
            _ if !self.waits_for.is_empty() => State::Waiting(self.waits_for),
            (true, _) => State::Ended {
                how: how(self.reason, self.signal, self.exit_code, strings),
                failed: self.exit_code != 0,
            },
            (false, true) => State::Running,
            (false, false) => State::Unknown,
        };
        Container {
            name: self.name,
            ready: self.ready,
            started: self.started,
            restarts: self.restarts,
            state,
            since: if self.ended.0 { self.finished_at } else { self.started_at },
            ended_before: self.ended_before,
        }
    }
}

/// The words that stand for how a container ended.
fn how(reason: Interned, signal: i64, exit_code: i64, strings: &Strings) -> Interned {
    match (reason.as_str(), signal) {
        ("", 0) => strings.intern(&format!("ExitCode:{exit_code}")),
        ("", signal) => strings.intern(&format!("Signal:{signal}")),
        _ => reason,
    }
}
