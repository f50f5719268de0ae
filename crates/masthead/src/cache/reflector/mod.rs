//! client-go's `Reflector` as a state machine without clock and I/O: decides whether to list, watch, wait or probe
//! next.
//!
//! Every transition is in this file. [`list_and_watch()`] performs the actions and reports the results; a caller with
//! other needs can drive the machine itself.

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

/// Decides how to keep one collection up to date: list it, watch from the resource version of the list, resume or
/// relist after a failure.
///
/// Call [`poll`](Self::poll), perform the [`Action`], and report the result with the matching method. Time and random
/// numbers are arguments: `draw` is a random number in 0..1 for jitter.
///
/// ```
/// use masthead::{
///     cache::{Action, Reflector, ReflectorOptions},
///     runtime::Instant,
/// };
///
/// let mut reflector = Reflector::new(ReflectorOptions::default());
/// let now = Instant::ORIGIN;
/// assert!(matches!(reflector.poll(now, 0.5), Action::List(_)));
/// reflector.listed("42", false);
/// let Action::Watch(options) = reflector.poll(now, 0.5) else { panic!("a watch follows a list") };
/// assert_eq!(options.resource_version, "42");
/// ```
#[derive(Debug)]
pub struct Reflector {
    options: ReflectorOptions,
    state: State,
    /// The last resource version that was reported. Opaque; empty before the first list.
    version: String,
    /// The server no longer has `version`, or does not have it yet. The next list must not ask for it.
    version_unavailable: bool,
    /// A list with `resourceVersion=0` was paginated, so the server has no watch cache and further lists should have
    /// pages.
    paginated: bool,
    /// How many streams in a row closed before their initial events were complete.
    cut_short: u32,
    /// How many lists in a row had an item that could not be identified.
    incomplete_lists: u32,
    backoff: ReflectorBackoff,
    /// Limits the immediate retries after internal errors.
    internal_errors: RetryWithDeadline,
}

/// What the caller of a [`Reflector`] must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Wait this long, then poll again.
    Wait(Duration),
    /// List with these options, following continue tokens.
    List(ListOptions),
    /// Watch with these options.
    Watch(ListOptions),
    /// The last watch timed out: send a minimal request, to find out whether the server answers.
    Probe,
}

