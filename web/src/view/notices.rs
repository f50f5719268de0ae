//! Notices above the table: what is wrong while rows are still shown.

use leptos::prelude::*;

use crate::{
    live::{Session, Unread},
    model::{
        connection::{Chip, Phase},
        screen::Filled,
    },
};

/// At most one line per trouble; none while all is well.
#[component]
pub(crate) fn Notices(session: Session) -> impl IntoView {
    let trouble = Memo::new(move |_| match session.table.filled.get() {
        Filled::Rows(1..) => trouble(session),
        _ => None,
    });
    let unread = Memo::new(move |_| session.table.unread.with(unread));
    let line = |text: String| view! { <p class="notice" role="status" data-testid="notice">{text}</p> };
    view! {
        {move || trouble.get().map(line)}
        {move || unread.get().map(line)}
    }
}

fn trouble(session: Session) -> Option<String> {
    let stale = session.connection.with(|connection| connection.chip(session.now.get())) == Chip::Stale;
    session.connection.with(|connection| match connection.phase() {
        Phase::Lost(trouble) if stale => {
            Some(format!("These rows may be out of date: {}. Trying again.", trouble.detail))
        }
        Phase::Refused(refusal) => Some(format!(
            "These rows do not follow changes: {} {} was refused ({}). Asking again every 30 seconds.",
            refusal.verb, refusal.resource, refusal.why
        )),
        _ => None,
    })
}

fn unread(unread: &Unread) -> Option<String> {
    let objects = match unread.count {
        0 => return None,
        1 => "1 object".to_owned(),
        count => format!("{count} objects"),
    };
    Some(format!("{objects} could not be read and may be missing or old here: {}", unread.latest))
}
