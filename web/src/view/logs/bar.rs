//! What can be chosen of a log.

use leptos::{ev, prelude::*};

use crate::{
    live::{Clip, LogFeed, Session, keyboard, save},
    model::{detail::Role, log::Ring, visible::visible},
    view::logs::panel::Choice,
};

/// The container, the switches and the search.
#[component]
pub(crate) fn LogBar(
    session: Session,
    choice: Choice,
    names: Memo<Vec<(String, Role)>>,
    container: Memo<Option<String>>,
    log: LogFeed,
    found: Memo<Vec<usize>>,
) -> impl IntoView {
    let option = move |(name, role): (String, Role)| {
        let (value, chosen) = (name.clone(), name.clone());
        let text = move || match role {
            Role::Main => visible(&name).into_owned(),
            role => format!("{} ({})", visible(&name), (session.words().drawer.role)(role)),
        };
        view! { <option value=value selected=move || container.get().as_ref() == Some(&chosen)>{text}</option> }
    };
    let switch =
        move |on: RwSignal<bool>, test: &'static str, word: fn(&crate::model::words::LogWords) -> &'static str| {
            view! {
                <button type="button" class="choice" data-testid=test aria-pressed=move || on.get().to_string()
                    on:click=move |_| on.update(|on| *on = !*on)>{move || word(&session.words().log)}</button>
            }
        };
    let step = move |forward: bool| {
        let count = found.with_untracked(Vec::len);
        if count > 0 {
            choice.at.update(|at| *at = if forward { *at + 1 } else { *at + count - 1 } % count);
        }
    };
    let keys = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            event.prevent_default();
            step(!event.shift_key());
        }
        "Escape" => {
            event.stop_propagation();
            choice.search.set(String::new());
            keyboard::focus("[data-testid=log-lines]");
        }
        _ => {}
    };
    let typed = move |event: ev::Event| {
        choice.search.set(event_target_value(&event));
        choice.at.set(found.with_untracked(|found| found.len().saturating_sub(1)));
    };
    let tally = move || {
        let (count, at) = (found.with(Vec::len), choice.at.get());
        choice.search.with(|text| !text.is_empty()).then(|| (session.words().log.found)((at + 1).min(count), count))
    };
    let clip = Clip::new();
    let lines = move || log.with(Ring::text);
    let download =
        move |_| save(&format!("{}.log", container.get_untracked().unwrap_or_default()), "text/plain", &lines());
    view! {
        <div class="log-bar">
            <select class="field" data-testid="log-container" aria-label=move || session.words().log.container
                on:change=move |event| choice.container.set(event_target_value(&event))>
                {move || names.get().into_iter().map(option).collect_view()}
            </select>
            {switch(choice.follow, "log-follow", |words| words.follow)}
            {switch(choice.previous, "log-previous", |words| words.previous)}
            {switch(choice.wrap, "log-wrap", |words| words.wrap)}
            {switch(choice.times, "log-times", |words| words.times)}
            <button type="button" class="choice" on:click=move |_| clip.copy(lines())>
                {move || clip.label(session.words(), session.words().log.copy)}</button>
            <button type="button" class="choice" data-testid="log-download" on:click=download>
                {move || session.words().log.download}</button>
            <span class="log-search">
                <input type="search" class="field" data-testid="log-search" aria-label=move || session.words().log.search
                    placeholder=move || session.words().log.search prop:value=move || choice.search.get()
                    on:input=typed on:keydown=keys/>
                <span class="quiet" role="status" data-testid="log-found">{tally}</span>
                <button type="button" class="choice" aria-label=move || session.words().log.before
                    on:click=move |_| step(false)>"↑"</button>
                <button type="button" class="choice" aria-label=move || session.words().log.next
                    on:click=move |_| step(true)>"↓"</button>
            </span>
        </div>
    }
}
