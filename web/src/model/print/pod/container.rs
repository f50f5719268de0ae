//! The containers of a pod: what is asked for, and what became of it.

use std::borrow::Cow;

use masthead::lean::{Field, Found, Interned, Mismatch, Strings};
use serde::Deserialize;

use super::super::{moment::Moment, nested, requests::Requests};
use crate::model::table::load::Load;

/// A container that runs before the others, or beside them.
#[derive(Debug, Default)]
pub(super) struct Init {
    pub(super) name: Interned,
    /// Whether it goes on running.
    pub(super) is_sidecar: bool,
    pub(super) requests: Load,
}

impl Field for Init {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Written<'a> {
            #[serde(borrow)]
            name: Cow<'a, str>,
            #[serde(borrow)]
            restart_policy: Cow<'a, str>,
            resources: Resources,
        }

        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Resources {
            requests: Requests,
        }

        if let Found::Nested(json) = found {
            let written: Written<'_> = nested::read(json)?;
            *self = Init {
                name: strings.intern(&written.name),
                is_sidecar: written.restart_policy == "Always",
                requests: written.resources.requests.0,
            };
        }
        Ok(())
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
        let Found::Nested(json) = found else { return Ok(()) };
        let written: WrittenContainer<'_> = nested::read(json)?;
        *self = Container {
            name: strings.intern(&written.name),
            ready: written.ready,
            started: written.started.unwrap_or_default(),
            restarts: written.restart_count,
            ended_before: written.last_state.terminated.map(|ended| ended.finished_at).unwrap_or_default(),
            since: written.state.since(),
            state: written.state.read(strings),
        };
        Ok(())
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WrittenContainer<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    ready: bool,
    started: Option<bool>,
    restart_count: u32,
    #[serde(borrow)]
    state: WrittenState<'a>,
    #[serde(borrow)]
    last_state: WrittenState<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WrittenState<'a> {
    #[serde(borrow)]
    waiting: Option<Waiting<'a>>,
    running: Option<Running>,
    #[serde(borrow)]
    terminated: Option<Terminated<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Waiting<'a> {
    #[serde(borrow)]
    reason: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Running {
    started_at: Moment,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Terminated<'a> {
    #[serde(borrow)]
    reason: Cow<'a, str>,
    signal: i64,
    exit_code: i64,
    finished_at: Moment,
}

impl WrittenState<'_> {
    fn since(&self) -> Moment {
        let ended = self.terminated.as_ref().map(|ended| ended.finished_at);
        ended.or(self.running.as_ref().map(|running| running.started_at)).unwrap_or_default()
    }

    fn read(&self, strings: &Strings) -> State {
        match (&self.waiting, &self.terminated, &self.running) {
            (Some(waiting), _, _) if !waiting.reason.is_empty() => State::Waiting(strings.intern(&waiting.reason)),
            (_, Some(ended), _) => State::Ended { how: ended.how(strings), failed: ended.exit_code != 0 },
            (_, None, Some(_)) => State::Running,
            (_, None, None) => State::Unknown,
        }
    }
}

impl Terminated<'_> {
    fn how(&self, strings: &Strings) -> Interned {
        match (self.reason.as_ref(), self.signal) {
            ("", 0) => strings.intern(&format!("ExitCode:{}", self.exit_code)),
            ("", signal) => strings.intern(&format!("Signal:{signal}")),
            (reason, _) => strings.intern(reason),
        }
    }
}
