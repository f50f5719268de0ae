//! A spawned task that its owner can end.

use std::{
    cell::RefCell,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use futures::future::LocalBoxFuture;

/// Owns a spawned task. Dropping it drops the task's future at once, with everything the future holds; a task that drops
/// its own owner is dropped at its next await.
#[must_use = "the task ends when dropped"]
#[derive(Debug)]
pub struct Task {
    slot: Rc<RefCell<Slot>>,
}

impl Task {
    /// The owner, and the body to hand to an executor.
    pub(super) fn new(future: LocalBoxFuture<'static, ()>) -> (Task, Body) {
        let slot = Rc::new(RefCell::new(Slot::Idle { future, waker: None }));
        (Task { slot: Rc::clone(&slot) }, Body { slot })
    }

    /// Lets the task run to its own end.
    pub fn forget(self) {
        std::mem::forget(self);
    }

    /// Whether the task has ended by itself.
    pub fn is_finished(&self) -> bool {
        matches!(*self.slot.borrow(), Slot::Over)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let state = std::mem::replace(&mut *self.slot.borrow_mut(), Slot::Over);
        // The future is dropped after the borrow has ended: what it drops in turn may look at the slot again.
        if let Slot::Idle { waker: Some(waker), .. } = &state {
            waker.wake_by_ref();
        }
    }
}

/// What the executor polls.
pub(super) struct Body {
    slot: Rc<RefCell<Slot>>,
}

impl Future for Body {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let state = std::mem::replace(&mut *self.slot.borrow_mut(), Slot::Polled);
        let Slot::Idle { mut future, .. } = state else {
            *self.slot.borrow_mut() = Slot::Over;
            return Poll::Ready(());
        };
        let polled = future.as_mut().poll(context);
        let mut slot = self.slot.borrow_mut();
        match (polled, &*slot) {
            (Poll::Pending, Slot::Polled) => {
                *slot = Slot::Idle { future, waker: Some(context.waker().clone()) };
                Poll::Pending
            }
            _ => {
                *slot = Slot::Over;
                drop(slot);
                Poll::Ready(())
            }
        }
    }
}

enum Slot {
    Idle {
        future: LocalBoxFuture<'static, ()>,
        /// Wakes the executor, so that it lets go of the body of a dropped task.
        waker: Option<Waker>,
    },
    /// The executor has the future in its hands.
    Polled,
    Over,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Slot::Idle { .. } => "Idle",
            Slot::Polled => "Polled",
            Slot::Over => "Over",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::{Cell, RefCell},
        rc::Rc,
        time::Duration,
    };

    use crate::runtime::{Task, VirtualTime};

    struct Flag(Rc<Cell<bool>>);

    impl Drop for Flag {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }

    #[test]
    fn dropping_the_owner_drops_what_the_task_holds_at_once() {
        let time = VirtualTime::new();
        let runtime = time.runtime();
        let dropped = Rc::new(Cell::new(false));
        let (held, sleeper) = (Flag(Rc::clone(&dropped)), runtime.clone());
        let task = runtime.spawn(async move {
            let _held = held;
            sleeper.sleep(Duration::from_secs(60)).await;
        });
        time.settle();
        assert!(!dropped.get());
        drop(task);
        assert!(dropped.get());
    }

    #[test]
    fn a_task_may_drop_its_own_owner() {
        let time = VirtualTime::new();
        let runtime = time.runtime();
        let owner: Rc<RefCell<Option<Task>>> = Rc::default();
        let (mine, sleeper, dropped) = (Rc::clone(&owner), runtime.clone(), Rc::new(Cell::new(false)));
        let held = Flag(Rc::clone(&dropped));
        let task = runtime.spawn(async move {
            let _held = held;
            sleeper.sleep(Duration::from_secs(1)).await;
            drop(mine.borrow_mut().take());
            sleeper.sleep(Duration::from_secs(1)).await;
            panic!("ended by its owner before");
        });
        *owner.borrow_mut() = Some(task);
        time.advance(Duration::from_secs(5));
        assert!(dropped.get());
    }

    #[test]
    fn a_forgotten_task_runs_to_its_end() {
        let time = VirtualTime::new();
        let runtime = time.runtime();
        let (done, sleeper) = (Rc::new(Cell::new(false)), runtime.clone());
        let flag = Rc::clone(&done);
        runtime
            .spawn(async move {
                sleeper.sleep(Duration::from_secs(1)).await;
                flag.set(true);
            })
            .forget();
        time.advance(Duration::from_secs(2));
        assert!(done.get());
    }
}
