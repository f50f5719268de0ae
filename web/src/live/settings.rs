//! Settings, kept by the browser.

use leptos::prelude::{Effect, Get, RwSignal};
use web_sys::window;

use crate::{
    live::memory,
    model::{settings::Settings, words::Language},
};

/// The settings in use; changing them is remembered.
pub(crate) fn kept() -> RwSignal<Settings> {
    let settings = RwSignal::new(memory::recall(KEY).as_deref().map(Settings::parse).unwrap_or_default());
    Effect::watch(move || settings.get(), |settings, _, _| memory::keep(KEY, &settings.write()), false);
    settings
}

/// The language that the browser prefers.
pub(crate) fn browser_language() -> Language {
    let Some(navigator) = window().map(|window| window.navigator()) else { return Language::default() };
    let tags: Vec<String> = navigator.languages().iter().filter_map(|tag| tag.as_string()).collect();
    Language::preferred(tags.iter().map(String::as_str))
}

/// Says on the page itself what it is: in which language, and with how much room.
pub(crate) fn apply(settings: &Settings, language: Language) {
    let root = window().and_then(|window| window.document()).and_then(|document| document.document_element());
    let density = if settings.comfortable { "comfortable" } else { "compact" };
    let applied = root.is_some_and(|root| {
        root.set_attribute("lang", language.words().tag).is_ok() && root.set_attribute("data-density", density).is_ok()
    });
    debug_assert!(applied, "a page has a root element that takes attributes");
}

const KEY: &str = "masthead.settings";
