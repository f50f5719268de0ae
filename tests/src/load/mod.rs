//! Realistic pods by the thousand.

mod churn;
mod deployment;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::wait::{Asked, Wait};
use crate::{Api, Cluster, Interrupt, User, Verb};
use deployment::{Behaviour, Deployment};

pub use churn::Churn;

/// How many deployments are created at once.
const WORKERS: usize = 4;

/// How many pods to add, and over how many namespaces.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Pods to add.
    pub pods: usize,
    /// Namespaces they are spread over, named `load-0` and so on.
    pub namespaces: usize,
}

/// Realistic pods of Deployments, added to a cluster: mostly running, some crash-looping, waiting for an image or
/// for a node.
#[derive(Debug)]
pub struct Load {
    api: Api,
    /// Marks the objects of this load among those of earlier ones.
    run: String,
    deployments: Vec<Deployment>,
}

/// How far the cluster is with a load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Progress {
    created: usize,
    ready: usize,
}

impl Load {
    /// Adds the pods and returns when all exist and all that can run do; prints progress as it goes.
    pub fn fill(cluster: &Cluster, options: &LoadOptions, interrupt: &Interrupt) -> Result<Self> {
        let api = Api::with_timeout(cluster.proxy_url(User::Admin)?, Duration::from_secs(60));
        let run = format!("{:x}", std::process::id());
        let deployments = deployment::plan(options.pods, options.namespaces, &run);
        let load = Self { api, run, deployments };
        let began = Instant::now();
        load.create_namespaces(options.namespaces)?;
        load.create_deployments(interrupt)?;
        load.wait(began, interrupt)?;
        Ok(load)
    }

    /// How many pods were added.
    pub fn pods(&self) -> usize {
        self.deployments.iter().map(|it| it.replicas).sum()
    }

    /// The label selector that matches every object of this load.
    pub fn selector(&self) -> String {
        format!("{}={}", deployment::RUN_LABEL, self.run)
    }

    /// Deletes the deployments of this load; their pods follow.
    pub fn remove(self) -> Result<()> {
        self.deployments.iter().try_for_each(|it| self.api.delete(&format!("{}/{}", it.collection(), it.name)))
    }

    fn create_namespaces(&self, count: usize) -> Result<()> {
        for index in 0..count {
            let namespace = json!({ "metadata": { "name": deployment::namespace(index) } });
            let answer = self.api.request(&Verb::Create(&namespace), "/api/v1/namespaces")?;
            if !matches!(answer.status, 201 | 409) {
                bail!("cannot make namespace {}: {}", deployment::namespace(index), answer.text);
            }
        }
        Ok(())
    }

    fn create_deployments(&self, interrupt: &Interrupt) -> Result<()> {
        let share = self.deployments.len().div_ceil(WORKERS).max(1);
        std::thread::scope(|scope| {
            let create = |part: &[Deployment]| -> Result<()> {
                part.iter().try_for_each(|it| {
                    interrupt.check()?;
                    self.api.create(&it.collection(), &it.object()).map(drop)
                })
            };
            let workers: Vec<_> =
                self.deployments.chunks(share).map(|part| scope.spawn(move || create(part))).collect();
            workers.into_iter().try_for_each(|it| it.join().expect("creating a deployment never panics"))
        })
        .context("cannot create the deployments")
    }

    fn wait(&self, began: Instant, interrupt: &Interrupt) -> Result<()> {
        let total = self.pods();
        let able = self.able().map(|it| it.replicas).sum();
        let mut told = Instant::now();
        let mut best = Progress::default();
        let mut moved = Instant::now();
        let wait = Wait { what: "the pods", limit: Duration::from_secs(3600), interrupt };
        wait.until(|| {
            let now = self.progress()?;
            if now != best {
                (best, moved) = (now, Instant::now());
            }
            if now.created >= total && now.ready >= able {
                let seconds = began.elapsed().as_secs_f64();
                eprintln!("{total} pods, {able} ready, in {seconds:.1} s ({:.0} pods/s)", total as f64 / seconds);
                return Ok(Asked::Done(()));
            }
            if moved.elapsed() > Duration::from_secs(60) {
                bail!(
                    "no progress for 60 s at {} of {total} pods created and {} of {able} ready; `cargo xtask cluster \
                     status` tells which component is not well",
                    now.created,
                    now.ready
                );
            }
            if told.elapsed() > Duration::from_secs(3) {
                told = Instant::now();
                eprintln!("{} of {total} pods created, {} of {able} ready", now.created, now.ready);
            }
            // Asking costs the server in proportion to the deployments it lists, and should stay a small part of its work.
            std::thread::sleep(Duration::from_millis(2) * u32::try_from(self.deployments.len())?);
            Ok(Asked::NotYet(format!("{now:?}")))
        })
    }

    /// The deployments whose pods all become ready.
    fn able(&self) -> impl Iterator<Item = &Deployment> {
        self.deployments.iter().filter(|it| it.behaviour == Behaviour::Run)
    }

    fn progress(&self) -> Result<Progress> {
        let list = self.api.get(&format!("/apis/apps/v1/deployments?labelSelector={}", self.selector()))?;
        let mut progress = Progress::default();
        for item in list["items"].as_array().into_iter().flatten() {
            progress.created += count(&item["status"]["replicas"]);
            let behaviour = &item["spec"]["template"]["metadata"]["labels"][deployment::BEHAVIOUR_LABEL];
            if behaviour.is_null() {
                progress.ready += count(&item["status"]["readyReplicas"]);
            }
        }
        Ok(progress)
    }
}

fn count(value: &Value) -> usize {
    value.as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}
