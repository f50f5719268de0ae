//! Who may do what: three users, known by their tokens.

use std::fmt;
use std::fs::File;
use std::io::Read;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::layout::{Layout, write_private};
use crate::Api;

/// The namespace that [`User::Reader`] may read.
pub(crate) const READER_NAMESPACE: &str = "reader-ns";

/// Who a kubeconfig and its proxy speak as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// May do everything (group `system:masters`).
    Admin,
    /// May read the namespace `reader-ns` and nothing else.
    Reader,
    /// May do nothing.
    Nobody,
}

impl fmt::Display for User {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Admin => "admin",
            Self::Reader => "reader",
            Self::Nobody => "nobody",
        })
    }
}

impl User {
    /// All of them, the most powerful first.
    pub const ALL: [Self; 3] = [Self::Admin, Self::Reader, Self::Nobody];

    /// The name of this user's `kubectl proxy` among the cluster's processes.
    pub(crate) fn proxy_name(self) -> String {
        format!("proxy-{self}")
    }
}

/// Gives every user a fresh token, known to the API server by a file and to the user by a kubeconfig.
pub(crate) fn write_credentials(layout: &Layout, apiserver_port: u16) -> Result<()> {
    let mut tokens = String::new();
    for user in User::ALL {
        let token = random_token()?;
        let group = if user == User::Admin { ",system:masters" } else { "" };
        tokens.push_str(&format!("{token},{user},{user}{group}\n"));
        let kubeconfig = kubeconfig(layout, user, apiserver_port, &token);
        write_private(&layout.kubeconfig(user), &serde_json::to_vec_pretty(&kubeconfig)?)?;
    }
    write_private(&layout.tokens(), tokens.as_bytes())
}

fn kubeconfig(layout: &Layout, user: User, port: u16, token: &str) -> Value {
    let name = format!("masthead-{user}");
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{ "name": "masthead", "cluster": {
            "server": format!("https://127.0.0.1:{port}"),
            // The server signs its own certificate into this file when it first starts.
            "certificate-authority": layout.pki().join("apiserver.crt"),
        }}],
        "users": [{ "name": user.to_string(), "user": { "token": token } }],
        "contexts": [{ "name": name, "context": { "cluster": "masthead", "user": user.to_string() } }],
    })
}

fn random_token() -> Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .context("cannot read random bytes")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The namespace that [`User::Reader`] may read, and the role and the binding that let the reader do so.
pub fn reader_grants() -> [Value; 3] {
    let meta = || json!({ "name": "reader", "namespace": READER_NAMESPACE });
    [
        json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": READER_NAMESPACE } }),
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": meta(),
            "rules": [{ "apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"] }],
        }),
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": meta(),
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader" },
            "subjects": [{ "apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": User::Reader.to_string() }],
        }),
    ]
}

/// Makes the namespace that the reader may read, and lets the reader read it.
pub(crate) fn grant(admin: &Api) -> Result<()> {
    let rbac = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{READER_NAMESPACE}");
    let collections = ["/api/v1/namespaces".to_owned(), format!("{rbac}/roles"), format!("{rbac}/rolebindings")];
    for (collection, object) in collections.iter().zip(reader_grants()) {
        admin.create(collection, &object)?;
    }
    Ok(())
}
