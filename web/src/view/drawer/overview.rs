//! What is told of the object that is open.

use leptos::prelude::*;

use crate::{
    live::{Contents, OpenObject, Relatives, Session},
    model::{
        detail::{Amount, Detail, Listing, Reference, Relation},
        visible::visible,
    },
    view::{
        drawer::{
            amounts::Amounts, conditions::Conditions, containers::Containers, entries::Entries, facts::Facts,
            listing::ListingTable, owned::Owned, owners::Owners, pairs::Pairs, secret::Secret,
        },
        object_text::UnreadText,
    },
};

/// What a person asks first. Each section is drawn anew only when it changed, so that nobody loses their place.
#[component]
pub(crate) fn ObjectOverview(session: Session, object: OpenObject) -> impl IntoView {
    let detail = Memo::new(move |_| told(object, Detail::of).unwrap_or_default());
    let nearest = Memo::new(move |_| told(object, Reference::owner).flatten());
    let facts = part(detail, |detail| detail.facts.clone());
    let conditions = part(detail, |detail| detail.conditions.clone());
    let containers = part(detail, |detail| detail.containers.clone());
    let entries = part(detail, |detail| detail.entries.clone());
    let listings = part(detail, |detail| detail.listings.clone());
    let relations = part(detail, |detail| detail.relations.clone());
    let labels = part(detail, |detail| detail.labels.clone());
    let annotations = part(detail, |detail| detail.annotations.clone());
    // A node's pods ask for some of what it has.
    let pods = RwSignal::new(None::<Relatives>);
    let amounts = Memo::new(move |_| {
        let rows = pods.get().map(|pods| pods.rows);
        let amounts = detail.with(|detail| detail.amounts.clone());
        match rows {
            Some(rows) => rows.with(|rows| Amount::with_requests(amounts, rows.iter().map(|row| row.fields()))),
            None => amounts,
        }
    });
    let is_node = object.kind().id() == "nodes";
    let relation = move |relation: Relation| match is_node {
        true => view! { <Owned session relation found=pods/> }.into_any(),
        false => view! { <Owned session relation/> }.into_any(),
    };
    let listing = move |listing: Listing| view! { <ListingTable session listing/> };
    let state = move || match object.contents.get() {
        Contents::Loading => {
            Some(view! { <p class="quiet" role="status">{session.words().object_loading}</p> }.into_any())
        }
        Contents::Gone => {
            Some(view! { <p class="notice" data-testid="object-gone">{session.words().object_gone}</p> }.into_any())
        }
        Contents::Failed(why) => {
            Some(view! { <p class="notice" role="status">{visible(&why).into_owned()}</p> }.into_any())
        }
        Contents::Text(text, why) => Some(view! { <UnreadText session text=text.to_string() why/> }.into_any()),
        Contents::Whole(_) | Contents::Hidden(_) => None,
    };
    let is_secret = object.kind().is_secret();
    view! {
        <div class="object-overview" data-testid="object-overview">
            {state}
            <Owners session nearest/>
            <Facts session facts/>
            <Conditions session conditions/>
            <Containers session containers/>
            {is_secret.then(|| view! { <Secret session object annotations/> })}
            <Entries session entries/>
            <Amounts session amounts/>
            {move || listings.get().into_iter().map(listing).collect_view()}
            {move || relations.get().into_iter().map(relation).collect_view()}
            <Pairs session title=Signal::derive(move || session.words().drawer.labels) test="labels" pairs=labels/>
            {(!is_secret).then(|| view! {
                <Pairs session title=Signal::derive(move || session.words().drawer.annotations) test="annotations" pairs=annotations/>
            })}
        </div>
    }
}

/// A part of what is told, which changes only when it does.
fn part<T: Clone + PartialEq + Send + Sync + 'static>(detail: Memo<Detail>, of: fn(&Detail) -> T) -> Memo<T> {
    Memo::new(move |_| detail.with(of))
}

/// What `of` says of the object, once it is there.
pub(super) fn told<T>(object: OpenObject, of: fn(&serde_json::Value) -> T) -> Option<T> {
    object.contents.with(|contents| match contents {
        Contents::Whole(value) | Contents::Hidden(value) => Some(of(value)),
        _ => None,
    })
}
