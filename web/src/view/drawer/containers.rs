//! The containers of an object.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        detail::{Container, Resource, Role, State},
        visible::{excerpt, visible},
    },
    view::{
        drawer::{section::Section, told::Ago},
        long_text::LongText,
        show_more::{FIRST, ShowMore},
        status_chips::tone_name,
    },
};

/// A block for each container: how it is, how it ended last, its image and what it may take.
#[component]
pub(crate) fn Containers(session: Session, containers: Memo<Vec<Container>>) -> impl IntoView {
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| containers.with(Vec::len)));
    let some = move || containers.with(|all| all.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    view! {
        <Show when=move || containers.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.containers) test="containers">
                <For each=some key=|one| format!("{one:?}") let:container>
                    <ContainerBlock session container/>
                </For>
                <ShowMore session shown all/>
            </Section>
        </Show>
    }
}

#[component]
fn ContainerBlock(session: Session, container: Container) -> impl IntoView {
    let Container { name, role, image, state, last, ready, restarts, resources, ports, .. } = container;
    let named = name.clone();
    let waits = matches!(role, Role::Main | Role::Sidecar) && !ready && state.is_some();
    let role_word = (role != Role::Main).then(|| {
        view! { <span class="badge-quiet">{move || (session.words().drawer.role)(role)}</span> }
    });
    let not_ready = waits.then(|| view! { <span class="quiet">{move || session.words().drawer.not_ready}</span> });
    let restarts = (restarts > 0)
        .then(|| view! { <span class="quiet">{move || (session.words().drawer.restarts)(restarts)}</span> });
    let last = last.map(|state| {
        view! {
            <p><span class="quiet">{move || session.words().drawer.last_run}</span>" "<StateLine session state/></p>
        }
    });
    let message = state.as_ref().map(|state| state.message.clone()).filter(|message| !message.is_empty());
    let resource = move |Resource { name, request, limit }: Resource| {
        let or = |amount: &str| if amount.is_empty() { "–".to_owned() } else { amount.to_owned() };
        let (request, limit) = (excerpt(&or(&request), AMOUNT).into_owned(), excerpt(&or(&limit), AMOUNT).into_owned());
        view! {
            <span class="told-resource"><b>{visible(&name).into_owned()}</b>" "
                {move || (session.words().drawer.request_limit)(&request, &limit)}</span>
        }
    };
    let bare = resources.is_empty().then(|| view! { <span>{move || session.words().drawer.no_requests}</span> });
    let ports =
        (!ports.is_empty()).then(|| view! { <span class="mono"><LongText session text=ports.join(", ")/></span> });
    view! {
        <div class="told-container" data-testid="container" data-name=named>
            <p class="told-line"><b class="mono">{visible(&name).into_owned()}</b>{role_word}
                {state.map(|state| view! { <StateLine session state/> })}{not_ready}{restarts}</p>
            {message.map(|message| view! { <div class="told-says"><LongText session text=message/></div> })}
            {last}
            <div class="mono told-image"><LongText session text=image/></div>
            <p class="quiet told-line">{resources.into_iter().take(FIRST).map(resource).collect_view()}{bare}{ports}</p>
        </div>
    }
}

/// The state in a line: the word, the exit code, and when.
#[component]
fn StateLine(session: Session, state: State) -> impl IntoView {
    let code = state.code.filter(|code| *code != 0);
    let time = state.ended.or(state.began);
    view! {
        <span class="tone mono" data-tone=tone_name(state.tone)>{excerpt(&state.word, AMOUNT).into_owned()}</span>
        {code.map(|code| view! { <span class="quiet">" "{move || (session.words().drawer.exit_code)(code)}</span> })}
        {time.map(|time| view! { <span class="quiet">" "<Ago session time/></span> })}
    }
}

/// More than any word or amount of a server has.
const AMOUNT: usize = 200;
