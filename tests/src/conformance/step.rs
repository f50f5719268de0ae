//! What a script does, step by step.

use masthead::rest::{Headers, Method};

/// One step of a script. Texts may name variables as `${name}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A request whose answer goes into the transcript.
    Ask(Ask),
    /// A watch that stays open under a name; its head goes into the transcript, its events wait for `Events`.
    Watch { name: String, ask: Ask },
    /// Events of an open watch.
    Events { watch: String, until: Until },
    /// Keeps a part of the last JSON that the server sent.
    Save { variable: String, pointer: String },
    /// Asks until the answer has this code, and says nothing of it.
    Await { code: u16, ask: Ask },
}

/// A request before its variables are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Headers,
    pub(crate) body: Option<String>,
}

/// How many events of a watch to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// This many.
    Count(usize),
    /// All, up to the end of the stream.
    End,
}

impl Step {
    /// Whether the server's answer to it is compared.
    pub(crate) fn is_exchange(&self) -> bool {
        matches!(self, Step::Ask(_) | Step::Watch { .. } | Step::Events { .. })
    }
}
