//! What pods and services can do: answer requests that the server passes on.

use k8s_openapi::api::core::v1::{Pod, Service};

use crate::{
    rest::{Endpoint, GetOptions, Request},
    typed::Client,
};

/// A port of a pod or a service, as the server's proxy is told of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProxyTarget<'a> {
    /// The pod or service.
    pub name: &'a str,
    /// The port's number or name; empty for the first.
    pub port: &'a str,
    /// `https`, or empty for plain HTTP.
    pub scheme: &'a str,
}

impl ProxyTarget<'_> {
    /// `scheme:name:port`, without what is empty.
    fn joined(&self) -> String {
        let ProxyTarget { name, port, scheme } = self;
        match (scheme.is_empty(), port.is_empty()) {
            (false, _) => format!("{scheme}:{name}:{port}"),
            (true, false) => format!("{name}:{port}"),
            (true, true) => (*name).to_owned(),
        }
    }
}

impl Client<Pod> {
    /// A request that the server passes on to a port of a pod: `send` or `stream` it.
    pub fn proxy_get(&self, target: &ProxyTarget<'_>, path: &str) -> Request {
        proxied(&self.endpoint, target, path)
    }
}

impl Client<Service> {
    /// A request that the server passes on to a port of a service: `send` or `stream` it.
    pub fn proxy_get(&self, target: &ProxyTarget<'_>, path: &str) -> Request {
        proxied(&self.endpoint, target, path)
    }
}

fn proxied(endpoint: &Endpoint, target: &ProxyTarget<'_>, path: &str) -> Request {
    endpoint.subresource("proxy").get(&target.joined(), &GetOptions::default()).suffix([path])
}

#[cfg(test)]
mod tests {
    use super::ProxyTarget;

    #[test]
    fn a_target_is_joined_as_the_server_reads_it() {
        let joined = |name, port, scheme| ProxyTarget { name, port, scheme }.joined();
        assert_eq!(joined("web", "", ""), "web");
        assert_eq!(joined("web", "80", ""), "web:80");
        assert_eq!(joined("web", "http", "https"), "https:web:http");
        assert_eq!(joined("web", "", "https"), "https:web:");
    }
}
