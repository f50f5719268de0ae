//! A `kubectl proxy` that a test may break.

use std::time::Duration;

use anyhow::Result;

use crate::cluster::{Life, Process};
use crate::unique_name::unique_name;
use crate::wait::{Asked, Wait};
use crate::{Api, Cluster, Interrupt, User, Verb};

/// How long a proxy may take to answer on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A `kubectl proxy` that belongs to one test. Stops when dropped.
#[must_use = "stops when dropped"]
#[derive(Debug)]
pub struct Proxy {
    process: Process,
    /// The path under which the API appears, without a slash at its end.
    prefix: String,
}

impl Proxy {
    /// Starts one that speaks as `user` and waits until it answers.
    pub(crate) fn start(cluster: &Cluster, user: User, api_prefix: Option<&str>) -> Result<Self> {
        let prefix = api_prefix.unwrap_or_default().trim_end_matches('/').to_owned();
        let mut recipe = cluster.proxy_recipe(user, &unique_name("proxy"))?;
        recipe.args.extend(api_prefix.map(|it| format!("--api-prefix={it}")));
        let proxy = Self { process: recipe.start()?, prefix };
        proxy.wait_until_served()?;
        Ok(proxy)
    }

    /// The address of the API behind this proxy; it stays the same over a restart.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port(), self.prefix)
    }

    pub(crate) fn port(&self) -> u16 {
        self.process.recipe.port.expect("every proxy is given a port")
    }

    /// A client for this proxy.
    pub fn api(&self) -> Api {
        Api::new(self.url())
    }

    /// Kills it: its connections break at once.
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()
    }

    /// Freezes it: its connections stay open and nothing moves.
    pub fn freeze(&mut self) -> Result<()> {
        self.process.freeze()
    }

    /// Lets a frozen proxy go on.
    pub fn resume(&mut self) -> Result<()> {
        self.process.resume()
    }

    /// Starts it again on the same port, stopping it first when it runs, and waits until it answers.
    pub fn restart(&mut self) -> Result<()> {
        self.process.stop()?;
        self.process = self.process.recipe.start()?;
        self.wait_until_served()
    }

    fn wait_until_served(&self) -> Result<()> {
        let api = Api::with_timeout(self.url(), Duration::from_secs(2));
        let wait = Wait { what: "a proxy to answer", limit: PATIENCE, interrupt: &Interrupt::never() };
        wait.until(|| match api.request(&Verb::Get, "/version") {
            Ok(answer) if answer.status == 200 => Ok(Asked::Done(())),
            Ok(answer) => Ok(Asked::NotYet(answer.text)),
            Err(error) if self.process.life() == Life::Gone => Err(error.context(self.process.log_tail())),
            Err(error) => Ok(Asked::NotYet(format!("{error:#}"))),
        })
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Err(error) = self.process.stop() {
            eprintln!("cannot stop a test's proxy: {error:#}");
        }
        if !std::thread::panicking() {
            // A log that is gone already was removed with its cluster.
            std::fs::remove_file(&self.process.recipe.log).ok();
        }
    }
}
