//! Which rows a person chose.

use std::collections::BTreeSet;

use masthead::cache::ObjectKey;

/// The row with the cursor, and the rows that are chosen. Rows go by their names, so that a choice outlives a new list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The row with the cursor.
    pub active: Option<ObjectKey>,
    /// Where a range begins.
    anchor: Option<ObjectKey>,
    chosen: BTreeSet<ObjectKey>,
}

impl Selection {
    /// Puts the cursor on a row.
    pub fn activate(&mut self, key: ObjectKey) {
        self.anchor = Some(key.clone());
        self.active = Some(key);
    }

    /// Chooses a row, or no longer.
    pub fn toggle(&mut self, key: &ObjectKey) {
        if !self.chosen.remove(key) {
            self.chosen.insert(key.clone());
        }
    }

    /// Chooses everything in `range`, which goes from the anchor to the row with the cursor.
    pub fn extend(&mut self, active: ObjectKey, range: impl IntoIterator<Item = ObjectKey>) {
        self.chosen.extend(range);
        self.active = Some(active);
    }

    /// Where a range begins: the row that had the cursor before the range was begun.
    pub fn anchor(&self) -> Option<&ObjectKey> {
        self.anchor.as_ref()
    }

    /// Chooses these rows and no others.
    pub fn choose(&mut self, keys: impl IntoIterator<Item = ObjectKey>) {
        self.chosen = keys.into_iter().collect();
    }

    /// Chooses nothing.
    pub fn clear(&mut self) {
        self.chosen.clear();
    }

    /// A row went.
    pub fn forget(&mut self, key: &ObjectKey) {
        self.chosen.remove(key);
    }

    /// Whether a row is chosen.
    pub fn has(&self, key: &ObjectKey) -> bool {
        self.chosen.contains(key)
    }

    /// The rows that are chosen, by namespace and name.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = &ObjectKey> {
        self.chosen.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("a", name)
    }

    fn chosen(selection: &Selection) -> String {
        selection.chosen().map(ObjectKey::name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rows_are_chosen_one_by_one_and_in_ranges() {
        let mut selection = Selection::default();
        selection.activate(key("b"));
        selection.toggle(&key("b"));
        selection.extend(key("d"), ["b", "c", "d"].map(key));
        assert_eq!(chosen(&selection), "b c d");
        assert_eq!(selection.anchor(), Some(&key("b")));
        selection.toggle(&key("c"));
        selection.forget(&key("d"));
        assert_eq!(chosen(&selection), "b");
        selection.choose(["x", "y"].map(key));
        assert!(selection.has(&key("y")) && !selection.has(&key("b")));
        selection.clear();
        assert_eq!(selection.chosen().len(), 0);
        assert_eq!(selection.active, Some(key("d")));
    }
}
