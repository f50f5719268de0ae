//! The real control plane: up, open, status, down.

mod binaries;
mod components;
mod faults;
mod health;
mod layout;
mod lock;
mod nodes;
mod pod_log;
mod port;
mod process;
mod start;
mod state;
mod stop;
mod users;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) use binaries::source_dir;
pub(crate) use components::APISERVER;
pub use health::{ComponentStatus, Health};
pub use nodes::create as create_nodes;
pub(crate) use process::{Life, Process, Recipe};
pub(crate) use users::READER_NAMESPACE;
pub use users::{User, reader_grants};

use crate::{Api, Interrupt, cache_dir};
use layout::Layout;
use lock::Lock;
use pod_log::PodLog;
use state::{Phase, State};

/// A real Kubernetes control plane on this machine: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok
/// for the nodes, and a `kubectl proxy` per user.
///
/// The processes live on when this value is dropped; all that is known about them is in one directory.
#[derive(Debug)]
pub struct Cluster {
    layout: Layout,
    state: State,
}

/// What an empty cluster writes, with room for a small load.
const ROOM_TO_START: u64 = 256 << 20;
/// With less than this left, a start that failed did so because the disk is full.
const ROOM_TO_LIVE: u64 = 16 << 20;

/// How [`Cluster::up`] came by its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was started now.
    Started,
    /// It was running and healthy already.
    AlreadyRunning,
}

impl Cluster {
    /// The directory used when no other is asked for.
    pub fn default_dir() -> Result<PathBuf> {
        Ok(cache_dir()?.join("cluster"))
    }

    /// Starts the cluster in `dir`, or finds it running there; returns when it is ready for work.
    ///
    /// What an earlier run left half-dead is stopped first. On an error or a signal everything that was started is
    /// stopped, and the logs stay.
    pub fn up(dir: &Path, interrupt: &Interrupt) -> Result<(Self, Origin)> {
        let layout = Layout::new(dir)?;
        let _lock = Lock::take(&layout, interrupt)?;
        match Self::found(&layout) {
            Found::Healthy(cluster) => return Ok((cluster, Origin::AlreadyRunning)),
            Found::Nothing => {}
            Found::Remains(what) => {
                eprintln!("an earlier run in {} is half-dead ({what}); cleaning up", layout.dir().display());
                stop::everything(&layout)?;
            }
        }
        layout.check_room(ROOM_TO_START)?;
        let binaries = binaries::Binaries::find_or_build(interrupt)?;
        match start::everything(&layout, &binaries, interrupt) {
            Ok(state) => Ok((Self { layout, state }, Origin::Started)),
            Err(error) => {
                let error = match layout.check_room(ROOM_TO_LIVE) {
                    Ok(()) => error,
                    Err(full) => error.context(full),
                };
                match stop::everything(&layout) {
                    Ok(_) => Err(error.context("the cluster did not start; everything that was started is stopped")),
                    Err(more) => Err(error.context(format!("the cluster did not start and does not stop: {more:#}"))),
                }
            }
        }
    }

    /// The cluster that was started in `dir`, healthy or not; `None` when there is none.
    pub fn open(dir: &Path) -> Result<Option<Self>> {
        let layout = Layout::new(dir)?;
        let state = State::load(&layout.state()).context("`cargo xtask cluster down` cleans up what is left")?;
        Ok(state.map(|state| Self { layout, state }))
    }

    /// Stops what was started for the cluster in `dir` and removes its data; gives the number of stopped processes.
    ///
    /// Works on a damaged or half-started cluster too. Zero means that there was nothing to stop.
    pub fn down(dir: &Path, interrupt: &Interrupt) -> Result<usize> {
        let layout = Layout::new(dir)?;
        if !layout.lock().exists() {
            return Ok(0);
        }
        let _lock = Lock::take(&layout, interrupt)?;
        let stopped = stop::everything(&layout)?;
        layout.remove()?;
        Ok(stopped)
    }

    /// Whether every component does its work.
    pub fn is_healthy(&self) -> bool {
        self.state.phase == Phase::Ready && self.status().iter().all(|it| it.health == Health::Healthy)
    }

