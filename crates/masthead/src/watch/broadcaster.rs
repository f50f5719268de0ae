//! One sender, many watchers: each sees every event from the moment it began to watch.

mod fan;

use std::{
    cell::RefCell,
    fmt,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use futures::{Stream, future::poll_fn};

use crate::Error;
use fan::{Accepted, Fan};

/// Hands every event to every watcher, in order.
///
/// Each watcher has a queue; what happens when one is full is the broadcaster's [`WhenFull`]. Before the watchers stands one
/// queue for what is accepted and cannot be handed out yet. There is no task behind it: events move while somebody sends,
/// receives or leaves. `T` is cloned once per watcher, so let it be an `Rc` of anything large; neither its clone nor its drop
/// may come back to the broadcaster.
///
/// Dropping the broadcaster shuts it down.
pub struct Broadcaster<T> {
    fan: Rc<RefCell<Fan<T>>>,
}

/// What a broadcaster does when the queue of a watcher is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// Nothing further is handed to anyone until that watcher has taken an event or is gone.
    Wait,
    /// The watcher misses the event; [`Watcher::dropped`] counts it.
    Drop,
}

impl<T: Clone> Broadcaster<T> {
    /// A broadcaster whose watchers queue up to `queue` events each, at least one; up to 25 more may wait before them.
    pub fn new(queue: usize, when_full: WhenFull) -> Broadcaster<T> {
        Broadcaster::with_incoming(queue, INCOMING, when_full)
    }

    /// A broadcaster before whose watchers as many events may wait as each of them may queue.
    pub fn long_queue(queue: usize, when_full: WhenFull) -> Broadcaster<T> {
        Broadcaster::with_incoming(queue, queue, when_full)
    }

    fn with_incoming(queue: usize, incoming: usize, when_full: WhenFull) -> Broadcaster<T> {
        Broadcaster { fan: Rc::new(RefCell::new(Fan::new(queue.max(1), incoming.max(1), when_full))) }
    }

    /// Begins to watch: every event that is sent from now on.
    ///
    /// Fails once the broadcaster is shut down.
    pub fn watch(&self) -> Result<Watcher<T>, Error> {
        self.watch_with_prefix([])
    }

    /// Begins to watch with `events` before all others; its queue is made large enough to hold them and one more.
    pub fn watch_with_prefix(&self, events: impl IntoIterator<Item = T>) -> Result<Watcher<T>, Error> {
        let events = events.into_iter().collect();
        let joined = self.fan.borrow_mut().join(events);
        let id = joined.ok_or_else(|| stopped("watch broadcaster"))?;
        Ok(Watcher { fan: Rc::clone(&self.fan), id })
    }

    /// Sends an event, waiting for room if there is none. Senders that wait are served in their order.
    ///
    /// Fails once the broadcaster is shut down, also while it waits.
    pub async fn action(&self, event: T) -> Result<(), Error> {
        let (mut place, mut event) = (Place { fan: &self.fan, number: None }, Some(event));
        poll_fn(|context| {
            let mut woken = Vec::new();
            let accepted = self.fan.borrow_mut().send(&mut event, &mut place.number, context.waker(), &mut woken);
            wake(woken);
            match accepted {
                Accepted::Yes => Poll::Ready(Ok(())),
                Accepted::Full => Poll::Pending,
                Accepted::Stopped => Poll::Ready(Err(stopped("send event"))),
            }
        })
        .await
    }

    /// Sends an event if there is room now, and says whether there was; one that is refused is counted as dropped.
    ///
    /// Fails once the broadcaster is shut down.
    pub fn action_or_drop(&self, event: T) -> Result<bool, Error> {
        let mut woken = Vec::new();
        let accepted = self.fan.borrow_mut().send_or_drop(event, &mut woken);
        wake(woken);
        match accepted {
            Accepted::Yes => Ok(true),
            Accepted::Full => Ok(false),
            Accepted::Stopped => Err(stopped("send event")),
        }
    }

    /// Accepts nothing more. Watchers still receive what was accepted, and then end. Any further call changes nothing.
    pub fn shutdown(&self) {
        let woken = self.fan.borrow_mut().stop();
        wake(woken);
    }

    /// Waits until every accepted event is in the queues of its watchers.
    pub async fn distributed(&self) {
        poll_fn(|context| self.fan.borrow_mut().poll_distributed(context.waker())).await;
    }

    /// How many events were lost: missed by a watcher, each counted once per watcher, or refused by
    /// [`action_or_drop`](Self::action_or_drop).
    pub fn dropped(&self) -> u64 {
        self.fan.borrow().dropped()
    }

    /// How many watch at present.
    pub fn watchers(&self) -> usize {
        self.fan.borrow().watchers()
    }
}

impl<T> Drop for Broadcaster<T> {
    fn drop(&mut self) {
        let woken = self.fan.borrow_mut().stop();
        wake(woken);
    }
}

impl<T> fmt::Debug for Broadcaster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broadcaster").finish_non_exhaustive()
    }
}

/// Receives the events of a [`Broadcaster`], and ends after the last once that is shut down. Dropping it stops watching, at
/// any time and from anywhere: whoever waited for its full queue goes on.
#[must_use = "stops watching when dropped"]
pub struct Watcher<T: Clone> {
    fan: Rc<RefCell<Fan<T>>>,
    id: u64,
}

impl<T: Clone> Watcher<T> {
    /// How many events this watcher missed because its queue was full.
    pub fn dropped(&self) -> u64 {
        self.fan.borrow().missed(self.id)
    }
}

impl<T: Clone> Stream for Watcher<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut woken = Vec::new();
        let next = self.fan.borrow_mut().poll_receive(self.id, context.waker(), &mut woken);
        wake(woken);
        next
    }
}

impl<T: Clone> Drop for Watcher<T> {
    fn drop(&mut self) {
        let mut woken = Vec::new();
        self.fan.borrow_mut().leave(self.id, &mut woken);
        wake(woken);
    }
}

impl<T: Clone> fmt::Debug for Watcher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A place among the senders that wait, given up when the sender is dropped.
struct Place<'a, T: Clone> {
    fan: &'a RefCell<Fan<T>>,
    number: Option<u64>,
}

impl<T: Clone> Drop for Place<'_, T> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let next = self.fan.borrow_mut().give_up(number);
            wake(next);
        }
    }
}

/// Wakers run after the borrow has ended: what they run may come back here.
fn wake(wakers: impl IntoIterator<Item = Waker>) {
    wakers.into_iter().for_each(Waker::wake);
}

fn stopped(operation: &str) -> Error {
    Error::closed(operation, "broadcaster already stopped")
}

/// How many events may wait before the watchers' queues, as in client-go.
const INCOMING: usize = 25;

#[cfg(test)]
mod tests;
