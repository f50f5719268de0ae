//! What part of a store a list is about.

use std::rc::Rc;

use super::ObjectKey;

/// What a list is complete for: what it does not have, within this, is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Everything there is.
    #[default]
    All,
    /// One namespace of several that are read side by side.
    Namespace(Rc<str>),
}

impl Scope {
    /// Whether the object of this key lies within.
    pub fn holds(&self, key: &ObjectKey) -> bool {
        match self {
            Scope::All => true,
            Scope::Namespace(namespace) => key.namespace() == &**namespace,
        }
    }
}
