//! The chip that says how the connection stands.

use leptos::prelude::*;

use crate::{
    live::{Session, clock},
    model::{
        age::age,
        connection::{Chip, Connection, Phase},
        words::Words,
    },
};

/// State as a word, a shape and a hue; the tooltip has the reason. Silence has its length.
#[component]
pub(crate) fn ConnectionChip(session: Session) -> impl IntoView {
    let (connection, now) = (session.connection, session.now);
    let chip = Memo::new(move |_| connection.with(|connection| connection.chip(now.get())));
    let since = Memo::new(move |_| match (chip.get(), connection.with(Connection::proof)) {
        (Chip::Stale | Chip::Reconnecting, Some(proof)) => age(proof, now.get()),
        _ => String::new(),
    });
    let reason = move || {
        connection.with(|connection| match connection.phase() {
            Phase::Connecting => session.words().chip_connecting.to_owned(),
            Phase::Live => session.words().chip_live.to_owned(),
            Phase::Lost(trouble) => trouble.detail.clone(),
        })
    };
    let skew = Memo::new(move |_| {
        now.track();
        // To the second: what is less changes with every answer.
        clock::skew() / 1000
    });
    let clocks = move || match skew.get() {
        0 => String::new(),
        seconds => (session.words().chip_clock)(&age(0, seconds.abs() * 1000), seconds > 0),
    };
    view! {
        <span class="chip" data-testid="connection" data-state=move || chip.get().name()
            data-skew=move || skew.get().to_string() title=move || [reason(), clocks()].join("\n").trim_end().to_owned()>
            <span class="glyph" aria-hidden="true"></span>
            <span role="status">{move || word(chip.get(), session.words())}</span>
            <span class="since">{since}</span>
        </span>
    }
}

fn word(chip: Chip, words: &Words) -> &'static str {
    match chip {
        Chip::Connecting => words.connecting,
        Chip::Live => words.live,
        Chip::Reconnecting => words.reconnecting,
        Chip::Stale => words.stale,
        Chip::Offline => words.offline,
    }
}
