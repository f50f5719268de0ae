//! The real cluster, as a test in a page or in Node sees it.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Namespace;
use kube_core::ObjectMeta;
use masthead::{
    browser,
    rest::{Config, DeleteOptions, RestClient},
    typed::Client,
};
use serde::{Deserialize, de::DeserializeOwned};

/// A `kubectl proxy` of this test's own, which it may break.
#[derive(Deserialize)]
pub(crate) struct Proxy {
    id: usize,
    url: String,
}

#[derive(Deserialize)]
struct Connections {
    open: usize,
}

impl Proxy {
    /// Starts one that speaks as `user`: admin, reader or nobody.
    pub(crate) async fn start(user: &str) -> Proxy {
        order(&format!("/proxy/{user}")).await
    }

    /// How this test reaches the cluster, without a rate limit.
    pub(crate) fn config(&self) -> Config {
        Config { qps: -1.0, ..browser::config(self.url.as_str()) }
    }

    pub(crate) fn client(&self) -> RestClient {
        RestClient::new(self.config()).expect("the proxy has an address")
    }

    pub(crate) async fn freeze(&self) {
        self.order("freeze").await;
    }

    pub(crate) async fn resume(&self) {
        self.order("resume").await;
    }

    pub(crate) async fn restart(&self) {
        self.order("restart").await;
    }

    /// How many connections are open to this proxy.
    pub(crate) async fn connections(&self) -> usize {
        order::<Connections>(&format!("/{}/connections", self.id)).await.open
    }

    async fn order(&self, what: &str) {
        let _: serde_json::Value = order(&format!("/{}/{what}", self.id)).await;
    }
}

/// Kills the API server and waits until it is there again.
pub(crate) async fn restart_apiserver() {
    let _: serde_json::Value = order("/apiserver/restart").await;
}

/// Makes etcd forget all but the present state.
pub(crate) async fn compact() {
    let _: serde_json::Value = order("/etcd/compact").await;
}

/// What `kubectl get` shows: versions by name.
pub(crate) async fn kubectl_get(resource: &str, namespace: &str) -> BTreeMap<String, String> {
    order(&format!("/kubectl/{resource}/{namespace}")).await
}

/// What `kubectl get` shows in full.
pub(crate) async fn kubectl_get_json(resource: &str, namespace: &str) -> Vec<serde_json::Value> {
    #[derive(Deserialize)]
    struct Shown {
        items: Vec<serde_json::Value>,
    }
    order::<Shown>(&format!("/kubectl/{resource}/{namespace}/json")).await.items
}

/// Lets client-go's recorder write its script of events, of the API `core` or `events`.
pub(crate) async fn client_go_records(api: &str, namespace: &str) {
    let _: serde_json::Value = order(&format!("/client-go/record/{api}/{namespace}")).await;
}

/// A namespace of this test's own. It stays behind: the cluster goes with the tests.
pub(crate) async fn namespace(client: &RestClient) -> String {
    let metadata = ObjectMeta { generate_name: Some("wasm-".into()), ..Default::default() };
    let namespace = Namespace { metadata, ..Default::default() };
    let made = Client::<Namespace>::cluster(client).create(&namespace, &Default::default()).await;
    made.expect("the admin may make namespaces").metadata.name.expect("the server names it")
}

/// Takes a namespace away again, without waiting for it.
pub(crate) async fn forget(client: &RestClient, namespace: &str) {
    let deleted = Client::<Namespace>::cluster(client).delete(namespace, &DeleteOptions::default()).await;
    deleted.expect("the admin may delete namespaces");
}

async fn order<T: DeserializeOwned>(path: &str) -> T {
    let Some(remote) = option_env!("MASTHEAD_REMOTE") else { panic!("run this with `cargo xtask test wasm-cluster`") };
    let client = RestClient::new(Config { qps: -1.0, ..browser::config(remote) }).expect("the remote has an address");
    let answer = client.get().abs_path([path]).send().await;
    answer.and_then(|answer| answer.decode()).unwrap_or_else(|error| panic!("order {path}: {error}"))
}
