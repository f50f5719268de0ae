//! Realistic pods by the thousand.

mod churn;
mod deployment;
mod plan;
mod pod;
mod recess;
mod replica_set;
mod targets;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::wait::{Asked, Wait};
use crate::{Api, Cluster, Interrupt, User, Verb};
use deployment::{Behaviour, Deployment};
use recess::Recess;
use replica_set::ReplicaSet;

pub use churn::Churn;

/// How many deployments are filled at once.
const WORKERS: usize = 8;
/// How often progress is told, in pods.
const STEP: usize = 1000;

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
///
/// Left to controllers, scheduler and kwok a pod costs twice the processor time. So these are away while deployments,
/// their replica sets and pods are created as they would create them, and take over when all is complete. When that is
/// interrupted half-way they make what is missing.
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
        let run = format!("{:x}", SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() & 0xff_ffff);
        let deployments = plan::plan(options.pods, options.namespaces, &run);
        let load = Self { api, run, deployments };
        let began = Instant::now();
        load.create_namespaces(options.namespaces)?;
        let recess = Recess::begin(cluster, interrupt)?;
        load.create(interrupt)?;
        recess.end()?;
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
            let namespace = json!({ "metadata": { "name": plan::namespace(index) } });
            let answer = self.api.request(&Verb::Create(&namespace), "/api/v1/namespaces")?;
            if !matches!(answer.status, 201 | 409) {
                bail!("cannot make namespace {}: {}", plan::namespace(index), answer.text);
            }
        }
        Ok(())
    }

    fn create(&self, interrupt: &Interrupt) -> Result<()> {
        let nodes = self.nodes()?;
        let (next, created) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || -> Result<()> {
            while let Some(deployment) = self.deployments.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.create_one(deployment, &nodes, &created, interrupt)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|it| it.join().expect("creating a deployment never panics"))
        })
        .context("cannot create the deployments")
    }

    fn create_one(
        &self,
        deployment: &Deployment,
        nodes: &[String],
        created: &AtomicUsize,
        interrupt: &Interrupt,
    ) -> Result<()> {
        let owner = self.api.create(&deployment.collection(), &deployment.object())?;
        let set = ReplicaSet::of(deployment, &owner)?;
        let owner = self.api.create(&set.collection(), set.object())?;
        for pod in set.pods(&owner, nodes, created.load(Ordering::Relaxed))? {
            interrupt.check()?;
            self.send(&Verb::Create(&pod.object), &pod.collection)?;
            // Those that crash do so from here; those that lack their image or node are not to start.
            if matches!(deployment.behaviour, Behaviour::Run | Behaviour::CrashLoop) {
                self.send(&Verb::Patch(&pod.running()), &pod.status_path())?;
            }
            let count = created.fetch_add(1, Ordering::Relaxed) + 1;
            if count.is_multiple_of(STEP) {
                eprintln!("{count} of {} pods created", self.pods());
            }
        }
        Ok(())
    }

    /// Like the methods of [`Api`], but leaves the answer unread: decoding ten thousand pods takes seconds.
    fn send(&self, verb: &Verb<'_>, path: &str) -> Result<()> {
        let answer = self.api.request(verb, path)?;
        if !matches!(answer.status, 200 | 201) {
            bail!("{path}: {} {}", answer.status, answer.text);
        }
        Ok(())
    }

    /// The names of the nodes.
    fn nodes(&self) -> Result<Vec<String>> {
        let list = self.api.get("/api/v1/nodes")?;
        let items = list["items"].as_array().into_iter().flatten();
        let nodes: Vec<String> = items.filter_map(|it| it["metadata"]["name"].as_str()).map(str::to_owned).collect();
        if nodes.is_empty() {
            bail!("the cluster has no nodes to put pods on");
        }
        Ok(nodes)
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
