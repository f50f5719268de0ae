//! Figures, and where they lead.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        overview::Figure,
        route::{Page, Route},
        table::sort::Sort,
        visible::excerpt,
        words::grouped,
    },
    view::status_chips::tone_name,
};

/// A card of figures; each leads to the table that shows what it counts. What is refused is not said to be well.
#[component]
pub(crate) fn Figures(
    session: Session,
    test: &'static str,
    title: Signal<&'static str>,
    figures: Memo<Vec<Figure>>,
    total: Memo<usize>,
    refused: Memo<bool>,
) -> impl IntoView {
    let some = Memo::new(move |_| {
        let numbered = figures.get().into_iter().enumerate();
        numbered.filter(|(_, figure)| figure.count > 0).collect::<Vec<(usize, Figure)>>()
    });
    let line = move |(place, figure): (usize, Figure)| {
        let Figure { word, count, tone, kind, filter } = figure;
        let unready = kind == "pods" && word == "Running";
        let href = move || {
            let sort = unready.then(|| Sort { column: "ready".to_owned(), descending: false });
            session.route.with(|route| Route { filter: filter.clone(), sort, ..route.to(Page::of(kind)) }.write())
        };
        let text = move || {
            let words = &session.words().overview;
            let of_nodes = [words.nodes_not_ready, words.nodes_pressed, words.nodes_cordoned];
            match kind {
                "pods" if unready => words.not_ready.to_owned(),
                "nodes" => of_nodes.get(place).copied().unwrap_or_default().to_owned(),
                _ if word.is_empty() => kind.split('.').next().unwrap_or(kind).to_owned(),
                _ => excerpt(&word, 200).into_owned(),
            }
        };
        view! {
            <li><a class="figure" data-testid="figure" href=href>
                <b class="tone" data-tone=tone_name(tone)>{grouped(count)}</b><span>{text}</span></a></li>
        }
    };
    let none = move || {
        let words = &session.words().overview;
        if refused.get() { words.not_counted.to_owned() } else { (words.all_well)(total.get()) }
    };
    view! {
        <article class="card" data-testid=test>
            <h3>{title}</h3>
            <ul>{move || some.get().into_iter().map(line).collect_view()}</ul>
            <Show when=move || some.with(Vec::is_empty)>
                <p class="quiet">{none}</p>
            </Show>
        </article>
    }
}
