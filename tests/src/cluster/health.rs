//! Asking every component whether it does its work.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::Cluster;
use super::components::{APISERVER, CONTROLLER_MANAGER, ETCD, KWOK, SCHEDULER};
use super::process::{Life, Process};
use crate::{Api, User, Verb};

/// What one component of a cluster is doing.
#[derive(Debug)]
pub struct ComponentStatus {
    /// The program, or `proxy-` and a user.
    pub name: String,
    /// Its process, which may be gone.
    pub pid: i32,
    /// The loopback port it serves on.
    pub port: Option<u16>,
    /// Whether it does its work.
    pub health: Health,
    /// Time since its start.
    pub uptime: Option<Duration>,
    /// Memory in use.
    pub resident_bytes: Option<u64>,
}

/// Whether a component does its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It answers and says that it is well.
    Healthy,
    /// It runs, but what it answers is not good; the text says what.
    Unhealthy(String),
    /// It was stopped with SIGSTOP.
    Frozen,
    /// Its process is gone.
    Gone,
}

/// A component that is alone with its machine answers in milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

impl Cluster {
    /// Asks every component how it is.
    pub fn status(&self) -> Vec<ComponentStatus> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = self.state.processes.iter().map(|it| scope.spawn(|| self.component(it))).collect();
            asked.into_iter().filter_map(|it| it.join().ok()).collect()
        })
    }

    fn component(&self, process: &Process) -> ComponentStatus {
        ComponentStatus {
            name: process.name().to_owned(),
            pid: process.pid,
            port: process.recipe.port,
            health: self.health(process),
            uptime: process.uptime().filter(|_| process.life() != Life::Gone),
            resident_bytes: process.resident_bytes().filter(|_| process.life() != Life::Gone),
        }
    }

    pub(crate) fn health(&self, process: &Process) -> Health {
        match process.life() {
            Life::Gone => Health::Gone,
            Life::Frozen => Health::Frozen,
            Life::Running => match self.ask(process) {
                Ok(()) => Health::Healthy,
                Err(error) => Health::Unhealthy(format!("{error:#}")),
            },
        }
    }

    fn ask(&self, process: &Process) -> Result<()> {
        let port = process.recipe.port.context("it serves on no port")?;
        let plain = format!("http://127.0.0.1:{port}");
        match process.name() {
            ETCD => expect_words(&plain, "/health", "\"health\":\"true\""),
            KWOK => expect_words(&plain, "/healthz", "ok"),
            APISERVER => expect_words(&self.proxy_url(User::Admin)?, "/readyz", "ok"),
            CONTROLLER_MANAGER | SCHEDULER => self.ask_over_tls(port),
            _ => expect_words(&plain, "/version", "gitVersion"),
        }
    }

    /// The two that serve only TLS are asked by kubectl, which brings it.
    fn ask_over_tls(&self, port: u16) -> Result<()> {
        let answer = Command::new(&self.state.kubectl)
            .args(["get", "--raw", "/healthz", "--request-timeout=3s"])
            .arg(format!("--kubeconfig={}", self.kubeconfig(User::Admin).display()))
            .arg(format!("--server=https://127.0.0.1:{port}"))
            .env("NO_PROXY", "*")
            .stdin(Stdio::null())
            .output()
            .context("cannot run kubectl")?;
        if !answer.status.success() {
            bail!("{}", String::from_utf8_lossy(&answer.stderr).trim());
        }
        Ok(())
    }
}

fn expect_words(base: &str, path: &str, words: &str) -> Result<()> {
    let answer = Api::with_timeout(base, PATIENCE).request(&Verb::Get, path)?;
    if answer.status != 200 || !answer.text.contains(words) {
        bail!("{path} answers {} {}", answer.status, answer.text.trim());
    }
    Ok(())
}
