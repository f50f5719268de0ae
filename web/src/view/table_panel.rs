//! A table with everything around it.

use std::{collections::BTreeSet, rc::Rc};

use leptos::prelude::*;

use crate::{
    live::{Feed, Session, TableView, Wanted},
    model::{custom_column::CustomColumn, screen::Screen, table::layout},
    view::{
        drawer_frame::DrawerFrame, grid::Grid, notices::Notices, status_chips::StatusChips, table_head::TableHead,
        table_state::TableState,
    },
};

/// The head, the states, the rows, and the object that is open beside them.
#[component]
pub(crate) fn TablePanel(
    session: Session,
    feed: Rc<Feed>,
    title: String,
    custom: Vec<CustomColumn>,
    namespaces: BTreeSet<String>,
) -> impl IntoView {
    let kind = feed.subject.kind.clone();
    let id = StoredValue::new(kind.id());
    let supply = RwSignal::from(feed.supply.clone());
    let served = RwSignal::from(feed.columns.clone());
    let added = StoredValue::new(custom.clone());
    let table = TableView::new(Rc::clone(&feed), Wanted { namespaces, custom });
    session.table.set(Some(table));
    on_cleanup(move || session.table.set(None));

    let columns = Memo::new(move |_| {
        let mut columns = served.get();
        added.with_value(|added| columns.extend(added.iter().map(CustomColumn::column)));
        columns
    });
    let placed = Memo::new(move |_| {
        let choice = id.with_value(|id| session.settings.with(|settings| settings.choice(id)));
        let several = kind.namespaced && session.route.with(|route| route.namespaces.len() != 1);
        columns.with(|columns| layout::placed(columns, &choice, several))
    });
    session.columns.set(columns.get_untracked());
    Effect::new(move || session.columns.set(columns.get()));

    let mistake = table.follow_route(session, columns, placed);

    let screen = Memo::new(move |_| {
        let count = table.signals.count.get();
        session.connection.with(|connection| supply.with(|supply| Screen::of(connection, supply, count)))
    });
    note_refusal(session, id, screen);
    let is_rows = Memo::new(move |_| matches!(screen.get(), Screen::Rows));
    let (heading, label) = (title.clone(), title.clone());
    let full = Memo::new(move |_| session.route.with(|route| route.open.as_ref().is_some_and(|open| open.full)));
    let open = Memo::new(move |_| session.route.with(|route| route.open.is_some()));
    let title = StoredValue::new(title);
    view! {
        <div class="split" data-open=move || open.get() data-full=move || full.get()>
            <section
                class="panel-frame"
                data-testid="panel"
                data-filter=move || table.signals.filter.get()
                aria-busy=move || table.signals.count.get().scanning.to_string()
                inert=move || full.get()
            >
                <TableHead session table title=heading mistake/>
                <StatusChips session tally=table.signals.tally columns/>
                <Notices session supply shown=is_rows/>
                <Show
                    when=move || is_rows.get()
                    fallback=move || move || view! { <TableState session screen=screen.get() title=title.get_value()/> }
                >
                    <Grid session table placed label=label.clone()/>
                </Show>
            </section>
            <Show when=move || open.get()>
                <DrawerFrame session table/>
            </Show>
        </div>
    }
}

/// Keeps in mind whether the kind was refused, for the rail.
fn note_refusal(session: Session, id: StoredValue<String>, screen: Memo<Screen>) {
    let refused = Memo::new(move |_| matches!(screen.get(), Screen::Refused(_)));
    Effect::new(move || {
        let refused = refused.get();
        session.refused.update(|kinds| {
            id.with_value(|id| match refused {
                true => _ = kinds.insert(id.clone()),
                false => _ = kinds.remove(id),
            });
        });
    });
}
