//! What a server serves: its groups, versions and resources, and how people's names for them are understood.
//!
//! [`DiscoveryClient`] asks, in two requests where the server knows the aggregated format and in one per group-version where
//! it does not; the answer is a [`Catalog`], which tells what failed beside what was found. [`CachedDiscovery`] remembers
//! one. [`RestMapper`] turns `deploy`, `deployments.v1.apps` or a kind into a [`Resource`], and [`DeferredRestMapper`] does
//! so on a cached catalog, asking the server again when a name is unknown.

mod aggregated;
mod cached;
mod catalog;
mod client;
mod deferred_mapper;
mod legacy;
mod open_api;
mod resource;
mod resource_name;
mod rest_mapper;

pub use cached::CachedDiscovery;
pub use catalog::{Catalog, Group, ResourceList};
pub use client::{DiscoveryClient, Format};
pub use deferred_mapper::DeferredRestMapper;
pub use open_api::OpenApiDocument;
pub use resource::Resource;
pub use resource_name::ResourceName;
pub use rest_mapper::RestMapper;
