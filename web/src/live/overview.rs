//! The figures of the overview, kept by the same informers that fill tables.
//!
//! It follows pods, nodes, deployments, stateful sets and daemon sets through the page's feeds, which tables then share. So it
//! does with events where a feed of them runs; otherwise it asks for those alone that warn, which are few. A change costs a few additions, whatever the number of objects; what
//! is counted is shown at most four times a second. The feeds stay as long as the page keeps feeds; the rest ends with the
//! component that made it.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

use leptos::prelude::{Effect, LocalStorage, RwSignal, Set, StoredValue, Track, WithValue};
use masthead::cache::ObjectKey;
use rustc_hash::FxHashMap;

use crate::{
    live::{
        Feed, Relatives, Session, Subject,
        clock::{now, since_start},
        feed::{Change, Subscription},
        frame::Frame,
    },
    model::{
        detail::Relation,
        overview::{Board, Counted},
        supply::Supply,
        table::grid::Shown,
    },
};

/// What the overview shows.
#[derive(Clone, Copy)]
pub(crate) struct OverviewFeed {
    pub(crate) board: RwSignal<Board, LocalStorage>,
    /// How each kind is supplied.
    pub(crate) supplies: StoredValue<Vec<(Counted, RwSignal<Supply>)>>,
    _running: StoredValue<Box<dyn std::any::Any>, LocalStorage>,
}

struct State {
    board: RefCell<Board>,
    /// What each object was counted as: the last state of one that went is not always the one that was seen. Rows are shared
    /// with the informers.
    seen: RefCell<FxHashMap<(Counted, ObjectKey), Shown>>,
    /// Only rows of these namespaces, or of none; of all when there is none.
    namespaces: BTreeSet<String>,
    shown: RwSignal<Board, LocalStorage>,
    /// Whether something changed since it was shown.
    stale: Cell<bool>,
    /// When it was last shown, in milliseconds since the page began.
    since: Cell<f64>,
}

impl OverviewFeed {
    /// Begins to count, in the namespaces that are chosen.
    pub(crate) fn open(session: Session, namespaces: Vec<String>) -> OverviewFeed {
        let board = RwSignal::new_local(Board::default());
        let state = Rc::new(State {
            board: RefCell::default(),
            seen: RefCell::default(),
            namespaces: namespaces.iter().cloned().collect(),
            shown: board,
            stale: Cell::new(false),
            since: Cell::new(0.0),
        });
        let framed = Rc::clone(&state);
        let frame = Rc::new(Frame::new(move || framed.show()));
        let kinds: Vec<(Counted, Subject)> = Counted::ALL
            .into_iter()
            .filter(|counted| *counted != Counted::Warnings)
            .filter_map(|counted| Some((counted, Subject::new(&session.kind(counted.id())?, &namespaces))))
            .collect();
        let subjects: Vec<Subject> = kinds.iter().map(|(_, subject)| subject.clone()).collect();
        let feeds = session.feeds_of(&subjects);
        let (mut supplies, mut told) = (Vec::new(), Vec::new());
        for ((counted, _), feed) in kinds.iter().zip(&feeds) {
            supplies.push((*counted, RwSignal::from(feed.supply.clone())));
            told.push(follow(&state, &frame, *counted, feed));
        }
        let events = session.kind(Counted::Warnings.id()).map(|kind| Subject::new(&kind, &namespaces));
        let events = events.and_then(|subject| session.running_feed(&subject));
        match &events {
            Some(feed) => {
                supplies.push((Counted::Warnings, RwSignal::from(feed.supply.clone())));
                told.push(follow(&state, &frame, Counted::Warnings, feed));
            }
            None => {
                let warnings = warnings(session, &namespaces, (&state, &frame));
                supplies.extend(warnings.map(|warnings| (Counted::Warnings, warnings.supply)));
            }
        }
        let ticked = Rc::clone(&frame);
        let ticked = StoredValue::new_local(ticked);
        Effect::new(move || {
            session.now.track();
            ticked.with_value(|frame| frame.ask());
        });
        let running: Box<dyn std::any::Any> = Box::new((state, frame, feeds, events, told));
        OverviewFeed { board, supplies: StoredValue::new(supplies), _running: StoredValue::new_local(running) }
    }
}

fn follow(state: &Rc<State>, frame: &Rc<Frame>, counted: Counted, feed: &Feed) -> Option<Subscription> {
    let (state, frame) = (Rc::clone(state), Rc::clone(frame));
    let told = feed.subscribe(move |change| {
        state.take(counted, change);
        frame.ask();
    });
    told.inspect_err(|error| leptos::logging::warn!("{error}")).ok()
}

/// The events that warn, asked for by themselves.
fn warnings(session: Session, namespaces: &[String], (state, frame): (&Rc<State>, &Rc<Frame>)) -> Option<Relatives> {
    let one = if let [namespace] = namespaces { namespace.as_str() } else { "" };
    let relation = Relation { fields: "type=Warning".to_owned(), ..Relation::events(one, "") };
    let (state, frame) = (Rc::clone(state), Rc::clone(frame));
    Relatives::follow_each(&session.client(), &relation, move |change| {
        state.take(Counted::Warnings, change);
        frame.ask();
    })
}

impl State {
    fn take(&self, counted: Counted, change: Change) {
        let (key, after) = match change {
            Change::Put(key, shown) => (key, Some(shown)),
            Change::Gone(key) => (key, None),
        };
        let chosen =
            self.namespaces.is_empty() || key.namespace().is_empty() || self.namespaces.contains(key.namespace());
        if !chosen {
            return;
        }
        let mut seen = self.seen.borrow_mut();
        let before = match &after {
            Some(shown) => seen.insert((counted, key), shown.clone()),
            None => seen.remove(&(counted, key)),
        };
        let [before, after] = [&before, &after].map(|shown| shown.as_ref().map(Shown::row));
        self.board.borrow_mut().turn(counted, before, after, now());
        self.stale.set(true);
    }

    /// Shows what was counted, unless that was a moment ago: the clock of the page asks again.
    fn show(&self) {
        if self.stale.get() && since_start() - self.since.get() > PERIOD {
            self.stale.set(false);
            self.since.set(since_start());
            let board = self.board.borrow().clone();
            self.shown.set(board);
        }
    }
}

/// Milliseconds: nobody reads figures faster.
const PERIOD: f64 = 250.0;
