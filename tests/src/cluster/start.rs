//! The way up: what is started in which order, and what must be true before the next step.

use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::binaries::Binaries;
use super::components::{CONTROLLER_MANAGER, Components, SCHEDULER};
use super::layout::Layout;
use super::pod_log::PodLog;
use super::process::{Life, Recipe};
use super::state::{Phase, State};
use super::{Cluster, Health, User, nodes, users};
use crate::wait::{Asked, Wait};
use crate::{Api, Interrupt, Verb};

/// How long one step of the start may take on a slow or busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Starts all processes and waits until the cluster is ready for work. On an error what was started still runs, and is
/// written down in the state file.
pub(crate) fn everything(layout: &Layout, binaries: &Binaries, interrupt: &Interrupt) -> Result<State> {
    layout.fill()?;
    let components = Components::new(layout, binaries)?;
    write_signing_key(layout, binaries)?;
    users::write_credentials(layout, components.apiserver_port)?;
    PodLog::of(layout).create(layout)?;
    let kubectl = binaries.path("kubectl")?.to_owned();
    let state = State { phase: Phase::Starting, kubectl, processes: Vec::new() };
    let mut start = Start { cluster: Cluster { layout: layout.clone(), state }, interrupt };
    start.control_plane(&components)?;
    start.nodes(&components)?;
    start.cluster.state.phase = Phase::Ready;
    start.save()?;
    Ok(start.cluster.state)
}

fn write_signing_key(layout: &Layout, binaries: &Binaries) -> Result<()> {
    let output = Command::new(binaries.path("signingkey")?)
        .arg(layout.signing_key())
        .output()
        .context("cannot run signingkey")?;
    if !output.status.success() {
        bail!("cannot write the service account key: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// A cluster on its way up.
struct Start<'a> {
    cluster: Cluster,
    interrupt: &'a Interrupt,
}

impl Start<'_> {
    fn control_plane(&mut self, components: &Components<'_>) -> Result<()> {
        self.launch(&components.etcd()?)?;
        self.launch(&components.apiserver()?)?;
        // Once it listens, the certificate that the kubeconfigs name is written.
        self.wait("the API server to listen", || {
            Ok(match TcpStream::connect((Ipv4Addr::LOCALHOST, components.apiserver_port)) {
                Ok(_) => Asked::Done(()),
                Err(error) => Asked::NotYet(error.to_string()),
            })
        })?;
        for user in User::ALL {
            self.launch(&components.proxy(user)?)?;
        }
        let admin = Api::with_timeout(self.cluster.proxy_url(User::Admin)?, Duration::from_secs(3));
        self.wait("the API server to be ready", || match admin.request(&Verb::Get, "/readyz") {
            Ok(answer) if answer.status == 200 => Ok(Asked::Done(())),
            Ok(answer) => Ok(Asked::NotYet(format!("{} {}", answer.status, answer.text.trim()))),
            Err(error) => Ok(Asked::NotYet(format!("{error:#}"))),
        })
    }

    fn nodes(&mut self, components: &Components<'_>) -> Result<()> {
        self.launch(&components.controller_manager()?)?;
        self.launch(&components.scheduler()?)?;
        let admin = self.cluster.api(User::Admin)?;
        nodes::create(&admin)?;
        users::grant(&admin)?;
        self.launch(&components.kwok()?)?;
        self.wait("the nodes to be ready", || {
            let ready = nodes::ready(&admin)?;
            Ok(if ready == nodes::NODES {
                Asked::Done(())
            } else {
                Asked::NotYet(format!("{ready} of {} ready", nodes::NODES))
            })
        })?;
        self.wait("the default namespace to be served", || {
            let account = "/api/v1/namespaces/default/serviceaccounts/default";
            Ok(match admin.request(&Verb::Get, account)?.status {
                200 => Asked::Done(()),
                status => Asked::NotYet(format!("its service account answers {status}")),
            })
        })?;
        for name in [CONTROLLER_MANAGER, SCHEDULER] {
            self.wait(&format!("{name} to be healthy"), || {
                let health = self.cluster.health(self.cluster.process(name)?);
                Ok(if health == Health::Healthy { Asked::Done(()) } else { Asked::NotYet(format!("{health:?}")) })
            })?;
        }
        Ok(())
    }

    fn launch(&mut self, recipe: &Recipe) -> Result<()> {
        self.interrupt.check()?;
        self.cluster.state.processes.push(recipe.start()?);
        self.save()
    }

    fn save(&self) -> Result<()> {
        self.cluster.state.save(&self.cluster.layout.state())
    }

    /// Waits, and fails at once when a process dies meanwhile, with the end of its log.
    fn wait<T>(&self, what: &str, mut ask: impl FnMut() -> Result<Asked<T>>) -> Result<T> {
        let wait = Wait { what, limit: PATIENCE, interrupt: self.interrupt };
        wait.until(|| {
            let dead = self.cluster.state.processes.iter().find(|process| process.life() == Life::Gone);
            if let Some(process) = dead {
                bail!("{} ended on its own; {}", process.name(), process.log_tail());
            }
            ask()
        })
    }
}
