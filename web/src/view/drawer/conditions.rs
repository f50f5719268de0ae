//! The conditions of an object.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{detail::Condition, visible::visible},
    view::{
        drawer::{section::Section, told::Ago},
        long_text::LongText,
        show_more::{FIRST, ShowMore},
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
                <td><span class="tone mono" data-tone=tone_name(condition.tone)>{visible(&condition.kind).into_owned()}</span></td>
                <td class="mono">{visible(&condition.status).into_owned()}</td>
                <td class="told-says"><LongText session text=says/></td>
                <td class="quiet nowrap">{condition.since.map(|time| view! { <Ago session time/> })}</td>
            </tr>
        }
    };
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| conditions.with(Vec::len)));
    view! {
        <Show when=move || conditions.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.conditions) test="conditions">
                <table class="told-table"><tbody>
                    {move || conditions.get().into_iter().take(shown.get()).map(line).collect_view()}
                </tbody></table>
                <ShowMore session shown all/>
            </Section>
        </Show>
    }
}
