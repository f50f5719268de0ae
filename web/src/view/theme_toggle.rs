//! The theme toggle.

use leptos::prelude::*;

use crate::{
    live::{Session, theme::system_is_dark},
    model::{theme::Theme, words::Words},
};

/// Passes through system, light and dark.
#[component]
pub(crate) fn ThemeToggle(session: Session) -> impl IntoView {
    let theme = session.theme;
    let label = move || format!("{}: {}", session.words().theme, name(theme.get(), session.words()));
    view! {
        <button
            type="button"
            class="icon-button"
            data-testid="theme"
            aria-label=label
            title=label
            on:click=move |_| theme.update(|theme| *theme = theme.next(system_is_dark()))
        >
            <svg class="theme" viewBox="0 0 20 20" aria-hidden="true">
                <circle class="theme-ring" cx="10" cy="10" r="6.25"/>
                <path class="theme-fill" d=move || fill(theme.get())/>
            </svg>
        </button>
    }
}

/// What a theme is called.
pub(crate) fn name(theme: Theme, words: &Words) -> &'static str {
    match theme {
        Theme::System => words.theme_system,
        Theme::Light => words.theme_light,
        Theme::Dark => words.theme_dark,
    }
}

/// Half a disc for the system's choice, none for light, a whole one for dark.
fn fill(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "M10 3.75a6.25 6.25 0 0 1 0 12.5z",
        Theme::Light => "",
        Theme::Dark => "M10 3.75a6.25 6.25 0 0 1 0 12.5a6.25 6.25 0 0 1 0-12.5z",
    }
}
