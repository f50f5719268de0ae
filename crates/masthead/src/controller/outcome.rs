//! What came of the work on a key.

use std::{error::Error, fmt, time::Duration};

/// What is to happen with a key that was worked on without a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing, until something changes.
    #[default]
    Done,
    /// It comes again after this time, or before if something changes. No time at all is [`Done`](Self::Done).
    RequeueAfter(Duration),
    /// It comes again as if it had failed: ever later.
    Requeue,
}

/// Why the work on a key failed. Any error becomes one by `?`; the key comes again, ever later.
#[derive(Debug)]
pub struct Failure {
    error: Box<dyn Error>,
    terminal: bool,
}

impl Failure {
    /// A failure that trying again would not help: the key comes again when something changes, and not before.
    pub fn terminal(error: impl Into<Box<dyn Error>>) -> Failure {
        Failure { error: error.into(), terminal: true }
    }

    /// Whether trying again would not help.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// What went wrong.
    pub fn error(&self) -> &(dyn Error + 'static) {
        &*self.error
    }
}

impl<E: Into<Box<dyn Error>>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { error: error.into(), terminal: false }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terminal {
            f.write_str("terminal error: ")?;
        }
        self.error.fmt(f)
    }
}
