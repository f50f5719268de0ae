//! Where a resource lives, and the requests of its verbs: what all clients have in common.

use std::rc::Rc;

use kube_core::GroupVersionResource;
use serde::Serialize;
use serde_json::Value;

use crate::{
    Error,
    rest::{
        ApplyOptions, CreateOptions, DeleteOptions, GetOptions, ListOptions, PatchKind, PatchOptions, Request,
        RestClient, UpdateOptions,
    },
};

/// A resource on a server, in a namespace or not, or one of its subresources.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// Of the resource's group-version.
    client: RestClient,
    resource: Rc<str>,
    /// `Some("")` is all namespaces of a resource that has them, where a verb on one object is a mistake.
    namespace: Option<Rc<str>>,
    /// Segments joined by slashes; empty for the resource itself.
    subresource: Rc<str>,
}

impl Endpoint {
    /// A resource without a namespace.
    pub(crate) fn new(client: &RestClient, resource: &GroupVersionResource) -> Endpoint {
        Endpoint::within(&client.group_version(&resource.group, &resource.version), &resource.resource)
    }

    /// A resource of the group-version that `client` is of, without a namespace.
    pub(crate) fn within(client: &RestClient, resource: &str) -> Endpoint {
        Endpoint { client: client.clone(), resource: resource.into(), namespace: None, subresource: "".into() }
    }

    /// The same in a namespace; an empty one is all.
    pub(crate) fn namespace(&self, namespace: &str) -> Endpoint {
        Endpoint { namespace: Some(namespace.into()), ..self.clone() }
    }

    /// The same in a namespace, or in all and as if there were none: the server judges what is asked of one object.
    pub(crate) fn in_namespace_or_all(&self, namespace: &str) -> Endpoint {
        let namespace = (!namespace.is_empty()).then(|| namespace.into());
        Endpoint { namespace, ..self.clone() }
    }

    /// The client it is reached by.
    pub(crate) fn client(&self) -> &RestClient {
        &self.client
    }

    /// The resource's name.
    pub(crate) fn resource(&self) -> &str {
        &self.resource
    }

    /// The namespace it is in; empty for all, `None` where there are none.
    pub(crate) fn home(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// A subresource of the same.
    pub(crate) fn subresource(&self, subresource: &str) -> Endpoint {
        Endpoint { subresource: subresource.into(), ..self.clone() }
    }

    pub(crate) fn get(&self, name: &str, options: &GetOptions) -> Request {
        self.object("get", self.client.get(), name).params(options)
    }

    pub(crate) fn list(&self, options: &ListOptions) -> Request {
        self.collection("list", self.client.get(), options)
    }

    pub(crate) fn watch(&self, options: &ListOptions) -> Request {
        self.collection("watch", self.client.get(), &ListOptions { watch: true, ..options.clone() })
    }

    pub(crate) fn create(&self, body: &impl Serialize, options: &CreateOptions) -> Request {
        self.begin("create", self.client.post()).params(options).json(body)
    }

    /// Creates below an object: an eviction, a token.
    pub(crate) fn create_for(&self, name: &str, body: &impl Serialize, options: &CreateOptions) -> Request {
        self.object("create", self.client.post(), name).params(options).json(body)
    }

    pub(crate) fn update(&self, name: &str, body: &impl Serialize, options: &UpdateOptions) -> Request {
        self.object("update", self.client.put(), name).params(options).json(body)
    }

    pub(crate) fn patch(&self, name: &str, kind: PatchKind, body: &impl Serialize, options: &PatchOptions) -> Request {
        self.object("patch", self.client.patch(kind), name).params(options).json(body)
    }

    /// Applies to the object that `configuration` names.
    pub(crate) fn apply(&self, configuration: &impl Serialize, options: &ApplyOptions) -> Result<Request, Error> {
        let configuration = self.configuration(configuration)?;
        let name = configuration.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() {
            return Err(self.refused("the configuration's name must be provided to apply"));
        }
        Ok(self.applied(name, &configuration, options))
    }

    /// Applies to the object of this name, whatever the configuration says: the server compares the two.
    pub(crate) fn apply_to(
        &self,
        name: &str,
        configuration: &impl Serialize,
        options: &ApplyOptions,
    ) -> Result<Request, Error> {
        Ok(self.applied(name, &self.configuration(configuration)?, options))
    }

    pub(crate) fn delete(&self, name: &str, options: &DeleteOptions) -> Request {
        self.object("delete", self.client.delete(), name).json(options)
    }

    pub(crate) fn delete_collection(&self, options: &DeleteOptions, which: &ListOptions) -> Request {
        self.collection("delete collection of", self.client.delete(), which).json(options)
    }

    fn begin(&self, verb: &'static str, request: Request) -> Request {
        let request = request.called(verb).resource(&self.resource);
        match &self.namespace {
            Some(namespace) => request.namespace(namespace),
            None => request,
        }
    }

    fn object(&self, verb: &'static str, request: Request, name: &str) -> Request {
        let segments = self.subresource.split('/').filter(|segment| !segment.is_empty());
        self.begin(verb, request).name(name).sub_resource(segments)
    }

    fn collection(&self, verb: &'static str, request: Request, options: &ListOptions) -> Request {
        let request = self.begin(verb, request).params(options);
        match options.timeout() {
            Some(timeout) => request.timeout(timeout),
            None => request,
        }
    }

    fn configuration(&self, configuration: &impl Serialize) -> Result<Value, Error> {
        let configuration = serde_json::to_value(configuration)
            .map_err(|error| self.refused(&format!("the configuration cannot be written as JSON: {error}")))?;
        if configuration.is_null() {
            return Err(self.refused("the configuration provided to apply must not be null"));
        }
        let managed = configuration.pointer("/metadata/managedFields").and_then(Value::as_array);
        if managed.is_some_and(|entries| !entries.is_empty()) {
            let why = "cannot apply an object with managed fields already set: use the configuration of the fields you \
                       want to own, without metadata.managedFields";
            return Err(self.refused(why));
        }
        Ok(configuration)
    }

    fn applied(&self, name: &str, configuration: &Value, options: &ApplyOptions) -> Request {
        self.patch(name, PatchKind::Apply, configuration, &options.into()).called("apply")
    }

    fn refused(&self, why: &str) -> Error {
        let what = [&self.resource, &self.subresource].map(|part| &**part);
        Error::invalid(&format!("apply {}", what.join("/").trim_end_matches('/')), why)
    }
}
