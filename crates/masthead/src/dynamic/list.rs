//! Lists of objects whose kind only the server knows.

use kube_core::{DynamicObject, TypeMeta};

use crate::{
    Error,
    rest::{List, Response},
};

/// Reads a page. An answer that is no list becomes the list of itself, as in client-go.
pub(super) fn decode(response: &Response) -> Result<List<DynamicObject>, Error> {
    match List::decode(response) {
        Ok(list) => Ok(named(list)),
        Err(error) if error.is_undecodable() => response.decode().map(single).map_err(|_| error),
        Err(error) => Err(error),
    }
}

/// Gives every item its kind: servers name it once, in the list's own.
fn named(mut list: List<DynamicObject>) -> List<DynamicObject> {
    let of_items = list.types.as_ref().and_then(|types| {
        let kind = types.kind.strip_suffix("List").filter(|kind| !kind.is_empty())?;
        Some(TypeMeta { api_version: types.api_version.clone(), kind: kind.to_owned() })
    });
    for item in list.items.iter_mut().filter(|item| item.types.is_none()) {
        item.types.clone_from(&of_items);
    }
    list
}

fn single(object: DynamicObject) -> List<DynamicObject> {
    List {
        types: None,
        resource_version: object.metadata.resource_version.clone().unwrap_or_default(),
        continue_token: None,
        remaining_item_count: None,
        items: vec![object],
        skipped: Vec::new(),
    }
}
