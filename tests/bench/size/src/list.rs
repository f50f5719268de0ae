//! The names of all pods, by a list.

use k8s_openapi::api::core::v1::Pod;
use masthead::{
    Error, browser,
    rest::{List, ListOptions, RestClient},
};
use wasm_bindgen::prelude::wasm_bindgen;

/// By the client of any kind.
#[cfg(feature = "list-generic")]
#[wasm_bindgen]
pub async fn list_generic(address: String) -> Result<Vec<String>, String> {
    async fn pods(address: &str) -> Result<List<Pod>, Error> {
        let client = RestClient::new(browser::config(address))?;
        masthead::typed::Client::<Pod>::all_namespaces(&client).list(&ListOptions::default()).await
    }
    names(pods(&address).await)
}

/// By the ClientSet.
#[cfg(feature = "list-clientset")]
#[wasm_bindgen]
pub async fn list_clientset(address: String) -> Result<Vec<String>, String> {
    async fn pods(address: &str) -> Result<List<Pod>, Error> {
        let clients = masthead::kubernetes::ClientSet::new(&RestClient::new(browser::config(address))?);
        clients.core_v1().pods("").list(&ListOptions::default()).await
    }
    names(pods(&address).await)
}

fn names(pods: Result<List<Pod>, Error>) -> Result<Vec<String>, String> {
    let pods = pods.map_err(|error| error.to_string())?;
    Ok(pods.items.into_iter().filter_map(|pod| pod.metadata.name).collect())
}
