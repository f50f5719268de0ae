//! The page without an API server.

use leptos::prelude::*;

use crate::{
    model::connection::{Cause, Trouble},
    view::copy_line::CopyLine,
};

/// What to start or look at, in one line to copy; the page connects by itself once it can.
#[component]
pub(crate) fn NoServer(trouble: Trouble, at_root: bool) -> impl IntoView {
    let (title, says) = match trouble.cause {
        Cause::Unreachable => {
            ("No API server", "Nobody answers at this address. Start a proxy with your kubectl context:")
        }
        Cause::NotAnApi => {
            ("No API server", "What answers here is not an API server. Start a proxy with your kubectl context:")
        }
        Cause::ServerFailing => (
            "The API server does not answer",
            "A proxy answers here, but not the API server behind it. See whether it is up:",
        ),
    };
    let line = match (trouble.cause, at_root) {
        (Cause::ServerFailing, _) => "kubectl cluster-info",
        (_, true) => "kubectl proxy",
        // A page under a path of its own was opened by the command that also runs the proxy.
        (_, false) => "cargo xtask serve",
    };
    view! {
        <section class="panel" data-testid="no-server">
            <h2><span class="glyph offline-glyph" aria-hidden="true"></span>{title}</h2>
            <p>{says}</p>
            <CopyLine line/>
            <p>"This page keeps trying and connects by itself."</p>
            <p class="detail">{trouble.detail}</p>
        </section>
    }
}
