//! The page of a kind.

use leptos::prelude::*;

use crate::{
    live::{Session, Subject},
    model::{connection::Phase, screen::Screen},
    view::{table_panel::TablePanel, table_state::TableState},
};

/// The table of the kind of this id, once it is known which kind that is.
#[component]
pub(crate) fn TablePage(session: Session, id: String) -> impl IntoView {
    let id = StoredValue::new(id);
    let subject = Memo::new(move |_| {
        let kind = id.with_value(|id| session.kind(id))?;
        Some(session.route.with(|route| Subject::new(&kind, &route.namespaces)))
    });
    let custom = Memo::new(move |_| id.with_value(|id| session.settings.with(|settings| settings.choice(id).added())));
    // Beyond some namespaces all of them are followed, and those that were not chosen left out here.
    let chosen = Memo::new(move |_| session.route.with(|route| route.namespaces.iter().cloned().collect()));
    let missing = move || {
        let screen = match (session.kinds.with(Option::is_some), session.connection.get().phase()) {
            (true, _) => Screen::NoKind,
            (false, Phase::Lost(trouble)) => Screen::NoServer(trouble.clone()),
            (false, _) => Screen::Skeleton,
        };
        view! { <TableState session screen title=id.get_value()/> }
    };
    move || match subject.get() {
        Some(subject) => {
            let title = subject.kind.title();
            let feed = session.feed(&subject);
            view! { <TablePanel session feed title custom=custom.get() namespaces=chosen.get()/> }.into_any()
        }
        None => view! { <section class="panel-frame">{missing}</section> }.into_any(),
    }
}
