//! A handler's place in an informer.

use std::{fmt, rc::Rc};

use super::{Shared, listener::Listener};
use crate::cache::Object;

/// A handler's place in an informer. Dropping it takes the handler out: it is told nothing from then on, even if it drops
/// its own registration.
#[must_use = "the handler is taken out when dropped"]
pub struct Registration<T: Object> {
    pub(super) shared: Rc<Shared<T>>,
    pub(super) number: u64,
    pub(super) listener: Rc<Listener<T>>,
    pub(super) kept: bool,
}

impl<T: Object> Registration<T> {
    /// Keeps the handler for as long as the informer lives.
    pub fn forget(mut self) {
        self.kept = true;
    }

    /// Whether the handler was told everything that was there at the beginning.
    pub fn has_synced(&self) -> bool {
        self.listener.has_synced()
    }

    /// Completes once the handler was told everything that was there at the beginning.
    pub async fn synced(&self) {
        self.listener.synced().await;
    }

    /// How many changes the handler has yet to be told.
    pub fn depth(&self) -> usize {
        self.listener.depth()
    }

    /// How often the handler failed.
    pub fn failures(&self) -> u64 {
        self.listener.failures()
    }
}

impl<T: Object> Drop for Registration<T> {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        self.listener.remove();
        self.shared.listeners.borrow_mut().remove(&self.number);
    }
}

impl<T: Object> fmt::Debug for Registration<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("depth", &self.depth()).field("failures", &self.failures()).finish()
    }
}
