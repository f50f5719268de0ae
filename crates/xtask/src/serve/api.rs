//! The API that `serve` puts beside the page: a `kubectl proxy`, its own or a given one, or none.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use masthead_serve::Backend;

use super::kubectl_proxy::KubectlProxy;
use crate::{
    command::{command, read},
    lease::Lease,
    tool::find_on_path,
};

/// What the command line asked for.
pub(super) enum Wanted {
    /// The kubeconfig's current context, or the one named.
    Current {
        context: Option<String>,
    },
    Proxy(Backend),
    Local,
}

/// An API that answered once.
pub(super) struct Api {
    backend: Option<Backend>,
    described: String,
    source: Source,
}

/// What must live as long as the API is used.
enum Source {
    /// Somebody else's, or nothing.
    Foreign,
    Proxy(KubectlProxy),
    Local {
        _lease: Lease,
    },
}

impl Api {
    /// Finds or starts it. Without a cluster the page is still worth serving, so only what was asked for by name fails.
    pub(super) fn find(wanted: &Wanted) -> Result<Api> {
        match wanted {
            Wanted::Proxy(backend) => Api::at(backend.clone()),
            Wanted::Local => {
                let lease = Lease::of_this_machine()?;
                let api = Api::at(lease.admin_proxy()?.parse()?)?;
                Ok(Api { source: Source::Local { _lease: lease }, ..api })
            }
            Wanted::Current { context: Some(context) } => Api::through_kubectl(Some(context)),
            Wanted::Current { context: None } => Ok(Api::through_kubectl(None).unwrap_or_else(|error| {
                eprintln!("no cluster: {error:#}");
                eprintln!("the address opens the demo; `cargo xtask serve --local` runs a cluster on this machine");
                let described = "without a cluster: with the demo, which lives in the page".to_owned();
                Api { backend: None, described, source: Source::Foreign }
            })),
        }
    }

    pub(super) fn backend(&self) -> Option<Backend> {
        self.backend.clone()
    }

    /// One phrase for the person at the terminal.
    pub(super) fn described(&self) -> &str {
        &self.described
    }

    /// Starts the proxy again that was started here, when it has ended.
    pub(super) fn keep_running(&mut self, now: Instant) -> Result<()> {
        match &mut self.source {
            Source::Proxy(proxy) => proxy.keep_running(now),
            Source::Foreign | Source::Local { .. } => Ok(()),
        }
    }

    fn at(backend: Backend) -> Result<Api> {
        let what = || format!("no Kubernetes API at {backend}: is `kubectl proxy` running there?");
        let mut answer = ureq::get(format!("{backend}/version")).call().with_context(what)?;
        let version = version(&answer.body_mut().read_to_string().with_context(what)?).with_context(what)?;
        let described = format!("with Kubernetes {version} through {backend}");
        Ok(Api { backend: Some(backend), described, source: Source::Foreign })
    }

    fn through_kubectl(context: Option<&str>) -> Result<Api> {
        if find_on_path("kubectl").is_none() {
            bail!("kubectl is not on PATH: install it, or name a running proxy with --proxy");
        }
        let kubectl = || {
            let mut kubectl = command("kubectl");
            kubectl.args(context.map(|name| format!("--context={name}")));
            kubectl
        };
        let name = match context {
            Some(name) => name.to_owned(),
            None => read(kubectl().args(["config", "current-context"]))?.trim().to_owned(),
        };
        let answer = read(kubectl().args(["get", "--raw", "/version", "--request-timeout=5s"]));
        let version = answer.and_then(|answer| version(&answer));
        let version = version.with_context(|| format!("the cluster of context {name} does not answer"))?;
        let proxy = KubectlProxy::start(context)?;
        let described = format!("with Kubernetes {version}, context {name}");
        Ok(Api { backend: Some(proxy.backend()), described, source: Source::Proxy(proxy) })
    }
}

/// The version in an answer for `/version`, which also proves that an API server gave it.
fn version(answer: &str) -> Result<String> {
    let version: serde_json::Value = serde_json::from_str(answer).context("its version is not JSON")?;
    Ok(version["gitVersion"].as_str().context("it tells no version")?.to_owned())
}
