//! A small table.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::detail::{Label, Listing, Told},
    view::drawer::{section::Section, told::ToldValue},
};

/// Ports, rules, subjects and the like.
#[component]
pub(crate) fn ListingTable(session: Session, listing: Listing) -> impl IntoView {
    let Listing { label, heads, lines } = listing;
    let word = move |label: Label| move || (session.words().drawer.label)(label);
    let head = move |label: Label| view! { <th scope="col">{word(label)}</th> };
    let cell = move |told: Told| view! { <td><ToldValue session told/></td> };
    let line = move |line: Vec<Told>| view! { <tr>{line.into_iter().map(cell).collect_view()}</tr> };
    view! {
        <Section title=Signal::derive(move || (session.words().drawer.label)(label)) test="listing">
            <table class="told-table">
                <thead><tr>{heads.into_iter().map(head).collect_view()}</tr></thead>
                <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
            </table>
        </Section>
    }
}
