//! The lanes.

use std::time::Duration;

use leptos::{html, prelude::*};

use super::{
    board::{Board, Pointed},
    canvas::{Canvas, SizeWatch},
    chart_paint::{AXIS, Scene},
    chart_pointer::ChartPointer,
    palette::Palette,
    tip::Tip,
};
use crate::{
    live::{clock, frame::Frame},
    model::timeline::frame::{ROW, Viewport},
};

/// Swimlanes on a canvas; one draw per frame, and none when nothing changed.
#[component]
pub(super) fn Chart(board: Board, inks: NodeRef<html::Div>) -> impl IntoView {
    let node = NodeRef::<html::Canvas>::new();
    let viewport = RwSignal::new(Viewport::default());
    let palette = StoredValue::new_local(Palette::default());
    let frame = StoredValue::new_local(Frame::new(move || board.timed(|| draw(board, node, inks, palette, viewport))));
    let ask = move || frame.with_value(Frame::ask);
    Effect::new(move || {
        board.live.revision.track();
        board.state.track();
        board.pointed.track();
        board.chosen.track();
        board.cursor.track();
        board.scroll.track();
        board.words.track();
        ask();
    });
    Effect::new(move || {
        board.now.track();
        ask();
    });
    // A short window moves by pixels between two ticks of the page's clock.
    Effect::new(move || {
        let window = board.state.with(|state| state.window);
        let track = viewport.with(|viewport| (viewport.width - viewport.names).max(1.0));
        let pixel = window.span() as f64 / track;
        if !window.is_live() || pixel >= 1000.0 {
            return;
        }
        if let Ok(steps) = set_interval_with_handle(ask, Duration::from_millis((pixel as u64).max(16))) {
            on_cleanup(move || steps.clear());
        }
    });
    let sizes = StoredValue::new_local(None);
    Effect::new(move || {
        let watch = node.get().and_then(|canvas| SizeWatch::new(&canvas, ask));
        sizes.set_value(watch);
    });
    let pointer = ChartPointer::new(board, viewport);
    view! {
        <div class="tl-chart" on:pointerleave=move |_| board.pointed.set(None)>
            <canvas
                node_ref=node
                tabindex="0"
                role="application"
                data-testid="timeline-chart"
                aria-label=move || board.words.get().chart_label
                data-grip=move || pointer.is_dragging().then_some("pan")
                on:pointerdown=move |event| pointer.down(&event)
                on:pointermove=move |event| pointer.moved(&event)
                on:pointerup=move |event| pointer.up(&event)
                on:pointercancel=move |event| pointer.up(&event)
                on:dblclick=move |event| pointer.double(&event)
                on:wheel=move |event| pointer.wheel(&event)
            ></canvas>
            <Tip board viewport/>
        </div>
    }
}

fn draw(
    board: Board,
    node: NodeRef<html::Canvas>,
    inks: NodeRef<html::Div>,
    palette: StoredValue<Palette, LocalStorage>,
    viewport: RwSignal<Viewport>,
) {
    let Some(canvas) = Canvas::of(node) else { return };
    palette.update_value(|palette| palette.refresh(inks));
    let (now, window) = (clock::now(), board.window());
    let view = place(board, &canvas);
    let held = board.pointed.with_untracked(|pointed| matches!(pointed, Some(Pointed::Lane(_))));
    board.live.lay(|model| model.lay(&view, window, now, held).content);
    if viewport.get_untracked() != view {
        viewport.set(view);
    }
    let (hovered, moment) = pointed(board);
    board.live.with(|model| {
        let chosen = board.chosen.with_untracked(|chosen| {
            let key = &chosen.as_ref()?.lane.0;
            model.lanes().rows().iter().position(|row| model.lanes().get(row.lane).key == *key)
        });
        palette.with_value(|palette| {
            let (words, cursor) = (board.words.get_untracked(), board.cursor.get_untracked());
            let viewport = &view;
            Scene { model, viewport, palette, words, now, hovered, cursor, chosen, moment }.paint(&canvas);
        });
    });
}

/// The part of the lanes that is on screen; never beyond their end.
fn place(board: Board, canvas: &Canvas) -> Viewport {
    let content = board.live.with(|model| model.lanes().rows().len()) as f64 * ROW;
    let room = (canvas.height - AXIS).max(0.0);
    let scroll = board.scroll.get_untracked().clamp(0.0, (content - room).max(0.0));
    let names = (canvas.width * 0.24).clamp(172.0, 300.0);
    Viewport { width: canvas.width, height: room, scroll, names, offset: clock::offset() }
}

/// The row and the moment under the pointer, wherever it is.
fn pointed(board: Board) -> (Option<usize>, Option<i64>) {
    board.pointed.with_untracked(|pointed| match pointed {
        Some(Pointed::Lane(spot)) => (Some(spot.place), None),
        Some(Pointed::Listed(id)) => board.live.with(|model| {
            let point = (*id < model.len() as u32).then(|| model.point(*id));
            (point.and_then(|point| model.lanes().row_of(point)), point.map(|point| point.time))
        }),
        None => (None, None),
    })
}
