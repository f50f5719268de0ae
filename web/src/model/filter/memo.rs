//! What was said of the last texts.

use std::cell::RefCell;

use masthead::lean::Interned;

/// Remembers the verdict on the last text of each place of a row. Rows share their namespaces, states and nodes, and mostly
/// with their neighbours: such a text is tried once and not fifty thousand times.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    /// A place has the slot of its number; those that share one forget each other's text.
    last: [RefCell<Option<(Interned, bool)>>; SLOTS],
}

impl Memo {
    /// The verdict on the text at this place, by `test` when it is another one than last.
    pub(super) fn recall(&self, place: usize, text: &Interned, test: impl FnOnce(&str) -> bool) -> bool {
        let mut last = self.last[place % SLOTS].borrow_mut();
        match &*last {
            // The text is held here, so that no other can have come to lie where it lies.
            Some((known, verdict)) if std::ptr::eq(known.as_str(), text.as_str()) => *verdict,
            _ => {
                let verdict = test(text);
                *last = Some((text.clone(), verdict));
                verdict
            }
        }
    }
}

/// More than the columns of most tables.
const SLOTS: usize = 16;
