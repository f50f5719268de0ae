//! One request, as the facade describes it.

use masthead::{
    Error,
    rest::{Method, Request, RestClient},
};

use crate::{given::Given, settings::seconds};

/// A verb on a resource. What is empty is not there.
#[derive(Clone)]
pub(crate) struct Call {
    verb: String,
    group: String,
    version: String,
    resource: String,
    namespace: Option<String>,
    name: Option<String>,
    subresource: String,
    query: Vec<(String, String)>,
    content_type: String,
    accept: String,
    /// In seconds.
    timeout: Option<f64>,
}

impl Call {
    pub(crate) fn parse(json: &str) -> Result<Call, Error> {
        let given = Given::parse("read request", json)?;
        Ok(Call {
            verb: given.text_or_empty("verb"),
            group: given.text_or_empty("group"),
            version: given.text_or_empty("version"),
            resource: given.text_or_empty("resource"),
            namespace: given.text("namespace"),
            name: given.text("name"),
            subresource: given.text_or_empty("subresource"),
            query: given.pairs("query"),
            content_type: given.text_or_empty("contentType"),
            accept: given.text_or_empty("accept"),
            timeout: given.number("timeout"),
        })
    }

    /// What errors call it.
    pub(crate) fn operation(&self) -> String {
        format!("{} {}", self.verb, self.resource)
    }

    /// The same in another namespace.
    pub(crate) fn within(&self, namespace: &str) -> Call {
        Call { namespace: Some(namespace.to_owned()), ..self.clone() }
    }

    pub(crate) fn request(&self, client: &RestClient, body: Option<String>) -> Result<Request, Error> {
        let (verb, method) = known(&self.verb)
            .ok_or_else(|| Error::invalid("read request", format!("there is no verb {:?}", self.verb)))?;
        let client = client.group_version(&self.group, &self.version);
        let mut request = client.verb(method).called(verb).resource(&self.resource);
        if let Some(namespace) = &self.namespace {
            request = request.namespace(namespace);
        }
        if let Some(name) = &self.name {
            request = request.name(name);
        }
        if !self.subresource.is_empty() {
            request = request.sub_resource(self.subresource.split('/'));
        }
        for (name, value) in &self.query {
            request = request.param(name, value.as_str());
        }
        for (name, value) in [("Content-Type", &self.content_type), ("Accept", &self.accept)] {
            if !value.is_empty() {
                request = request.set_header(name, [value.as_str()]);
            }
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        if let Some(timeout) = self.timeout {
            request = request.timeout(seconds("timeout", timeout)?);
        }
        request.error().map_or(Ok(request), Err)
    }
}

fn known(verb: &str) -> Option<(&'static str, Method)> {
    Some(match verb {
        "get" => ("get", Method::Get),
        "list" => ("list", Method::Get),
        "watch" => ("watch", Method::Get),
        "create" => ("create", Method::Post),
        "update" => ("update", Method::Put),
        "patch" => ("patch", Method::Patch),
        "apply" => ("apply", Method::Patch),
        "delete" => ("delete", Method::Delete),
        "deletecollection" => ("deletecollection", Method::Delete),
        _ => return None,
    })
}
