//! LIST: a page of the objects of a kind at one version.

use std::{ops::Bound, rc::Rc};

use serde_json::json;

use crate::{
    continue_token::ContinueToken,
    kind::Kind,
    object::{Key, Object},
    query::{From, Match, Query},
    refusal::Refusal,
    selection::Selection,
    store::{Objects, Store},
    view::View,
};

/// Which part of a list is asked for.
struct Page {
    /// `None` for whatever is there.
    version: Option<u64>,
    after: Option<Key>,
    limit: usize,
}

/// Answers a LIST with the bytes of its page.
pub(crate) fn list(
    store: &Store,
    kind: &Rc<Kind>,
    selection: &Selection,
    query: &Query,
    view: View,
) -> Result<Vec<u8>, Refusal> {
    let page = page(store, query)?;
    let past;
    let empty = Objects::new();
    let objects = match page.version.filter(|version| *version != store.version()) {
        Some(version) => {
            past = store.all_at(kind, version).ok_or_else(|| expired(&page))?;
            &past
        }
        None => store.all(kind).unwrap_or(&empty),
    };
    let (items, left) = select(objects, kind, selection, &page);
    let version = page.version.unwrap_or(store.version());
    let mut metadata = json!({ "resourceVersion": version.to_string() });
    if let Some(last) = items.last().filter(|_| left > 0) {
        let after = (last.key.namespace.to_string(), last.key.name.to_string());
        metadata["continue"] = ContinueToken { version: Some(version), after }.encode().into();
        if !selection.has_selectors() {
            metadata["remainingItemCount"] = left.into();
        }
    }
    let items: Vec<&Rc<Object>> = items.iter().collect();
    Ok(view.list(kind, &metadata.to_string(), &items))
}

fn page(store: &Store, query: &Query) -> Result<Page, Refusal> {
    let (rule, limit) = (query.list_match()?, query.number("limit")?.unwrap_or_default());
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let from = query.version().map_err(|why| Refusal::bad_request(format!("invalid resource version: {why}")))?;
    let token = query.text("continue");
    if !token.is_empty() {
        let token = ContinueToken::decode(token)?;
        if matches!(from, From::Version(_)) {
            return Err(Refusal::bad_request("specifying resource version is not allowed when using continue"));
        }
        return Ok(Page { version: token.version, after: Some(Key::new(&token.after.0, &token.after.1)), limit });
    }
    let version = match from {
        From::Version(version) if version > store.version() => {
            return Err(Refusal::too_large_version(version, store.version()));
        }
        // A page of an old list is exact even where nobody asked for it.
        From::Version(version) if rule == Match::Exact || (rule == Match::Unset && limit > 0) => Some(version),
        _ => None,
    };
    Ok(Page { version, after: None, limit })
}

fn expired(page: &Page) -> Refusal {
    match &page.after {
        Some(key) => {
            let after = (key.namespace.to_string(), key.name.to_string());
            Refusal::expired_page(ContinueToken { version: None, after }.encode())
        }
        None => Refusal::expired_list(),
    }
}

/// The objects of a page, and how many are left behind it; with selectors, whether any is, chosen or not: the real server
/// does not look.
fn select(objects: &Objects, kind: &Rc<Kind>, selection: &Selection, page: &Page) -> (Vec<Rc<Object>>, usize) {
    let start = match (&page.after, selection.namespace()) {
        (Some(after), _) => Bound::Excluded(after.clone()),
        (None, Some(namespace)) => Bound::Included(Key::new(namespace, "")),
        (None, None) => Bound::Unbounded,
    };
    // What is left is counted by its keys alone: with many pages it is most of the work.
    let mut inside = objects
        .range((start, Bound::Unbounded))
        .take_while(|(key, _)| selection.namespace().is_none_or(|namespace| *key.namespace == *namespace));
    let limit = if page.limit == 0 { usize::MAX } else { page.limit };
    let served = inside.by_ref().map(|(_, object)| object.served_as(kind));
    let items: Vec<_> = served.filter(|object| selection.matches(object)).take(limit).collect();
    let left = if selection.has_selectors() { usize::from(inside.next().is_some()) } else { inside.count() };
    (items, left)
}
