//! What services can do beyond their verbs: answer requests.

use super::ServiceClient;
use crate::{rest::Request, typed::ProxyTarget};

impl ServiceClient {
    /// A request that the server passes on to a port of a service: `send` or `stream` it.
    #[inline]
    pub fn proxy_get(&self, target: &ProxyTarget<'_>, path: &str) -> Request {
        self.client.proxy_get(target, path)
    }
}
