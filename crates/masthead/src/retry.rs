//! Trying again what may succeed the next time.

use std::time::Duration;

use crate::{
    Error,
    runtime::{Instant, Runtime, scaled},
};

/// How often to try, and how long to wait in between: the five parameters of apimachinery's `wait.Backoff`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// How often to try in all; for [`step`](Self::step), how many waits are still to come that may differ from the one
    /// before.
    pub steps: u32,
    /// The next wait, before it is lengthened by chance.
    pub initial: Duration,
    /// How many times as long as the last each wait is; zero for equal waits.
    pub factor: f64,
    /// By how much of itself a wait is lengthened at most, by chance; waits do not add up what chance added.
    pub jitter: f64,
    /// No wait that the factor lengthened is longer, but for what chance adds. The first that would be is as long as this,
    /// and so are all after it. Zero for no bound.
    pub cap: Duration,
}

impl Backoff {
    /// For a conflict with another writer that is not there for good.
    pub const RETRY: Backoff =
        Backoff { steps: 5, initial: Duration::from_millis(10), factor: 1.0, jitter: 0.1, cap: Duration::ZERO };

    /// For a conflict with a writer that may be at it for a while, such as another controller.
    pub const BACKOFF: Backoff =
        Backoff { steps: 4, initial: Duration::from_millis(10), factor: 5.0, jitter: 0.1, cap: Duration::ZERO };

    /// The next wait; `draw`, in 0..1, is chance. Changes `steps` and `initial` for the one after it.
    pub fn step(&mut self, draw: f64) -> Duration {
        let wait = self.initial;
        if let Some(left) = self.steps.checked_sub(1) {
            self.steps = left;
            if self.factor != 0.0 {
                self.initial = scaled(wait, self.factor);
                if !self.cap.is_zero() && self.initial > self.cap {
                    (self.initial, self.steps) = (self.cap, 0);
                }
            }
        }
        if self.jitter > 0.0 { scaled(wait, 1.0 + draw * self.jitter) } else { wait }
    }
}

/// A [`Backoff`] that begins anew from time to time, as client-go's reflectors have it.
#[derive(Clone, Debug)]
pub struct BackoffWithReset {
    first: Backoff,
    backoff: Backoff,
    reset: Duration,
    /// When it last began.
    began: Option<Instant>,
}

impl BackoffWithReset {
    /// Begins anew when it is asked for a wait more than `reset` after it last began; equal waits if that is zero.
    pub fn new(backoff: Backoff, reset: Duration) -> BackoffWithReset {
        let first = if reset.is_zero() { Backoff { steps: 0, factor: 0.0, ..backoff } } else { backoff };
        BackoffWithReset { first, backoff: first, reset, began: None }
    }

    /// The next wait; `draw`, in 0..1, is chance.
    pub fn step(&mut self, now: Instant, draw: f64) -> Duration {
        let began = *self.began.get_or_insert(now);
        if self.first.factor > 0.0 && now.since(began) > self.reset {
            (self.backoff, self.began) = (self.first, Some(now));
        }
        self.backoff.step(draw)
    }
}

/// Tries until `attempt` succeeds, fails with an error that is not `retriable`, has failed `backoff.steps` times, or waits
/// would be longer than `backoff.cap`; gives the last error then.
pub async fn on_error<T>(
    runtime: &Runtime,
    backoff: Backoff,
    retriable: impl Fn(&Error) -> bool,
    mut attempt: impl AsyncFnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut left = backoff;
    loop {
        match attempt().await {
            Err(error) if left.steps > 1 && retriable(&error) => {
                let wait = left.step(runtime.random());
                if left.steps == 0 {
                    return Err(error);
                }
                runtime.sleep(wait).await;
            }
            outcome => return outcome,
        }
    }
}

