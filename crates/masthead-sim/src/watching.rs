//! WATCH: changes as they are made, read from the store's history.
//!
//! A watcher has no buffer of its own. It keeps the version it has told of and reads on from there when it is asked, so a
//! slow one holds nothing up; one that fell behind the history is closed, as the real server closes it.

use std::{collections::VecDeque, rc::Rc, time::Duration};

use futures::{
    Stream,
    future::{Either, select},
    stream,
};
use masthead::{Error, runtime::Instant};

use crate::{
    fault::Effect,
    kind::Kind,
    object::Object,
    query::{From, Query},
    refusal::Refusal,
    seat::Seat,
    selection::Selection,
    sim::Shared,
    store::{Change, Store},
    telling::{Telling, write_event},
    view::View,
};

/// One open watch.
#[derive(Debug)]
pub(crate) struct Watching {
    kind: Rc<Kind>,
    selection: Selection,
    telling: Telling,
    phase: Phase,
    /// The version that everything up to has been told.
    told: u64,
    deadline: Instant,
    /// When to say next how far it is; `None` for never.
    mark_at: Option<Instant>,
    /// How many bookmarks there were.
    marks: u32,
    /// Which of them is left out, counted from 1.
    unmarked: Option<u32>,
    /// Which life of the server this is a watch of.
    life: u64,
    operation: Rc<str>,
}

#[derive(Debug)]
enum Phase {
    /// The state it begins with.
    Initial {
        left: VecDeque<Rc<Object>>,
        end: End,
    },
    Live,
    /// To be told, and then it is over.
    Refused(Refusal),
    Over,
}

/// How the state that a watch begins with ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Silent,
    Bookmark,
    /// The stream is over instead of telling.
    Closed,
}

/// How many events a chunk has at most.
const BATCH: usize = 500;
const BOOKMARK_PERIOD: Duration = Duration::from_secs(60);
/// How long before its end a watch tells where it is.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);
/// The shortest life of a watch that named none; the longest is twice that.
const MIN_LIFE: Duration = Duration::from_secs(1800);

impl Watching {
    /// Opens a watch; refuses what the real server refuses before the stream begins.
    pub(crate) fn open(
        shared: &Shared,
        kind: &Rc<Kind>,
        selection: Selection,
        query: &Query,
        view: View,
    ) -> Result<Watching, Refusal> {
        let initial = query.initial_events()?;
        let from = query.version().map_err(Refusal::internal)?;
        let (now, bookmarks) = (shared.runtime.now(), query.flag("allowWatchBookmarks"));
        let world = shared.world.borrow();
        let version = world.store.version();
        // The history of a kind that was defined at run time begins with it.
        let since = kind.custom.as_ref().map_or(0, |custom| custom.since);
        let oldest = world.store.oldest().max(since);
        let (phase, told) = match from {
            From::Version(asked) if !initial && asked < oldest => {
                (Phase::Refused(Refusal::too_old_version(asked, oldest)), asked)
            }
            From::Version(asked) if !initial => (Phase::Live, asked),
            From::Version(asked) if asked > version => return Err(Refusal::too_large_version(asked, version)),
            _ if initial => {
                let objects = world.store.all(kind).into_iter().flat_map(|all| all.values());
                let objects = objects.map(|object| object.served_as(kind));
                let left = objects.filter(|object| selection.matches(object)).collect();
                let end = if bookmarks { End::Bookmark } else { End::Silent };
                (Phase::Initial { left, end }, version)
            }
            _ => (Phase::Live, version),
        };
        let life = match query.number("timeoutSeconds")? {
            Some(seconds) if seconds > 0 => Duration::from_secs(seconds),
            _ => shared.runtime.jittered(MIN_LIFE, 1.0),
        };
        let deadline = now + life;
        // The real server has no progress to tell of events.
        let marks = bookmarks && !kind.expires();
        let mark_at = marks.then(|| next_mark(now, deadline)).flatten();
        let (life, operation) = (world.life, Rc::from("watch"));
        let kind = Rc::clone(kind);
        let telling = Telling::new(view);
        let (marks, unmarked) = (0, None);
        Ok(Watching { kind, selection, telling, phase, told, deadline, mark_at, marks, unmarked, life, operation })
    }

    /// The same watch, as a fault leaves it.
    pub(crate) fn bend(&mut self, effect: &Effect) {
        match (effect, &mut self.phase) {
            (Effect::SkipBookmark(number), _) => self.unmarked = Some(*number),
            (Effect::SkipBookmarks, phase) => {
                self.mark_at = None;
                if let Phase::Initial { end, .. } = phase {
                    *end = End::Silent;
                }
            }
            (Effect::CloseBeforeBookmark, Phase::Initial { end, .. }) => *end = End::Closed,
            _ => {}
        }
    }

