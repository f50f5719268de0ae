//! The values of a Secret.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{Clip, Contents, OpenObject, Session},
    model::{
        detail::{MASK, SecretValue},
        visible::{excerpt, visible},
    },
    view::{
        drawer::section::Section,
        icon::{Drawing, Icon},
        long_text::LongText,
        show_more::{FIRST, ShowMore},
    },
};

/// The keys and annotations of a Secret. A click asks the server for them; each is then masked until another one shows it.
/// They are forgotten when this closes.
#[component]
pub(crate) fn Secret(session: Session, object: OpenObject, annotations: Memo<Vec<(String, String)>>) -> impl IntoView {
    let asked = RwSignal::new(false);
    let (values, copies) = (RwSignal::new(Vec::<SecretValue>::new()), RwSignal::new(Vec::<SecretValue>::new()));
    let failure = RwSignal::new(None::<String>);
    let version = Memo::new(move |_| {
        object.contents.with(|contents| match contents {
            Contents::Whole(value) | Contents::Hidden(value) => value.pointer("/metadata/resourceVersion").cloned(),
            _ => None,
        })
    });
    Effect::new(move || {
        version.track();
        if !asked.get() {
            return;
        }
        spawn_local(async move {
            // The drawer may be closed by then, and its signals gone.
            match object.ask().await {
                Contents::Whole(secret) => {
                    values.try_set(SecretValue::all(&secret));
                    copies.try_set(SecretValue::annotations(&secret));
                }
                Contents::Failed(why) => drop(failure.try_set(Some(why))),
                Contents::Text(_, why) => {
                    drop(failure.try_set(Some((session.words_now().object_unread)(why).to_owned())));
                }
                _ => {}
            }
        });
    });
    let masked = |(key, _): &(String, String)| {
        view! {
            <div class="told-entry secret-line" data-testid="masked"><span class="mono">{excerpt(key, 300).into_owned()}</span>
                <span class="mono masked" aria-hidden="true">{MASK}</span></div>
        }
    };
    let (first, unseen) = (
        RwSignal::new(FIRST),
        Memo::new(move |_| if copies.with(Vec::is_empty) { annotations.with(Vec::len) } else { 0 }),
    );
    let hidden = move || {
        let most = first.get().min(unseen.get());
        annotations.with(|all| all.iter().take(most).map(masked).collect_view())
    };
    view! {
        <Section title=Signal::derive(move || session.words().drawer.keys) test="secret">
            {move || failure.get().map(|why| view! { <p class="notice">{visible(&why).into_owned()}</p> })}
            <SecretList session values/>
            <p class="quiet">
                <Show when=move || !asked.get() fallback=move || session.words().drawer.secret_says>
                    {move || session.words().secret_hidden}" "
                    <button type="button" class="button small" data-testid="ask-secret" on:click=move |_| asked.set(true)>
                        {move || session.words().drawer.secret_asks}</button>
                </Show>
            </p>
        </Section>
        <Show when=move || annotations.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.annotations) test="annotations">
                {hidden}
                <ShowMore session shown=first all=unseen/>
                <SecretList session values=copies/>
                <p class="quiet">{move || session.words().drawer.secret_masked}</p>
            </Section>
        </Show>
    }
}

#[component]
fn SecretList(session: Session, values: RwSignal<Vec<SecretValue>>) -> impl IntoView {
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| values.with(Vec::len)));
    let some = move || values.with(|all| all.iter().take(shown.get()).cloned().collect::<Vec<_>>());
    view! {
        <For each=some key=|one| (one.key.clone(), one.text.clone()) let:value><SecretLine session value/></For>
        <ShowMore session shown all/>
    }
}

#[component]
fn SecretLine(session: Session, value: SecretValue) -> impl IntoView {
    let (shown, clip) = (RwSignal::new(false), Clip::new());
    let SecretValue { key, text, length } = value;
    let is_text = text.is_some();
    let text = StoredValue::new(text.unwrap_or_default());
    let (labelled, key) = (key.clone(), excerpt(&key, 300).into_owned());
    let (named, copied) = (key.clone(), key.clone());
    let label = move || {
        let words = &session.words().drawer;
        if shown.get() { (words.hide_value)(&named) } else { (words.show_value)(&named) }
    };
    let body = move || match (is_text, shown.get()) {
        (true, true) => view! { <LongText session text=text.get_value() code=true test="secret-value"/> }.into_any(),
        (true, false) => view! { <span class="mono masked" aria-hidden="true">{MASK}</span> }.into_any(),
        (false, _) => ().into_any(),
    };
    view! {
        <div class="told-entry secret-line" data-testid="secret-key" data-name=labelled>
            <span class="mono">{key}</span>
            <span class="quiet">{move || (session.words().drawer.bytes)(length)}</span>
            {is_text.then(|| view! {
                <button type="button" class="button small" aria-pressed=move || shown.get().to_string() aria-label=label
                    on:click=move |_| shown.update(|shown| *shown = !*shown)><Drawing icon=Icon::Eye/></button>
                <button type="button" class="button small" aria-label=move || (session.words().drawer.copy_value)(&copied)
                    on:click=move |_| clip.copy(text.get_value())>{move || clip.label(session.words(), session.words().copy)}</button>
            })}
            {body}
        </div>
    }
}
