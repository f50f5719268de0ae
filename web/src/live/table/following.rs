//! Filter and order of a table as the route says.

use leptos::prelude::{Effect, Get, Memo, RwSignal, Set, Track, With, WithUntracked};

use super::TableView;
use crate::{
    live::Session,
    model::{
        filter::Filter,
        table::{column::Column, layout::Placed, sort::Field},
    },
};

impl TableView {
    /// Filters and sorts as the route says, now and whenever it says something else. Gives what is wrong with the filter;
    /// while something is, the one before it stays.
    pub(crate) fn follow_route(
        self,
        session: Session,
        columns: Memo<Vec<Column>>,
        placed: Memo<Vec<Placed>>,
    ) -> RwSignal<Option<String>> {
        let mistake = RwSignal::new(None);
        let text = Memo::new(move |_| session.route.with(|route| route.filter.clone()));
        let ticks = RwSignal::new(false);
        Effect::new(move |before: Option<bool>| {
            let filters = text.with(|text| !text.trim().is_empty());
            let places = placed.with(|placed| cells(placed));
            match text.with(|text| columns.with(|columns| Filter::parse(text, columns))) {
                Ok(filter) => {
                    mistake.set(None);
                    ticks.set(filter.ticks());
                    if filters || before == Some(true) {
                        text.with_untracked(|text| self.filter(filters.then(|| filter.showing(&places, true)), text));
                    }
                }
                Err(wrong) => mistake.set(Some(wrong.to_string())),
            }
            filters
        });
        Effect::new(move || {
            if self.signals.cut.get() {
                mistake.set(Some(session.words().filter_cut.to_owned()));
            }
        });
        Effect::new(move || {
            if ticks.get() {
                session.now.track();
                self.recheck();
            }
        });
        let sort = Memo::new(move |_| session.route.with(|route| route.sort.clone()));
        Effect::new(move |before: Option<bool>| {
            let order = sort.with(|sort| {
                let sort = sort.as_ref()?;
                let column =
                    |placed: &Vec<Placed>| placed.iter().find(|column| column.id == sort.column).map(|it| it.field);
                placed.with(column).map(|field| (field, sort.descending))
            });
            if order.is_some() || before == Some(true) {
                self.sort(order);
            }
            order.is_some()
        });
        mistake
    }
}

/// The places of the cells on screen.
fn cells(placed: &[Placed]) -> Vec<usize> {
    let cell = |column: &Placed| if let Field::Cell(at) = column.field { Some(at) } else { None };
    placed.iter().filter_map(cell).collect()
}
