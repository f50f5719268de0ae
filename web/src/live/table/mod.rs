//! A table on screen: a grid fed by informers, written into one signal for each row that is in the DOM.
//!
//! Changes mark rows; once a frame everything that was marked is put into place and the signals of what is in sight are
//! written. A filter is tried for a few milliseconds of each frame until all rows were.

mod cursor;
mod custom;
mod following;
mod slot_signals;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

use leptos::prelude::{GetUntracked, GetValue, LocalStorage, Owner, RwSignal, Set, StoredValue, Update, WithUntracked};
use masthead::cache::ObjectKey;
use web_sys::HtmlElement;

use crate::{
    live::{
        Feed,
        clock::{now, since_start},
        feed::{Change, Subscription},
        frame::Frame,
    },
    model::{
        custom_column::CustomColumn,
        filter::Filter,
        screen::Count,
        table::{
            grid::{Grid, Id, Predicate, Shown},
            layout::Widths,
            pace::Pace,
            row::Row,
            selection::Selection,
            slots::Slot,
            sort::Field,
            tally::Tally,
            window::Viewport,
        },
    },
};

use custom::Maker;
use slot_signals::SlotSignals;

/// A table on screen. Copies are the same one; it ends with the component that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableView {
    state: StoredValue<Rc<State>, LocalStorage>,
    pub(crate) signals: Signals,
}

/// What views read of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signals {
    pub(crate) count: RwSignal<Count>,
    pub(crate) tally: RwSignal<Tally>,
    pub(crate) widths: RwSignal<Widths>,
    pub(crate) selection: RwSignal<Selection, LocalStorage>,
    /// The filter that the rows in the DOM are of, as it is written.
    pub(crate) filter: RwSignal<String>,
    /// Whether that filter was tried on the beginning of some value only, which was too long for it.
    pub(crate) cut: RwSignal<bool>,
    /// The rows in the DOM, by their slot.
    pub(crate) slots: RwSignal<Vec<RwSignal<Option<Slot>, LocalStorage>>>,
}

struct State {
    feed: Rc<Feed>,
    grid: RefCell<Grid>,
    widths: RefCell<Widths>,
    slots: RefCell<SlotSignals>,
    viewport: Cell<Viewport>,
    /// What scrolls.
    scroller: RefCell<Option<HtmlElement>>,
    /// Until when rows keep their places, in milliseconds since the page began; and since when they do.
    held: Cell<Option<(f64, f64)>>,
    /// A row that somebody follows beside the table.
    followed: RefCell<Option<Followed>>,
    /// The filter that the grid tries, for what it says of its work.
    filter: RefCell<Option<Rc<Filter>>>,
    pace: Cell<Pace>,
    /// The number of the row from which on the filter is tried again, while it is.
    rechecked: Cell<Option<usize>>,
    /// Whether the slots must be written whatever changed.
    stale: Cell<bool>,
    maker: Maker,
    signals: Signals,
    frame: RefCell<Option<Frame>>,
    subscription: RefCell<Option<Subscription>>,
}

/// A row that somebody follows: who, and what is called when it changed.
type Followed = (ObjectKey, Rc<dyn Fn()>);

/// What a table is made of besides its feed.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// Only rows of these namespaces; of all when there is none.
    pub(crate) namespaces: BTreeSet<String>,
    /// Columns that a person added.
    pub(crate) custom: Vec<CustomColumn>,
}

impl TableView {
    /// A table of what `feed` supplies.
    pub(crate) fn new(feed: Rc<Feed>, wanted: Wanted) -> TableView {
        let signals = Signals {
            count: RwSignal::new(Count::default()),
            tally: RwSignal::new(Tally::default()),
            widths: RwSignal::new(Widths::default()),
            selection: RwSignal::new_local(Selection::default()),
            filter: RwSignal::new(String::new()),
            cut: RwSignal::new(false),
            slots: RwSignal::new(Vec::new()),
        };
        let owner = Owner::current().expect("a table is made by a component");
        let state = Rc::new(State {
            feed: Rc::clone(&feed),
            grid: RefCell::default(),
            widths: RefCell::default(),
            slots: RefCell::new(SlotSignals::new(owner, signals.slots)),
            viewport: Cell::new(Viewport { top: 0.0, height: 0.0, row: 28.0 }),
            scroller: RefCell::default(),
            held: Cell::new(None),
            followed: RefCell::default(),
            filter: RefCell::default(),
            pace: Cell::default(),
            rechecked: Cell::new(None),
            stale: Cell::new(true),
            maker: Maker::new(wanted.custom),
            signals,
            frame: RefCell::default(),
            subscription: RefCell::default(),
        });
        let framed = Rc::downgrade(&state);
        let frame = Frame::new(move || {
            if let Some(state) = framed.upgrade() {
                state.draw();
            }
        });
        state.frame.replace(Some(frame));
        let told = Rc::downgrade(&state);
        let namespaces = wanted.namespaces;
        let subscription = feed.subscribe(move |change| {
            if let Some(state) = told.upgrade() {
                state.take(change, &namespaces);
            }
        });
        match subscription {
            Ok(subscription) => _ = state.subscription.replace(Some(subscription)),
            Err(error) => leptos::logging::warn!("{error}"),
        }
        TableView { state: StoredValue::new_local(state), signals }
    }

