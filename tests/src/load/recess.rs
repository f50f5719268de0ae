//! A time without anyone who acts on new objects.

use std::fs::{File, TryLockError};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::wait::{Asked, Wait};
use crate::{Cluster, Interrupt, User};

/// Those that act on new objects, in the order of their return.
const AWAY: [&str; 3] = ["kube-controller-manager", "kube-scheduler", "kwok"];

const NODE_LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

/// A time in which the API server is alone: controllers, scheduler and kwok are stopped. They start again when this is
/// dropped, and then list everything before they act, so they find only what is complete.
///
/// Freezing them would not do: once resumed, a controller could see a replica set before the pods that are already
/// there and make more of them.
#[must_use = "all come back when dropped"]
#[derive(Debug)]
pub(crate) struct Recess {
    /// `None` once all were called back.
    cluster: Option<Cluster>,
    /// Locked as long as the recess lasts: a second one must not end with the first.
    _alone: File,
}

impl Recess {
    /// Sends away all who act on the objects of `cluster`, after any other recess has ended.
    pub(crate) fn begin(cluster: &Cluster, interrupt: &Interrupt) -> Result<Self> {
        let alone = lock(cluster, interrupt)?;
        // Read again: the last recess has changed the process.
        let cluster = Cluster::open(cluster.dir())?.context("the cluster was taken down meanwhile")?;
        let recess = Self { cluster: Some(cluster), _alone: alone };
        if let Some(cluster) = &recess.cluster {
            AWAY.iter().try_for_each(|name| cluster.process(name)?.stop())?;
            // They name their holder, and every kwok has a name of its own: the next one would wait until they expire.
            cluster.api(User::Admin)?.delete(NODE_LEASES)?;
        }
        Ok(recess)
    }

    /// Calls everyone back.
    pub(crate) fn end(mut self) -> Result<()> {
        self.call_back()
    }

    fn call_back(&mut self) -> Result<()> {
        match self.cluster.take() {
            Some(mut cluster) => AWAY.iter().try_for_each(|name| cluster.restart(name)),
            None => Ok(()),
        }
    }
}

impl Drop for Recess {
    fn drop(&mut self) {
        if let Err(error) = self.call_back() {
            eprintln!("what was stopped for the load does not start again: {error:#}");
        }
    }
}

fn lock(cluster: &Cluster, interrupt: &Interrupt) -> Result<File> {
    let dir = cluster.dir();
    let file = File::open(dir).with_context(|| format!("cannot open {}", dir.display()))?;
    let wait = Wait { what: "another load to end", limit: Duration::from_secs(3600), interrupt };
    wait.until(|| match file.try_lock() {
        Ok(()) => Ok(Asked::Done(())),
        Err(TryLockError::WouldBlock) => Ok(Asked::NotYet("it goes on".into())),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", dir.display())),
    })?;
    Ok(file)
}
