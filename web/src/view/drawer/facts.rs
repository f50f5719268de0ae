//! What is told in a few words.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::detail::{Fact, Label, Told},
    view::{
        drawer::told::ToldValue,
        show_more::{FIRST, ShowMore},
    },
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
        let (shown, count) = (RwSignal::new(FIRST), all.len());
        view! {
            <div>
                <dt>{move || (session.words().drawer.label)(label)}</dt>
                {move || all.iter().take(shown.get()).cloned().map(value).collect_view()}
                <dd><ShowMore session shown all=Signal::stored(count)/></dd>
            </div>
        }
    };
    view! { <dl class="told-facts" data-testid="facts">{move || groups().into_iter().map(group).collect_view()}</dl> }
}
