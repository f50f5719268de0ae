//! The conditions of an object.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::detail::Condition,
    view::{
        drawer::{section::Section, told::Ago},
        status_chips::tone_name,
    },
};

/// A line for each condition, the worst first.
#[component]
pub(crate) fn Conditions(session: Session, conditions: Memo<Vec<Condition>>) -> impl IntoView {
    let line = move |condition: Condition| {
        let says = match condition.message.is_empty() {
            true => condition.reason.clone(),
            false => format!("{} {}", condition.reason, condition.message),
        };
        view! {
            <tr>
                <td><span class="tone mono" data-tone=tone_name(condition.tone)>{condition.kind}</span></td>
                <td class="mono">{condition.status}</td>
                <td class="told-says">{says}</td>
                <td class="quiet nowrap">{condition.since.map(|time| view! { <Ago session time/> })}</td>
            </tr>
        }
    };
    view! {
        <Show when=move || conditions.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.conditions) test="conditions">
                <table class="told-table"><tbody>
                    {move || conditions.get().into_iter().map(line).collect_view()}
                </tbody></table>
            </Section>
        </Show>
    }
}
