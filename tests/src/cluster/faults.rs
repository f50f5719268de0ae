//! What a test may do to a cluster that other tests share one after the other.

use std::{process::Command, time::Duration};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{APISERVER, Cluster, User, components::ETCD};
use crate::{
    Api, Interrupt, Verb,
    wait::{Asked, Wait},
};

/// How long a stopping API server may take. While its clients stay connected it would wait for them.
const LAST_ORDERS: Duration = Duration::from_secs(1);

/// How long an API server may take to be ready.
const PATIENCE: Duration = Duration::from_secs(180);

impl Cluster {
    /// Stops the API server; it stays away until [`Cluster::start_apiserver`].
    pub fn stop_apiserver(&self) -> Result<()> {
        self.process(APISERVER)?.stop_within(LAST_ORDERS)
    }

    /// Kills the API server without warning.
    pub fn kill_apiserver(&self) -> Result<()> {
        self.process(APISERVER)?.kill()
    }

    /// Starts the API server again, stopping it first when it runs, and waits until it is ready.
    pub fn start_apiserver(&mut self) -> Result<()> {
        self.stop_apiserver()?;
        self.restart(APISERVER)?;
        self.wait_until_ready()
    }

    /// Freezes the API server: its connections stay open and nothing answers.
    pub fn freeze_apiserver(&self) -> Result<()> {
        self.process(APISERVER)?.freeze()
    }

    /// Lets a frozen API server go on.
    pub fn resume_apiserver(&self) -> Result<()> {
        self.process(APISERVER)?.resume()?;
        self.wait_until_ready()
    }

    /// Makes etcd forget everything but the present state. An API server that starts after this knows no older version.
    pub fn compact(&self) -> Result<()> {
        let port = self.process(ETCD)?.recipe.port.context("etcd has a port")?;
        let etcd = Api::new(format!("http://127.0.0.1:{port}"));
        // The first key there is: any answer names the revision.
        let range = etcd.request(&Verb::Create(&json!({ "key": "Lw==" })), "/v3/kv/range")?.json()?;
        let revision = range["header"]["revision"].as_str().context("etcd names no revision")?;
        let order = json!({ "revision": revision, "physical": true });
        let done = etcd.request(&Verb::Create(&order), "/v3/kv/compaction")?;
        if done.status != 200 {
            bail!("etcd refuses to compact: {}", done.text);
        }
        Ok(())
    }

    /// What `kubectl get` shows of a resource in a namespace, as names and versions.
    pub fn kubectl_get(&self, resource: &str, namespace: &str) -> Result<Value> {
        let form = r#"jsonpath={range .items[*]}{.metadata.name}{" "}{.metadata.resourceVersion}{"\n"}{end}"#;
        let output = self.kubectl_output(resource, namespace, form)?;
        let lines = String::from_utf8(output).context("kubectl writes no text")?;
        Ok(lines
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(name, version)| (name.to_owned(), version))
            .collect())
    }

    /// What `kubectl get` shows as JSON.
    pub fn kubectl_get_json(&self, resource: &str, namespace: &str) -> Result<Value> {
        let output = self.kubectl_output(resource, namespace, "json")?;
        serde_json::from_slice(&output).context("kubectl writes no JSON")
    }

    fn kubectl_output(&self, resource: &str, namespace: &str, form: &str) -> Result<Vec<u8>> {
        let mut kubectl = Command::new(self.kubectl());
        kubectl.arg("--kubeconfig").arg(self.kubeconfig(User::Admin));
        kubectl.args(["get", resource, "--namespace", namespace, "--output", form]);
        let output = kubectl.output().context("cannot run kubectl")?;
        if !output.status.success() {
            bail!("kubectl get {resource}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(output.stdout)
    }

    fn wait_until_ready(&self) -> Result<()> {
        let (api, interrupt) = (self.api(User::Admin)?, Interrupt::never());
        let wait = Wait { what: "the API server to be ready", limit: PATIENCE, interrupt: &interrupt };
        wait.until(|| match api.request(&Verb::Get, "/readyz") {
            Ok(answer) if answer.status == 200 => Ok(Asked::Done(())),
            Ok(answer) => Ok(Asked::NotYet(answer.text)),
            Err(error) => Ok(Asked::NotYet(format!("{error:#}"))),
        })
    }
}
