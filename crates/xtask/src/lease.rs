//! A cluster for as long as this command runs.

use std::path::PathBuf;

use anyhow::{Context, Result};
use masthead_tests::{Cluster, User, cache_dir};

use crate::{
    command::{command, run},
    running::Owned,
    workspace,
};

/// The use of a running cluster. Dropping it stops the cluster, unless it ran before.
#[must_use = "stops the cluster when dropped"]
pub(crate) struct Lease {
    cluster: Cluster,
    _owned: Option<Owned>,
}

impl Lease {
    /// A cluster of its own for tests: nothing in it but what `cluster up` makes.
    pub(crate) fn fresh() -> Result<Lease> {
        let dir = cache_dir()?.join(format!("cluster-{}", std::process::id()));
        Lease::start(dir)
    }

    /// The cluster of `cargo xtask cluster up`.
    pub(crate) fn of_this_machine() -> Result<Lease> {
        let dir = Cluster::default_dir()?;
        match Cluster::open(&dir)? {
            Some(cluster) if cluster.is_healthy() => Ok(Lease { cluster, _owned: None }),
            _ => Lease::start(dir),
        }
    }

    pub(crate) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The address of the admin's proxy.
    pub(crate) fn admin_proxy(&self) -> Result<String> {
        self.cluster.proxy_url(User::Admin)
    }

    /// Starts it in a process of its own, which cleans up after itself when a signal comes half-way.
    fn start(dir: PathBuf) -> Result<Lease> {
        let owned = Owned::cluster(dir.clone());
        run(command(workspace::this_program()?).args(["cluster", "up", "--dir"]).arg(&dir))?;
        let cluster = Cluster::open(&dir)?.context("the cluster that just started is gone")?;
        Ok(Lease { cluster, _owned: Some(owned) })
    }
}
