//! The strip above the lanes: the whole range, and the window in it.

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::{
    board::Board,
    canvas::{Canvas, SizeWatch},
    palette::Palette,
    strip_paint::StripScene,
};
use crate::{
    live::{clock, frame::Frame},
    model::timeline::{
        axis,
        scale::Scale,
        strip::{Grip, drag, grip, histogram},
        window::Window,
    },
};

/// A histogram with a window to drag.
#[component]
pub(super) fn Strip(board: Board, inks: NodeRef<html::Div>) -> impl IntoView {
    let node = NodeRef::<html::Canvas>::new();
    let palette = StoredValue::new_local(Palette::default());
    let frame = StoredValue::new_local(Frame::new(move || board.timed(|| draw(board, node, inks, palette))));
    let ask = move || frame.with_value(Frame::ask);
    Effect::new(move || {
        board.live.revision.track();
        board.state.track();
        board.now.track();
        ask();
    });
    let sizes = StoredValue::new_local(None);
    Effect::new(move || sizes.set_value(node.get().and_then(|canvas| SizeWatch::new(&canvas, ask))));
    let held = RwSignal::new(None::<Held>);
    let over = RwSignal::new(Grip::Elsewhere);
    view! {
        <canvas
            class="tl-strip"
            node_ref=node
            role="img"
            data-testid="timeline-strip"
            aria-label=move || board.words.get().strip_label
            data-grip=move || name(held.get().map_or(over.get(), |held| held.grip))
            on:pointerdown=move |event| held.set(take(board, &event))
            on:pointermove=move |event| match held.get_untracked() {
                Some(before) => held.set(Some(pull(board, before, &event))),
                None => over.set(under(board, &event).map_or(Grip::Elsewhere, |(_, grip)| grip)),
            }
            on:pointerup=move |event| {
                if let Some(held) = held.get_untracked() {
                    release(board, held, &event);
                }
                held.set(None);
            }
            on:pointercancel=move |_| held.set(None)
        ></canvas>
    }
}

/// What a drag began with.
#[derive(Clone, Copy, Debug)]
struct Held {
    grip: Grip,
    window: Window,
    from: i64,
    x: f64,
    moved: bool,
}

fn draw(
    board: Board,
    node: NodeRef<html::Canvas>,
    inks: NodeRef<html::Div>,
    palette: StoredValue<Palette, LocalStorage>,
) {
    let Some(canvas) = Canvas::of(node) else { return };
    palette.update_value(|palette| palette.refresh(inks));
    let now = clock::now();
    let scale = scale(board, canvas.width, now);
    let (mut columns, mut ticks) = (Vec::new(), Vec::new());
    let count = (canvas.width / COLUMN).floor().max(1.0) as usize;
    board.live.with(|model| histogram(model.shown(), &scale, count, canvas.width, &mut columns));
    axis::ticks(&scale, canvas.width, clock::offset(), &mut ticks);
    let window = board.window();
    palette.with_value(|palette| {
        StripScene { columns: &columns, ticks: &ticks, scale: &scale, window, now, palette }.paint(&canvas);
    });
}

/// How wide a column is.
const COLUMN: f64 = 5.0;

fn scale(board: Board, width: f64, now: i64) -> Scale {
    let (start, end) = board.state.with_untracked(|state| state.reach.around(state.window, now)).bounds(now);
    Scale::new(start, end - start, 0.0, width)
}

/// The moment under a pointer, and what of the window is there.
fn under(board: Board, event: &PointerEvent) -> Option<(i64, Grip)> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let (now, x) = (clock::now(), f64::from(event.offset_x()));
    let scale = scale(board, f64::from(element.client_width()), now);
    Some((scale.time(x), grip(&scale, board.window(), x, now)))
}

fn take(board: Board, event: &PointerEvent) -> Option<Held> {
    let (from, grip) = under(board, event).filter(|_| event.button() == 0)?;
    if let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
        // Without the capture a drag ends at the edge of the strip, which is no harm.
        drop(element.set_pointer_capture(event.pointer_id()));
    }
    Some(Held { grip, window: board.window(), from, x: f64::from(event.offset_x()), moved: false })
}

fn pull(board: Board, held: Held, event: &PointerEvent) -> Held {
    let moved = held.moved || (f64::from(event.offset_x()) - held.x).abs() >= 4.0;
    if let Some((to, _)) = under(board, event).filter(|_| moved) {
        board.show(drag(held.window, held.grip, (held.from, to), clock::now()));
    }
    Held { moved, ..held }
}

/// A click beside the window brings it there.
fn release(board: Board, held: Held, event: &PointerEvent) {
    if let (false, Grip::Elsewhere, Some((to, _))) = (held.moved, held.grip, under(board, event)) {
        board.show(held.window.centred(to, clock::now()));
    }
}

fn name(grip: Grip) -> &'static str {
    match grip {
        Grip::Start | Grip::End => "edge",
        Grip::Body => "body",
        Grip::Elsewhere => "elsewhere",
    }
}
