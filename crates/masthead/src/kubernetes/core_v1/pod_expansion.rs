//! What pods can do beyond their verbs: write logs, be evicted, be bound to a node, answer requests.

use k8s_openapi::api::{core::v1::Binding, policy::v1::Eviction};

use super::PodClient;
use crate::{
    Error,
    rest::{Body, CreateOptions, Request},
    typed::{LogOptions, ProxyTarget},
};

impl PodClient {
    /// A container's log up to now. Bytes that are no UTF-8 are replaced.
    #[inline]
    pub fn logs(&self, name: &str, options: &LogOptions) -> impl Future<Output = Result<String, Error>> {
        self.client.logs(name, options)
    }

    /// A container's log as it comes, in chunks that are cut anywhere. Dropping it ends the request.
    #[inline]
    pub fn log_stream(&self, name: &str, options: &LogOptions) -> impl Future<Output = Result<Body, Error>> {
        self.client.log_stream(name, options)
    }

    /// Asks the pod that `eviction` names to leave its node.
    ///
    /// While a disruption budget forbids it, the error [is 429](Error::is_too_many_requests).
    #[inline]
    pub fn evict(&self, eviction: &Eviction) -> impl Future<Output = Result<(), Error>> {
        self.client.evict(eviction)
    }

    /// Puts the pod that `binding` names on a node, as schedulers do.
    #[inline]
    pub fn bind(&self, binding: &Binding, options: &CreateOptions) -> impl Future<Output = Result<(), Error>> {
        self.client.bind(binding, options)
    }

    /// A request that the server passes on to a port of a pod: `send` or `stream` it.
    #[inline]
    pub fn proxy_get(&self, target: &ProxyTarget<'_>, path: &str) -> Request {
        self.client.proxy_get(target, path)
    }
}