    /// Where the cluster keeps its state.
    pub fn dir(&self) -> &Path {
        self.layout.dir()
    }

    /// The kubectl that matches the cluster.
    pub fn kubectl(&self) -> &Path {
        &self.state.kubectl
    }

    /// A kubeconfig that speaks as `user`.
    pub fn kubeconfig(&self, user: User) -> PathBuf {
        self.layout.kubeconfig(user)
    }

    /// The address of the `kubectl proxy` that speaks as `user`.
    pub fn proxy_url(&self, user: User) -> Result<String> {
        let proxy = self.state.process(&user.proxy_name())?;
        let port = proxy.recipe.port.context("the proxy serves on no port")?;
        Ok(format!("http://127.0.0.1:{port}"))
    }

    /// The address of the API server itself, which speaks TLS.
    pub fn apiserver_url(&self) -> Result<String> {
        let port = self.state.process(APISERVER)?.recipe.port.context("the API server serves on no port")?;
        Ok(format!("https://127.0.0.1:{port}"))
    }

    /// A client that speaks as `user` through that user's proxy.
    pub fn api(&self, user: User) -> Result<Api> {
        Ok(Api::new(self.proxy_url(user)?))
    }

    /// The log that all containers share, in the format of a container runtime.
    pub fn pod_log(&self) -> PathBuf {
        self.layout.pod_log()
    }

    /// Adds a line to the log that all containers share.
    pub fn append_pod_log(&self, message: &str) -> Result<()> {
        PodLog::of(&self.layout).append(message)
    }

    /// A further `kubectl proxy` for `user`, known by `name`, which is not one of the cluster's own.
    pub(crate) fn proxy_recipe(&self, user: User, name: &str) -> Result<Recipe> {
        let recipe = components::proxy(&self.layout, self.kubectl(), user)?;
        Ok(Recipe { name: name.to_owned(), log: self.layout.log(name), ..recipe })
    }

    pub(crate) fn process(&self, name: &str) -> Result<&Process> {
        self.state.process(name)
    }

    /// Starts a stopped component again with the same arguments and writes down its new process.
    pub(crate) fn restart(&mut self, name: &str) -> Result<()> {
        let _lock = Lock::take(&self.layout, &Interrupt::never())?;
        // Another holder of the same cluster may have restarted it meanwhile.
        self.state = State::load(&self.layout.state())?.context("the cluster was taken down meanwhile")?;
        let old = self.state.process(name)?.clone();
        old.stop()?;
        let fresh = old.recipe.start()?;
        for process in &mut self.state.processes {
            if process.name() == name {
                *process = fresh.clone();
            }
        }
        self.state.save(&self.layout.state())
    }

    fn found(layout: &Layout) -> Found {
        let state = match State::load(&layout.state()) {
            Err(error) => return Found::Remains(format!("{error:#}")),
            Ok(None) => {
                let strays = process::members_of(layout.dir()).len();
                return match strays {
                    0 => Found::Nothing,
                    _ => Found::Remains(format!("{strays} of its processes run without a state file")),
                };
            }
            Ok(Some(state)) => state,
        };
        if state.phase == Phase::Starting {
            return Found::Remains("it was killed before it was ready".into());
        }
        let cluster = Self { layout: layout.clone(), state };
        let ill: Vec<String> = cluster
            .status()
            .into_iter()
            .filter_map(|it| match it.health {
                Health::Healthy => None,
                Health::Gone => Some(format!("{} is gone", it.name)),
                Health::Frozen => Some(format!("{} is frozen", it.name)),
                Health::Unhealthy(why) => Some(format!("{} is not well: {why}", it.name)),
            })
            .collect();
        if ill.is_empty() { Found::Healthy(cluster) } else { Found::Remains(ill.join(", ")) }
    }
}

/// What `up` finds before it starts anything.
enum Found {
    Nothing,
    Healthy(Cluster),
    /// Something is left of an earlier run; the text completes "it is half-dead: …".
    Remains(String),
}
