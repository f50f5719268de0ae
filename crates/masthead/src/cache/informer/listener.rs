//! One handler of an informer, and what it has yet to be told.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use super::resync::Due;
use crate::{
    Error,
    cache::{EventHandler, Notification, bell::Bell},
};

/// A handler with its buffer.
///
/// The informer takes nothing new before every handler was told everything, so a buffer never holds more than one batch, or
/// the state that a late handler begins with.
pub(super) struct Listener<T> {
    handler: Rc<dyn EventHandler<T>>,
    pending: RefCell<VecDeque<Notification<T>>>,
    /// How many notifications of the beginning are pending or being told.
    initial: Cell<usize>,
    /// Whether everything that is there at the beginning was put into the buffer.
    complete: Cell<bool>,
    removed: Cell<bool>,
    failures: Cell<u64>,
    /// Rings when the handler was told all of the beginning.
    synced: Bell,
    pub(super) due: Cell<Due>,
    /// Whether it takes part in the resync that goes on.
    pub(super) syncing: Cell<bool>,
}

impl<T> Listener<T> {
    pub(super) fn new(handler: Rc<dyn EventHandler<T>>, due: Due) -> Listener<T> {
        Listener {
            handler,
            pending: RefCell::default(),
            initial: Cell::new(0),
            complete: Cell::new(false),
            removed: Cell::new(false),
            failures: Cell::new(0),
            synced: Bell::default(),
            due: Cell::new(due),
            syncing: Cell::new(false),
        }
    }

    pub(super) fn push(&self, notification: Notification<T>) {
        if self.removed.get() {
            return;
        }
        if let Notification::Added { initial: true, .. } = notification {
            self.initial.set(self.initial.get() + 1);
        }
        self.pending.borrow_mut().push_back(notification);
    }

    /// Everything of the beginning is in the buffer.
    pub(super) fn complete(&self) {
        self.complete.set(true);
        self.tell_synced();
    }

    /// Tells the handler the next thing, if there is one.
    pub(super) fn tell(&self) -> Option<Result<(), Error>> {
        let next = self.pending.borrow_mut().pop_front()?;
        let told = self.handler.handle(&next);
        if told.is_err() {
            self.failures.set(self.failures.get() + 1);
        }
        if let Notification::Added { initial: true, .. } = next {
            self.initial.set(self.initial.get() - 1);
            self.tell_synced();
        }
        Some(told)
    }

    /// Takes the handler out: it is told nothing from here on.
    pub(super) fn remove(&self) {
        self.removed.set(true);
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        drop(pending);
        self.synced.ring();
    }

    pub(super) fn has_synced(&self) -> bool {
        self.complete.get() && self.initial.get() == 0
    }

    /// Completes once the handler was told all of the beginning, or was taken out.
    pub(super) async fn synced(&self) {
        self.synced.until(|| self.has_synced() || self.removed.get()).await;
    }

    pub(super) fn depth(&self) -> usize {
        self.pending.borrow().len()
    }

    pub(super) fn failures(&self) -> u64 {
        self.failures.get()
    }

    fn tell_synced(&self) {
        if self.has_synced() {
            self.synced.ring();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{rc::Rc, time::Duration};

    use super::Listener;
    use crate::{
        Error,
        cache::{
            Notification,
            fixture::{Thing, thing},
            informer::resync::Due,
        },
        runtime::Instant,
    };

    /// Whether a handler is synced: the informer is (before or after the handler was told), something was put into the
    /// buffer, and that was told.
    fn synced(upstream: Option<bool>, start: bool, finish: bool) -> bool {
        let told = |_: &Notification<Thing>| Ok::<(), Error>(());
        let listener = Listener::new(Rc::new(told), Due::new(Duration::ZERO, Instant::ORIGIN));
        if start {
            listener.push(Notification::Added { object: thing("a", 1), initial: true });
        }
        if upstream == Some(true) {
            listener.complete();
        }
        if finish {
            listener.tell().expect("something to tell").expect("no failure");
        }
        if upstream == Some(false) {
            listener.complete();
        }
        listener.has_synced()
    }

    #[test]
    fn st_01_a_handler_is_synced_when_the_informer_is_and_all_of_the_beginning_was_told() {
        assert!(!synced(None, true, true));
        assert!(!synced(Some(false), true, false));
        assert!(!synced(Some(true), true, false));
        assert!(!synced(None, true, false));
        assert!(synced(Some(false), true, true));
        assert!(synced(Some(true), true, true));
    }
}
