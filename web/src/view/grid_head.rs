//! The heads of columns.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        table::{layout::Placed, sort::Sort},
        visible::excerpt,
    },
};

/// A click sorts by a column: up, down, and back to the kind's own order.
#[component]
pub(crate) fn GridHead(session: Session, placed: Memo<Vec<Placed>>) -> impl IntoView {
    let head = move |(at, column): (usize, Placed)| {
        let (id, clicked) = (column.id.clone(), column.id.clone());
        let order = Memo::new(move |_| {
            session.route.with(|route| route.sort.as_ref().filter(|sort| sort.column == id).map(|sort| sort.descending))
        });
        let aria = move || match order.get() {
            None => "none",
            Some(false) => "ascending",
            Some(true) => "descending",
        };
        let sort = move |_| session.amend(|route| route.sort = Sort::clicked(route.sort.as_ref(), &clicked));
        view! {
            <div class="head-cell" role="columnheader" aria-colindex=at + 1 aria-sort=aria data-numeric=column.numeric>
                <button type="button" tabindex="-1" data-testid="sort" on:click=sort>{excerpt(&column.title, 200).into_owned()}</button>
            </div>
        }
    };
    view! {
        <div class="grid-head" role="rowgroup">
            <div class="row head" role="row" aria-rowindex="1">
                {move || placed.get().into_iter().enumerate().map(head).collect_view()}
            </div>
        </div>
    }
}