    /// Shows only rows that `filter` lets through, which is written so, from the top.
    pub(crate) fn filter(self, filter: Option<Filter>, text: &str) {
        let state = self.state.get_value();
        let filter = filter.map(Rc::new);
        state.pace.set(Pace::default());
        self.signals.cut.set(false);
        state.filter.replace(filter.clone());
        state
            .grid
            .borrow_mut()
            .filter(filter.map(|filter| -> Predicate { Box::new(move |row, now| filter.matches(row, now)) }));
        state.scroll_to(0.0);
        state.draw_now();
        self.signals.filter.set(text.to_owned());
    }

    /// Tries the filter again, a piece in each frame: time has gone by.
    pub(crate) fn recheck(self) {
        let state = self.state.get_value();
        if state.rechecked.get().is_none() {
            state.rechecked.set(Some(0));
            state.ask();
        }
    }

    /// Sorts by a column, the largest first if so asked.
    pub(crate) fn sort(self, order: Option<(Field, bool)>) {
        let state = self.state.get_value();
        state.grid.borrow_mut().sort(order);
        state.draw_now();
    }

    /// Takes the element that scrolls, and from then on how it is scrolled.
    pub(crate) fn attach(self, scroller: HtmlElement) {
        let state = self.state.get_value();
        state.scroller.replace(Some(scroller));
        self.measure();
    }

    /// Looks how large the table is on screen.
    pub(crate) fn measure(self) {
        let state = self.state.get_value();
        let Some(scroller) = state.scroller.borrow().clone() else { return };
        let row = if scroller.offset_height() > 0 { row_height(&scroller) } else { 28.0 };
        // The head of the table lies within what scrolls.
        let height = f64::from(scroller.client_height()) - row;
        state.viewport.set(Viewport { top: f64::from(scroller.scroll_top()), height: height.max(0.0), row });
        state.redraw();
    }

    /// The table was scrolled.
    pub(crate) fn scrolled(self) {
        let state = self.state.get_value();
        let Some(top) = state.scroller.borrow().as_ref().map(|scroller| f64::from(scroller.scroll_top())) else {
            return;
        };
        state.viewport.set(Viewport { top, ..state.viewport.get() });
        state.redraw();
    }

    /// The pointer moves over the rows: they keep their places for a moment, so that a click hits what it aims at.
    pub(crate) fn hold(self) {
        let state = self.state.get_value();
        let now = since_start();
        let since = state.held.get().filter(|(until, _)| now < *until).map_or(now, |(_, since)| since);
        state.held.set(Some(((now + HOLD).min(since + LONGEST_HOLD), since)));
    }

    /// Every row that is shown, by key.
    pub(crate) fn shown_keys(self) -> Vec<ObjectKey> {
        let state = self.state.get_value();
        let grid = state.grid.borrow();
        grid.shown().iter().filter_map(|id| grid.key(*id).cloned()).collect()
    }

    /// Visits rows: the chosen ones, or all that are shown when none is.
    pub(crate) fn visit(self, mut visit: impl FnMut(&Row)) {
        let state = self.state.get_value();
        let grid = state.grid.borrow();
        self.signals.selection.with_untracked(|selection| {
            let chosen =
                |id: &&Id| selection.chosen().len() == 0 || grid.key(**id).is_some_and(|key| selection.has(key));
            grid.shown().iter().filter(chosen).filter_map(|id| grid.get(*id)).for_each(|shown| visit(shown.row()));
        });
    }

    /// Calls `changed` whenever the row of this key changed or went; instead of whatever was followed before.
    pub(crate) fn follow(self, key: ObjectKey, changed: impl Fn() + 'static) {
        self.state.get_value().followed.replace(Some((key, Rc::new(changed))));
    }

    /// The feed that the rows come from.
    pub(crate) fn feed(self) -> Rc<Feed> {
        Rc::clone(&self.state.get_value().feed)
    }
}

impl State {
    fn take(&self, change: Change, namespaces: &BTreeSet<String>) {
        let (Change::Put(changed, _) | Change::Gone(changed)) = &change;
        let followed =
            self.followed.borrow().as_ref().filter(|(key, _)| key == changed).map(|(_, call)| Rc::clone(call));
        let mut grid = self.grid.borrow_mut();
        match change {
            Change::Put(key, shown) => {
                if namespaces.is_empty() || namespaces.contains(key.namespace()) {
                    grid.put(key, self.maker.make(shown));
                }
            }
            Change::Gone(key) => {
                grid.remove(&key);
                let chosen = self.signals.selection.with_untracked(|selection| selection.has(&key));
                if chosen {
                    self.signals.selection.update(|selection| selection.forget(&key));
                }
            }
        }
        drop(grid);
        self.ask();
        if let Some(call) = followed {
            call();
        }
    }

    fn ask(&self) {
        if let Some(frame) = &*self.frame.borrow() {
            frame.ask();
        }
    }

