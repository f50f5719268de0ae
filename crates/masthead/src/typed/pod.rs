//! What only pods can do: write logs, be evicted, be bound to a node.

use k8s_openapi::api::{
    core::v1::{Binding, Pod},
    policy::v1::Eviction,
};

use crate::{
    Error,
    rest::{Body, CreateOptions, GetOptions, Request, UpdateOptions},
    typed::{Client, LogOptions, client::name_of},
};

impl Client<Pod> {
    /// A container's log up to now. Bytes that are no UTF-8 are replaced.
    pub async fn logs(&self, name: &str, options: &LogOptions) -> Result<String, Error> {
        let request = self.log_request(name, options);
        if options.follow {
            return Err(Error::invalid(&request.operation(), "a log that is followed has no end: stream it"));
        }
        let body = request.send().await?.body;
        Ok(String::from_utf8(body).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// A container's log as it comes, in chunks that are cut anywhere. Dropping it ends the request.
    pub async fn log_stream(&self, name: &str, options: &LogOptions) -> Result<Body, Error> {
        self.log_request(name, options).stream().await
    }

    /// Asks the pod that `eviction` names to leave its node.
    ///
    /// While a disruption budget forbids it, the error [is 429](Error::is_too_many_requests).
    pub async fn evict(&self, eviction: &Eviction) -> Result<(), Error> {
        let endpoint = self.endpoint.subresource("eviction");
        endpoint.create_for(name_of(eviction), eviction, &CreateOptions::default()).send().await.map(drop)
    }

    /// Puts the pod that `binding` names on a node, as schedulers do.
    pub async fn bind(&self, binding: &Binding, options: &CreateOptions) -> Result<(), Error> {
        self.endpoint.subresource("binding").create_for(name_of(binding), binding, options).send().await.map(drop)
    }

    /// Adds the ephemeral containers of `pod` to the one of this name.
    pub async fn update_ephemeral_containers(
        &self,
        name: &str,
        pod: &Pod,
        options: &UpdateOptions,
    ) -> Result<Pod, Error> {
        self.subresource("ephemeralcontainers").update(name, pod, options).await
    }

    /// Gives the pod of this name the resources of `pod` without restarting it.
    pub async fn update_resize(&self, name: &str, pod: &Pod, options: &UpdateOptions) -> Result<Pod, Error> {
        self.subresource("resize").update(name, pod, options).await
    }

    fn log_request(&self, name: &str, options: &LogOptions) -> Request {
        self.endpoint.subresource("log").get(name, &GetOptions::default()).params(options)
    }
}
