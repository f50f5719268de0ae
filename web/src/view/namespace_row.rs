//! One row of the namespace table.

use leptos::prelude::*;

use crate::{
    live::Row,
    model::{
        age::{UNKNOWN, age},
        namespace::Phase,
    },
};

/// Name, phase and age of one namespace; a change of the object flashes once.
#[component]
pub(crate) fn NamespaceRow(row: ArcRwSignal<Row>, now: RwSignal<i64>) -> impl IntoView {
    let row = RwSignal::from(row);
    let name = Memo::new(move |_| row.with(|row| row.namespace.name.clone()));
    let phase = Memo::new(move |_| row.with(|row| row.namespace.phase.clone()));
    let created = Memo::new(move |_| row.with(|row| row.namespace.created));
    let created_text = Memo::new(move |_| row.with(|row| row.namespace.created_text.clone()));
    let revision = Memo::new(move |_| row.with(|row| row.revision));
    let shown_age =
        Memo::new(move |_| created.get().map_or_else(|| UNKNOWN.to_owned(), |created| age(created, now.get())));
    view! {
        <div class="row" role="row" data-testid="row" data-name=name data-flash=move || flash(revision.get())>
            <span class="name" role="gridcell" data-col="name" title=name>{name}</span>
            <span class="phase" role="gridcell" data-col="status" data-phase=move || style(&phase.get())>
                <span class="glyph" aria-hidden="true"></span>
                {move || phase.with(|phase| phase.label().to_owned())}
            </span>
            <span class="age" role="gridcell" data-col="age" title=created_text>{shown_age}</span>
        </div>
    }
}

/// Two names for one animation: it starts again only when its name changes.
fn flash(revision: u32) -> Option<&'static str> {
    match revision {
        0 => None,
        odd if odd % 2 == 1 => Some("odd"),
        _ => Some("even"),
    }
}

fn style(phase: &Phase) -> &'static str {
    match phase {
        Phase::Active => "active",
        Phase::Terminating => "terminating",
        Phase::Unrecognised(_) => "unrecognised",
    }
}
