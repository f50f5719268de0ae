//! A value that is told.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{age, detail::Told, timestamp, visible::excerpt},
    view::{drawer::ObjectLink, long_text::LongText, status_chips::tone_name},
};

/// A text, a state, a moment or a link.
#[component]
pub(crate) fn ToldValue(session: Session, told: Told) -> impl IntoView {
    match told {
        Told::Text(text) => view! { <span class="mono"><LongText session text/></span> }.into_any(),
        Told::State(word, tone) => {
            view! { <span class="tone mono" data-tone=tone_name(tone)>{excerpt(&word, 200).into_owned()}</span> }
                .into_any()
        }
        Told::Time(time) => view! { <Ago session time/> }.into_any(),
        Told::Link(to) => view! { <ObjectLink session to kind=true/> }.into_any(),
    }
}

/// How old something is that began then; the moment itself on hover.
#[component]
pub(crate) fn Age(session: Session, time: i64) -> impl IntoView {
    view! { <time title=timestamp::write(time)>{move || age::age(time, session.now.get())}</time> }
}

/// How long ago something was; the moment itself on hover.
#[component]
pub(crate) fn Ago(session: Session, time: i64) -> impl IntoView {
    let text = move || (session.words().drawer.ago)(&age::age(time, session.now.get()));
    view! { <time title=timestamp::write(time)>{text}</time> }
}
