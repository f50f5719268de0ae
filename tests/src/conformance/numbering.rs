//! Numbers in the order of first appearance.

use std::collections::HashMap;

/// Gives equal texts equal numbers, the first one 1.
#[derive(Debug, Default)]
pub(crate) struct Numbering(HashMap<String, usize>);

impl Numbering {
    pub(crate) fn of(&mut self, text: &str) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(text.to_owned()).or_insert(next)
    }

    /// The number of a text that has one.
    pub(crate) fn known(&self, text: &str) -> Option<usize> {
        self.0.get(text).copied()
    }
}
