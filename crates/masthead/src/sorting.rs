//! Sorting in little code: one algorithm for all types.
//!
//! The sorts of the standard library are compiled anew for every type, five kilobytes of the page each. Here a number stands
//! for each item, so that a type costs no more than an exchange of two items. What sorts tens of thousands of items does so by
//! itself.

use std::cmp::Ordering;

/// Sorts as `slice::sort_by` does: items that compare as equal stay in their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|one, other| compare(&items[one], &items[other]));
    arrange(&order, &mut |one, other| items.swap(one, other));
}

/// Sorts as `slice::sort_by_key` does.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts as `slice::sort` does.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The places of items, in the order of the items.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

/// Brings the item of each place in `order` to the place of that place, by exchanges.
fn arrange(order: &[usize], exchange: &mut dyn FnMut(usize, usize)) {
    for (to, place) in order.iter().enumerate() {
        let mut from = *place;
        // An item whose place was filled before lies where that exchange brought it.
        while from < to {
            from = order[from];
        }
        if from != to {
            exchange(to, from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{sort, sort_by_key};

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut seed = 7_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 60) as u8
        };
        for length in 0..40 {
            let items: Vec<(u8, usize)> = (0..length).map(|place| (random(), place)).collect();
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs, "equal items stay in their order");
            sort(&mut ours);
            theirs.sort();
            assert_eq!(ours, theirs);
        }
    }
}
