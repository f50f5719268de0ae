//! A small table.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::detail::{Label, Listing, Told},
    view::{
        drawer::{section::Section, told::ToldValue},
        show_more::{FIRST, ShowMore},
    },
};

/// Ports, rules, subjects and the like.
#[component]
pub(crate) fn ListingTable(session: Session, listing: Listing) -> impl IntoView {
    let Listing { label, heads, lines } = listing;
    let word = move |label: Label| move || (session.words().drawer.label)(label);
    let head = move |label: Label| view! { <th scope="col">{word(label)}</th> };
    let cell = move |told: Told| view! { <td><ToldValue session told/></td> };
    let line = move |line: Vec<Told>| view! { <tr>{line.into_iter().map(cell).collect_view()}</tr> };
    let (shown, all) = (RwSignal::new(FIRST), lines.len());
    view! {
        <Section title=Signal::derive(move || (session.words().drawer.label)(label)) test="listing">
            <table class="told-table">
                <thead><tr>{heads.into_iter().map(head).collect_view()}</tr></thead>
                <tbody>{move || lines.iter().take(shown.get()).cloned().map(line).collect_view()}</tbody>
            </table>
            <ShowMore session shown all=Signal::stored(all)/>
        </Section>
    }
}
