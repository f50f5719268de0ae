//! An executor whose clock moves only when nothing else can.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    pin::{Pin, pin},
    rc::Rc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use futures::{
    executor::{LocalPool, LocalSpawner},
    future::{LocalBoxFuture, poll_fn},
    task::{LocalSpawnExt, noop_waker},
};

use super::{Clock, Instant, Runtime, Spawn};

/// A single-threaded world for tests: tasks run until all of them wait, then the clock jumps to the next timer.
///
/// Nothing ever sleeps for real, and a run depends on nothing but its seed.
pub struct VirtualTime {
    pool: RefCell<LocalPool>,
    runtime: Runtime,
    timers: Rc<Timers>,
    polls: Rc<Cell<u64>>,
}

impl VirtualTime {
    /// A world at its origin, with seed 0.
    pub fn new() -> VirtualTime {
        VirtualTime::seeded(0)
    }

    /// A world whose chance `seed` decides.
    pub fn seeded(seed: u64) -> VirtualTime {
        // The first second of 2026, so that ages and names look like real ones.
        VirtualTime::starting_at(Duration::from_secs(1_767_225_600), seed)
    }

    /// A world that begins at `wall`, as the time since 1970.
    pub fn starting_at(wall: Duration, seed: u64) -> VirtualTime {
        let pool = LocalPool::new();
        let timers = Timers { origin: wall, now: Cell::default(), waiting: RefCell::default(), made: Cell::default() };
        let (timers, polls) = (Rc::new(timers), Rc::new(Cell::new(0)));
        let spawner = PoolSpawner { spawner: pool.spawner(), polls: Rc::clone(&polls) };
        let runtime = Runtime::new(Rc::new(SharedTimers(Rc::clone(&timers))), Rc::new(spawner), seed);
        VirtualTime { pool: RefCell::new(pool), runtime, timers, polls }
    }

    /// The runtime to hand to what is under test.
    pub fn runtime(&self) -> Runtime {
        self.runtime.clone()
    }

    /// The time now.
    pub fn now(&self) -> Instant {
        self.timers.now.get()
    }

    /// When the next timer fires.
    pub fn next_timer(&self) -> Option<Instant> {
        self.timers.waiting.borrow().first_key_value().map(|((at, _), _)| *at)
    }

    /// Runs `future` to its end, moving the clock as far as it takes.
    ///
    /// # Panics
    ///
    /// When everything waits and no timer is left to fire: the future would never complete.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let (mut future, waker) = (pin!(future), noop_waker());
        loop {
            // Polled after every step of anything else, so that it needs no waker of its own.
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            let before = self.polls.get();
            self.settle();
            if self.polls.get() == before {
                assert!(self.timers.fire_next(None), "everything waits and no timer is set");
            }
        }
    }

    /// Runs every task until all of them wait, at the present time.
    pub fn settle(&self) {
        self.pool.borrow_mut().run_until_stalled();
    }

    /// Lets `duration` pass, firing the timers that fall into it in their order.
    pub fn advance(&self, duration: Duration) {
        let until = self.now() + duration;
        self.settle();
        while self.timers.fire_next(Some(until)) {
            self.settle();
        }
        self.timers.now.set(until);
    }
}

impl Default for VirtualTime {
    fn default() -> VirtualTime {
        VirtualTime::new()
    }
}

impl fmt::Debug for VirtualTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VirtualTime").field("now", &self.now()).finish_non_exhaustive()
    }
}

struct PoolSpawner {
    spawner: LocalSpawner,
    /// How often any task was polled: unchanged means that all of them wait.
    polls: Rc<Cell<u64>>,
}

impl Spawn for PoolSpawner {
    fn spawn(&self, mut task: LocalBoxFuture<'static, ()>) {
        let polls = Rc::clone(&self.polls);
        let counted = poll_fn(move |context| {
            polls.set(polls.get() + 1);
            task.as_mut().poll(context)
        });
        // An error means that the pool is gone, and with it whoever could notice.
        self.spawner.spawn_local(counted).ok();
    }
}