    /// The body of the answer.
    pub(crate) fn into_stream(
        mut self,
        shared: Rc<Shared>,
        operation: Rc<str>,
    ) -> impl Stream<Item = Result<Vec<u8>, Error>> {
        self.operation = operation;
        let seat = Seat::take(shared);
        stream::unfold((self, seat), async |(mut watching, seat)| {
            let chunk = watching.next(&seat).await?;
            Some((chunk, (watching, seat)))
        })
    }

    async fn next(&mut self, seat: &Seat) -> Option<Result<Vec<u8>, Error>> {
        loop {
            if matches!(self.phase, Phase::Over) {
                return None;
            }
            if seat.shared.world.borrow().life != self.life {
                self.phase = Phase::Over;
                return Some(Err(Error::network(&self.operation, "connection reset")));
            }
            let now = seat.shared.runtime.now();
            self.telling.set_time(seat.shared.runtime.wall());
            if let Some(chunk) = self.ready(&seat.shared.world.borrow().store, now) {
                return Some(Ok(chunk));
            }
            if !seat.shared.world.borrow().kinds.is_current(&self.kind) {
                return None;
            }
            if matches!(self.phase, Phase::Over) || now >= self.deadline {
                return None;
            }
            let until = self.mark_at.unwrap_or(self.deadline).min(self.deadline);
            let pause = std::pin::pin!(seat.shared.runtime.sleep(until.since(now)));
            match select(std::pin::pin!(seat.changed(self.told, self.life)), pause).await {
                Either::Left(((), _)) | Either::Right(((), _)) => {}
            }
        }
    }

    /// What there is to tell now.
    fn ready(&mut self, store: &Store, now: Instant) -> Option<Vec<u8>> {
        let mut chunk = Vec::new();
        match &mut self.phase {
            Phase::Over => return None,
            Phase::Refused(refusal) => {
                write_event("ERROR", &refusal.status(), &mut chunk);
                self.phase = Phase::Over;
                return Some(chunk);
            }
            Phase::Initial { left, end } => {
                let many = left.len().min(BATCH);
                for object in left.drain(..many) {
                    self.telling.object("ADDED", &object, &mut chunk);
                }
                if left.is_empty() {
                    let end = *end;
                    self.phase = if end == End::Closed { Phase::Over } else { Phase::Live };
                    if end == End::Bookmark {
                        self.mark(true, &mut chunk);
                    }
                }
            }
            Phase::Live if self.told < store.oldest() => {
                self.phase = Phase::Over;
                return None;
            }
            Phase::Live => self.tell_changes(store, &mut chunk),
        }
        if chunk.is_empty() && self.mark_at.is_some_and(|at| at <= now) {
            self.mark_at = next_mark(now, self.deadline);
            self.mark(false, &mut chunk);
        }
        (!chunk.is_empty()).then_some(chunk)
    }

    fn mark(&mut self, ends_initial: bool, chunk: &mut Vec<u8>) {
        self.marks += 1;
        if self.unmarked != Some(self.marks) {
            self.telling.bookmark(&self.kind, self.told, ends_initial, chunk);
        }
    }

    fn tell_changes(&mut self, store: &Store, chunk: &mut Vec<u8>) {
        for change in store.changes_since(self.told).take(BATCH) {
            self.told = self.told.max(change.version);
            self.tell(change, chunk);
        }
    }

    fn tell(&mut self, change: &Change, chunk: &mut Vec<u8>) {
        if change.object().kind.resource != self.kind.resource {
            return;
        }
        let selected = |object: &Option<Rc<Object>>| {
            let served = object.as_ref().map(|object| object.served_as(&self.kind));
            served.filter(|object| self.selection.matches(object))
        };
        match (selected(&change.before), selected(&change.after)) {
            (None, Some(after)) => self.telling.object("ADDED", &after, chunk),
            (Some(_), Some(after)) => self.telling.object("MODIFIED", &after, chunk),
            (Some(before), None) => self.telling.object("DELETED", &before.at_version(change.version), chunk),
            (None, None) => {}
        }
    }
}

/// Once a minute, and shortly before the end.
fn next_mark(now: Instant, deadline: Instant) -> Option<Instant> {
    let left = deadline.since(now).saturating_sub(LAST_BOOKMARK);
    (!left.is_zero()).then(|| now + left.min(BOOKMARK_PERIOD))
}
