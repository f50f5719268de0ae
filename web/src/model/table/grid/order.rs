//! Ids in an order, changed in one pass however many of them move.

use std::cmp::Ordering;

use super::Id;

/// Which rows leave an order, by id. Looked up for every row of it, so that nothing else is.
#[derive(Debug)]
pub(super) struct Leaving {
    ids: Vec<bool>,
    any: bool,
}

impl Leaving {
    /// None of `many` rows.
    pub(super) fn none_of(many: usize) -> Leaving {
        Leaving { ids: vec![false; many], any: false }
    }

    pub(super) fn add(&mut self, id: Id) {
        self.ids[id as usize] = true;
        self.any = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.any
    }
}

/// Takes out what leaves and puts what comes where it belongs. `before` orders ids; what leaves is not asked for.
pub(super) fn update(order: &mut Vec<Id>, leaving: &Leaving, mut coming: Vec<Id>, before: &dyn Fn(Id, Id) -> Ordering) {
    if leaving.any {
        order.retain(|id| !leaving.ids[*id as usize]);
    }
    if coming.is_empty() {
        return;
    }
    coming.sort_by(|one, other| before(*one, *other));
    let mut merged = Vec::with_capacity(order.len() + coming.len());
    let mut rest: &[Id] = order;
    for id in coming {
        let at = rest.partition_point(|other| before(*other, id) == Ordering::Less);
        merged.extend_from_slice(&rest[..at]);
        merged.push(id);
        rest = &rest[at..];
    }
    merged.extend_from_slice(rest);
    *order = merged;
}
