//! A command to copy.

use leptos::prelude::*;

use crate::live::{Clip, Session};

/// One line for a terminal, with a button that copies it.
#[component]
pub(crate) fn CopyLine(session: Session, line: &'static str) -> impl IntoView {
    let clip = Clip::new();
    view! {
        <div class="copy-line">
            <code>{line}</code>
            <button type="button" class="button" on:click=move |_| clip.copy(line.to_owned())>
                {move || clip.label(session.words(), session.words().copy)}
            </button>
        </div>
    }
}
