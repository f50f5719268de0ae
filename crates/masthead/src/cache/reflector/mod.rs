//! List, then watch, then go on: what a reflector does next, as a machine without clock or I/O.
//!
//! Every transition is in this file. [`follow`](list_and_watch::list_and_watch) carries the actions out; whoever wants another way to do
//! that needs only the machine.

mod backoff;
mod list_and_watch;
mod options;
mod stream_deadline;

use std::time::Duration;

pub use list_and_watch::{DeltaSink, WatchError, list_and_watch};
pub use options::{Initial, ReflectorOptions};

use crate::{
    Error,
    rest::{Bookmark, ListOptions, ResourceVersionMatch},
    runtime::{Instant, scaled},
};
use backoff::{Failure, ReflectorBackoff, RetryWithDeadline};

/// Keeps one collection known: lists it, watches from the version of the list, and comes back from whatever ends that.
#[derive(Debug)]
pub struct Reflector {
    options: ReflectorOptions,
    state: State,
    /// Everything up to here was told. Opaque; empty before the first list.
    version: String,
    /// The server no longer has `version`, or does not have it yet: the next list must not name it.
    version_unavailable: bool,
    /// A list that asked for whatever is at hand came in pages, so the server has no cache and pages are kind to it.
    paginated: bool,
    /// Streams that were closed before the state they began with was complete.
    cut_short: u32,
    /// ListDeltas in a row that had an item which could not be identified.
    incomplete_lists: u32,
    backoff: ReflectorBackoff,
    internal_errors: RetryWithDeadline,
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Do nothing for so long, then ask again.
    Wait(Duration),
    /// List with these options, and go on as the pages say.
    List(ListOptions),
    /// Watch with these options.
    Watch(ListOptions),
    /// The last watch fell silent: ask for something small, to see whether the server is there.
    Probe,
}

