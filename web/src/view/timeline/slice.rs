//! The timeline of one object.

use leptos::prelude::*;

use super::{board::Board, page::Panes};
use crate::{
    live::{Scope, Session, TimelineLive},
    model::timeline::{subject::Subject, timeline::Question, view_state::ViewState, words::Words},
};

/// What happened to one object and to what it owns: a part of its drawer.
#[component]
pub(crate) fn TimelineSlice(session: Session, kind: String, namespace: String, name: String) -> impl IntoView {
    let scope = if namespace.is_empty() { Scope::Clusterwide } else { Scope::Slice(namespace.clone()) };
    let live = TimelineLive::start(session, Signal::derive(move || scope.clone()), false);
    let words = Signal::derive(move || Words::of(session.words().tag));
    let board = Board::new(live, RwSignal::new(ViewState::default()), session.now.into(), words);
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
