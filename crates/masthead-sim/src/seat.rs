//! Where an open answer waits for the next change.

use std::{future::poll_fn, rc::Rc, task::Poll};

use crate::sim::Shared;

/// A place among those who are woken by changes; given up when dropped.
pub(crate) struct Seat {
    pub(crate) shared: Rc<Shared>,
    number: u64,
}

impl Seat {
    pub(crate) fn take(shared: Rc<Shared>) -> Seat {
        let number = shared.world.borrow_mut().next_number();
        Seat { shared, number }
    }

    /// Completes once there is something beyond `told`, or the server has another life.
    pub(crate) async fn changed(&self, told: u64, life: u64) {
        poll_fn(|context| {
            let mut world = self.shared.world.borrow_mut();
            if world.store.version() > told || world.life != life {
                return Poll::Ready(());
            }
            world.wait(self.number, context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.world.borrow_mut().leave(self.number);
    }
}
