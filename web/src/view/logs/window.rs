//! The lines of a log that are in the page.

use leptos::{html, prelude::*};

use crate::{
    live::{LogFeed, LogState, Session},
    model::{
        log::{Ring, Search},
        visible::excerpt,
    },
    view::logs::{
        line::{Drawn, LogLine},
        panel::Choice,
    },
};

/// A few hundred lines around what is looked at; more come as one scrolls. It stays at the end until somebody scrolls up.
#[component]
pub(crate) fn LogWindow(
    session: Session,
    choice: Choice,
    log: LogFeed,
    search: Memo<Search>,
    found: Memo<Vec<usize>>,
) -> impl IntoView {
    let scroller = NodeRef::<html::Div>::new();
    let (first, at_end) = (RwSignal::new(0_usize), RwSignal::new(true));
    let span = move || log.with(|ring: &Ring| (ring.dropped(), ring.dropped() + ring.len()));
    let window = Memo::new(move |_| {
        log.revision.track();
        let from = if at_end.get() { None } else { Some(first.get()) };
        log.with(|ring: &Ring| ring.window(from))
    });
    let lines = Memo::new(move |_| {
        log.revision.track();
        let numbers = window.get();
        let draw = |search: &Search, ring: &Ring| -> Vec<Drawn> {
            numbers.filter_map(|number| Some(Drawn::new(number, ring.get(number)?, search))).collect()
        };
        search.with(|search| log.with(|ring| draw(search, ring)))
    });
    let current = Memo::new(move |_| {
        choice.search.with(|text| !text.is_empty()).then(|| found.with(|all| all.get(choice.at.get()).copied()))?
    });
    let to_end = move || {
        if let Some(element) = scroller.get_untracked() {
            element.set_scroll_top(element.scroll_height());
        }
    };
    Effect::new(move || {
        lines.track();
        if at_end.get() {
            request_animation_frame(to_end);
        }
    });
    Effect::watch(
        move || (current.get(), choice.at.get()),
        move |(line, _), _, _| {
            let Some(line) = *line else { return };
            at_end.set(false);
            first.set(log.with(|ring: &Ring| ring.above(line)));
            request_animation_frame(move || {
                let selector = format!("[data-number=\"{line}\"]");
                let element = scroller.get_untracked().and_then(|list| list.query_selector(&selector).ok().flatten());
                if let Some(element) = element {
                    element.scroll_into_view_with_bool(true);
                }
            });
        },
        false,
    );
    // Lines that come move the end away from what was scrolled to: only a hand leaves it.
    let by_hand = StoredValue::new(false);
    let touched = move || by_hand.set_value(true);
    let scrolled = move |_| {
        let Some(element) = scroller.get_untracked() else { return };
        let (top, below) =
            (element.scroll_top(), element.scroll_height() - element.client_height() - element.scroll_top());
        let ((oldest, end), shown) = (span(), window.get_untracked());
        let (here, whole) = (shown.start, shown.end >= end);
        if whole && below < NEAR_END {
            by_hand.set_value(false);
            at_end.set(true);
        } else if by_hand.get_value() {
            at_end.set(false);
        }
        if top < NEAR && here > oldest && !at_end.get_untracked() {
            first.set(log.with(|ring: &Ring| ring.above(here)));
        } else if below < NEAR && !whole {
            first.set(here + shown.len() / 2);
        } else {
            first.set(here);
        }
    };
    let note = move || {
        log.revision.track();
        let (words, empty) = (&session.words().log, log.with(Ring::is_empty));
        match log.state.get() {
            LogState::Opening if empty => Some(words.opening.to_owned()),
            LogState::Flowing if empty => Some(words.empty.to_owned()),
            LogState::Ended if empty => Some(words.empty.to_owned()),
            LogState::Ended => Some(words.ended.to_owned()),
            LogState::Failed(why) => Some((words.failed)(&excerpt(&why, WHY))),
            LogState::Opening | LogState::Flowing => None,
        }
    };
    let failed = Memo::new(move |_| matches!(log.state.get(), LogState::Failed(_)));
    let dropped = move || {
        log.revision.track();
        Some(span().0).filter(|dropped| *dropped > 0).map(|dropped| (session.words().log.dropped)(dropped))
    };
    view! {
        <div class="log-lines" data-testid="log-lines" node_ref=scroller tabindex="0" role="log" aria-live="off"
            data-wrap=move || choice.wrap.get() on:scroll=scrolled on:wheel=move |_| touched()
            on:touchmove=move |_| touched() on:pointerdown=move |_| touched() on:keydown=move |_| touched()>
            <p class="quiet">{dropped}</p>
            <For each=move || lines.get() key=Drawn::key let:line>
                <LogLine session line times=choice.times current/>
            </For>
            <p class="quiet log-note" role="status" data-testid="log-note">{note}" "
                <Show when=move || failed.get()>
                    <button type="button" class="button small" on:click=move |_| log.again()>{move || session.words().log.again}</button>
                </Show>
            </p>
        </div>
        <Show when=move || !at_end.get()>
            <button type="button" class="button log-end" data-testid="log-end" on:click=move |_| at_end.set(true)>
                {move || session.words().log.to_end}</button>
        </Show>
    }
}

/// How many bytes of a server's words are shown.
const WHY: usize = 1000;

/// How many pixels before the end of the window more lines come, and what still counts as its end.
const NEAR: i32 = 600;
const NEAR_END: i32 = 8;
