//! The page of events.

use std::time::Duration;

use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::{
    board::Board,
    chart::Chart,
    keys,
    list::EventList,
    measure,
    notices::{Nothing, Refusals},
    palette::INKS,
    strip::Strip,
    toolbar::Toolbar,
};
use crate::{
    live::{Scope, Session, TimelineLive},
    model::{
        timeline::{view_state::ViewState, words::Words},
        visible::visible,
    },
};

/// What happened in `namespaces` (all where there is none).
///
/// `state` is what an address holds: it is followed, and written once the person rests. `keep` says whether points may be kept
/// between visits: not of a cluster that is not real.
#[component]
pub(crate) fn TimelinePage(
    session: Session,
    #[prop(into)] namespaces: Signal<Vec<String>>,
    state: RwSignal<ViewState>,
    #[prop(optional)] keep: bool,
) -> impl IntoView {
    let live = TimelineLive::start(session, Signal::derive(move || Scope::Page(namespaces.get())), keep);
    let words = Signal::derive(move || Words::of(session.words().tag));
    let board = Board::new(live, rested(state), session.now.into(), words);
    Effect::new(move || live.ask(board.question(namespaces.get())));
    measure::listen(board);
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        if !event.default_prevented() && !is_taken(&event) && keys::pressed(board, &event) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
    view! {
        <section class="timeline" data-testid="timeline">
            <Toolbar board/>
            <Refusals board/>
            <Panes board/>
        </section>
    }
}

/// Strip, lanes and list.
#[component]
pub(super) fn Panes(board: Board) -> impl IntoView {
    let inks = NodeRef::<html::Div>::new();
    let table = move || board.state.with(|state| state.table);
    let lane =
        move || board.chosen.with(|chosen| chosen.as_ref().map(|chosen| visible(chosen.lane.0.name()).into_owned()));
    view! {
        <div class="tl-palette" node_ref=inks aria-hidden="true">
            {INKS.map(|class| view! { <i class=class></i> }).collect_view()}
            <i class="tl-sans"></i><i class="tl-mono"></i>
        </div>
        <div class="tl-panes" data-table=move || table().then_some("yes")>
            <Show when=move || !table()>
                <Strip board inks/>
                <Chart board inks/>
            </Show>
            <Nothing board/>
            {move || lane().map(|lane| view! {
                <p class="tl-only">
                    {(board.words.get().only_lane)(&lane)}
                    <button type="button" class="tl-button" on:click=move |_| board.chosen.set(None)>
                        {board.words.get().all_lanes}
                    </button>
                </p>
            })}
            <EventList board/>
        </div>
    }
}

/// A state that changes with every frame of a drag, and follows and writes `outer` when it rests.
fn rested(outer: RwSignal<ViewState>) -> RwSignal<ViewState> {
    let inner = RwSignal::new(outer.get_untracked());
    Effect::new(move || {
        let given = outer.get();
        if inner.with_untracked(|inner| *inner != given) {
            inner.set(given);
        }
    });
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move || {
        let current = inner.get();
        if let Some(before) = waiting.get_value() {
            before.clear();
        }
        let write = move || {
            if outer.try_with_untracked(|outer| *outer != current) == Some(true) {
                outer.set(current);
            }
        };
        waiting.set_value(set_timeout_with_handle(write, REST).ok());
    });
    inner
}

/// Browsers refuse to write addresses more than a few times a second.
const REST: Duration = Duration::from_millis(300);

/// Whether the element with the focus has a use of its own for a key.
fn is_taken(event: &KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return false };
    let key = event.key();
    let inside = |selector: &str| element.closest(selector).ok().flatten().is_some();
    match element.tag_name().as_str() {
        "INPUT" | "SELECT" | "TEXTAREA" => true,
        "BUTTON" | "A" => matches!(key.as_str(), "Enter" | " "),
        _ if inside("dialog, [role=dialog]") => true,
        // The list scrolls by itself.
        _ => inside(".tl-list") && matches!(key.as_str(), "ArrowUp" | "ArrowDown" | "Home" | "End" | " "),
    }
}
