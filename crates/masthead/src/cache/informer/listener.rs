//! client-go's `processorListener`: one handler, its pending notifications, its registration and its resync timer.

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

/// A handler and its pending notifications.
///
/// The informer processes no delta while a notification is pending, so the buffer holds at most one batch, or the
/// initial objects of a handler that was added late.
pub(super) struct Listener<T> {
    handler: Rc<dyn EventHandler<T>>,
    /// Oldest first. Empty once `removed`.
    pending: RefCell<VecDeque<Notification<T>>>,
    /// How many initial notifications are pending or being handled.
    initial_pending: Cell<usize>,
    /// Whether all initial notifications have been added to `pending`.
    initial_complete: Cell<bool>,
    /// Set once the registration is dropped. No notification follows.
    removed: Cell<bool>,
    /// How often the handler returned an error.
    failures: Cell<u64>,
    /// Notified when the handler has handled all initial notifications, or is removed.
    synced: Notify,
    /// When the handler is due for its next resync.
    pub(super) resync_timer: Cell<ResyncTimer>,
    /// Whether the handler takes part in the current resync.
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

    /// Adds a notification, unless the handler was removed.
    pub(super) fn push(&self, notification: Notification<T>) {
        if self.removed.get() {
            return;
        }
        if let Notification::Added { initial: true, .. } = notification {
            self.initial_pending.set(self.initial_pending.get() + 1);
        }
        self.pending.borrow_mut().push_back(notification);
    }

    /// Records that all initial notifications have been added.
    pub(super) fn mark_initial_complete(&self) {
        self.initial_complete.set(true);
        self.notify_if_synced();
    }

    /// Calls the handler with its next notification; `None` if none is pending. Nothing is borrowed during the call.
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

    /// Removes the handler and drops its pending notifications.
    pub(super) fn remove(&self) {
        self.removed.set(true);
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        drop(pending);
        self.synced.notify_all();
    }

    /// Whether the handler has handled all initial notifications.
    pub(super) fn has_synced(&self) -> bool {
        self.initial_complete.get() && self.initial_pending.get() == 0
    }

    /// Waits until the handler has handled all initial notifications or is removed.
    pub(super) async fn synced(&self) {
        self.synced.until(|| self.has_synced() || self.removed.get()).await;
    }

    /// The number of pending notifications.
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

/// The registration of a handler with an informer, as client-go's `ResourceEventHandlerRegistration`.
///
/// Dropping it removes the handler: pending notifications are discarded, and no further one follows. A handler may drop
/// its own registration.
#[must_use = "the handler is removed when dropped"]
pub struct Registration<T: Object> {
    pub(super) shared: Rc<Shared<T>>,
    pub(super) id: u64,
    pub(super) listener: Rc<Listener<T>>,
    pub(super) forgotten: bool,
}

impl<T: Object> Registration<T> {
    /// Keeps the handler registered for as long as the informer lives.
    pub fn forget(mut self) {
        self.forgotten = true;
    }

    /// Whether the handler has handled every object of the initial list.
    pub fn has_synced(&self) -> bool {
        self.listener.has_synced()
    }

    /// Waits until the handler has handled every object of the initial list.
    pub async fn synced(&self) {
        self.listener.synced().await;
    }

    /// The number of notifications that the handler has not received yet.
    pub fn depth(&self) -> usize {
        self.listener.depth()
    }

    /// How often the handler returned an error.
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

/// Raises a resync period to client-go's minimum of one second. Zero, which means never, stays zero.
pub(super) fn clamp_resync_period(period: Duration) -> Duration {
    if period.is_zero() { period } else { period.max(Duration::from_secs(1)) }
}

/// The resync period of a handler that is added to a running informer: never shorter than the check period, and zero if
/// either is zero. As client-go's `determineResyncPeriod`.
pub(super) fn determine_resync_period(requested: Duration, check_period: Duration) -> Duration {
    match (requested.is_zero(), check_period.is_zero()) {
        (true, _) | (_, true) => Duration::ZERO,
        _ => requested.max(check_period),
    }
}

/// When a handler is due for a resync.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResyncTimer {
    pub(super) period: Duration,
    next: Instant,
}

impl ResyncTimer {
    pub(super) fn new(period: Duration, now: Instant) -> ResyncTimer {
        ResyncTimer { period, next: now + period }
    }

    /// Returns whether the resync is due, and if so schedules the next one a period from now.
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

    /// Returns whether a handler has synced. `upstream` says whether the informer completes its initial list, and if so
    /// whether before the handler runs; `start` whether a notification is added, `finish` whether the handler receives
    /// it.
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