struct Timers {
    /// What a person's clock showed at the origin.
    origin: Duration,
    now: Cell<Instant>,
    /// Who waits until when; the number tells apart those that wait for the same moment, first come first.
    waiting: RefCell<BTreeMap<(Instant, u64), Option<Waker>>>,
    made: Cell<u64>,
}

impl Timers {
    /// Moves the clock to the next timer and fires it, unless it lies beyond `limit`.
    fn fire_next(&self, limit: Option<Instant>) -> bool {
        let mut waiting = self.waiting.borrow_mut();
        let Some(entry) = waiting.first_entry().filter(|entry| limit.is_none_or(|limit| entry.key().0 <= limit)) else {
            return false;
        };
        let ((at, _), waker) = entry.remove_entry();
        drop(waiting);
        self.now.set(self.now.get().max(at));
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }
}

/// Timers as a clock: a sleeper must find its way back to them.
struct SharedTimers(Rc<Timers>);

impl Clock for SharedTimers {
    fn now(&self) -> Instant {
        self.0.now.get()
    }

    fn wall(&self) -> Duration {
        self.0.origin + self.now().since(Instant::ORIGIN)
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        let timers = &self.0;
        let number = timers.made.get();
        timers.made.set(number + 1);
        let key = (self.now() + duration, number);
        timers.waiting.borrow_mut().insert(key, None);
        Box::pin(Sleep { timers: Rc::clone(timers), key })
    }
}

/// Done once its entry has left the list; leaves the list when dropped.
struct Sleep {
    timers: Rc<Timers>,
    key: (Instant, u64),
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match self.timers.waiting.borrow_mut().get_mut(&self.key) {
            Some(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.timers.waiting.borrow_mut().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc, time::Duration};

    use super::{Instant, VirtualTime};

    #[test]
    fn timers_fire_in_order_and_time_jumps() {
        let time = VirtualTime::new();
        let seen: Rc<RefCell<Vec<u64>>> = Rc::default();
        let tasks: Vec<_> = [3, 1, 2]
            .into_iter()
            .map(|hours| {
                let (runtime, seen) = (time.runtime(), Rc::clone(&seen));
                time.runtime().spawn(async move {
                    runtime.sleep(Duration::from_secs(hours * 3600)).await;
                    seen.borrow_mut().push(hours);
                })
            })
            .collect();
        time.run(time.runtime().sleep(Duration::from_secs(2 * 3600 + 1)));
        assert_eq!(*seen.borrow(), [1, 2]);
        assert_eq!(time.now(), Instant::ORIGIN + Duration::from_secs(2 * 3600 + 1));
        time.advance(Duration::from_secs(3600));
        assert_eq!(*seen.borrow(), [1, 2, 3]);
        assert!(tasks.iter().all(super::super::Task::is_finished));
    }

    #[test]
    fn within_gives_up_at_its_limit_and_drops_the_rest() {
        let time = VirtualTime::new();
        let runtime = time.runtime();
        let slow = runtime.sleep(Duration::from_secs(10));
        assert_eq!(time.run(runtime.within(Duration::from_secs(3), slow)), None);
        assert_eq!(time.now(), Instant::ORIGIN + Duration::from_secs(3));
        assert_eq!(time.run(runtime.within(Duration::from_secs(3), async { 7 })), Some(7));
    }

    #[test]
    fn a_world_tells_when_it_began_and_what_comes_next() {
        let time = VirtualTime::starting_at(Duration::from_secs(100), 0);
        assert_eq!(time.next_timer(), None);
        let sleep = time.runtime().clock.sleep(Duration::from_secs(5));
        assert_eq!(time.next_timer(), Some(Instant::ORIGIN + Duration::from_secs(5)));
        time.advance(Duration::from_secs(2));
        assert_eq!(time.runtime().wall(), Duration::from_secs(102));
        drop(sleep);
        assert_eq!(time.next_timer(), None);
    }

    #[test]
    #[should_panic(expected = "everything waits")]
    fn a_future_that_cannot_end_is_found_out() {
        VirtualTime::new().run(std::future::pending::<()>());
    }
}
