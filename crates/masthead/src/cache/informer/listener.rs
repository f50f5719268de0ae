//! One handler of an informer: what it has yet to be notified of, its registration, and when it is due for a resync.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    fmt,
    rc::Rc,
    time::Duration,
};

use super::Shared;
use crate::{
    Error,
    cache::{EventHandler, Notification, Object, notify::Notify},
    runtime::Instant,
};

/// A handler with its buffer.
///
/// The informer takes nothing new before every handler was told everything, so a buffer never holds more than one batch, or
/// the state that a late handler begins with.
pub(super) struct Listener<T> {
    handler: Rc<dyn EventHandler<T>>,
    pending: RefCell<VecDeque<Notification<T>>>,
    /// How many notifications of the beginning are pending or being told.
    initial_pending: Cell<usize>,
    /// Whether everything that is there at the beginning was put into the buffer.
    initial_complete: Cell<bool>,
    removed: Cell<bool>,
    failures: Cell<u64>,
    /// Rings when the handler was told all of the beginning.
    synced: Notify,
    pub(super) resync_timer: Cell<ResyncTimer>,
    /// Whether it takes part in the resync that goes on.
    pub(super) syncing: Cell<bool>,
}

impl<T> Listener<T> {
    pub(super) fn new(handler: Rc<dyn EventHandler<T>>, resync_timer: ResyncTimer) -> Listener<T> {
        Listener {
            handler,
            pending: RefCell::default(),
            initial_pending: Cell::new(0),
            initial_complete: Cell::new(false),
            removed: Cell::new(false),
            failures: Cell::new(0),
            synced: Notify::default(),
            resync_timer: Cell::new(resync_timer),
            syncing: Cell::new(false),
        }
    }

    pub(super) fn push(&self, notification: Notification<T>) {
        if self.removed.get() {
            return;
        }
        if let Notification::Added { initial: true, .. } = notification {
            self.initial_pending.set(self.initial_pending.get() + 1);
        }
        self.pending.borrow_mut().push_back(notification);
    }

    /// Everything of the beginning is in the buffer.
    pub(super) fn mark_initial_complete(&self) {
        self.initial_complete.set(true);
        self.notify_if_synced();
    }

    /// Tells the handler the next test_object, if there is one.
    pub(super) fn notify_next(&self) -> Option<Result<(), Error>> {
        let next = self.pending.borrow_mut().pop_front()?;
        let result = self.handler.handle(&next);
        if result.is_err() {
            self.failures.set(self.failures.get() + 1);
        }
        if let Notification::Added { initial: true, .. } = next {
            self.initial_pending.set(self.initial_pending.get() - 1);
            self.notify_if_synced();
        }
        Some(result)
    }

    /// Takes the handler out: it is told nothing from here on.
    pub(super) fn remove(&self) {
        self.removed.set(true);
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        drop(pending);
        self.synced.notify_all();
    }

    pub(super) fn has_synced(&self) -> bool {
        self.initial_complete.get() && self.initial_pending.get() == 0
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

    fn notify_if_synced(&self) {
        if self.has_synced() {
            self.synced.notify_all();
        }
    }
}

/// A handler's place in an informer. Dropping it takes the handler out: it is told nothing from then on, even if it drops
/// its own registration.
#[must_use = "the handler is removed when dropped"]
pub struct Registration<T: Object> {
    pub(super) shared: Rc<Shared<T>>,
    pub(super) id: u64,
    pub(super) listener: Rc<Listener<T>>,
    pub(super) forgotten: bool,
}

impl<T: Object> Registration<T> {
    /// Keeps the handler for as long as the informer lives.
    pub fn forget(mut self) {
        self.forgotten = true;
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
        if self.forgotten {
            return;
        }
        self.listener.remove();
        self.shared.listeners.borrow_mut().remove(&self.id);
    }
}

impl<T: Object> fmt::Debug for Registration<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("depth", &self.depth()).field("failures", &self.failures()).finish()
    }
}

/// How often a handler is told everything again; never for no time at all.
///
/// Less than a second counts as a second.
pub(super) fn clamp_resync_period(period: Duration) -> Duration {
    if period.is_zero() { period } else { period.max(Duration::from_secs(1)) }
}

/// How often a handler that asks for `asked` is told, where the informer looks every `check`.
pub(super) fn determine_resync_period(requested: Duration, check_period: Duration) -> Duration {
    match (requested.is_zero(), check_period.is_zero()) {
        (true, _) | (_, true) => Duration::ZERO,
        _ => requested.max(check_period),
    }
}

/// When one handler is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResyncTimer {
    pub(super) period: Duration,
    next: Instant,
}

impl ResyncTimer {
    pub(super) fn new(period: Duration, now: Instant) -> ResyncTimer {
        ResyncTimer { period, next: now + period }
    }

    /// Whether it is due now; if so, it is due next a period from now.
    pub(super) fn take_due(&mut self, now: Instant) -> bool {
        if self.period.is_zero() || now < self.next {
            return false;
        }
        self.next = now + self.period;
        true
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
            fixture::{TestObject, test_object},
            informer::listener::ResyncTimer,
        },
        runtime::Instant,
    };

    /// Whether a handler is synced: the informer is (before or after the handler was told), something was put into the
    /// buffer, and that was told.
    fn synced(upstream: Option<bool>, start: bool, finish: bool) -> bool {
        let handler = |_: &Notification<TestObject>| Ok::<(), Error>(());
        let listener = Listener::new(Rc::new(handler), ResyncTimer::new(Duration::ZERO, Instant::ORIGIN));
        if start {
            listener.push(Notification::Added { object: test_object("a", 1), initial: true });
        }
        if upstream == Some(true) {
            listener.mark_initial_complete();
        }
        if finish {
            listener.notify_next().expect("a pending notification").expect("no failure");
        }
        if upstream == Some(false) {
            listener.mark_initial_complete();
        }
        listener.has_synced()
    }

    #[test]
    fn st_01_a_handler_is_synced_once_it_handled_the_whole_initial_list() {
        assert!(!synced(None, true, true));
        assert!(!synced(Some(false), true, false));
        assert!(!synced(Some(true), true, false));
        assert!(!synced(None, true, false));
        assert!(synced(Some(false), true, true));
        assert!(synced(Some(true), true, true));
    }
}
