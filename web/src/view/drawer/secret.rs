//! The values of a Secret.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{Clip, Contents, OpenObject, Session},
    model::detail::SecretValue,
    view::{
        drawer::section::Section,
        icon::{Drawing, Icon},
    },
};

/// Every key, masked. The Secret is asked for when this opens and forgotten when it closes.
#[component]
pub(crate) fn Secret(session: Session, object: OpenObject) -> impl IntoView {
    let values = RwSignal::new(Vec::<SecretValue>::new());
    let trouble = RwSignal::new(None::<String>);
    let version = Memo::new(move |_| {
        object.contents.with(|contents| match contents {
            Contents::Whole(value) | Contents::Hidden(value) => value.pointer("/metadata/resourceVersion").cloned(),
            _ => None,
        })
    });
    Effect::new(move || {
        version.track();
        spawn_local(async move {
            // The drawer may be closed by then, and its signals gone.
            match object.ask().await {
                Contents::Whole(secret) => drop(values.try_set(SecretValue::all(&secret))),
                Contents::Failed(why) => drop(trouble.try_set(Some(why))),
                _ => {}
            }
        });
    });
    view! {
        <Section title=Signal::derive(move || session.words().drawer.keys) test="secret">
            {move || trouble.get().map(|why| view! { <p class="notice">{why}</p> })}
            <For each=move || values.get() key=|one| (one.key.clone(), one.text.clone()) let:value>
                <SecretLine session value/>
            </For>
            <p class="quiet">{move || session.words().drawer.secret_says}</p>
        </Section>
    }
}

#[component]
fn SecretLine(session: Session, value: SecretValue) -> impl IntoView {
    let (shown, clip) = (RwSignal::new(false), Clip::new());
    let SecretValue { key, text, length } = value;
    let is_text = text.is_some();
    let text = StoredValue::new(text.unwrap_or_default());
    let (named, copied, labelled) = (key.clone(), key.clone(), key.clone());
    let label = move || {
        let words = &session.words().drawer;
        if shown.get() { (words.hide_value)(&named) } else { (words.show_value)(&named) }
    };
    let body = move || match (is_text, shown.get()) {
        (true, true) => view! { <pre class="code" data-testid="secret-value">{text.get_value()}</pre> }.into_any(),
        (true, false) => view! { <span class="mono masked" aria-hidden="true">"••••••••"</span> }.into_any(),
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