    fn redraw(&self) {
        self.stale.set(true);
        self.ask();
    }

    /// Answers a person at once: the next frame may be as far away as a whole one.
    fn draw_now(&self) {
        self.stale.set(true);
        self.draw();
    }

    /// What is done once a frame.
    fn draw(&self) {
        let (began, now) = (since_start(), now());
        let mut grid = self.grid.borrow_mut();
        let anchor = self.anchor(&grid);
        let rechecked = self.recheck(&mut grid, began, now);
        grid.try_in_flush(self.pace.get().rows());
        let held = self.held.get().is_some_and(|(until, _)| began < until) && grid.is_dirty();
        let flushed = if held { Default::default() } else { grid.flush(now) };
        self.scan(&mut grid, began, now);
        if held || grid.is_scanning() || rechecked.is_some() {
            self.ask();
        }
        self.note_widths(&grid, &flushed.changed);
        let count = Count { shown: grid.shown().len(), total: grid.total(), scanning: grid.is_scanning() };
        let counted = self.signals.count.get_untracked() != count;
        let tally = (!flushed.changed.is_empty() && self.signals.tally.with_untracked(|tally| tally != grid.tally()))
            .then(|| grid.tally().clone());
        if flushed.moved {
            self.keep_in_place(&grid, anchor);
        }
        if self.stale.replace(false) || !flushed.changed.is_empty() || counted {
            self.slots.borrow_mut().write(&grid, self.viewport.get());
        }
        drop(grid);
        if counted {
            self.signals.count.set(count);
        }
        if let Some(tally) = tally {
            self.signals.tally.set(tally);
        }
    }

    /// Tries the filter on rows that were not tried yet, for the rest of the slice that began then.
    fn scan(&self, grid: &mut Grid, began: f64, now: i64) {
        while !grid.scan(self.pace.get().rows(), now) {
            self.keep_pace();
            if since_start() - began >= SLICE {
                break;
            }
        }
        let cut = self.filter.borrow().as_ref().is_some_and(|filter| filter.is_cut());
        if self.signals.cut.get_untracked() != cut {
            self.signals.cut.set(cut);
        }
    }

    /// Tries the filter again where that is under way; gives the number of the row to go on from.
    fn recheck(&self, grid: &mut Grid, began: f64, now: i64) -> Option<usize> {
        let mut from = self.rechecked.take();
        while let Some(at) = from {
            from = grid.recheck(at, self.pace.get().rows(), now);
            self.keep_pace();
            if since_start() - began >= SLICE / 2.0 {
                break;
            }
        }
        self.rechecked.set(from);
        from
    }

    fn keep_pace(&self) {
        let work = self.filter.borrow().as_ref().map_or(0, |filter| filter.take_work());
        let mut pace = self.pace.get();
        pace.tried(work);
        self.pace.set(pace);
    }

    fn note_widths(&self, grid: &Grid, changed: &[Id]) {
        let mut widths = self.widths.borrow_mut();
        let mut grew = false;
        for row in changed.iter().filter_map(|id| grid.get(*id)).map(Shown::row) {
            grew |= widths.note(row);
        }
        if grew {
            self.signals.widths.set(widths.clone());
        }
    }

    /// The row at the top of a table that is scrolled.
    fn anchor(&self, grid: &Grid) -> Option<(Id, usize)> {
        let viewport = self.viewport.get();
        let place = (viewport.top / viewport.row) as usize;
        (place > 0).then(|| grid.shown().get(place).map(|id| (*id, place)))?
    }

    /// Scrolls with the row at the top, so that what somebody reads stays where it is when rows come and go above it.
    fn keep_in_place(&self, grid: &Grid, anchor: Option<(Id, usize)>) {
        let Some((place, before)) = anchor.and_then(|(id, before)| Some((grid.position(id)?, before))) else { return };
        if place != before {
            let viewport = self.viewport.get();
            self.scroll_to(viewport.top + (place as f64 - before as f64) * viewport.row);
        }
    }

    fn scroll_to(&self, top: f64) {
        let Some(scroller) = self.scroller.borrow().clone() else { return };
        // Asking for where it is already would still make the browser lay out the page.
        if self.viewport.get().top == top {
            return;
        }
        scroller.set_scroll_top(top as i32);
        self.viewport.set(Viewport { top: top.max(0.0), ..self.viewport.get() });
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("grid", &self.grid.borrow()).finish_non_exhaustive()
    }
}

/// The height of a row is a token of the style sheet.
fn row_height(scroller: &HtmlElement) -> f64 {
    let style = web_sys::window().and_then(|window| window.get_computed_style(scroller).ok().flatten());
    let height = style.and_then(|style| style.get_property_value("--row").ok());
    height.and_then(|text| text.trim().strip_suffix("px")?.parse().ok()).map_or(28.0, |height: u16| f64::from(height))
}

/// How many milliseconds of a frame a filter takes at most.
const SLICE: f64 = 6.0;

/// How long rows keep their places after the pointer moved, and how long at most while it moves, in milliseconds.
const HOLD: f64 = 400.0;
const LONGEST_HOLD: f64 = 2000.0;
