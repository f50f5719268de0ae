//! Text on its way to the clipboard.

use std::time::Duration;

use leptos::prelude::{Get, RwSignal, Set};
use masthead::browser::timer::sleep;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::window;

/// A text that can be copied, and how the last copy went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    text: &'static str,
    state: RwSignal<State>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Idle,
    Copied,
    Failed,
}

impl Clip {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text, state: RwSignal::new(State::Idle) }
    }

    /// Copies the text and says so for a moment.
    pub(crate) fn copy(self) {
        spawn_local(async move {
            let Some(window) = window() else { return };
            let written = JsFuture::from(window.navigator().clipboard().write_text(self.text)).await;
            self.state.set(if written.is_ok() { State::Copied } else { State::Failed });
            sleep(SHOWN).await;
            self.state.set(State::Idle);
        });
    }

    /// The button's word.
    pub(crate) fn label(self) -> &'static str {
        match self.state.get() {
            State::Idle => "Copy",
            State::Copied => "Copied",
            State::Failed => "Not copied",
        }
    }
}

const SHOWN: Duration = Duration::from_secs(2);
