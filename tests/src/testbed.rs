//! One test's place on the real cluster.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::cluster::{APISERVER, Life, Process, READER_NAMESPACE};
use crate::unique_name::unique_name;
use crate::wait::{Asked, Wait};
use crate::{Api, Cluster, Interrupt, Proxy, User};

/// Names the directory of the cluster that tests run on.
const CLUSTER: &str = "MASTHEAD_CLUSTER";

/// How long anything a test waits for may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// One test's place on the real cluster: a namespace of its own and the means to break things.
///
/// Dropping it deletes the namespace, and resumes or restarts an API server that the test left frozen or stopped.
#[derive(Debug)]
pub struct Testbed {
    cluster: Cluster,
    namespace: String,
    api: Api,
}

impl Testbed {
    /// A place on the cluster named by `MASTHEAD_CLUSTER`.
    ///
    /// # Panics
    ///
    /// When there is no such cluster: a test that needs one cannot go on.
    pub fn new() -> Self {
        match Self::open() {
            Ok(testbed) => testbed,
            Err(error) => panic!("{error:#}; `cargo xtask test cluster` starts a cluster and runs these tests on it"),
        }
    }

    fn open() -> Result<Self> {
        let dir = std::env::var_os(CLUSTER).map(PathBuf::from);
        let dir = dir.with_context(|| format!("{CLUSTER} names no cluster"))?;
        let cluster = Cluster::open(&dir)?.with_context(|| format!("no cluster runs in {}", dir.display()))?;
        let api = cluster.api(User::Admin)?;
        let namespace = unique_name("test");
        api.create("/api/v1/namespaces", &json!({ "metadata": { "name": namespace } }))?;
        Ok(Self { cluster, namespace, api })
    }

    /// The cluster under test.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The name of this test's own namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The namespace that [`User::Reader`] may read.
    pub fn reader_namespace(&self) -> &'static str {
        READER_NAMESPACE
    }

    /// A client that speaks as the admin through the cluster's own proxy, which no test may disturb.
    pub fn api(&self) -> &Api {
        &self.api
    }

    /// The path of a core resource in this test's namespace, such as `pods` or `pods/web/log`.
    pub fn path(&self, resource: &str) -> String {
        format!("/api/v1/namespaces/{}/{resource}", self.namespace)
    }

    /// The path of a resource of another group, such as `apps/v1`, in this test's namespace.
    pub fn group_path(&self, group: &str, resource: &str) -> String {
        format!("/apis/{group}/namespaces/{}/{resource}", self.namespace)
    }

    /// Starts a `kubectl proxy` of this test's own, and waits until it answers.
    pub fn proxy(&self, user: User) -> Result<Proxy> {
        Proxy::start(&self.cluster, user, None)
    }

    /// Starts a `kubectl proxy` that serves the API under `prefix`, such as `/k-1a2b/`.
    pub fn proxy_under(&self, user: User, prefix: &str) -> Result<Proxy> {
        Proxy::start(&self.cluster, user, Some(prefix))
    }

    /// Stops the API server; it stays away until [`Testbed::start_apiserver`].
    pub fn stop_apiserver(&mut self) -> Result<()> {
        self.cluster.stop_apiserver()
    }

    /// Kills the API server without warning.
    pub fn kill_apiserver(&mut self) -> Result<()> {
        self.cluster.kill_apiserver()
    }

    /// Starts the API server again, stopping it first when it runs, and waits until it is ready.
    pub fn start_apiserver(&mut self) -> Result<()> {
        self.cluster.start_apiserver()
    }

    /// Freezes the API server: its connections stay open and nothing answers.
    pub fn freeze_apiserver(&mut self) -> Result<()> {
        self.cluster.freeze_apiserver()
    }

    /// Lets a frozen API server go on.
    pub fn resume_apiserver(&mut self) -> Result<()> {
        self.cluster.resume_apiserver()
    }

    /// Asks until `ask` gives a value; fails after three minutes with what was seen last.
    pub fn eventually<T>(&self, what: &str, mut ask: impl FnMut() -> Result<Result<T, String>>) -> Result<T> {
        let wait = Wait { what, limit: PATIENCE, interrupt: &Interrupt::never() };
        wait.until(|| {
            Ok(match ask()? {
                Ok(value) => Asked::Done(value),
                Err(seen) => Asked::NotYet(seen),
            })
        })
    }

    /// Asks for `path` until `is_it` is true of the answer, and gives that answer.
    pub fn until(&self, path: &str, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
        self.eventually(path, || {
            let object = self.api.get(path)?;
            Ok(if is_it(&object) { Ok(object) } else { Err(object["status"].to_string()) })
        })
    }
}

impl Default for Testbed {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Testbed {
    fn drop(&mut self) {
        let life = self.cluster.process(APISERVER).map(Process::life);
        let mended = match life {
            Ok(Life::Frozen) => self.resume_apiserver(),
            Ok(Life::Gone) => self.start_apiserver(),
            _ => Ok(()),
        };
        let cleaned = mended.and_then(|()| self.api.delete(&format!("/api/v1/namespaces/{}", self.namespace)));
        if let Err(error) = cleaned {
            eprintln!("cannot clean up after a test: {error:#}");
        }
    }
}
