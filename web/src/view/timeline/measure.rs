//! How long a frame takes, for whoever measures the page.
//!
//! `dispatchEvent(new CustomEvent("masthead:measure-timeline", { detail: 100000 }))` fills the timeline with so many points
//! and has it pan and zoom through them. The answer is the event `masthead:timeline-measured`, with the times in its detail.

use std::{cell::Cell, time::Duration};

use futures::channel::oneshot;
use leptos::prelude::*;
use masthead::browser::timer::sleep;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{CustomEvent, CustomEventInit, window};

use super::board::Board;
use crate::{
    live::{clock, frame::Frame},
    model::timeline::{chronicle::News, sample, strip::Reach, window::Window},
};

/// Listens for as long as the timeline is on screen.
pub(super) fn listen(board: Board) {
    let handle = window_event_listener_untyped("masthead:measure-timeline", move |event| {
        let count = event.dyn_ref::<CustomEvent>().and_then(|event| event.detail().as_f64()).unwrap_or(100_000.0);
        spawn_local(run(board, count as u32));
    });
    on_cleanup(move || handle.remove());
}

async fn run(board: Board, count: u32) {
    let now = clock::now();
    board.live.tell(News::Remembered(sample::records(count, now, HOUR, 1)));
    sleep(Duration::from_millis(1500)).await;
    let (mut apart, mut work) = (Vec::new(), Vec::new());
    next_frame().await;
    let mut before = clock::since_start();
    for turn in 0..FRAMES {
        let phase = f64::from(turn) / f64::from(FRAMES);
        let span = (HOUR as f64 * (0.02 + 0.98 * swing(phase))) as i64;
        let start = now - HOUR + ((HOUR - span) as f64 * swing(phase * 3.0 + 0.25)) as i64;
        board.spent.set_value(0.0);
        board.state.update(|state| {
            state.reach = Reach::SixHours;
            state.window = Window::Fixed { start, span };
        });
        next_frame().await;
        // Others draw in the same frame, later.
        sleep(Duration::ZERO).await;
        let after = clock::since_start();
        apart.push(after - before);
        work.push(board.spent.get_value());
        before = after;
    }
    let points = board.live.with(|model| model.len());
    let late = apart.iter().filter(|time| **time > LATE).count();
    answer(&format!(
        "{{\"points\":{points},\"frames\":{FRAMES},\"late\":{late},\"apart\":{},\"work\":{}}}",
        spread(apart),
        spread(work)
    ));
}

/// From zero up to one and back, once in every whole number.
fn swing(phase: f64) -> f64 {
    1.0 - (2.0 * phase.fract() - 1.0).abs()
}

/// Median, 95th percentile and worst, in milliseconds.
fn spread(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("[{:.2},{:.2},{:.2}]", at(0.5), at(0.95), at(1.0))
}

fn answer(told: &str) {
    leptos::logging::log!("timeline: {told}");
    let detail = CustomEventInit::new();
    detail.set_detail(&JsValue::from_str(told));
    let event = CustomEvent::new_with_event_init_dict("masthead:timeline-measured", &detail);
    if let (Some(window), Ok(event)) = (window(), event) {
        // Whether somebody listens is theirs to know.
        drop(window.dispatch_event(&event));
    }
}

async fn next_frame() {
    let (sender, receiver) = oneshot::channel();
    let sender = Cell::new(Some(sender));
    let frame = Frame::new(move || {
        // Who waits is this function, and it is not gone.
        sender.take().map(|sender| sender.send(()).is_ok());
    });
    frame.ask();
    receiver.await.unwrap_or_default();
}

const FRAMES: u32 = 300;
const HOUR: i64 = 3_600_000;

/// A frame that comes later than this was dropped.
const LATE: f64 = 20.0;
