//! What stands where rows would be.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::screen::Screen,
    view::{message::Message, no_server::NoServer, refused::Refused, skeleton::Skeleton},
};

/// Why there are no rows, and what to do about it.
#[component]
pub(crate) fn TableState(session: Session, screen: Screen, title: String) -> impl IntoView {
    move || state(session, screen.clone(), title.clone())
}

fn state(session: Session, screen: Screen, title: String) -> AnyView {
    let words = session.words();
    match screen {
        Screen::Skeleton | Screen::Rows => view! { <Skeleton label=(words.loading)(&title)/> }.into_any(),
        Screen::NoServer(trouble) => view! { <NoServer session trouble/> }.into_any(),
        Screen::Refused(refusal) => view! { <Refused session refusal title/> }.into_any(),
        Screen::NoKind => view! {
            <Message test="no-kind" title=(words.no_kind)(&title) says=words.no_kind_says.to_owned()/>
        }
        .into_any(),
        Screen::Empty => view! {
            <Message test="empty" title=(words.nothing)(&title) says=(words.nothing_says)(&title)/>
        }
        .into_any(),
        Screen::Filtered(hidden) => view! {
            <Message test="filtered" title=(words.filtered)(hidden) says=String::new()>
                <button type="button" class="button" on:click=move |_| session.amend(|route| route.filter.clear())>
                    {words.clear_filter}
                </button>
            </Message>
        }
        .into_any(),
    }
}
