//! The queues between one sender and many watchers. Wakes nobody itself: whom to wake is an output.

use std::{
    collections::VecDeque,
    task::{Poll, Waker},
};

use super::WhenFull;
use crate::ordered::Ordered;

/// The state of a broadcaster.
pub(super) struct Fan<T> {
    when_full: WhenFull,
    /// What a watcher's queue holds at most, its prefix aside.
    queue: usize,
    /// Accepted events whose turn has not come, oldest first, each with the first watcher that is too late for it; at most
    /// `limit`.
    incoming: VecDeque<(u64, T)>,
    limit: usize,
    /// The event whose turn it is. Only waiting for a full queue lets one stay here.
    current: Option<Current<T>>,
    watchers: Ordered<u64, Queue<T>>,
    /// The number of the next watcher.
    next_watcher: u64,
    /// Senders that wait for room, by the order they came in.
    senders: Ordered<u64, Waker>,
    next_sender: u64,
    /// Who waits for everything to be handed out.
    flushing: Vec<Waker>,
    dropped: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Stopped,
}

struct Current<T> {
    event: T,
    /// Who has not got it yet; never empty.
    waiting: Vec<u64>,
}

/// What one watcher has not taken yet.
struct Queue<T> {
    events: VecDeque<T>,
    limit: usize,
    missed: u64,
    waker: Option<Waker>,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepted {
    Yes,
    Full,
    Stopped,
}

impl<T> Fan<T> {
    /// Accepts no more; gives everyone who waits.
    pub(super) fn stop(&mut self) -> Vec<Waker> {
        self.state = State::Stopped;
        let senders = std::mem::take(&mut self.senders).into_values();
        senders.chain(self.watchers.values_mut().filter_map(|queue| queue.waker.take())).collect()
    }

    fn is_distributed(&self) -> bool {
        self.current.is_none() && self.incoming.is_empty()
    }
}

impl<T: Clone> Fan<T> {
    pub(super) fn new(queue: usize, limit: usize, when_full: WhenFull) -> Fan<T> {
        Fan {
            when_full,
            queue,
            incoming: VecDeque::new(),
            limit,
            current: None,
            watchers: Ordered::default(),
            next_watcher: 0,
            senders: Ordered::default(),
            next_sender: 0,
            flushing: Vec::new(),
            dropped: 0,
            state: State::Open,
        }
    }

    /// Adds a watcher that begins with `events`; `None` once stopped.
    pub(super) fn join(&mut self, events: VecDeque<T>) -> Option<u64> {
        if self.state == State::Stopped {
            return None;
        }
        let id = self.next_watcher;
        self.next_watcher += 1;
        let limit = self.queue.max(events.len() + 1);
        self.watchers.insert(id, Queue { events, limit, missed: 0, waker: None });
        Some(id)
    }

    /// Removes a watcher: whoever waited for it goes on.
    pub(super) fn leave(&mut self, id: u64, woken: &mut Vec<Waker>) {
        self.watchers.remove(&id);
        self.distribute(woken);
    }

    /// Takes `event` if there is room and nobody else came first; otherwise the sender has a place in `number`.
    pub(super) fn send(
        &mut self,
        event: &mut Option<T>,
        number: &mut Option<u64>,
        waker: &Waker,
        woken: &mut Vec<Waker>,
    ) -> Accepted {
        if self.state == State::Stopped {
            return Accepted::Stopped;
        }
        let first = self.senders.keys().next().copied();
        if self.incoming.len() < self.limit && (first.is_none() || first == *number) {
            number.take().and_then(|number| self.senders.remove(&number));
            self.accept(event.take(), woken);
            // There may be room for the next one as well.
            self.call_sender(woken);
            return Accepted::Yes;
        }
        let number = *number.get_or_insert_with(|| {
            self.next_sender += 1;
            self.next_sender
        });
        self.senders.insert(number, waker.clone());
        Accepted::Full
    }

