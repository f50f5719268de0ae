//! How often each of many items was tried.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::workqueue::Key;

/// A count for each item that is not forgotten.
pub(super) struct Attempts<T> {
    counts: RefCell<FxHashMap<T, u32>>,
}

impl<T> Default for Attempts<T> {
    fn default() -> Attempts<T> {
        Attempts { counts: RefCell::default() }
    }
}

impl<T: Key> Attempts<T> {
    /// Counts one more attempt; gives how many there are now.
    pub(super) fn count(&self, item: &T) -> u32 {
        let mut counts = self.counts.borrow_mut();
        match counts.get_mut(item) {
            Some(count) => {
                *count = count.saturating_add(1);
                *count
            }
            None => {
                counts.insert(item.clone(), 1);
                1
            }
        }
    }

    pub(super) fn forget(&self, item: &T) {
        let forgotten = self.counts.borrow_mut().remove_entry(item);
        drop(forgotten);
    }

    pub(super) fn of(&self, item: &T) -> u32 {
        self.counts.borrow().get(item).copied().unwrap_or_default()
    }
}
