//! The theme toggle.

use leptos::prelude::*;

use crate::{live::theme::system_is_dark, model::theme::Theme};

/// Passes through system, light and dark.
#[component]
pub(crate) fn ThemeToggle(theme: RwSignal<Theme>) -> impl IntoView {
    let label = move || {
        let theme = theme.get();
        format!("Theme: {}. Change to {}", theme.name(), theme.next(system_is_dark()).name())
    };
    view! {
        <button
            type="button"
            class="icon-button"
            data-testid="theme"
            aria-label=label
            title=label
            on:click=move |_| theme.update(|theme| *theme = theme.next(system_is_dark()))
        >
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle class="theme-ring" cx="10" cy="10" r="6.25"/>
                <path class="theme-fill" d=move || fill(theme.get())/>
            </svg>
        </button>
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
