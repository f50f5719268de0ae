//! A candidate that acts: acquires, renews, gives up.

use std::{cell::RefCell, time::Duration};

use super::{Config, Decision, Election, LeaseLock};
use crate::{
    Error,
    runtime::{Instant, Runtime},
};

/// Takes part in an election with [`run`](Self::run).
#[derive(Debug)]
pub struct Elector {
    lock: LeaseLock,
    config: Config,
    election: RefCell<Election>,
    runtime: Runtime,
}

/// What happened in an election.
#[derive(Clone, Debug)]
pub enum Change {
    /// This candidate leads.
    Leading,
    /// A leader was seen that was not before; it may be this candidate.
    NewLeader(String),
    /// An attempt failed; it is made again.
    Failed(Error),
    /// This candidate does not lead, or not any more. The last change of every run, also of one that is dropped.
    Stopped,
}

impl Elector {
    /// A candidate called `identity`, which must differ from every other's.
    pub fn new(mut lock: LeaseLock, identity: &str, config: Config) -> Result<Elector, Error> {
        config.validate()?;
        if identity.is_empty() {
            return Err(Error::invalid("configure leader election", "Lock identity is empty"));
        }
        lock.timeout.get_or_insert(config.request_timeout());
        let runtime = lock.rest_client().config().runtime.clone();
        let election = RefCell::new(Election::new(identity, config.lease_duration));
        Ok(Elector { lock, config, election, runtime })
    }

    /// Waits for the lock, then keeps it; returns once it is lost: to another candidate, or by not being renewed before
    /// the deadline.
    ///
    /// Dropping the future stops renewing, so that the lease ends by itself; [`release`](Self::release) ends it at once.
    pub async fn run(&self, report: impl Fn(Change)) {
        let _last = Last(&report);
        while !self.attempt_reported(&report).await {
            self.runtime.sleep(self.runtime.jittered(self.config.retry_period, Config::JITTER)).await;
        }
        let _leading = Leading::begin(self);
        report(Change::Leading);
        while self.runtime.within(self.config.renew_deadline, self.renew(&report)).await == Some(true) {
            self.runtime.sleep(self.config.retry_period).await;
        }
    }

    /// Gives the lock up, so that another candidate need not wait; `false` if it was not held any more.
    ///
    /// Whatever the lock guards must have ended before.
    pub async fn release(&self) -> Result<bool, Error> {
        let limit = self.config.renew_deadline;
        let released = self.runtime.within(limit, self.release_with_retries()).await;
        released.unwrap_or_else(|| Err(Error::timed_out("release leases", limit)))
    }

    /// Whether this candidate holds a lease that lasts at this moment, by the own clock.
    pub fn is_leader(&self) -> bool {
        self.election.borrow().is_leader(self.runtime.now())
    }

    /// Who led when the lock was last seen.
    pub fn leader(&self) -> Option<String> {
        self.election.borrow().leader().map(str::to_owned)
    }

    /// Renews, trying again while the requests fail; `false` once another candidate has the lock.
    async fn renew(&self, report: &impl Fn(Change)) -> bool {
        loop {
            let outcome = self.attempt().await;
            self.tell_leader(report);
            match outcome {
                Ok(renewed) => return renewed,
                Err(error) => report(Change::Failed(error)),
            }
            self.runtime.sleep(self.config.retry_period).await;
        }
    }

    async fn attempt_reported(&self, report: &impl Fn(Change)) -> bool {
        let outcome = self.attempt().await;
        self.tell_leader(report);
        outcome.unwrap_or_else(|error| {
            report(Change::Failed(error));
            false
        })
    }

    /// Acquires or renews; `false` when another candidate has the lock.
    async fn attempt(&self) -> Result<bool, Error> {
        let (now, wall) = self.time();
        let renewal = self.election.borrow().renewal(now, wall);
        if let Some(record) = renewal
            && self.lock.update(&record).await.is_ok()
        {
            self.election.borrow_mut().written(record, now);
            return Ok(true);
        }
        // Why the quick way failed shows on the long one.
        let found = self.lock.read().await?;
        let (now, wall) = self.time();
        let decision = self.election.borrow_mut().read(found, now, wall);
        let record = match decision {
            Decision::Wait => return Ok(false),
            Decision::Create(record) => {
                self.lock.create(&record).await?;
                record
            }
            Decision::Update(record) => {
                self.lock.update(&record).await?;
                record
            }
        };
        self.election.borrow_mut().written(record, now);
        Ok(true)
    }

    async fn release_with_retries(&self) -> Result<bool, Error> {
        let mut left = RELEASE_RETRIES;
        loop {
            match self.release_once().await {
                Err(error) if error.is_conflict() && left > 0 => left -= 1,
                outcome => return outcome,
            }
            self.runtime.sleep(RELEASE_PAUSE).await;
        }
    }

    async fn release_once(&self) -> Result<bool, Error> {
        let Some(found) = self.lock.read().await? else { return Ok(false) };
        let (now, wall) = self.time();
        let released = self.election.borrow().release(&found, wall);
        let Some(record) = released else { return Ok(false) };
        self.lock.update(&record).await?;
        self.election.borrow_mut().written(record, now);
        Ok(true)
    }

    fn tell_leader(&self, report: &impl Fn(Change)) {
        let leader = self.election.borrow_mut().new_leader();
        if let Some(leader) = leader {
            report(Change::NewLeader(leader));
        }
    }

    fn record(&self, what: &str) {
        let identity = self.election.borrow().identity().to_owned();
        self.lock.record(&identity, what);
    }

    fn time(&self) -> (Instant, Duration) {
        (self.runtime.now(), self.runtime.wall())
    }
}

const RELEASE_RETRIES: u32 = 4;
const RELEASE_PAUSE: Duration = Duration::from_millis(10);

/// Records that leading begins, and that it ends when this is dropped, however a run ends.
struct Leading<'a>(&'a Elector);

impl Leading<'_> {
    fn begin(elector: &Elector) -> Leading<'_> {
        elector.record("became leader");
        Leading(elector)
    }
}

impl Drop for Leading<'_> {
    fn drop(&mut self) {
        self.0.record("stopped leading");
    }
}

/// Tells of the end when it is dropped, however a run ends.
struct Last<'a, F: Fn(Change)>(&'a F);

impl<F: Fn(Change)> Drop for Last<'_, F> {
    fn drop(&mut self) {
        (self.0)(Change::Stopped);
    }
}