/// What an event of a watch is.
#[derive(Debug)]
pub enum Event<'a> {
    /// A state of an object, with its version; empty where that could not be read.
    Object(&'a str),
    /// Something that could not be decoded, nor told whom it is about: anything may have been missed.
    Undecodable(&'a Error),
    /// How far the watch is.
    Bookmark(&'a Bookmark),
    /// The server ends the watch and says why.
    Error(&'a Error),
}

/// What an event means for the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventEffect {
    /// A change of an object.
    Change,
    /// Part of the state that the stream begins with; to be collected until it is complete.
    InitialEvent,
    /// What was collected is the complete state, at this version.
    InitialEventsEnd,
    /// Nothing changed up to this version.
    Bookmark,
    /// Nothing.
    Ignore,
    /// The watch is over.
    WatchEnded,
}

#[derive(Debug)]
enum State {
    Ready(Next),
    Waiting { until: Instant, next: Next },
    Listing { version: String },
    Opening { initial: bool },
    Watching { since: Instant, events: u64, initial: bool },
    Probing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The state of everything, by list or stream.
    FullState,
    List,
    Watch,
    Probe,
}

impl Reflector {
    /// A reflector that has seen nothing.
    pub fn new(options: ReflectorOptions) -> Reflector {
        Reflector {
            state: State::Ready(Next::FullState),
            version: String::new(),
            version_unavailable: false,
            paginated: false,
            cut_short: 0,
            incomplete_lists: 0,
            backoff: ReflectorBackoff::new(options.backoff),
            internal_errors: RetryWithDeadline::new(options.max_internal_error_retry),
            options,
        }
    }

    /// The version that everything up to was told. Opaque; empty before the first list.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether the open watch still tells the state it begins with.
    pub fn is_collecting(&self) -> bool {
        matches!(self.state, State::Watching { initial: true, .. })
    }

    /// What to do now; asked for when the last action is done, and the same again before that. `draw`, in 0..1, is chance.
    pub fn poll(&mut self, now: Instant, draw: f64) -> Action {
        if let State::Waiting { until, next } = self.state {
            if now < until {
                return Action::Wait(until.since(now));
            }
            self.state = State::Ready(next);
        }
        match self.next() {
            Next::FullState if self.uses_watch_list() => {
                self.state = State::Opening { initial: true };
                Action::Watch(self.watch_list_options(draw))
            }
            Next::FullState | Next::List => {
                let options = self.list_options();
                self.state = State::Listing { version: options.resource_version.clone() };
                Action::List(options)
            }
            Next::Watch => {
                self.state = State::Opening { initial: false };
                Action::Watch(ListOptions { resource_version: self.version.clone(), ..self.watch_options(draw) })
            }
            Next::Probe => {
                self.state = State::Probing;
                Action::Probe
            }
        }
    }

    fn next(&self) -> Next {
        match self.state {
            State::Ready(next) | State::Waiting { next, .. } => next,
            State::Listing { .. } => Next::List,
            State::Opening { initial: true } | State::Watching { initial: true, .. } => Next::FullState,
            State::Opening { initial: false } | State::Watching { initial: false, .. } => Next::Watch,
            State::Probing => Next::Probe,
        }
    }

    /// The list is complete.
    pub fn listed(&mut self, version: &str, paginated: bool) {
        if let State::Listing { version: requested } = &self.state
            && requested == "0"
            && paginated
        {
            self.paginated = true;
        }
        self.synced_to(version);
        self.incomplete_lists = 0;
        self.internal_errors.reset();
        self.state = State::Ready(Next::Watch);
    }

    /// The list is here, but for an item that could not be identified: it is asked for again, as client-go does, in the hope
    /// that it was damaged on its way. What is damaged at the server stays so, and is watched all the same in the end.
    pub fn listed_incomplete(&mut self, version: &str, paginated: bool, now: Instant, draw: f64) {
        let previous = self.incomplete_lists;
        self.listed(version, paginated);
        if previous < MAX_INCOMPLETE_LISTS {
            self.incomplete_lists = previous + 1;
            self.back_off(Failure::Refused, Next::FullState, now, draw);
        }
    }

    /// The list failed. Gives back whether that is to be told: a version that is not to be had is asked for no more.
    pub fn list_failed(&mut self, error: &Error, now: Instant, draw: f64) -> bool {
        let has_version = matches!(&self.state, State::Listing { version } if !version.is_empty());
        if is_version_unavailable(error) {
            self.version_unavailable = true;
            if has_version {
                self.state = State::Ready(Next::List);
                return false;
            }
        }
        self.back_off(Failure::from_error(error), Next::FullState, now, draw);
        true
    }

    /// The watch is open.
    pub fn opened(&mut self, now: Instant) {
        let initial = matches!(self.state, State::Opening { initial: true });
        self.state = State::Watching { since: now, events: 0, initial };
    }

    /// The watch could not be opened.
    pub fn open_failed(&mut self, error: &Error, now: Instant, draw: f64) {
        let initial = matches!(self.state, State::Opening { initial: true });
        match initial {
            _ if is_transient(error) => {
                self.back_off(
                    Failure::from_error(error),
                    if initial { Next::FullState } else { Next::Watch },
                    now,
                    draw,
                );
            }
            true if is_version_unavailable(error) && !self.version_unavailable => {
                self.version_unavailable = true;
                self.state = State::Ready(Next::FullState);
            }
            true => {
                self.cut_short = self.options.cut_short_limit;
                self.state = State::Ready(Next::List);
            }
            false => self.back_off(Failure::from_error(error), Next::FullState, now, draw),
        }
    }

    /// An event came.
    pub fn event(&mut self, event: &Event<'_>, now: Instant, draw: f64) -> EventEffect {
        let State::Watching { events, initial, .. } = &mut self.state else { return EventEffect::Ignore };
        let is_initial = *initial;
        match event {
            Event::Error(error) | Event::Undecodable(error) => {
                self.end_with_error(error, now, draw);
                EventEffect::WatchEnded
            }
            Event::Object(version) => {
                *events += 1;
                if is_initial {
                    return EventEffect::InitialEvent;
                }
                if !version.is_empty() {
                    (*version).clone_into(&mut self.version);
                }
                EventEffect::Change
            }
            Event::Bookmark(mark) => {
                *events += 1;
                if is_initial && !mark.initial_events_end {
                    return EventEffect::Ignore;
                }
                *initial = false;
                self.synced_to(&mark.resource_version);
                if !is_initial {
                    return EventEffect::Bookmark;
                }
                self.internal_errors.reset();
                EventEffect::InitialEventsEnd
            }
        }
    }

    /// The watch ended: by itself, or with an error of its connection. Gives back what is to be told of that.
    pub fn closed(&mut self, error: Option<&Error>, now: Instant, draw: f64) -> Option<Error> {
        let State::Watching { since, events, initial } = self.state else { return None };
        let failure = error.map_or(Failure::Refused, Failure::from_error);
        if initial {
            self.cut_short += 1;
            self.back_off(failure, Next::FullState, now, draw);
            return error.cloned();
        }
        self.watched_for(now.since(since));
        match error {
            Some(error) if error.is_timeout() => self.state = State::Ready(Next::Probe),
            // The next watch would begin with the same event.
            Some(error) if error.is_too_large() => {
                self.back_off(Failure::Refused, Next::FullState, now, draw);
                return Some(error.clone());
            }
            Some(_) if events == 0 => self.back_off(failure, Next::Watch, now, draw),
            None if events == 0 && now.since(since) < MIN_WATCH_DURATION => {
                self.back_off(Failure::Refused, Next::FullState, now, draw);
                let message =
                    "very short watch: Unexpected watch close - watch lasted less than a second and no items received";
                return Some(Error::network(OPERATION, message));
            }
            _ => self.state = State::Ready(Next::Watch),
        }
        None
    }

    /// The probe was answered, or not.
    pub fn probed(&mut self, answered: bool, now: Instant, draw: f64) {
        if answered {
            self.state = State::Ready(Next::Watch);
        } else {
            self.back_off(Failure::Unreachable, Next::Probe, now, draw);
        }
    }

    /// An ERROR event, or one that cannot be decoded.
    fn end_with_error(&mut self, error: &Error, now: Instant, draw: f64) {
        let State::Watching { since, initial, .. } = self.state else { return };
        if !initial {
            self.watched_for(now.since(since));
        }
        if !initial && error.is_internal_error() && self.internal_errors.should_retry(now) {
            self.state = State::Ready(Next::Watch);
            return;
        }
        self.version_unavailable |= initial && is_version_unavailable(error);
        let next = if error.is_too_many_requests() && !initial { Next::Watch } else { Next::FullState };
        self.back_off(Failure::Refused, next, now, draw);
    }

    fn synced_to(&mut self, version: &str) {
        version.clone_into(&mut self.version);
        self.version_unavailable = false;
        self.cut_short = 0;
    }

    /// A watch that told changes for so long was a watch.
    fn watched_for(&mut self, duration: Duration) {
        if duration >= MIN_WATCH_DURATION {
            self.backoff.succeeded_for(duration);
        }
    }

    fn back_off(&mut self, failure: Failure, next: Next, now: Instant, draw: f64) {
        self.state = State::Waiting { until: now + self.backoff.next(failure, now, draw), next };
    }

    /// Whether to ask for the present state as a stream.
    fn uses_watch_list(&self) -> bool {
        self.options.initial == Initial::Stream && self.cut_short < self.options.cut_short_limit
    }

    fn list_options(&self) -> ListOptions {
        let version = match (self.options.initial, self.version.as_str()) {
            (Initial::Pages, _) => "",
            _ if self.version_unavailable => "",
            (_, "") => "0",
            (_, version) => version,
        };
        // A server with a cache answers from it only when no pages are asked for.
        let limit = match self.options.page_size {
            Some(size) => Some(size),
            None if self.paginated || matches!(version, "" | "0") => Some(crate::pager::DEFAULT_PAGE_SIZE),
            None => None,
        };
        ListOptions { resource_version: version.to_owned(), limit, ..ListOptions::default() }
    }

    fn watch_list_options(&self, draw: f64) -> ListOptions {
        let version = if self.version_unavailable { "" } else { &self.version };
        ListOptions {
            resource_version: version.to_owned(),
            resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
            send_initial_events: Some(true),
            ..self.watch_options(draw)
        }
    }

    fn watch_options(&self, draw: f64) -> ListOptions {
        let shortest = self.options.min_watch_timeout.max(ReflectorOptions::MIN_WATCH_TIMEOUT);
        let seconds = scaled(shortest, 1.0 + draw).as_secs();
        ListOptions {
            allow_watch_bookmarks: true,
            timeout_seconds: Some(u32::try_from(seconds).unwrap_or(u32::MAX)),
            ..ListOptions::default()
        }
    }
}

/// A watch that ended sooner, without an event, was no watch.
const MIN_WATCH_DURATION: Duration = Duration::from_secs(1);
const OPERATION: &str = "watch";

/// How often in a row a list is asked for again that has an item nobody can identify.
const MAX_INCOMPLETE_LISTS: u32 = 5;

impl Failure {
    /// What an error says of the server. A gateway that finds nobody behind it speaks for itself alone.
    fn from_error(error: &Error) -> Failure {
        let unreachable = error.is_network() && !error.is_timeout() || error.code() == Some(BAD_GATEWAY);
        if unreachable { Failure::Unreachable } else { Failure::Refused }
    }
}

const BAD_GATEWAY: u16 = 502;

/// The server cannot serve the version, and will never again or not soon.
fn is_version_unavailable(error: &Error) -> bool {
    error.is_gone() || error.is_too_large_resource_version()
}

/// The same request may succeed in a moment.
fn is_transient(error: &Error) -> bool {
    error.is_network() || error.is_too_many_requests() || error.is_timeout()
}

#[cfg(test)]
mod tests;