/// A watch event, as far as a [`Reflector`] needs to know it.
#[derive(Debug)]
pub enum Event<'a> {
    /// An object event, with the resource version of the object; empty if it could not be read.
    Object(&'a str),
    /// An event that could neither be decoded nor attributed to an object. Any change may have been missed.
    Undecodable(&'a Error),
    /// A bookmark.
    Bookmark(&'a Bookmark),
    /// An error event: the server ends the watch.
    Error(&'a Error),
}

/// What the caller must do with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventEffect {
    /// Apply it: an object changed.
    Change,
    /// Collect it: it belongs to the initial events of a stream.
    InitialEvent,
    /// Replace the store with the collected objects: the initial events are complete.
    InitialEventsEnd,
    /// Record the resource version: nothing changed up to it.
    Bookmark,
    /// Ignore it.
    Ignore,
    /// Drop the watch: it is over. The reflector knows, so do not report it as closed.
    WatchEnded,
}

/// What the reflector is doing.
#[derive(Debug)]
enum State {
    /// The next action can start now.
    Ready(Next),
    /// Nothing to do before `until`.
    Waiting { until: Instant, next: Next },
    /// A list is running, with this `resourceVersion` parameter.
    Listing { version: String },
    /// A watch is being opened; `initial` if it sends the initial events.
    Opening { initial: bool },
    /// A watch is open; `initial` while it sends the initial events.
    Watching { since: Instant, events: u64, initial: bool },
    /// A probe is running.
    Probing,
}

/// The action that follows a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Read the whole collection, by stream if possible and otherwise by list.
    FullState,
    /// List, even if streams are preferred.
    List,
    /// Resume the watch at the last resource version.
    Watch,
    /// Find out whether the server answers.
    Probe,
}

impl Reflector {
    /// Creates a reflector that starts with a list or stream.
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

    /// The last resource version that was reported. Opaque; empty before the first list.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether the open watch is still sending its initial events.
    pub fn is_collecting(&self) -> bool {
        matches!(self.state, State::Watching { initial: true, .. })
    }

    /// Returns what to do next. Returns the same action again until its result is reported.
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

    /// What the current state is about to do, or is doing.
    fn next(&self) -> Next {
        match self.state {
            State::Ready(next) | State::Waiting { next, .. } => next,
            State::Listing { .. } => Next::List,
            State::Opening { initial: true } | State::Watching { initial: true, .. } => Next::FullState,
            State::Opening { initial: false } | State::Watching { initial: false, .. } => Next::Watch,
            State::Probing => Next::Probe,
        }
    }

    /// Reports that a list with this resource version succeeded.
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

    /// Reports a list with an item that could not be identified.
    ///
    /// As client-go does, the reflector relists, since the item may have been damaged in transit. After a few such
    /// lists it watches all the same, since the object may be damaged on the server.
    pub fn listed_incomplete(&mut self, version: &str, paginated: bool, now: Instant, draw: f64) {
        let previous = self.incomplete_lists;
        self.listed(version, paginated);
        if previous < MAX_INCOMPLETE_LISTS {
            self.incomplete_lists = previous + 1;
            self.back_off(Failure::Refused, Next::FullState, now, draw);
        }
    }

    /// Reports that a list failed. Returns whether to report the error to the user: an unavailable resource version is
    /// not an error, and the reflector lists again without it.
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

    /// Reports that the watch is open.
    pub fn opened(&mut self, now: Instant) {
        let initial = matches!(self.state, State::Opening { initial: true });
        self.state = State::Watching { since: now, events: 0, initial };
    }

    /// Reports that the watch could not be opened.
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

    /// Reports an event of the open watch, and returns what to do with it.
    pub fn event(&mut self, event: &Event<'_>, now: Instant, draw: f64) -> EventEffect {
        let State::Watching { events, initial, .. } = &mut self.state else { return EventEffect::Ignore };
        let is_initial = *initial;
        match event {
            Event::Error(error) => {
                self.end_with_error(error, now, draw);
                EventEffect::WatchEnded
            }
            Event::Undecodable(error) => {
                // The next stream of initial events would end at the same object: lists go past it.
                self.cut_short += u32::from(is_initial);
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

    /// Reports that the watch ended: with an error, or cleanly. Returns the error to report to the user, if there is
    /// one.
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
            // A new watch would start with the same event.
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

    /// Reports whether the server answered the probe.
    pub fn probed(&mut self, answered: bool, now: Instant, draw: f64) {
        if answered {
            self.state = State::Ready(Next::Watch);
        } else {
            self.back_off(Failure::Unreachable, Next::Probe, now, draw);
        }
    }

    /// Ends the watch after an error event or an undecodable one.
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

    /// Records that the store is complete at this version.
    fn synced_to(&mut self, version: &str) {
        version.clone_into(&mut self.version);
        self.version_unavailable = false;
        self.cut_short = 0;
    }

    /// Resets the backoff after a watch that lasted long enough to count as a success.
    fn watched_for(&mut self, duration: Duration) {
        if duration >= MIN_WATCH_DURATION {
            self.backoff.succeeded_for(duration);
        }
    }

    /// Waits for the backoff of `failure`, then does `next`.
    fn back_off(&mut self, failure: Failure, next: Next, now: Instant, draw: f64) {
        self.state = State::Waiting { until: now + self.backoff.next(failure, now, draw), next };
    }

    /// Whether to read the whole collection as a stream, as client-go's `useWatchList`.
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
        // A server answers from its watch cache only if no limit is set.
        let limit = match self.options.page_size {
            Some(size) => Some(size),
            None if self.paginated || matches!(version, "" | "0") => Some(crate::pager::DEFAULT_PAGE_SIZE),
            None => None,
        };
        ListOptions { resource_version: version.to_owned(), limit, ..ListOptions::default() }
    }

    /// The options of a watch that starts with all objects.
    fn watch_list_options(&self, draw: f64) -> ListOptions {
        let version = if self.version_unavailable { "" } else { &self.version };
        ListOptions {
            resource_version: version.to_owned(),
            resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
            send_initial_events: Some(true),
            ..self.watch_options(draw)
        }
    }

    /// The options of every watch. The timeout is one to two times the minimum, so that watches do not all end
    /// together.
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

/// A watch that ended sooner and without an event counts as a failure.
const MIN_WATCH_DURATION: Duration = Duration::from_secs(1);
const OPERATION: &str = "watch";

/// How many lists in a row with an unidentified item lead to a relist.
const MAX_INCOMPLETE_LISTS: u32 = 5;

impl Failure {
    /// Classifies an error. 502 comes from a gateway that cannot reach the server.
    fn from_error(error: &Error) -> Failure {
        let unreachable = error.is_network() && !error.is_timeout() || error.code() == Some(BAD_GATEWAY);
        if unreachable { Failure::Unreachable } else { Failure::Refused }
    }
}

const BAD_GATEWAY: u16 = 502;

/// Whether the server cannot serve the requested resource version: it expired, or is too new.
fn is_version_unavailable(error: &Error) -> bool {
    error.is_gone() || error.is_too_large_resource_version()
}

/// Whether the same request may succeed soon.
fn is_transient(error: &Error) -> bool {
    error.is_network() || error.is_too_many_requests() || error.is_timeout()
}

#[cfg(test)]
mod tests;
