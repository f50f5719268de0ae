//! The page without an API server.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        connection::{Cause, Trouble},
        route::Route,
        visible::excerpt,
    },
    view::copy_line::CopyLine,
};

/// What to start or look at, in one line to copy; the page connects by itself once it can. And a cluster to explore.
#[component]
pub(crate) fn NoServer(session: Session, trouble: Trouble) -> impl IntoView {
    let words = session.words_now();
    let (title, says) = match trouble.cause {
        Cause::Unreachable => (words.no_server, words.nobody_answers),
        Cause::NotAnApi => (words.no_server, words.not_an_api),
        Cause::CodeRefused => (words.code_refused, words.code_refused_advice),
        Cause::ServerFailing => (words.server_failing, words.behind_proxy),
    };
    let at_root = session.server.with_untracked(|server| server.is_at_root());
    let line = match (trouble.cause, at_root) {
        (Cause::CodeRefused, _) => None,
        (Cause::ServerFailing, _) => Some("kubectl cluster-info"),
        (_, true) => Some("kubectl proxy"),
        // A page under a path of its own was opened by the command that also runs the proxy.
        (_, false) => Some("cargo xtask serve"),
    };
    let demo = session.route.with_untracked(|route| Route { demo: true, ..route.clone() }.write());
    view! {
        <section class="panel" data-testid="no-server">
            <h2><span class="glyph offline-glyph" aria-hidden="true"></span>{title}</h2>
            <p>{says}</p>
            {line.map(|line| view! {
                <CopyLine session line/>
                <p>{words.keeps_trying}</p>
            })}
            <p class="detail">{excerpt(&trouble.detail, DETAIL).into_owned()}</p>
            <div class="panel-aside">
                <p><strong>{words.or_explore}</strong>" "{words.demo_about}</p>
                <a class="button primary" data-testid="explore" href=demo>{words.explore_demo}</a>
            </div>
        </section>
    }
}

/// How many bytes are shown of what a server says that is none of ours.
const DETAIL: usize = 1000;
