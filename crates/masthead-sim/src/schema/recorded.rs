//! The types of the built-in kinds, each read when it is first asked for.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use super::{Schema, definition};

/// Recorded from a real server; see `tests/tests/sim_schema.rs`.
const TEXT: &str = include_str!("definitions.txt");

/// Where each definition lies in the text, and those that were read.
struct Recorded {
    /// By name.
    texts: HashMap<&'static str, &'static str>,
    /// The name of a kind's definition, by `group/version/kind`.
    kinds: HashMap<&'static str, &'static str>,
    /// As many as there are definitions, at most.
    read: RefCell<HashMap<&'static str, Rc<Schema>>>,
}

thread_local! {
    static RECORDED: Recorded = Recorded::new();
}

impl Recorded {
    fn new() -> Recorded {
        let (mut texts, mut kinds) = (HashMap::new(), HashMap::new());
        for text in definition::split(TEXT) {
            let (name, kind) = definition::title(text);
            texts.insert(name, text);
            kinds.extend(kind.map(|kind| (kind, name)));
        }
        Recorded { texts, kinds, read: RefCell::default() }
    }

    fn find(&self, name: &str) -> Option<Rc<Schema>> {
        if let Some(found) = self.read.borrow().get(name) {
            return Some(Rc::clone(found));
        }
        let (name, text) = self.texts.get_key_value(name)?;
        let schema = Rc::new(definition::parse(text));
        self.read.borrow_mut().insert(name, Rc::clone(&schema));
        Some(schema)
    }
}

/// The type of this name.
pub(super) fn find(name: &str) -> Option<Rc<Schema>> {
    RECORDED.with(|recorded| recorded.find(name))
}

/// The type of a kind.
pub(super) fn of_kind(group: &str, version: &str, kind: &str) -> Option<Rc<Schema>> {
    name_of_kind(group, version, kind).and_then(find)
}

/// The name of a kind's type.
pub(super) fn name_of_kind(group: &str, version: &str, kind: &str) -> Option<&'static str> {
    RECORDED.with(|recorded| recorded.kinds.get(format!("{group}/{version}/{kind}").as_str()).copied())
}

/// The names of all types.
#[cfg(test)]
pub(super) fn names() -> Vec<&'static str> {
    RECORDED.with(|recorded| recorded.texts.keys().copied().collect())
}
