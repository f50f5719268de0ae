//! What keys do in the timeline.

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::board::{Board, Chosen};
use crate::{
    live::clock,
    model::timeline::{frame::ROW, window::Window},
};

/// Carries out what a key asks for; whether it asks for anything.
pub(super) fn pressed(board: Board, event: &KeyboardEvent) -> bool {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    let (window, now) = (board.window(), clock::now());
    let step = window.span() / if event.shift_key() { 2 } else { 10 };
    match event.key().as_str() {
        "ArrowLeft" => board.show(window.pan(-step, now)),
        "ArrowRight" => board.show(window.pan(step, now)),
        "+" | "=" => board.show(zoomed(window, 0.5, now)),
        "-" | "_" => board.show(zoomed(window, 2.0, now)),
        "0" => board.show(Window::default()),
        "Home" => board.show(window.pan(-board.state.with_untracked(|state| state.reach.span()), now)),
        "End" | "l" | "L" => board.show(window.live()),
        "ArrowDown" | "j" => step_row(board, 1),
        "ArrowUp" | "k" => step_row(board, -1),
        "Enter" | " " => return open(board),
        "t" | "T" => board.state.update(|state| state.table = !state.table),
        "Escape" => return close(board),
        _ => return false,
    }
    true
}

/// A live window stays at now; another one keeps its middle.
fn zoomed(window: Window, factor: f64, now: i64) -> Window {
    if window.is_live() {
        let span = window.zoom(factor, 1.0, now).span();
        return Window::Live { span };
    }
    window.zoom(factor, 0.5, now)
}

fn step_row(board: Board, by: isize) {
    let count = board.live.with(|model| model.lanes().rows().len());
    let Some(last) = count.checked_sub(1) else { return };
    let place = board.cursor.get_untracked().map_or(0, |place| place.saturating_add_signed(by).min(last));
    board.cursor.set(Some(place));
    board.scroll.update(|scroll| {
        let (top, bottom) = (place as f64 * ROW, (place + 1) as f64 * ROW);
        // The height is not known here; a third of a screen is always visible.
        *scroll = scroll.clamp((bottom - VISIBLE).max(0.0), top.max(0.0));
    });
    choose(board, place);
}

const VISIBLE: f64 = ROW * 8.0;

fn choose(board: Board, place: usize) {
    let lane = board.live.with(|model| {
        let row = *model.lanes().rows().get(place)?;
        Some((model.lanes().get(row.lane).key.clone(), row.is_open))
    });
    board.chosen.set(lane.map(|lane| Chosen { lane, between: None }));
}

fn open(board: Board) -> bool {
    let Some(place) = board.cursor.get_untracked() else { return false };
    let lane = board.live.with(|model| model.lanes().rows().get(place).map(|row| row.lane));
    let toggled = lane.is_some_and(|lane| board.live.update(|model| model.toggle(lane)));
    if toggled {
        board.chosen.set(None);
    }
    toggled
}

fn close(board: Board) -> bool {
    let busy = board.chosen.get_untracked().is_some() || board.cursor.get_untracked().is_some();
    board.chosen.set(None);
    board.cursor.set(None);
    busy
}
