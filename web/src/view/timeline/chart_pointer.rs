//! What a pointer does in the lanes: it drags, zooms, points and chooses.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent, PointerEvent, WheelEvent};

use super::{
    board::{Board, Chosen, LaneSpot, Pointed},
    chart_paint::AXIS,
};
use crate::{
    live::clock,
    model::timeline::{
        frame::{Hit, Viewport},
        window::Window,
    },
};

/// A pointer in the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartPointer {
    board: Board,
    viewport: RwSignal<Viewport>,
    drag: RwSignal<Option<Drag>>,
}

/// What a drag began with.
#[derive(Clone, Copy, Debug)]
struct Drag {
    from: (f64, f64),
    window: Window,
    scroll: f64,
    /// Whether it went further than a hand trembles.
    moved: bool,
}

impl ChartPointer {
    pub(super) fn new(board: Board, viewport: RwSignal<Viewport>) -> ChartPointer {
        ChartPointer { board, viewport, drag: RwSignal::new(None) }
    }

    pub(super) fn is_dragging(self) -> bool {
        self.drag.with(|drag| drag.is_some_and(|drag| drag.moved))
    }

    pub(super) fn down(self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if let Some(element) = target(event) {
            // Without the capture a drag ends at the edge of the lanes, which is no harm.
            drop(element.set_pointer_capture(event.pointer_id()));
        }
        let (window, scroll) = (self.board.window(), self.viewport.with_untracked(|viewport| viewport.scroll));
        self.drag.set(Some(Drag { from: place(event), window, scroll, moved: false }));
    }

    pub(super) fn moved(self, event: &PointerEvent) {
        let (x, y) = place(event);
        let Some(mut drag) = self.drag.get_untracked() else {
            self.point((x, y));
            return;
        };
        let by = (x - drag.from.0, y - drag.from.1);
        if !drag.moved && by.0.abs().max(by.1.abs()) < TREMBLE {
            return;
        }
        if !drag.moved {
            drag.moved = true;
            self.drag.set(Some(drag));
            self.board.pointed.set(None);
        }
        let per_pixel = drag.window.span() as f64 / self.track();
        if by.0.abs() >= TREMBLE || self.board.window() != drag.window {
            self.board.show(drag.window.pan((-by.0 * per_pixel).round() as i64, clock::now()));
        }
        self.board.scroll.set((drag.scroll - by.1).max(0.0));
    }

    pub(super) fn up(self, event: &PointerEvent) {
        let drag = self.drag.get_untracked();
        self.drag.set(None);
        if drag.is_some_and(|drag| !drag.moved) {
            self.click(place(event));
        }
    }

    /// Zooms in where somebody clicks twice.
    pub(super) fn double(self, event: &MouseEvent) {
        let (x, _) = place(event);
        self.zoom(0.4, x);
    }

    /// Zooms at the pointer; sideways it pans, and over the names, or with Shift, it scrolls.
    pub(super) fn wheel(self, event: &WheelEvent) {
        event.prevent_default();
        let (x, _) = place(event);
        let (across, down) = (event.delta_x(), event.delta_y());
        let names = self.viewport.with_untracked(|viewport| viewport.names);
        let lines = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
        if x < names || event.shift_key() {
            let by = if across.abs() > down.abs() { across } else { down };
            let scroll = self.viewport.with_untracked(|viewport| viewport.scroll);
            self.board.scroll.set((scroll + by * lines).max(0.0));
        } else if across.abs() > down.abs() {
            let window = self.board.window();
            let by = across * lines * window.span() as f64 / self.track();
            self.board.show(window.pan(by.round() as i64, clock::now()));
        } else {
            self.zoom((down * lines / 320.0).clamp(-1.0, 1.0).exp2(), x);
        }
        self.board.pointed.set(None);
    }

    fn zoom(self, factor: f64, x: f64) {
        let names = self.viewport.with_untracked(|viewport| viewport.names);
        let anchor = ((x - names) / self.track()).clamp(0.0, 1.0);
        self.board.show(self.board.window().zoom(factor, anchor, clock::now()));
    }

    fn track(self) -> f64 {
        self.viewport.with_untracked(|viewport| (viewport.width - viewport.names).max(1.0))
    }

    fn hit(self, (x, y): (f64, f64)) -> Option<Hit> {
        let viewport = self.viewport.get_untracked();
        self.board.live.with(|model| model.frame().hit(x, y - AXIS, &viewport))
    }

    fn point(self, at: (f64, f64)) {
        let spot = self.hit(at).and_then(|hit| self.spot(&hit, at));
        let pointed = spot.map(Pointed::Lane);
        if self.board.pointed.with_untracked(|before| *before != pointed) {
            self.board.pointed.set(pointed);
        }
    }

    fn spot(self, hit: &Hit, at: (f64, f64)) -> Option<LaneSpot> {
        self.board.live.with(|model| {
            let row = *model.lanes().rows().get(hit.place)?;
            let key = model.lanes().get(row.lane).key.clone();
            let mark = hit.mark.and_then(|mark| model.frame().marks.get(mark)).map(|mark| mark.places.clone());
            // Within one mark the pointer is at one place, so that what is shown beside it stands still.
            let at = if mark.is_some() || hit.is_name { (at.0.round(), at.1.round()) } else { at };
            Some(LaneSpot { at, place: hit.place, lane: (key, row.is_open), mark, phase: hit.phase })
        })
    }

    /// A name opens its lane, a mark is listed alone, and so is a lane.
    fn click(self, at: (f64, f64)) {
        let Some(hit) = self.hit(at) else { return };
        let Some(spot) = self.spot(&hit, at) else { return };
        self.board.cursor.set(Some(hit.place));
        if hit.is_name && self.board.live.update(|model| model.toggle(hit.lane)) {
            return;
        }
        let between = spot.mark.as_ref().and_then(|places| {
            self.board.live.with(|model| {
                let track = model.lanes().get(hit.lane).shown(spot.lane.1);
                (places.end <= track.len()).then(|| (track.time(places.start), track.time(places.end - 1) + 1))
            })
        });
        let chosen = Chosen { lane: spot.lane, between };
        let again = self.board.chosen.with_untracked(|before| before.as_ref() == Some(&chosen));
        self.board.chosen.set((!again).then_some(chosen));
    }
}

/// How far a hand that means to click moves.
const TREMBLE: f64 = 4.0;

fn place(event: &MouseEvent) -> (f64, f64) {
    (f64::from(event.offset_x()), f64::from(event.offset_y()))
}

fn target(event: &PointerEvent) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}
