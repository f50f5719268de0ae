//! How full the cluster is.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        detail::Amount,
        overview::{Board, Counted},
        route::Page,
        visible::visible,
        words::grouped,
    },
};

/// What pods ask for, against what nodes have.
#[component]
pub(crate) fn Capacity(session: Session, board: RwSignal<Board, LocalStorage>) -> impl IntoView {
    let amounts = Memo::new(move |_| {
        board.with(|board| {
            let (asked, offered) = (board.asked(), board.offered());
            let amount = |name: &str, taken: String, of: String| Amount { name: name.to_owned(), taken, of };
            [
                amount("cpu", asked.cpu_text(), offered.cpu_text()),
                amount("memory", asked.memory_text(), offered.memory_text()),
            ]
        })
    });
    let counts = Memo::new(move |_| board.with(|board| (board.total(Counted::Pods), board.total(Counted::Nodes))));
    let link = move |id: &'static str| move || session.route.with(|route| route.to(Page::of(id)).write());
    let line = move |amount: Amount| {
        // Nodes that may not be listed have nobody knows how much.
        let share = amount.share();
        let [taken, of] = [&amount.taken, &amount.of].map(|text| visible(text).into_owned());
        let name = amount.name.clone();
        let told = move || match share {
            Some(_) => (session.words().overview.requested_of)(&taken, &of),
            None => taken.clone(),
        };
        let bar = move |share: f64| {
            view! {
                <td class="told-bar"><meter min="0" max="1" low="0.8" high="0.95" optimum="0.5"
                    value=share.min(1.0).to_string() aria-label=name.clone()></meter></td>
                <td class="mono told-number">{format!("{:.0}%", share * 100.0)}</td>
            }
        };
        view! {
            <tr>
                <th scope="row" class="mono">{amount.name}</th>
                <td class="mono">{told}</td>
                {share.map(bar)}
            </tr>
        }
    };
    view! {
        <h2>{move || session.words().overview.capacity}</h2>
        <div class="card" data-testid="capacity">
            <p class="told-line">
                <a class="figure" href=link("pods")><b>{move || grouped(counts.get().0)}</b>
                    <span>{move || session.words().overview.pods}</span></a>
                <a class="figure" href=link("nodes")><b>{move || grouped(counts.get().1)}</b>
                    <span>{move || session.words().overview.nodes}</span></a>
            </p>
            <table class="told-table"><tbody>{move || amounts.get().map(line).collect_view()}</tbody></table>
        </div>
    }
}
