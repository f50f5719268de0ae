//! What changed of late.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        overview::{Board, Change, What},
        route::{Open, Page, Route},
        visible::excerpt,
    },
    view::drawer::Ago,
};

/// The latest changes of workloads and nodes; each leads to its object.
#[component]
pub(crate) fn RecentChanges(session: Session, board: RwSignal<Board, LocalStorage>) -> impl IntoView {
    let changes = Memo::new(move |_| board.with(|board| board.changes.latest(SHOWN)));
    let line = move |change: Change| {
        let Change { time, what, kind, namespace, name, state } = change;
        let (page, place) = (kind.id(), namespace.clone());
        let open = Open { namespace, name: name.clone(), ..Open::default() };
        let href =
            move || session.route.with(|route| Route { open: Some(open.clone()), ..route.to(Page::of(page)) }.write());
        let word = move || {
            let words = &session.words().overview;
            match what {
                What::Created => words.created,
                What::Changed => words.changed,
                What::Deleted => words.deleted,
            }
        };
        view! {
            <tr>
                <td class="quiet nowrap"><Ago session time/></td>
                <td>{word}</td>
                <td class="quiet">{page.split('.').next().unwrap_or(page)}</td>
                <td><a class="object-link mono" href=href>{excerpt(&name, 300).into_owned()}</a></td>
                <td class="quiet mono">{excerpt(&place, 300).into_owned()}</td>
                <td class="mono">{excerpt(&state, 200).into_owned()}</td>
            </tr>
        }
    };
    view! {
        <h2>{move || session.words().overview.changes}</h2>
        <div class="card" data-testid="changes">
            <table class="told-table"><tbody>
                <For each=move || changes.get() key=|it| (it.time, it.name.clone(), it.state.clone()) children=line/>
            </tbody></table>
            <Show when=move || changes.with(Vec::is_empty)>
                <p class="quiet">{move || session.words().overview.no_changes}</p>
            </Show>
        </div>
    }
}

const SHOWN: usize = 15;
