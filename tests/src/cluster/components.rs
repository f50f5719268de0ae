//! The command line of every component.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::User;
use super::binaries::{Binaries, source_dir};
use super::layout::Layout;
use super::port::free_port;
use super::process::Recipe;

/// The names of the components, in the order of their start.
pub(crate) const ETCD: &str = "etcd";
pub(crate) const APISERVER: &str = "kube-apiserver";
pub(crate) const CONTROLLER_MANAGER: &str = "kube-controller-manager";
pub(crate) const SCHEDULER: &str = "kube-scheduler";
pub(crate) const KWOK: &str = "kwok";

/// The command lines of one cluster.
#[derive(Debug)]
pub(crate) struct Components<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) binaries: &'a Binaries,
    pub(crate) etcd_port: u16,
    pub(crate) apiserver_port: u16,
}

impl<'a> Components<'a> {
    pub(crate) fn new(layout: &'a Layout, binaries: &'a Binaries) -> Result<Self> {
        Ok(Self { layout, binaries, etcd_port: free_port()?, apiserver_port: free_port()? })
    }

    pub(crate) fn etcd(&self) -> Result<Recipe> {
        let client = format!("http://127.0.0.1:{}", self.etcd_port);
        let peer = format!("http://127.0.0.1:{}", free_port()?);
        let args = vec![
            format!("--data-dir={}", self.layout.etcd().display()),
            format!("--listen-client-urls={client}"),
            format!("--advertise-client-urls={client}"),
            format!("--listen-peer-urls={peer}"),
            format!("--initial-advertise-peer-urls={peer}"),
            format!("--initial-cluster=default={peer}"),
            "--unsafe-no-fsync".into(),
            "--quota-backend-bytes=8589934592".into(),
            "--log-level=warn".into(),
        ];
        self.recipe(ETCD, self.etcd_port, args)
    }

    pub(crate) fn apiserver(&self) -> Result<Recipe> {
        let key = self.layout.signing_key();
        let args = vec![
            format!("--etcd-servers=http://127.0.0.1:{}", self.etcd_port),
            format!("--secure-port={}", self.apiserver_port),
            "--bind-address=127.0.0.1".into(),
            "--advertise-address=127.0.0.1".into(),
            // Loopback is no address for an Endpoints object; the server would complain for ever.
            "--endpoint-reconciler-type=none".into(),
            format!("--cert-dir={}", self.layout.pki().display()),
            format!("--service-account-key-file={}", key.display()),
            format!("--service-account-signing-key-file={}", key.display()),
            "--service-account-issuer=https://kubernetes.default.svc".into(),
            "--service-cluster-ip-range=10.96.0.0/16".into(),
            format!("--token-auth-file={}", self.layout.tokens().display()),
            "--authorization-mode=RBAC".into(),
            // Pods start without waiting for a token of their service account.
            "--disable-admission-plugins=ServiceAccount".into(),
            "--kubelet-preferred-address-types=InternalIP".into(),
            "--max-requests-inflight=1500".into(),
            "--max-mutating-requests-inflight=1000".into(),
        ];
        self.recipe(APISERVER, self.apiserver_port, args)
    }

    pub(crate) fn controller_manager(&self) -> Result<Recipe> {
        let port = free_port()?;
        let mut args = self.controller_flags(port);
        args.extend([
            "--concurrent-deployment-syncs=20".into(),
            "--concurrent-replicaset-syncs=40".into(),
            "--concurrent-namespace-syncs=20".into(),
            "--concurrent-gc-syncs=40".into(),
            // Nodes are up or the cluster is down; a slow machine must not evict pods.
            "--node-monitor-grace-period=5m".into(),
        ]);
        self.recipe(CONTROLLER_MANAGER, port, args)
    }

    pub(crate) fn scheduler(&self) -> Result<Recipe> {
        let port = free_port()?;
        self.recipe(SCHEDULER, port, self.controller_flags(port))
    }

    /// kwok also plays the kubelets' servers, so that the API server can fetch logs from it.
    pub(crate) fn kwok(&self) -> Result<Recipe> {
        let port = free_port()?;
        let mut args = vec![
            self.admin_flag(),
            "--manage-all-nodes=true".into(),
            "--v=WARN".into(),
            // With every renewal, four in this time, kwok lists and replays all pods of the node.
            "--node-lease-duration-seconds=200".into(),
            "--cidr=10.0.0.0/8".into(),
            "--node-ip=127.0.0.1".into(),
            format!("--node-port={port}"),
            format!("--server-address=127.0.0.1:{port}"),
            format!("--config={}", self.layout.kwok_config().display()),
        ];
        for stages in stage_files()? {
            args.push(format!("--config={stages}"));
        }
        self.recipe(KWOK, port, args)
    }

    pub(crate) fn proxy(&self, user: User) -> Result<Recipe> {
        proxy(self.layout, self.binaries.path("kubectl")?, user)
    }

    /// What the controller manager and the scheduler have in common.
    fn controller_flags(&self, port: u16) -> Vec<String> {
        let pki = self.layout.pki();
        vec![
            self.admin_flag(),
            format!("--secure-port={port}"),
            "--bind-address=127.0.0.1".into(),
            // The API server's own certificate, which every kubeconfig trusts.
            format!("--tls-cert-file={}", pki.join("apiserver.crt").display()),
            format!("--tls-private-key-file={}", pki.join("apiserver.key").display()),
            "--leader-elect=false".into(),
            "--kube-api-qps=3000".into(),
            "--kube-api-burst=6000".into(),
        ]
    }

    fn admin_flag(&self) -> String {
        format!("--kubeconfig={}", self.layout.kubeconfig(User::Admin).display())
    }

    fn recipe(&self, name: &str, port: u16, args: Vec<String>) -> Result<Recipe> {
        Ok(Recipe {
            name: name.into(),
            program: self.binaries.path(name)?.to_owned(),
            args,
            port: Some(port),
            log: self.layout.log(name),
            member_of: self.layout.dir().to_owned(),
        })
    }
}

/// The command line of a `kubectl proxy` on a free port that speaks as `user`.
pub(crate) fn proxy(layout: &Layout, kubectl: &Path, user: User) -> Result<Recipe> {
    let port = free_port()?;
    let args = vec![
        "proxy".into(),
        format!("--kubeconfig={}", layout.kubeconfig(user).display()),
        "--address=127.0.0.1".into(),
        format!("--port={port}"),
    ];
    Ok(Recipe {
        name: user.proxy_name(),
        program: kubectl.to_owned(),
        args,
        port: Some(port),
        log: layout.log(&user.proxy_name()),
        member_of: layout.dir().to_owned(),
    })
}

fn stage_files() -> Result<Vec<String>> {
    let dir = source_dir().join("stages");
    let entries = fs::read_dir(&dir).with_context(|| format!("cannot read the stages in {}", dir.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path().display().to_string());
    }
    files.sort();
    Ok(files)
}
