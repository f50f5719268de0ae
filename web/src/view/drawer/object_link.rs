//! A link to an object.

use leptos::prelude::*;

use crate::{
    live::Session,
    model::{
        detail::Reference,
        route::{Open, Page, Route},
        visible::visible,
    },
};

/// Leads to the object in its kind's table; only text where the server does not have the kind.
#[component]
pub(crate) fn ObjectLink(session: Session, to: Reference, #[prop(optional)] kind: bool) -> impl IntoView {
    let name = if kind { format!("{} {}", to.kind, to.name) } else { to.name.clone() };
    let name = visible(&name).into_owned();
    let shown = name.clone();
    let href = Memo::new(move |_| {
        let known = session.kinds.with(|kinds| kinds.as_ref()?.of_object(&to.api_version, &to.kind).cloned())?;
        let namespace = if known.namespaced { to.namespace.clone() } else { String::new() };
        let open = Open { namespace, name: to.name.clone(), ..Open::default() };
        Some(session.route.with(|route| Route { open: Some(open), ..route.to(Page::Table(known.id())) }.write()))
    });
    move || match href.get() {
        Some(href) => view! { <a class="object-link mono" href=href>{shown.clone()}</a> }.into_any(),
        None => view! { <span class="mono">{name.clone()}</span> }.into_any(),
    }
}
