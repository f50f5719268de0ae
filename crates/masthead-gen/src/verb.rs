//! The verbs of a typed client.

use std::fmt;

/// What a typed client can do with the objects of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Make an object.
    Create,
    /// Replace an object.
    Update,
    /// Replace an object's status.
    UpdateStatus,
    /// Delete an object.
    Delete,
    /// Delete many objects.
    DeleteCollection,
    /// Read an object.
    Get,
    /// Read many objects.
    List,
    /// Follow many objects.
    Watch,
    /// Change some fields of an object.
    Patch,
    /// Own some fields of an object.
    Apply,
    /// Own some fields of an object's status.
    ApplyStatus,
}

impl Verb {
    /// All of them, in the order in which they are generated.
    pub const ALL: [Verb; 11] = [
        Verb::Create,
        Verb::Update,
        Verb::UpdateStatus,
        Verb::Delete,
        Verb::DeleteCollection,
        Verb::Get,
        Verb::List,
        Verb::Watch,
        Verb::Patch,
        Verb::Apply,
        Verb::ApplyStatus,
    ];

    /// What `+genclient:readonly` leaves.
    pub const READ_ONLY: [Verb; 3] = [Verb::Get, Verb::List, Verb::Watch];

    /// What a method of one's own can do.
    pub const OF_METHODS: [Verb; 6] = [Verb::Create, Verb::Update, Verb::Get, Verb::List, Verb::Patch, Verb::Apply];

    /// As tags spell it.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Create => "create",
            Verb::Update => "update",
            Verb::UpdateStatus => "updateStatus",
            Verb::Delete => "delete",
            Verb::DeleteCollection => "deleteCollection",
            Verb::Get => "get",
            Verb::List => "list",
            Verb::Watch => "watch",
            Verb::Patch => "patch",
            Verb::Apply => "apply",
            Verb::ApplyStatus => "applyStatus",
        }
    }

    /// The verb that tags spell so.
    pub fn named(name: &str) -> Option<Verb> {
        Verb::ALL.into_iter().find(|verb| verb.name() == name)
    }

    /// Whether it is about the status alone.
    pub fn is_of_status(self) -> bool {
        matches!(self, Verb::UpdateStatus | Verb::ApplyStatus)
    }

    /// Whether it has a body, whose type a method can choose.
    pub fn has_input(self) -> bool {
        matches!(self, Verb::Create | Verb::Update | Verb::Apply)
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Verbs in a sentence.
pub(crate) fn listed(verbs: &[Verb]) -> String {
    verbs.iter().map(|verb| verb.name()).collect::<Vec<_>>().join(", ")
}
