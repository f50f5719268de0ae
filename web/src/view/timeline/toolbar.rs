//! The bars above the timeline: filter, facets, grouping, order and range.

use leptos::{html, prelude::*};

use super::{board::Board, facet_menu::FacetMenu, history_menu::HistoryMenu, live_chip::LiveChip};
use crate::{
    live::on_press_outside,
    model::{
        timeline::{
            filter::{Facet, Filter},
            lanes::{Grouping, LaneSort},
            strip::Reach,
            window::Window,
        },
        visible::visible,
    },
};

/// What decides what is shown.
#[component]
pub(super) fn Toolbar(board: Board) -> impl IntoView {
    let mistake = Memo::new(move |_| board.state.with(|state| Filter::parse(&state.filter).err()));
    let (bar, open) = (NodeRef::<html::Div>::new(), RwSignal::new(None::<Facet>));
    on_press_outside(move || bar.get_untracked().map(Into::into), move || open.set(None));
    let counted = move || {
        board.live.revision.track();
        board.live.with(|model| (board.words.get().listed)(model.shown().len(), model.len()))
    };
    view! {
        <div class="tl-bar">
            <h1>{move || board.words.get().title}</h1>
            <span class="count" data-testid="timeline-count">{counted}</span>
            <span class="tl-filter" data-wrong=move || mistake.get().map(|_| "yes")>
                <input
                    type="search"
                    data-testid="filter"
                    spellcheck="false"
                    autocomplete="off"
                    aria-label=move || board.words.get().filter
                    placeholder=move || board.words.get().filter_hint
                    prop:value=move || board.state.with(|state| state.filter.clone())
                    on:input=move |event| board.state.update(|state| state.filter = event_target_value(&event))
                />
                {move || mistake.get().map(|mistake| view! {
                    <span class="tl-mistake" role="alert">{visible(&board.words.get().mistake(&mistake)).into_owned()}</span>
                })}
            </span>
            <LiveChip board/>
            <button
                type="button"
                class="tl-button"
                data-testid="timeline-table"
                aria-pressed=move || board.state.with(|state| state.table).to_string()
                on:click=move |_| board.state.update(|state| state.table = !state.table)
            >
                {move || board.words.get().table}
            </button>
            <HistoryMenu board/>
        </div>
        <div
            class="tl-bar tl-second"
            node_ref=bar
            on:keydown=move |event| if event.key() == "Escape" { open.set(None) }
        >
            {Facet::ALL.map(|facet| view! { <FacetMenu board facet open/> }).collect_view()}
            <span class="spacer"></span>
            <Choices board/>
        </div>
    }
}

/// How lanes are grouped and sorted, and how far back the strip reaches.
#[component]
fn Choices(board: Board) -> impl IntoView {
    let grouping = move |event| {
        let chosen = Grouping::ALL.into_iter().find(|one| one.name() == event_target_value(&event));
        board.state.update(|state| state.grouping = chosen.unwrap_or_default());
    };
    let order = move |event| {
        let chosen = LaneSort::ALL.into_iter().find(|one| one.name() == event_target_value(&event));
        board.state.update(|state| state.sort = chosen.unwrap_or_default());
    };
    view! {
        <label class="tl-choice">
            <span>{move || board.words.get().group}</span>
            <select data-testid="timeline-group" on:change=grouping prop:value=move || board.state.with(|s| s.grouping.name())>
                {Grouping::ALL.map(|one| view! {
                    <option value=one.name()>{move || board.words.get().grouping(one)}</option>
                }).collect_view()}
            </select>
        </label>
        <label class="tl-choice">
            <span>{move || board.words.get().sort}</span>
            <select data-testid="timeline-sort" on:change=order prop:value=move || board.state.with(|s| s.sort.name())>
                {LaneSort::ALL.map(|one| view! {
                    <option value=one.name()>{move || board.words.get().order(one)}</option>
                }).collect_view()}
            </select>
        </label>
        <span class="tl-segments" role="group" aria-label=move || board.words.get().range>
            {Reach::ALL.map(|reach| view! {
                <button
                    type="button"
                    data-testid=format!("range-{}", reach.name())
                    aria-pressed=move || board.state.with(|state| state.reach == reach).to_string()
                    on:click=move |_| choose(board, reach)
                >
                    {reach.name()}
                </button>
            }).collect_view()}
        </span>
    }
}

/// A shorter range than the window shortens the window.
fn choose(board: Board, reach: Reach) {
    let (window, now) = (board.window(), board.now.get_untracked());
    let window = match reach.around(window, now) == reach {
        true => window,
        false => Window::Live { span: window.span().min(reach.span() / 2) },
    };
    board.show(window);
    board.state.update(|state| state.reach = reach);
}
