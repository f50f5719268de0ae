//! The objects that belong to the one that is open, or refer to it.

use leptos::prelude::*;

use crate::{
    live::{Relatives, Session},
    model::{
        detail::{Reference, Relative, Told},
        kind::Kind,
        route::{Page, Route},
        supply::Hindrance,
        table::column::Column,
        visible::visible,
    },
    view::drawer::{
        ObjectLink,
        section::Section,
        told::{Age, ToldValue},
    },
};

/// A table of related objects with the columns of their kind, as they change; `labels` select them in the table of all.
#[component]
pub(crate) fn RelationTable(
    session: Session,
    #[prop(into)] title: Signal<String>,
    kind: Kind,
    #[prop(optional)] labels: String,
    relatives: Relatives,
) -> impl IntoView {
    let Relatives { rows, supply, columns, .. } = relatives;
    let count = Memo::new(move |_| rows.with(Vec::len));
    let heads = move || {
        let shown = |all: &Vec<Column>| {
            all.iter().filter(|column| !column.wide).map(|column| column.title.clone()).collect::<Vec<_>>()
        };
        let heads = columns.with_value(shown);
        heads.into_iter().map(|title| view! { <th scope="col">{visible(&title).into_owned()}</th> }).collect_view()
    };
    let cell = move |told: Told| match told {
        // The head of the column says that it is an age.
        Told::Time(time) => view! { <td class="quiet mono"><Age session time/></td> }.into_any(),
        told => view! { <td><ToldValue session told/></td> }.into_any(),
    };
    let (api_version, id) = (kind.api_version(), kind.id());
    let line = move |line: Relative| {
        let Relative { namespace, name, cells, .. } = line;
        let to = Reference { api_version: api_version.clone(), kind: kind.kind.clone(), namespace, name: name.clone() };
        let cells = cells.into_iter().map(cell).collect_view();
        view! { <tr data-testid="relative" data-name=name><td><ObjectLink session to/></td>{cells}</tr> }
    };
    let shown = move || {
        let read = |columns: &Vec<Column>| {
            rows.with(|rows| rows.iter().take(SHOWN).map(|row| Relative::of(row.fields(), columns)).collect())
        };
        columns.with_value(read)
    };
    let shown = Memo::new(move |_| -> Vec<Relative> { shown() });
    let note = move || match supply.with(|supply| (supply.complete, supply.hindrance.clone())) {
        (_, Some(Hindrance::Refused(refusal))) => Some(visible(&refusal.why).into_owned()),
        (true, _) if count.get() == 0 => Some(session.words().drawer.none_here.to_owned()),
        (false, _) if count.get() == 0 => Some(session.words().object_loading.to_owned()),
        _ => count.get().checked_sub(SHOWN + 1).map(|more| (session.words().drawer.more)(more + 1)),
    };
    let linked = !labels.is_empty();
    let table = move || {
        let filter = labels.clone();
        session.route.with(|route| Route { filter, ..route.to(Page::Table(id.clone())) }.write())
    };
    view! {
        <Section title test="relation">
            <table class="told-table relation" hidden=move || count.get() == 0>
                <thead><tr>{heads()}</tr></thead>
                <tbody>
                    <For each=move || shown.get() key=|row| (row.uid.clone(), row.version.clone()) children=line/>
                </tbody>
            </table>
            <p class="quiet">{note}" "
                {linked.then(|| view! { <a class="link" href=table>{move || session.words().drawer.show_table}</a> })}</p>
        </Section>
    }
}

/// As many as fit a drawer; the table has all of them.
const SHOWN: usize = 50;
