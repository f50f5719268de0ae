//! The page of somebody who may not list.

use leptos::prelude::*;

use crate::{
    live::{Overlay, Session},
    model::{supply::Refusal, visible::excerpt},
};

/// What was refused, why, and what still works.
#[component]
pub(crate) fn Refused(session: Session, refusal: Refusal, title: String) -> impl IntoView {
    let words = session.words_now();
    let resource = session.route.with_untracked(|route| route.kind().unwrap_or("events").to_owned());
    let namespaces = session.route.with_untracked(|route| route.namespaces.join(", "));
    let place = match namespaces.as_str() {
        "" => words.in_cluster.to_owned(),
        names => (words.in_namespaces)(names),
    };
    let known = refusal.code == 403;
    let heading = if known { (words.refused_known)(&title) } else { words.refused_unknown.to_owned() };
    let advice = if known { (words.refused_advice)(&resource) } else { words.unknown_advice.to_owned() };
    let works = move || session.version.with(|version| (words.answers)(version.as_deref()));
    view! {
        <section class="panel" data-testid="refused">
            <h2><span class="glyph refusal-glyph" aria-hidden="true"></span>{excerpt(&heading, 300).into_owned()}</h2>
            <dl class="facts">
                <dt>{words.refused}</dt>
                <dd><code>{refusal.verb}" "{excerpt(&resource, 300).into_owned()}</code>" "{excerpt(&place, 1000).into_owned()}</dd>
                <dt>{words.reason}</dt>
                <dd>{excerpt(&refusal.why, 2000).into_owned()}</dd>
                <dt>{words.still_works}</dt>
                <dd>{works}</dd>
            </dl>
            <p>{excerpt(&advice, 600).into_owned()}" "{words.asks_again}</p>
            {(known && namespaces.is_empty()).then(|| view! {
                <p>{words.refused_narrow}</p>
                <div class="panel-actions">
                    <button type="button" class="button" on:click=move |_| session.overlay.set(Overlay::Namespaces)>
                        {words.namespaces}
                    </button>
                </div>
            })}
        </section>
    }
}
