//! Clients of kinds that are Rust types: those of `k8s-openapi`, and custom ones that implement
//! [`kube_core::Resource`], as `#[derive(CustomResource)]` does.
//!
//! ```
//! use k8s_openapi::api::{apps::v1::Deployment, core::v1::{Node, Pod}};
//! use masthead::{Error, rest::{ListOptions, RestClient}, typed::Client};
//!
//! async fn count(client: &RestClient) -> Result<usize, Error> {
//!     let nodes = Client::<Node>::cluster(client);
//!     let pods = Client::<Pod>::namespaced(client, "default");
//!     let deployments = Client::<Deployment>::all_namespaces(client);
//!     let options = ListOptions { label_selector: "app=web".into(), ..Default::default() };
//!     Ok(nodes.list(&options).await?.items.len()
//!         + pods.list(&options).await?.items.len()
//!         + deployments.list(&options).await?.items.len())
//! }
//! ```

mod client;
mod event;
mod extension;
mod log;
mod namespace;
mod pod;
mod proxy;
mod service_account;
mod subresource;

pub use client::Client;
pub use extension::Extension;
pub use log::{LogOptions, LogStream};
pub use proxy::ProxyTarget;
pub use subresource::Subresource;
