//! The timeline of one object.

use leptos::prelude::*;
use masthead::rest::RestClient;

use super::{board::Board, page::Panes};
use crate::{
    live::TimelineLive,
    model::timeline::{subject::Subject, timeline::Question, view_state::ViewState, words::Words},
};

/// What happened to one object and to what it owns: a part of its drawer.
#[component]
pub(crate) fn TimelineSlice(
    client: RestClient,
    kind: String,
    namespace: String,
    name: String,
    #[prop(into)] now: Signal<i64>,
    #[prop(into)] tag: Signal<&'static str>,
) -> impl IntoView {
    let spaces: Vec<String> = (!namespace.is_empty()).then(|| namespace.clone()).into_iter().collect();
    let live = TimelineLive::start(client, Signal::derive(move || spaces.clone()), false);
    let words = Signal::derive(move || Words::of(tag.get()));
    let board = Board::new(live, RwSignal::new(ViewState::default()), now, words);
    Effect::new(move || {
        let focus = Some(Subject::new(&kind, &namespace, &name));
        live.ask(Question { focus, ..board.question(Vec::new()) });
    });
    view! {
        <section class="timeline tl-slice" data-testid="timeline-slice">
            <Panes board/>
        </section>
    }
}
