//! How many rows there are of each state.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        filter::term,
        table::{
            cell::Tone,
            column::Column,
            tally::{State, Tally},
        },
        visible::excerpt,
        words::grouped,
    },
};

/// A chip for each state; a click filters by it, and another one no longer.
#[component]
pub(crate) fn StatusChips(session: Session, tally: RwSignal<Tally>, columns: Memo<Vec<Column>>) -> impl IntoView {
    let column = Memo::new(move |_| {
        let named = |name: &str| columns.with(|columns| columns.iter().any(|column| column.title == name));
        ["STATUS", "PHASE", "STATE", "READY", "HEALTH"].into_iter().find(|name| named(name)).map(str::to_owned)
    });
    let states = Memo::new(move |_| {
        let own = |(word, state): (&str, State)| (word.to_owned(), state);
        let states: Vec<(String, State)> = tally.with(|tally| tally.states().into_iter().map(own).collect());
        // One state of all rows says nothing that the count does not.
        let busy = states.len() > 1 || states.iter().any(|(_, state)| state.tone > Tone::Quiet);
        if busy { states } else { Vec::new() }
    });
    let chip = move |word: String| {
        let term = term(&column.get_untracked().unwrap_or_default(), &word);
        let named = word.clone();
        let state = Memo::new(move |_| {
            let of = |states: &Vec<(String, State)>| states.iter().find(|(word, _)| *word == named).map(|(_, it)| *it);
            states.with(of).unwrap_or_default()
        });
        let (pressed, clicked) = (term.clone(), term);
        let on = Memo::new(move |_| session.route.with(|route| route.filter == pressed));
        let toggle = move |_| {
            session.amend(|route| {
                if route.filter == clicked { route.filter.clear() } else { route.filter.clone_from(&clicked) }
            });
        };
        view! {
            <button
                type="button"
                class="state"
                data-testid="state"
                data-tone=move || tone_name(state.get().tone)
                data-none=move || state.get().count == 0
                aria-pressed=move || on.get().to_string()
                on:click=toggle
            >
                {excerpt(&word, 80).into_owned()}" "<b>{move || grouped(state.get().count)}</b>
            </button>
        }
    };
    view! {
        <Show when=move || column.get().is_some() && states.with(|states| !states.is_empty())>
            <div class="states" role="group" aria-label=move || session.words().filter>
                <For each=move || words(states, column) key=Clone::clone children=move |(word, _)| chip(word)/>
            </div>
        </Show>
    }
}

/// The words of all states, each with the column that it stands in.
fn words(states: Memo<Vec<(String, State)>>, column: Memo<Option<String>>) -> Vec<(String, Option<String>)> {
    states.with(|states| states.iter().map(|(word, _)| (word.clone(), column.get())).collect())
}

/// A tone's name in the style sheet.
pub(crate) fn tone_name(tone: Tone) -> &'static str {
    match tone {
        Tone::Quiet => "quiet",
        Tone::Busy => "busy",
        Tone::Warning => "warning",
        Tone::Failure => "failure",
    }
}
