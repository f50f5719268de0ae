//! Who owns an object, and who owns that one.

use leptos::prelude::{Effect, Get, GetUntracked, Memo, RwSignal, Set, WithUntracked};
use masthead::cache::ObjectKey;
use wasm_bindgen_futures::spawn_local;

use crate::{
    live::{Session, object},
    model::{detail::Reference, json::Read},
};

/// The chain of owners, the nearest first; asked for anew when the nearest is another one.
pub(crate) fn chain(session: Session, nearest: Memo<Option<Reference>>) -> RwSignal<Vec<Reference>> {
    let chain = RwSignal::new(Vec::new());
    Effect::new(move || {
        let Some(first) = nearest.get() else { return chain.set(Vec::new()) };
        // Kinds may not be known yet, and who owns the owner is then asked once they are.
        let known = session.kinds.get().is_some();
        chain.set(vec![first.clone()]);
        if known {
            spawn_local(climb(session, nearest, first, chain));
        }
    });
    chain
}

async fn climb(session: Session, nearest: Memo<Option<Reference>>, first: Reference, chain: RwSignal<Vec<Reference>>) {
    let mut owners = vec![first.clone()];
    while owners.len() < MOST {
        let Some(above) = owner_of(session, &owners[owners.len() - 1]).await else { return };
        owners.push(above);
        // The drawer may have been closed, or shows another object.
        if nearest.try_get_untracked().flatten().as_ref() != Some(&first) {
            return;
        }
        chain.set(owners.clone());
    }
}

async fn owner_of(session: Session, one: &Reference) -> Option<Reference> {
    let kind = session.kinds.with_untracked(|kinds| kinds.as_ref()?.of_object(&one.api_version, &one.kind).cloned())?;
    let key = ObjectKey::new(&one.namespace, &one.name);
    // Who may not see the owner sees the chain as far as it is known.
    match object::get(&session.client(), &kind, &key).await.ok()?? {
        Read::Object(owner) => Reference::owner(&owner),
        Read::Text(..) => None,
    }
}

/// Owners of owners of owners: no more are known to man.
const MOST: usize = 6;
