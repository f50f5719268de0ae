//! The edge besides the network: time, tasks and chance, each a value that is passed in.
//!
//! Everything that waits, spawns or jitters in this crate does it through a [`Runtime`]. In a browser that is
//! `browser::runtime()`; in tests it is a [`VirtualTime`], where an hour passes in a millisecond and every run is the same.

mod chance;
mod instant;
mod slice;
mod task;
mod virtual_time;

use std::{cell::Cell, fmt, rc::Rc, task::Poll, time::Duration};

use futures::future::{Either, LocalBoxFuture, select};

pub use chance::Chance;
pub use instant::Instant;
pub use slice::Slice;
pub use task::Task;
pub use virtual_time::VirtualTime;

/// Tells the time and wakes sleepers.
pub trait Clock {
    /// The time since some origin; never runs backwards, and stands still for nobody: a page that was frozen for an hour
    /// sees an hour pass.
    fn now(&self) -> Instant;

    /// The time since 1970, which a person may set at will.
    fn wall(&self) -> Duration;

    /// Completes once `duration` has passed, late at worst. Dropping it cancels the timer.
    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()>;

    /// Completes once everyone else had a turn: other tasks, and the page itself.
    fn give_way(&self) -> LocalBoxFuture<'static, ()> {
        self.sleep(Duration::ZERO)
    }
}

/// Runs tasks on the one thread there is.
pub trait Spawn {
    /// Runs `task` to its end.
    fn spawn(&self, task: LocalBoxFuture<'static, ()>);
}

/// Time, tasks and chance. Clones share all three.
#[derive(Clone)]
pub struct Runtime {
    clock: Rc<dyn Clock>,
    spawner: Rc<dyn Spawn>,
    chance: Rc<Chance>,
    /// When the present turn of the thread began, as far as its [`Slice`]s know.
    turn: Rc<Cell<Instant>>,
}

impl Runtime {
    /// A runtime of these parts; `seed` decides every jitter from here on.
    pub fn new(clock: Rc<dyn Clock>, spawner: Rc<dyn Spawn>, seed: u64) -> Runtime {
        let turn = Rc::new(Cell::new(clock.now()));
        Runtime { clock, spawner, chance: Rc::new(Chance::new(seed)), turn }
    }

    /// The time now.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// The time since 1970.
    pub fn wall(&self) -> Duration {
        self.clock.wall()
    }

    /// Waits; returns at once for no time at all.
    pub async fn sleep(&self, duration: Duration) {
        if !duration.is_zero() {
            self.clock.sleep(duration).await;
        }
    }

    /// Gives everyone else a turn: other tasks, and the page itself.
    pub async fn give_way(&self) {
        self.clock.give_way().await;
    }

    /// Runs `task` until it ends or the returned [`Task`] is dropped.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'static) -> Task {
        let (task, body) = Task::new(Box::pin(task));
        self.spawner.spawn(Box::pin(body));
        task
    }

    /// A number in 0..1.
    pub fn random(&self) -> f64 {
        self.chance.next()
    }

    /// `duration` lengthened by up to `factor` of itself.
    pub fn jittered(&self, duration: Duration, factor: f64) -> Duration {
        scaled(duration, 1.0 + self.random() * factor)
    }

    /// The output of `future`, or `None` when `limit` passes first. The future is dropped either way.
    pub async fn within<T>(&self, limit: Duration, future: impl Future<Output = T>) -> Option<T> {
        let mut future = std::pin::pin!(future);
        // What is there already needs no timer: most of what a busy stream has is.
        if let Poll::Ready(output) = futures::poll!(future.as_mut()) {
            return Some(output);
        }
        match select(future, self.clock.sleep(limit)).await {
            Either::Left((output, _)) => Some(output),
            Either::Right(_) => None,
        }
    }
}

/// So many times as long; the longest there is where that is too long, and none for a factor that is not positive.
pub(crate) fn scaled(duration: Duration, factor: f64) -> Duration {
    if factor > 0.0 {
        Duration::try_from_secs_f64(duration.as_secs_f64() * factor).unwrap_or(Duration::MAX)
    } else {
        Duration::ZERO
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("now", &self.now()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{VirtualTime, scaled};

    #[test]
    fn a_time_that_is_too_long_is_the_longest_and_never_a_panic() {
        let runtime = VirtualTime::new().runtime();
        for factor in [0.5, 1.0, 1e300, f64::INFINITY] {
            assert_eq!(runtime.jittered(Duration::MAX, factor), Duration::MAX, "{factor}");
        }
        assert_eq!(scaled(Duration::from_secs(2), 1.5), Duration::from_secs(3));
        for factor in [0.0, -1.0, f64::NAN] {
            assert_eq!(scaled(Duration::from_secs(2), factor), Duration::ZERO, "{factor}");
        }
    }
}
