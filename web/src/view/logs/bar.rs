//! What can be chosen of a log.

use leptos::{ev, prelude::*};

use crate::{
    live::{Clip, LogFeed, Session, keyboard, save},
    model::{detail::Role, log::Ring, visible::visible, words::Words},
    view::{logs::panel::Choice, show_more::ShowMore},
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
    // A pod may have thousands of containers: an option is nothing but its text.
    let option = |words: &Words, name: &str, role: Role, chosen: bool| {
        let text = match role {
            Role::Main => visible(name).into_owned(),
            role => format!("{} ({})", visible(name), (words.drawer.role)(role)),
        };
        view! { <option value=name.to_owned() selected=chosen>{text}</option> }
    };
    let (shown, all) = (RwSignal::new(CONTAINERS), Memo::new(move |_| names.with(Vec::len)));
    let options = move || {
        let (words, chosen, most) = (session.words(), container.get(), shown.get());
        let one = |(at, (name, role)): (usize, &(String, Role))| {
            let is_chosen = chosen.as_ref() == Some(name);
            (at < most || is_chosen).then(|| option(words, name, *role, is_chosen))
        };
        names.with(|names| names.iter().enumerate().filter_map(one).collect_view())
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
                {options}
            </select>
            <ShowMore session shown all step=CONTAINERS/>
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

/// How many containers can be chosen at first; pods of people have a dozen.
const CONTAINERS: usize = 200;