/// Tries again when somebody else changed the object in between. `attempt` must read the object anew each time.
///
/// ```
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use masthead::{Error, retry::{self, Backoff}, runtime::Runtime, typed::Client};
///
/// async fn count_up(maps: &Client<ConfigMap>, runtime: &Runtime) -> Result<ConfigMap, Error> {
///     retry::on_conflict(runtime, Backoff::RETRY, async || {
///         let mut map = maps.get("counter", &Default::default()).await?;
///         map.data.get_or_insert_default().entry("count".into()).or_default().push('|');
///         maps.update(&map, &Default::default()).await
///     })
///     .await
/// }
/// ```
pub async fn on_conflict<T>(
    runtime: &Runtime,
    backoff: Backoff,
    attempt: impl AsyncFnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    // That an object of the name exists has the same code, and no second attempt helps.
    let changed = |error: &Error| error.is_conflict() && !error.is_already_exists();
    on_error(runtime, backoff, changed, attempt).await
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{rest::Status, runtime::VirtualTime};

    fn refused(code: u16, reason: &str) -> Error {
        Error::refused("update pods", Status { code, reason: reason.into(), ..Status::default() })
    }

    /// Runs attempts that end with these codes, the last one for ever; 0 is a success.
    #[track_caller]
    fn check(codes: &[u16], expect: &str, calls: u32) {
        let (world, called) = (VirtualTime::new(), Cell::new(0));
        let runtime = world.runtime();
        let outcome = world.run(on_conflict(&runtime, Backoff { steps: 3, ..Backoff::RETRY }, async || {
            let code = codes[codes.len().min(called.get() as usize + 1) - 1];
            called.set(called.get() + 1);
            if code == 0 { Ok(()) } else { Err(refused(code, "")) }
        }));
        let got = outcome.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
        assert_eq!((got.as_str(), called.get()), (expect, calls), "{codes:?}");
    }

    #[test]
    fn rq_17_retries_a_conflict_and_nothing_else() {
        check(&[409], "update pods: 409", 3);
        check(&[0], "ok", 1);
        check(&[404], "update pods: 404", 1);
        check(&[409, 409, 0], "ok", 3);
        check(&[409, 500], "update pods: 500", 2);
    }

    #[test]
    fn an_object_that_exists_is_no_conflict_to_retry() {
        let (world, called) = (VirtualTime::new(), Cell::new(0));
        let runtime = world.runtime();
        let outcome: Result<(), Error> = world.run(on_conflict(&runtime, Backoff::RETRY, async || {
            called.set(called.get() + 1);
            Err(refused(409, "AlreadyExists"))
        }));
        assert!(outcome.is_err_and(|error| error.is_already_exists()));
        assert_eq!(called.get(), 1);
    }

    /// The first waits of a backoff in seconds, without and with all that chance can add.
    #[track_caller]
    fn check_steps(backoff: Backoff, expect: &[u64]) {
        for draw in [0.0, 0.5, 1.0] {
            let mut left = backoff;
            let waits: Vec<Duration> = expect.iter().map(|_| left.step(draw)).collect();
            let factor = 1.0 + draw * backoff.jitter;
            let expect: Vec<Duration> = expect.iter().map(|wait| Duration::from_secs(*wait).mul_f64(factor)).collect();
            assert_eq!(waits, expect, "{backoff:?} {draw}");
        }
    }

    #[test]
    fn a_step_is_what_apimachinery_makes_it() {
        let second =
            Backoff { initial: Duration::from_secs(1), steps: 0, factor: 0.0, jitter: 0.0, cap: Duration::ZERO };
        let three = Duration::from_secs(3);
        check_steps(second, &[1, 1, 1]);
        check_steps(Backoff { steps: 1, ..second }, &[1, 1, 1]);
        check_steps(Backoff { steps: 1, factor: 1.0, ..second }, &[1, 1, 1]);
        check_steps(Backoff { steps: 0, factor: 2.0, ..second }, &[1, 1, 1]);
        check_steps(Backoff { steps: 3, factor: 2.0, ..second }, &[1, 2, 4, 8, 8, 8]);
        check_steps(Backoff { steps: 3, factor: 2.0, cap: three, ..second }, &[1, 2, 3, 3, 3]);
        check_steps(Backoff { steps: 2, factor: 2.0, cap: three, jitter: 0.5, ..second }, &[1, 2, 3, 3]);
        check_steps(Backoff { steps: 6, factor: 2.0, jitter: 4.0, ..second }, &[1, 2, 4, 8, 16, 32, 64, 64]);
        check_steps(Backoff { cap: three, initial: Duration::from_secs(9), ..second }, &[9, 9]);
        check_steps(Backoff { steps: 2, cap: three, initial: Duration::from_secs(9), ..second }, &[9, 9, 9]);
    }

    #[test]
    fn the_cap_ends_the_steps_and_nothing_overflows() {
        let mut backoff = Backoff { steps: 9, factor: 10.0, cap: Duration::from_millis(50), ..Backoff::RETRY };
        backoff.step(0.0);
        assert_eq!((backoff.steps, backoff.initial), (0, Duration::from_millis(50)));
        let mut endless = Backoff { steps: u32::MAX, factor: f64::MAX, cap: Duration::ZERO, ..Backoff::RETRY };
        endless.step(1.0);
        assert_eq!([endless.step(1.0), endless.step(1.0)], [Duration::MAX; 2]);
    }

    #[test]
    fn a_backoff_with_reset_begins_anew_after_that_time() {
        let backoff = Backoff { steps: 9, initial: SECOND, factor: 2.0, jitter: 0.0, cap: 10 * SECOND };
        let at = |seconds: u32| Instant::ORIGIN + seconds * SECOND;
        let mut resetting = BackoffWithReset::new(backoff, 10 * SECOND);
        let waits = [0, 2, 4, 6, 10, 11, 20, 21, 22].map(|seconds| resetting.step(at(seconds), 0.0).as_secs());
        assert_eq!(waits, [1, 2, 4, 8, 10, 1, 2, 4, 1]);
        let mut equal = BackoffWithReset::new(backoff, Duration::ZERO);
        assert_eq!([0, 2, 4].map(|seconds| equal.step(at(seconds), 0.0).as_secs()), [1, 1, 1]);
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_beyond_the_cap_are_no_longer_waited() {
        let (world, called) = (VirtualTime::new(), Cell::new(0));
        let runtime = world.runtime();
        let backoff = Backoff { steps: 9, factor: 2.0, cap: Duration::from_millis(30), ..Backoff::RETRY };
        let outcome: Result<(), Error> = world.run(on_conflict(&runtime, backoff, async || {
            called.set(called.get() + 1);
            Err(refused(409, ""))
        }));
        assert!(outcome.is_err());
        assert_eq!(called.get(), 2, "after 10 ms, and the wait after 20 would be followed by one of 40");
    }

    #[test]
    fn waits_grow_by_the_factor_and_a_tenth_at_most() {
        let world = VirtualTime::new();
        let (runtime, mut times) = (world.runtime(), Vec::new());
        let outcome: Result<(), Error> = world.run(on_error(
            &runtime,
            Backoff::BACKOFF,
            |_| true,
            async || {
                times.push(world.now());
                Err(refused(500, ""))
            },
        ));
        assert!(outcome.is_err());
        let waits: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        for (wait, least) in waits.iter().zip([10, 50, 250].map(Duration::from_millis)) {
            assert!((least..=least.mul_f64(1.1)).contains(wait), "{waits:?}");
        }
        assert_eq!(waits.len(), 3);
    }
}
