//! A menu of the values that a filter can ask for.

use leptos::prelude::*;

use super::board::Board;
use crate::{
    live::clock,
    model::{
        timeline::filter::{Facet, Filter},
        visible::excerpt,
    },
};

/// The values of a facet with how often they are there; a click asks for one, or no longer.
#[component]
pub(super) fn FacetMenu(board: Board, facet: Facet, open: RwSignal<Option<Facet>>) -> impl IntoView {
    let is_open = move || open.get() == Some(facet);
    let filter = Memo::new(move |_| board.state.with(|state| Filter::parse(&state.filter).unwrap_or_default()));
    let asked = move || filter.with(|filter| filter.asked(facet).count());
    let values = move || {
        let (from, to) = board.state.with_untracked(|state| state.reach).bounds(clock::now());
        let mut values = board.live.with(|model| model.values(facet, from, to));
        values.truncate(VALUES);
        values
    };
    let toggle = move |value: &str| {
        board.state.update(|state| {
            state.filter = Filter::parse(&state.filter).unwrap_or_default().toggle(facet, value).to_string();
        });
    };
    let item = move |(value, count): (String, u32)| {
        let (chosen, clicked) = (value.clone(), value.clone());
        let is_chosen = move || filter.with(|filter| filter.asks(facet, &chosen));
        let shown = move || {
            if value.is_empty() { board.words.get().cluster_wide.to_owned() } else { excerpt(&value, 200).into_owned() }
        };
        view! {
            <button
                type="button"
                role="menuitemcheckbox"
                aria-checked=move || is_chosen().to_string()
                disabled=clicked.is_empty()
                on:click=move |_| toggle(&clicked)
            >
                <i aria-hidden="true"></i>
                <span>{shown}</span>
                <span class="tl-count">{count}</span>
            </button>
        }
    };
    view! {
        <span class="tl-menu">
            <button
                type="button"
                class="tl-button"
                aria-haspopup="menu"
                aria-expanded=move || is_open().to_string()
                data-testid=format!("facet-{}", facet.name())
                data-asked=move || (asked() > 0).then_some("yes")
                on:click=move |_| open.update(|open| *open = (*open != Some(facet)).then_some(facet))
            >
                {move || board.words.get().facet(facet)}
                {move || (asked() > 0).then(|| view! { <b>{asked()}</b> })}
            </button>
            {move || is_open().then(|| view! {
                <div class="tl-popup" role="menu" aria-label=board.words.get_untracked().facet(facet)>
                    {values().into_iter().map(item).collect_view()}
                </div>
            })}
        </span>
    }
}

/// More than these are found by typing.
const VALUES: usize = 40;
