//! A command to copy.

use leptos::prelude::*;

use crate::live::Clip;

/// One line for a terminal, with a button that copies it.
#[component]
pub(crate) fn CopyLine(line: &'static str) -> impl IntoView {
    let clip = Clip::new(line);
    view! {
        <div class="copy-line">
            <code>{line}</code>
            <button type="button" class="button" on:click=move |_| clip.copy()>
                {move || clip.label()}
            </button>
        </div>
    }
}
