//! Text on its way to the clipboard.

use std::time::Duration;

use leptos::prelude::{Get, RwSignal, Set};
use masthead::browser::timer::sleep;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::window;

use crate::model::words::Words;

/// The clipboard as a button sees it: how the last copy went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    state: RwSignal<State>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Idle,
    Copied,
    Failed,
}

impl Clip {
    pub(crate) fn new() -> Self {
        Self { state: RwSignal::new(State::Idle) }
    }

    /// Copies the text and says so for a moment.
    pub(crate) fn copy(self, text: String) {
        spawn_local(async move {
            let Some(window) = window() else { return };
            let written = JsFuture::from(window.navigator().clipboard().write_text(&text)).await;
            self.state.set(if written.is_ok() { State::Copied } else { State::Failed });
            sleep(SHOWN).await;
            self.state.set(State::Idle);
        });
    }

    /// The button's word; `idle` while nothing was copied.
    pub(crate) fn label(self, words: &Words, idle: &'static str) -> &'static str {
        match self.state.get() {
            State::Idle => idle,
            State::Copied => words.copied,
            State::Failed => words.not_copied,
        }
    }
}

const SHOWN: Duration = Duration::from_secs(2);