    /// Takes `event` if there is room now.
    pub(super) fn send_or_drop(&mut self, event: T, woken: &mut Vec<Waker>) -> Accepted {
        if self.state == State::Stopped {
            return Accepted::Stopped;
        }
        if self.incoming.len() >= self.limit || !self.senders.is_empty() {
            self.dropped += 1;
            return Accepted::Full;
        }
        self.accept(Some(event), woken);
        Accepted::Yes
    }

    /// Forgets a sender; gives the next one, which may find room now.
    pub(super) fn give_up(&mut self, number: u64) -> Vec<Waker> {
        let mut woken = Vec::new();
        if self.senders.remove(&number).is_some() {
            self.call_sender(&mut woken);
        }
        woken
    }

    /// The next event of a watcher; `None` after the last once stopped.
    pub(super) fn poll_receive(&mut self, id: u64, waker: &Waker, woken: &mut Vec<Waker>) -> Poll<Option<T>> {
        let is_over = self.state == State::Stopped && self.is_distributed();
        let Some(queue) = self.watchers.get_mut(&id) else { return Poll::Ready(None) };
        if let Some(event) = queue.events.pop_front() {
            self.distribute(woken);
            return Poll::Ready(Some(event));
        }
        if is_over {
            return Poll::Ready(None);
        }
        queue.waker = Some(waker.clone());
        Poll::Pending
    }

    /// Ready once no event waits before the watchers' queues.
    pub(super) fn poll_distributed(&mut self, waker: &Waker) -> Poll<()> {
        if self.is_distributed() {
            return Poll::Ready(());
        }
        if !self.flushing.iter().any(|other| other.will_wake(waker)) {
            self.flushing.push(waker.clone());
        }
        Poll::Pending
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn missed(&self, id: u64) -> u64 {
        self.watchers.get(&id).map_or(0, |queue| queue.missed)
    }

    pub(super) fn watchers(&self) -> usize {
        self.watchers.len()
    }

    fn accept(&mut self, event: Option<T>, woken: &mut Vec<Waker>) {
        self.incoming.extend(event.map(|event| (self.next_watcher, event)));
        self.distribute(woken);
    }

    /// Hands out as much as the queues take.
    fn distribute(&mut self, woken: &mut Vec<Waker>) {
        let had_room = self.incoming.len() < self.limit;
        loop {
            let Some(mut current) = self.current.take().or_else(|| self.turn()) else { break };
            let waiting = std::mem::take(&mut current.waiting);
            current.waiting = waiting.into_iter().filter(|id| !self.hand(*id, &current.event, woken)).collect();
            if !current.waiting.is_empty() {
                self.current = Some(current);
                break;
            }
        }
        if !had_room {
            self.call_sender(woken);
        }
        if self.is_distributed() {
            woken.append(&mut self.flushing);
            if self.state == State::Stopped {
                woken.extend(self.watchers.values_mut().filter_map(|queue| queue.waker.take()));
            }
        }
    }

    /// The next event, for those who watched when it was sent.
    fn turn(&mut self) -> Option<Current<T>> {
        let (too_late, event) = self.incoming.pop_front()?;
        Some(Current { event, waiting: self.watchers.keys().copied().take_while(|id| *id < too_late).collect() })
    }

    /// Gives a watcher an event, or counts it as missed; false when the watcher must be waited for.
    fn hand(&mut self, id: u64, event: &T, woken: &mut Vec<Waker>) -> bool {
        let Some(queue) = self.watchers.get_mut(&id) else { return true };
        match (queue.events.len() < queue.limit, self.when_full) {
            (true, _) => {
                queue.events.push_back(event.clone());
                woken.extend(queue.waker.take());
                true
            }
            (false, WhenFull::Drop) => {
                queue.missed += 1;
                self.dropped += 1;
                true
            }
            (false, WhenFull::Wait) => false,
        }
    }

    /// Wakes the first sender that waits, if there is room for it.
    fn call_sender(&mut self, woken: &mut Vec<Waker>) {
        if self.incoming.len() < self.limit {
            woken.extend(self.senders.values().next().cloned());
        }
    }
}
