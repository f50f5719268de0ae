//! The objects that belong to the one that is open.

use leptos::prelude::*;

use crate::{
    live::{Relatives, Session},
    model::{detail::Relation, kind::Kind},
    view::drawer::relation::RelationTable,
};

/// A table of what belongs to the object, as the server selects it. `found` is told what is followed.
#[component]
pub(crate) fn Owned(
    session: Session,
    relation: Relation,
    #[prop(optional)] found: Option<RwSignal<Option<Relatives>>>,
) -> impl IntoView {
    let [group, version, resource] = relation.resource;
    let id = if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") };
    let unknown =
        || Kind { group: group.into(), version: version.into(), resource: resource.into(), ..Kind::default() };
    let kind = session.kinds.with_untracked(|kinds| kinds.as_ref()?.find(&id).cloned()).unwrap_or_else(unknown);
    let relatives = Relatives::follow(&session.client(), &relation);
    if let Some(found) = found {
        found.set(relatives);
    }
    let label = relation.label;
    let title = Signal::derive(move || (session.words().drawer.label)(label).to_owned());
    relatives.map(|relatives| view! { <RelationTable session title kind labels=relation.labels relatives/> })
}
