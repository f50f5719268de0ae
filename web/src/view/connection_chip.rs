//! The chip that says how the connection stands.

use leptos::prelude::*;

use crate::model::{
    age::age,
    connection::{Chip, Connection, Phase},
};

/// State as a word, a shape and a hue; the tooltip has the reason.
#[component]
pub(crate) fn ConnectionChip(connection: RwSignal<Connection>, now: RwSignal<i64>) -> impl IntoView {
    let chip = Memo::new(move |_| connection.with(|connection| connection.chip(now.get())));
    let since = Memo::new(move |_| match (chip.get(), connection.with(Connection::proof)) {
        (Chip::Stale, Some(proof)) => format!(" {}", age(proof, now.get())),
        _ => String::new(),
    });
    let reason = Memo::new(move |_| connection.with(|connection| reason(connection.phase())));
    view! {
        <span class="chip" data-testid="connection" data-state=move || chip.get().label() title=reason>
            <span class="glyph" aria-hidden="true"></span>
            <span role="status">{move || chip.get().label()}</span>
            <span class="since">{since}</span>
        </span>
    }
}

fn reason(phase: &Phase) -> String {
    match phase {
        Phase::Connecting => "Waiting for the first answer of the API server".to_owned(),
        Phase::Live => "Changes arrive as they happen".to_owned(),
        Phase::Lost(trouble) => trouble.detail.clone(),
        Phase::Refused(refusal) => refusal.why.clone(),
    }
}
