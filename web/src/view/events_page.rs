//! The page of events.

use leptos::prelude::*;

use crate::{live::Session, model::timeline::view_state::ViewState, view::timeline::TimelinePage};

/// The timeline of the namespaces that are chosen; the address holds its window and its filter.
#[component]
pub(crate) fn EventsPage(session: Session) -> impl IntoView {
    let named = move || session.route.with(|route| ViewState::parse(&route.window, &route.filter));
    let state = RwSignal::new(untrack(named));
    Effect::new(move || {
        let named = named();
        if state.with_untracked(|state| *state != named) {
            state.set(named);
        }
    });
    Effect::new(move || {
        let (window, filter) = state.with(|state| (state.print(), state.filter.clone()));
        session.amend(|route| (route.window, route.filter) = (window, filter));
    });
    let namespaces = Signal::derive(move || session.route.with(|route| route.namespaces.clone()));
    move || {
        // Of another server there is another timeline.
        session.server.track();
        view! { <TimelinePage session namespaces state keep=!session.is_demo()/> }
    }
}
