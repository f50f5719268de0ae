//! Applies and remembers the theme. The page's head applies it too, before the first paint, under the same key.

use leptos::prelude::{Effect, Get, RwSignal};
use web_sys::window;

use crate::{live::memory, model::theme::Theme};

/// The theme in use; setting it changes the page and is remembered.
pub(crate) fn chosen() -> RwSignal<Theme> {
    let theme = RwSignal::new(memory::recall(KEY).as_deref().map(Theme::parse).unwrap_or_default());
    Effect::watch(move || theme.get(), |theme, _, _| apply(*theme), false);
    theme
}

/// Whether the system's own theme is dark; where it does not say, pages are light.
pub(crate) fn system_is_dark() -> bool {
    let query = window().and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok().flatten());
    query.is_some_and(|query| query.matches())
}

fn apply(theme: Theme) {
    let root = window().and_then(|window| window.document()).and_then(|document| document.document_element());
    let applied = root.is_some_and(|root| root.set_attribute("data-theme", theme.name()).is_ok());
    debug_assert!(applied, "a page has a root element that takes attributes");
    memory::keep(KEY, theme.name());
}

const KEY: &str = "masthead.theme";
