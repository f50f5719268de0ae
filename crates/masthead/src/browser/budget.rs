//! Connections are few: who may hold one, and who waits for the next.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use futures::channel::oneshot;

/// Permits to hold a connection, given out in the order they were asked for. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    state: Rc<State>,
}

#[derive(Debug, Default)]
struct State {
    held: Cell<usize>,
    /// Oldest first. Whoever gave up waiting is taken out when the next one asks.
    waiting: RefCell<VecDeque<Waiter>>,
}

#[derive(Debug)]
struct Waiter {
    most: usize,
    turn: oneshot::Sender<Permit>,
}

impl Budget {
    /// Waits until fewer than `most` permits are held and everybody who asked before was served.
    pub async fn acquire(&self, most: usize) -> Permit {
        let turn = {
            let mut waiting = self.state.waiting.borrow_mut();
            waiting.retain(|waiter| !waiter.turn.is_canceled());
            let (turn, permit) = oneshot::channel();
            waiting.push_back(Waiter { most, turn });
            permit
        };
        self.state.serve();
        turn.await.expect("a waiter leaves the list only with its permit")
    }

    /// A permit, if fewer than `most` are held and nobody waits.
    pub fn try_acquire(&self, most: usize) -> Option<Permit> {
        let free = self.waiting() == 0 && self.held() < most;
        free.then(|| self.state.permit())
    }

    /// How many permits are held.
    pub fn held(&self) -> usize {
        self.state.held.get()
    }

    /// How many wait for one.
    pub fn waiting(&self) -> usize {
        self.state.waiting.borrow().iter().filter(|waiter| !waiter.turn.is_canceled()).count()
    }
}

impl State {
    fn permit(self: &Rc<Self>) -> Permit {
        self.held.set(self.held.get() + 1);
        Permit { state: Rc::clone(self) }
    }

    fn serve(self: &Rc<Self>) {
        while let Some(waiter) = self.next() {
            // A waiter that left in the meantime gives its permit back by dropping it.
            drop(waiter.turn.send(self.permit()));
        }
    }

    /// Takes the first waiter out of the list, if it is its turn.
    fn next(&self) -> Option<Waiter> {
        let mut waiting = self.waiting.borrow_mut();
        while waiting.front().is_some_and(|waiter| waiter.turn.is_canceled()) {
            waiting.pop_front();
        }
        waiting.pop_front_if(|waiter| self.held.get() < waiter.most)
    }
}

/// The right to hold one connection, given back when dropped.
#[derive(Debug)]
#[must_use = "given back when dropped"]
pub struct Permit {
    state: Rc<State>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.state.held.set(self.state.held.get() - 1);
        self.state.serve();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::{FutureExt, poll};

    use super::Budget;

    #[test]
    fn permits_are_given_in_order_and_given_back_by_dropping() {
        let budget = Budget::default();
        let test = async {
            let (first, second) = (budget.acquire(2).await, budget.acquire(2).await);
            let (mut third, mut fourth) = (pin!(budget.acquire(2)), pin!(budget.acquire(2)));
            assert!(poll!(&mut third).is_pending() && poll!(&mut fourth).is_pending());
            assert_eq!((budget.held(), budget.waiting()), (2, 2));
            assert!(budget.try_acquire(3).is_none(), "others wait");
            drop(first);
            assert!(poll!(&mut fourth).is_pending(), "not before the third");
            let third = third.now_or_never();
            assert!(third.is_some());
            drop(second);
            assert!(fourth.now_or_never().is_some());
            assert_eq!((budget.held(), budget.waiting()), (1, 0));
        };
        futures::executor::block_on(test);
    }

    #[test]
    fn whoever_gives_up_waiting_costs_nobody_a_turn() {
        let budget = Budget::default();
        let held = budget.try_acquire(1).expect("nobody holds one");
        for _ in 0..3 {
            assert!(budget.acquire(1).now_or_never().is_none());
        }
        assert_eq!(budget.waiting(), 0);
        let test = async {
            let mut patient = pin!(budget.acquire(1));
            let mut served = Box::pin(budget.acquire(1));
            assert!(poll!(&mut patient).is_pending() && poll!(&mut served).is_pending());
            drop(held);
            // Its turn has come and it leaves without having looked.
            assert_eq!((budget.held(), budget.waiting()), (1, 1));
            let patient = patient.await;
            drop(served);
            drop(patient);
            assert_eq!((budget.held(), budget.waiting()), (0, 0));
            assert!(budget.try_acquire(1).is_some());
        };
        futures::executor::block_on(test);
    }

    #[test]
    fn a_permit_that_nobody_took_goes_to_the_next() {
        let budget = Budget::default();
        let test = async {
            let held = budget.acquire(1).await;
            let mut gone = Box::pin(budget.acquire(1));
            let mut next = pin!(budget.acquire(1));
            assert!(poll!(&mut gone).is_pending() && poll!(&mut next).is_pending());
            drop(held);
            drop(gone);
            assert!(next.now_or_never().is_some());
        };
        futures::executor::block_on(test);
    }
}
