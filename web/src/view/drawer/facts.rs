//! What is told in a few words.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::detail::{Fact, Label, Told},
    view::drawer::told::ToldValue,
};

/// Names and values; values of one name stand together.
#[component]
pub(crate) fn Facts(session: Session, facts: Memo<Vec<Fact>>) -> impl IntoView {
    let groups = move || {
        let mut groups: Vec<(Label, Vec<Told>)> = Vec::new();
        for Fact { label, told } in facts.get() {
            match groups.last_mut().filter(|(last, _)| *last == label) {
                Some((_, all)) => all.push(told),
                None => groups.push((label, vec![told])),
            }
        }
        groups
    };
    let value = move |told: Told| view! { <dd><ToldValue session told/></dd> };
    let group = move |(label, all): (Label, Vec<Told>)| {
        view! {
            <div>
                <dt>{move || (session.words().drawer.label)(label)}</dt>
                {all.into_iter().map(value).collect_view()}
            </div>
        }
    };
    view! { <dl class="told-facts" data-testid="facts">{move || groups().into_iter().map(group).collect_view()}</dl> }
}
