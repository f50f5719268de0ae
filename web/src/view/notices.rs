//! Notices above the table: what is wrong while rows are still shown.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        connection::{Chip, Phase},
        supply::{Hindrance, Supply},
        visible::excerpt,
    },
};

/// At most one line per trouble; none while all is well.
#[component]
pub(crate) fn Notices(session: Session, supply: RwSignal<Supply>, shown: Memo<bool>) -> impl IntoView {
    let trouble = Memo::new(move |_| if shown.get() { trouble(session, supply) } else { None });
    let unread = Memo::new(move |_| {
        let unread = supply.with(|supply| supply.unread.clone());
        (unread.count > 0).then(|| (session.words().unread)(unread.count, &unread.latest))
    });
    let stale = Memo::new(move |_| {
        let words = session.words();
        supply.with(|supply| Some((words.stale_objects)(supply.stale.count, supply.stale.first()?)))
    });
    let line = |text: String| view! { <p class="notice" role="status" data-testid="notice">{excerpt(&text, 2000).into_owned()}</p> };
    view! {
        {move || trouble.get().map(line)}
        {move || unread.get().map(line)}
        {move || stale.get().map(line)}
    }
}

fn trouble(session: Session, supply: RwSignal<Supply>) -> Option<String> {
    let words = session.words();
    let stale = session.connection.with(|connection| match connection.phase() {
        Phase::Lost(trouble) if connection.chip(session.now.get()) == Chip::Stale => Some(trouble.detail.clone()),
        _ => None,
    });
    if let Some(detail) = stale {
        return Some((words.rows_old)(&detail));
    }
    let live = session.connection.with(|connection| matches!(connection.phase(), Phase::Live));
    supply.with(|supply| match &supply.hindrance {
        Some(Hindrance::Refused(refusal)) => Some((words.rows_refused)(&refusal.why)),
        Some(Hindrance::Failing(trouble)) if live => Some((words.rows_failing)(&trouble.detail)),
        Some(Hindrance::NoKind) => Some(words.no_kind_says.to_owned()),
        _ => None,
    })
}
