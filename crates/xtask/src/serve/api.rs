//! The API that `serve` puts beside the page: a `kubectl proxy`, its own or a given one, or none.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use super::forward::Backend;
use crate::{
    command::{command, read},
    lease::Lease,
    running::Running,
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
    Proxy(Running),
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
                eprintln!("the page is served without one; `cargo xtask serve --local` runs a cluster on this machine");
                Api { backend: None, described: "without a cluster".to_owned(), source: Source::Foreign }
            })),
        }
    }

    pub(super) fn forward(&self) -> Option<Backend> {
        self.backend.clone()
    }

    /// One phrase for the person at the terminal.
    pub(super) fn described(&self) -> &str {
        &self.described
    }

    /// An error once the proxy that was started here has ended.
    pub(super) fn check_alive(&mut self) -> Result<()> {
        if let Source::Proxy(proxy) = &mut self.source
            && let Some(status) = proxy.child.try_wait().context("lost kubectl proxy")?
        {
            bail!("kubectl proxy ended ({status}): run this again");
        }
        Ok(())
    }

    fn at(backend: Backend) -> Result<Api> {
        let version = version(&backend)?;
        let described = format!("with Kubernetes {version} through {}", backend.url(""));
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
        read(kubectl().args(["get", "--raw", "/version", "--request-timeout=5s"]))
            .with_context(|| format!("the cluster of context {name} does not answer"))?;
        let (proxy, backend) = start_proxy(kubectl())?;
        let version = version(&backend)?;
        let described = format!("with Kubernetes {version}, context {name}");
        Ok(Api { backend: Some(backend), described, source: Source::Proxy(proxy) })
    }
}

/// Starts `kubectl proxy` on a free port, its API below a prefix of its own: on this machine any page may reach the port.
fn start_proxy(mut kubectl: Command) -> Result<(Running, Backend)> {
    let prefix = super::front::random_prefix()?;
    kubectl.args(["proxy", "--address=127.0.0.1", "--port=0"]).arg(format!("--api-prefix={prefix}/"));
    let mut proxy = Running::start(kubectl.stdout(Stdio::piped()))?;
    let stdout = proxy.child.stdout.take().context("the child's output is piped")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).context("could not read what kubectl proxy says")?;
    let Some(authority) = line.trim().strip_prefix("Starting to serve on ") else {
        bail!("kubectl proxy did not start; what it says above is the reason");
    };
    Ok((proxy, format!("http://{authority}{prefix}").parse()?))
}

/// The server's version, which also proves that an API server is there.
fn version(backend: &Backend) -> Result<String> {
    let url = backend.url("/version");
    let what = || format!("no Kubernetes API at {}: is `kubectl proxy` running there?", backend.url(""));
    let mut answer = ureq::get(&url).call().with_context(what)?;
    let body = answer.body_mut().read_to_string().with_context(what)?;
    let version: serde_json::Value = serde_json::from_str(&body).with_context(what)?;
    Ok(version["gitVersion"].as_str().with_context(what)?.to_owned())
}
