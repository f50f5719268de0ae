//! Long work in short pieces.

use std::{future::Future, pin::pin, task::Poll, time::Duration};

use futures::poll;

use super::Runtime;

/// A piece of work on the one thread there is: at most eight milliseconds, then everyone else has a turn.
///
/// Those of one runtime share these eight milliseconds: a task that wakes another one goes on in the same turn of the thread,
/// and the other one with it.
#[derive(Debug)]
pub struct Slice {
    runtime: Runtime,
}

impl Slice {
    /// How long a piece of work may take: half a frame.
    pub const LIMIT: Duration = Duration::from_millis(8);

    /// A piece of the present turn.
    pub fn new(runtime: &Runtime) -> Slice {
        Slice { runtime: runtime.clone() }
    }

    /// Whether this turn has taken its time.
    pub fn is_over(&self) -> bool {
        self.runtime.now().since(self.runtime.turn.get()) >= Slice::LIMIT
    }

    /// Gives everyone else a turn if this one has taken its time, and begins the next one.
    pub async fn pause(&mut self) {
        if self.is_over() {
            self.runtime.give_way().await;
            self.runtime.turn.set(self.runtime.now());
        }
    }

    /// Waits for `future`, which is none that another task of this runtime completes. The next turn begins then if that took a
    /// while: everyone else had theirs.
    pub async fn wait<T>(&mut self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        if let Poll::Ready(output) = poll!(future.as_mut()) {
            return output;
        }
        let before = self.runtime.now();
        let output = future.await;
        let now = self.runtime.now();
        if now.since(before) >= TURN {
            self.runtime.turn.set(now);
        }
        output
    }
}

/// What resolves sooner may have been there all along: promises of it keep the thread.
const TURN: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::Slice;
    use crate::runtime::VirtualTime;

    /// Two tasks that wake each other have one turn together, not one each.
    #[test]
    fn the_slices_of_a_runtime_share_their_time() {
        let time = VirtualTime::new();
        let runtime = time.runtime();
        let (one, other) = (Slice::new(&runtime), Slice::new(&runtime));
        assert!(!one.is_over() && !other.is_over());
        time.advance(Slice::LIMIT);
        assert!(one.is_over() && other.is_over());
        let done = Rc::new(Cell::new(false));
        let (mut one, told) = (one, Rc::clone(&done));
        let task = runtime.spawn(async move {
            one.pause().await;
            told.set(true);
        });
        time.advance(std::time::Duration::ZERO);
        assert!(done.get());
        assert!(!other.is_over(), "the turn that the one began is the other's too");
        drop(task);
    }
}
