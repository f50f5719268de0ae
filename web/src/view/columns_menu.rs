//! The choice of columns.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::{custom_column::CustomColumn as Added, table::column::Column, visible::excerpt},
    view::{custom_column::CustomColumn, layer::Layer},
};

/// The columns of the kind on screen, and those that a person adds.
#[component]
pub(crate) fn ColumnsMenu(session: Session) -> impl IntoView {
    let label = Signal::derive(move || session.words().columns.to_owned());
    view! {
        <Layer session which=Overlay::Columns class="menu" label>
            <Sheet session/>
        </Layer>
    }
}

#[component]
fn Sheet(session: Session) -> impl IntoView {
    let id = Memo::new(move |_| session.route.with(|route| route.kind().unwrap_or("events").to_owned()));
    let choice = Memo::new(move |_| session.settings.with(|settings| settings.choice(&id.get())));
    let served = Memo::new(move |_| {
        let own = choice.with(|choice| choice.added().len());
        let mut columns = session.columns.get();
        columns.truncate(columns.len().saturating_sub(own));
        columns
    });
    let option = move |(at, column): (usize, Column)| {
        let (shown, toggled) = (column.clone(), column.clone());
        let toggle = move |_| {
            session.settings.update(|settings| {
                settings.choose(&id.get_untracked(), |choice| choice.toggle(&toggled));
            })
        };
        view! {
            <label class="option">
                <input
                    type="checkbox"
                    disabled=at == 0
                    prop:checked=move || at == 0 || choice.with(|choice| choice.shows(&shown))
                    on:change=toggle
                />
                <span>{excerpt(&column.title, 200).into_owned()}</span>
                {column.wide.then(|| view! { <small>{session.words().column_wide}</small> })}
            </label>
        }
    };
    let own = move |custom: Added| {
        let removed = custom.to_string();
        let remove = move |_| {
            session.settings.update(|settings| {
                settings.choose(&id.get_untracked(), |choice| choice.custom.retain(|known| *known != removed));
            })
        };
        view! {
            <div class="option">
                <span>{excerpt(&custom.column().title, 200).into_owned()}</span>
                <button type="button" class="link" on:click=remove>{move || session.words().column_remove}</button>
            </div>
        }
    };
    let reset = move |_| {
        session.settings.update(|settings| settings.choose(&id.get_untracked(), |choice| *choice = Default::default()))
    };
    view! {
        <h2>{move || session.words().columns}</h2>
        <div class="options">
            {move || served.get().into_iter().enumerate().map(option).collect_view()}
            {move || choice.get().added().into_iter().map(own).collect_view()}
        </div>
        <CustomColumn session id/>
        <button type="button" class="button" on:click=reset>{move || session.words().columns_reset}</button>
    }
}
