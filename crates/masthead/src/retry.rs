//! Trying again what may succeed the next time.

use std::time::Duration;

use crate::{Error, runtime::Runtime};

/// How often to try, and how long to wait in between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// How often to try in all.
    pub steps: u32,
    /// The wait after the first failure.
    pub initial: Duration,
    /// By how much each wait is longer than the last.
    pub factor: f64,
    /// By how much of itself a wait is lengthened at most, by chance.
    pub jitter: f64,
}

impl Backoff {
    /// For a conflict with another writer that is not there for good.
    pub const RETRY: Backoff = Backoff { steps: 5, initial: Duration::from_millis(10), factor: 1.0, jitter: 0.1 };

    /// For a conflict with a writer that may be at it for a while, such as another controller.
    pub const BACKOFF: Backoff = Backoff { steps: 4, initial: Duration::from_millis(10), factor: 5.0, jitter: 0.1 };

    /// The wait after failure number `failure`, counted from 0.
    fn wait(&self, failure: u32, runtime: &Runtime) -> Duration {
        let factor = self.factor.powi(failure.try_into().unwrap_or(i32::MAX));
        let wait = Duration::try_from_secs_f64(self.initial.as_secs_f64() * factor).unwrap_or(Duration::MAX / 2);
        runtime.jittered(wait, self.jitter.clamp(0.0, 1.0))
    }
}

/// Tries until `attempt` succeeds, fails with an error that is not `retriable`, or has failed `backoff.steps` times; gives
/// the last error then.
pub async fn on_error<T>(
    runtime: &Runtime,
    backoff: Backoff,
    retriable: impl Fn(&Error) -> bool,
    mut attempt: impl AsyncFnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut failures = 0;
    loop {
        match attempt().await {
            Err(error) if failures + 1 < backoff.steps && retriable(&error) => {
                runtime.sleep(backoff.wait(failures, runtime)).await;
                failures += 1;
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
