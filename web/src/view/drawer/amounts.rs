//! Amounts, and how much of them is taken.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{detail::Amount, visible::visible},
    view::{
        drawer::section::Section,
        show_more::{FIRST, ShowMore},
    },
};

/// A line for each amount, with a bar where the share is known.
#[component]
pub(crate) fn Amounts(session: Session, amounts: Memo<Vec<Amount>>) -> impl IntoView {
    let line = move |amount: Amount| {
        let share = amount.share();
        let (taken, of) = (amount.taken.clone(), amount.of.clone());
        let text = move || match taken.is_empty() {
            true => visible(&of).into_owned(),
            false => visible(&(session.words().drawer.taken_of)(&taken, &of)).into_owned(),
        };
        let bar = share.map(|share| {
            view! {
                <meter min="0" max="1" low="0.8" high="0.95" optimum="0.5" value=share.min(1.0).to_string()
                    aria-label=visible(&amount.name).into_owned()></meter>
            }
        });
        let percent = share.map(|share| format!("{:.0}%", share * 100.0));
        view! {
            <tr><th scope="row" class="mono">{visible(&amount.name).into_owned()}</th><td class="mono">{text}</td><td class="told-bar">{bar}</td>
                <td class="mono told-number">{percent}</td></tr>
        }
    };
    let (shown, all) = (RwSignal::new(FIRST), Memo::new(move |_| amounts.with(Vec::len)));
    view! {
        <Show when=move || amounts.with(|all| !all.is_empty())>
            <Section title=Signal::derive(move || session.words().drawer.capacity) test="amounts">
                <table class="told-table"><tbody>{move || amounts.get().into_iter().take(shown.get()).map(line).collect_view()}</tbody></table>
                <ShowMore session shown all/>
            </Section>
        </Show>
    }
}
