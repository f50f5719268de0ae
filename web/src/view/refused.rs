//! The page of somebody who may not list.

use leptos::prelude::*;

use crate::model::connection::Refusal;

/// What was refused, why, and what still works.
#[component]
pub(crate) fn Refused(refusal: Refusal, version: RwSignal<Option<String>>) -> impl IntoView {
    let title = match refusal.code {
        401 => "The server does not know who is asking",
        _ => "You may not see the namespaces",
    };
    let advice = match refusal.code {
        401 => "The credentials behind kubectl proxy were not accepted. Sign in again, then restart the proxy.",
        _ => "Ask for a ClusterRole that allows get, list and watch on namespaces.",
    };
    let works = move || match version.get() {
        Some(version) => format!("The server answers and tells its version, {version}."),
        None => "The server answers.".to_owned(),
    };
    view! {
        <section class="panel" data-testid="refused">
            <h2><span class="glyph refusal-glyph" aria-hidden="true"></span>{title}</h2>
            <dl class="facts">
                <dt>"Refused"</dt>
                <dd><code>{refusal.verb}" "{refusal.resource}</code>" in the whole cluster"</dd>
                <dt>"Reason"</dt>
                <dd>{refusal.why}</dd>
                <dt>"Still works"</dt>
                <dd>{works}</dd>
            </dl>
            <p>{advice}" This page asks again every 30 seconds."</p>
        </section>
    }
}
