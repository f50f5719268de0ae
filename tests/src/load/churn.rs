//! Steady changes to the pods of a load.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::targets::{Target, Targets};
use crate::{Answer, Api, Cluster, Interrupt, User, Verb};

/// At most this many pods are unready on purpose at a time, so that the cluster stays mostly well.
const UNREADY: usize = 25;
/// How often pods are listed again, to find those that replaced deleted ones.
const RELIST: Duration = Duration::from_secs(60);
/// How often the rate is told.
const REPORT: Duration = Duration::from_secs(5);
/// After this long without a single change the churn gives up.
const HOPE: Duration = Duration::from_secs(30);

/// Keeps changing pods at a steady rate: readiness, restarts, annotations, and deletes that controllers make good.
#[derive(Debug)]
pub struct Churn<'a> {
    cluster: &'a Cluster,
    api: Api,
    /// Changes per second.
    rate: f64,
    targets: Targets,
    /// Made unready by us, the oldest first; at most `UNREADY`, then the oldest becomes ready again.
    unready: Mutex<VecDeque<Arc<Target>>>,
    done: AtomicU64,
    failed: AtomicU64,
}

impl<'a> Churn<'a> {
    /// Prepares `rate` changes a second over the running pods of the load namespaces.
    pub fn new(cluster: &'a Cluster, rate: f64) -> Result<Self> {
        let api = Api::with_timeout(cluster.proxy_url(User::Admin)?, Duration::from_secs(30));
        let targets = Targets::first(&api)?;
        Ok(Self {
            cluster,
            api,
            rate,
            targets,
            unready: Mutex::default(),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        })
    }

    /// Changes pods until the interrupt is raised or `limit` is over; prints the rate as it goes and gives the number of
    /// changes made. Fails when no change has succeeded for half a minute.
    pub fn run(&self, limit: Option<Duration>, interrupt: &Interrupt) -> Result<u64> {
        let began = Instant::now();
        let hopeless = AtomicBool::new(false);
        let over = || {
            let enough = limit.is_some_and(|limit| began.elapsed() >= limit);
            enough || interrupt.is_raised() || hopeless.load(Ordering::Relaxed)
        };
        let tickets = AtomicU64::new(0);
        let workers = (self.rate / 10.0).ceil().clamp(1.0, 32.0) as usize;
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| self.work(began, &tickets, &over));
            }
            scope.spawn(|| self.relist(&over));
            self.watch_over(&hopeless, &over);
        });
        if hopeless.into_inner() {
            bail!("the cluster refuses every change; `cargo xtask cluster status` tells which component is not well");
        }
        Ok(self.done.load(Ordering::Relaxed))
    }

    /// Takes tickets; each names the moment of one change, so the rate holds however long a change takes.
    fn work(&self, began: Instant, tickets: &AtomicU64, over: &impl Fn() -> bool) {
        while !over() {
            let ticket = tickets.fetch_add(1, Ordering::Relaxed);
            let due = began + Duration::from_secs_f64(ticket as f64 / self.rate);
            while !over() && Instant::now() < due {
                thread::sleep(due.saturating_duration_since(Instant::now()).min(Duration::from_millis(200)));
            }
            if over() {
                return;
            }
            match self.change(ticket) {
                Ok(()) => self.done.fetch_add(1, Ordering::Relaxed),
                Err(_) => self.failed.fetch_add(1, Ordering::Relaxed),
            };
        }
    }

    /// Lists the pods beyond the first page, and all of them again now and then.
    fn relist(&self, over: &impl Fn() -> bool) {
        while !over() {
            // When the API server is away the old list serves until it is back.
            self.targets.refresh(&self.api, over).ok();
            let listed = Instant::now();
            while !over() && listed.elapsed() < RELIST {
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    /// Tells the rate, and gives up when nothing works any more.
    fn watch_over(&self, hopeless: &AtomicBool, over: &impl Fn() -> bool) {
        let (mut told, mut moved) = (Instant::now(), Instant::now());
        let mut before = 0;
        while !over() {
            thread::sleep(Duration::from_millis(100));
            if told.elapsed() < REPORT {
                continue;
            }
            let (done, failed) = (self.done.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
            eprintln!(
                "{done} changes, {:.0}/s, {failed} failed",
                (done - before) as f64 / told.elapsed().as_secs_f64()
            );
            if done > before {
                moved = Instant::now();
            }
            hopeless.store(moved.elapsed() > HOPE, Ordering::Relaxed);
            (told, before) = (Instant::now(), done);
        }
    }

    fn change(&self, ticket: u64) -> Result<()> {
        if ticket.is_multiple_of(50) {
            // A full log is no reason to stop changing pods.
            self.cluster.append_pod_log(&format!("level=info msg=\"change\" id={ticket}")).ok();
        }
        match ticket % 20 {
            0 => self.api.delete(&self.targets.take(ticket)?.path),
            1..=8 => self.flip_readiness(ticket),
            9..=15 => self.restart(ticket),
            _ => self.annotate(ticket),
        }
    }

    fn flip_readiness(&self, ticket: u64) -> Result<()> {
        let oldest = {
            let mut unready = self.unready.lock().unwrap_or_else(PoisonError::into_inner);
            if unready.len() >= UNREADY { unready.pop_front() } else { None }
        };
        if let Some(target) = oldest {
            return self.set_ready(&target, "True");
        }
        let target = self.targets.pick(ticket)?;
        self.set_ready(&target, "False")?;
        self.unready.lock().unwrap_or_else(PoisonError::into_inner).push_back(target);
        Ok(())
    }

    fn set_ready(&self, target: &Target, ready: &str) -> Result<()> {
        let mut containers = target.containers.lock().unwrap_or_else(PoisonError::into_inner);
        for container in containers.as_array_mut().into_iter().flatten() {
            container["ready"] = json!(ready == "True");
        }
        let condition = |kind: &str| json!({ "type": kind, "status": ready });
        let status = json!({
            "conditions": [condition("Ready"), condition("ContainersReady")],
            "containerStatuses": *containers,
        });
        self.patch(&format!("{}/status", target.path), &json!({ "status": status }))
    }

    fn restart(&self, ticket: u64) -> Result<()> {
        let target = self.targets.pick(ticket)?;
        let mut containers = target.containers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(container) = containers.get_mut(0) {
            container["restartCount"] = json!(container["restartCount"].as_u64().unwrap_or(0) + 1);
        }
        self.patch(&format!("{}/status", target.path), &json!({ "status": { "containerStatuses": *containers } }))
    }

    fn annotate(&self, ticket: u64) -> Result<()> {
        let change = json!({ "metadata": { "annotations": { "masthead.dev/change": ticket.to_string() } } });
        self.patch(&self.targets.pick(ticket)?.path, &change)
    }

    fn patch(&self, path: &str, patch: &Value) -> Result<()> {
        match self.api.request(&Verb::Patch(patch), path)? {
            // Deleted by an earlier change, or changed by a controller in the same moment.
            Answer { status: 200 | 404 | 409, .. } => Ok(()),
            answer => bail!("{} {}", answer.status, answer.text),
        }
    }
}
