//! The fluent request: parts are checked as they are set, and the first mistake is what sending returns.

use std::{fmt, rc::Rc, time::Duration};

use percent_encoding::percent_decode_str;
use serde::Serialize;

use crate::{
    Error,
    rest::{Headers, HttpRequest, Method, RestClient, WarningHandler, go_duration, path, path::Params},
};

/// A request in the making. Every method after the first mistake changes nothing; sending then returns that mistake
/// without a word to the server. `Debug` shows no secret, and so nothing of the body.
#[derive(Clone)]
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    pub(super) client: RestClient,
    pub(super) method: Method,
    /// The Kubernetes verb, where it says more than the method.
    verb: Option<&'static str>,
    /// Absolute; may end with a slash only when nothing follows it.
    prefix: String,
    suffix: String,
    /// `Some("")` was set to nothing, which differs from not being set.
    namespace: Option<String>,
    resource: String,
    name: String,
    /// Segments joined by slashes.
    sub_resource: String,
    params: Params,
    pub(super) headers: Headers,
    body: Option<Rc<[u8]>>,
    pub(super) timeout: Option<Duration>,
    pub(super) max_retries: u32,
    pub(super) warnings: Option<WarningHandler>,
    /// The first mistake.
    mistake: Option<String>,
}

impl Request {
    /// How often a request is sent again unless told otherwise.
    pub const DEFAULT_RETRIES: u32 = 10;

    pub(super) fn new(client: RestClient, method: Method, prefix: String) -> Request {
        let timeout = client.config().timeout.filter(|limit| !limit.is_zero());
        Request {
            client,
            method,
            verb: None,
            prefix,
            suffix: String::new(),
            namespace: None,
            resource: String::new(),
            name: String::new(),
            sub_resource: String::new(),
            params: Params::default(),
            headers: Headers::default(),
            body: None,
            timeout,
            max_retries: Request::DEFAULT_RETRIES,
            warnings: None,
            mistake: None,
        }
    }

    /// Names the Kubernetes verb that errors begin with: a GET of many objects is a `list`.
    pub fn called(self, verb: &'static str) -> Request {
        self.change(|request| {
            request.verb = Some(verb);
            Ok(())
        })
    }

    /// Adds segments before the namespace and resource.
    pub fn prefix<'a>(self, segments: impl IntoIterator<Item = &'a str>) -> Request {
        self.change(|request| {
            let added = path::join(segments);
            request.prefix = path::join([request.prefix.as_str(), &added]);
            Ok(())
        })
    }

    /// Adds segments behind everything else.
    pub fn suffix<'a>(self, segments: impl IntoIterator<Item = &'a str>) -> Request {
        self.change(|request| {
            let added = path::join(segments);
            request.suffix = path::join([request.suffix.as_str(), &added]);
            Ok(())
        })
    }

    /// Sets the path below the server's base; one slash at the end of a single segment is kept.
    pub fn abs_path<'a>(self, segments: impl IntoIterator<Item = &'a str>) -> Request {
        self.change(|request| {
            let segments: Vec<&str> = segments.into_iter().collect();
            let base = request.client.shared().base_path.clone();
            let below = path::join(segments.iter().copied());
            request.prefix = path::join([base.as_str(), below.as_str()]);
            if let [only] = segments[..]
                && (base.len() > 1 || only.len() > 1)
                && only.ends_with('/')
            {
                request.prefix.push('/');
            }
            Ok(())
        })
    }

    /// Replaces path and parameters by those of `uri`, as the server gives them in links.
    pub fn request_uri(self, uri: &str) -> Request {
        self.change(|request| {
            if !uri.starts_with('/') {
                return Err(format!("{uri:?} is not a path"));
            }
            let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
            let path = percent_decode_str(path).decode_utf8().map_err(|_| format!("{uri:?} is not UTF-8"))?;
            request.prefix = path.into_owned();
            request.params = path::parse_query(query);
            Ok(())
        })
    }

    /// Sets the resource, as in `pods`.
    pub fn resource(self, resource: &str) -> Request {
        self.change(|request| once(&mut request.resource, "resource", resource))
    }

    /// Sets the name of the object.
    pub fn name(self, name: &str) -> Request {
        self.change(|request| {
            if name.is_empty() {
                return Err("resource name may not be empty".to_owned());
            }
            once(&mut request.name, "resource name", name)
        })
    }

    /// Sets the subresource, which may have several segments.
    pub fn sub_resource<'a>(self, segments: impl IntoIterator<Item = &'a str>) -> Request {
        self.change(|request| {
            let segments: Vec<&str> = segments.into_iter().collect();
            let joined = path::join(segments.iter().copied());
            if !request.sub_resource.is_empty() {
                let set = &request.sub_resource;
                return Err(format!("subresource already set to {set:?}, cannot change to {joined:?}"));
            }
            for segment in &segments {
                if let Some(why) = path::refusal(segment) {
                    return Err(format!("invalid subresource {segment:?}: [{why}]"));
                }
            }
            request.sub_resource = joined;
            Ok(())
        })
    }

    /// Sets the namespace; an empty one means all, which not every verb can do.
    pub fn namespace(self, namespace: &str) -> Request {
        self.change(|request| {
            if let Some(set) = &request.namespace {
                return Err(format!("namespace already set to {set:?}, cannot change to {namespace:?}"));
            }
            if let Some(why) = path::refusal(namespace) {
                return Err(format!("invalid namespace {namespace:?}: [{why}]"));
            }
            request.namespace = Some(namespace.to_owned());
            Ok(())
        })
    }

    /// Sets the namespace of a resource that has one.
    pub fn namespace_if_scoped(self, namespace: &str, scoped: bool) -> Request {
        if scoped { self.namespace(namespace) } else { self }
    }

    /// Adds a parameter beside those of the same name.
    pub fn param(self, name: &str, value: impl Into<String>) -> Request {
        self.change(|request| {
            request.params.get_or_default(name.to_owned()).push(value.into());
            Ok(())
        })
    }

    /// Adds the parameters of `options` beside those that are set.
    pub fn params(self, options: impl IntoIterator<Item = (&'static str, String)>) -> Request {
        options.into_iter().fold(self, |request, (name, value)| request.param(name, value))
    }

    /// Replaces the values of a header.
    pub fn set_header<'a>(self, name: &str, values: impl IntoIterator<Item = &'a str>) -> Request {
        self.change(|request| {
            request.headers.set(name, values.into_iter().map(str::to_owned));
            Ok(())
        })
    }

    /// Bounds the request, here and in the server; no time at all is no bound.
    pub fn timeout(self, timeout: Duration) -> Request {
        self.change(|request| {
            request.timeout = Some(timeout).filter(|limit| !limit.is_zero());
            Ok(())
        })
    }

    /// How often the request may be sent again.
    pub fn max_retries(self, retries: u32) -> Request {
        self.change(|request| {
            request.max_retries = retries;
            Ok(())
        })
    }

    /// Who reads the warnings of this request, instead of the client's handler.
    pub fn warnings(self, handler: WarningHandler) -> Request {
        self.change(|request| {
            request.warnings = Some(handler);
            Ok(())
        })
    }

    /// Sets the body as it is; its type is a header.
    pub fn body(self, body: impl Into<Vec<u8>>) -> Request {
        self.change(|request| {
            request.body = Some(Rc::from(body.into()));
            Ok(())
        })
    }

    /// Sets the body to `value` as JSON, unless a header already names another type for it.
    pub fn json(self, value: &impl Serialize) -> Request {
        self.change(|request| {
            let body = serde_json::to_vec(value).map_err(|error| format!("body cannot be written as JSON: {error}"))?;
            request.body = Some(Rc::from(body));
            if request.headers.get("Content-Type").is_none() {
                request.headers.add("Content-Type", "application/json");
            }
            Ok(())
        })
    }

    /// The first mistake made in building this request.
    pub fn error(&self) -> Option<Error> {
        self.mistake.as_ref().map(|why| Error::invalid(&self.operation(), why.clone()))
    }

    /// What it does, for errors: `get pods`, `create deployments`.
    pub fn operation(&self) -> String {
        let verb = self.verb.map_or_else(|| self.method.as_str().to_ascii_lowercase(), str::to_owned);
        let what = [&self.resource, &self.sub_resource].map(String::as_str);
        let what: Vec<&str> = what.into_iter().filter(|part| !part.is_empty()).collect();
        if what.is_empty() { format!("{verb} {}", self.path()) } else { format!("{verb} {}", what.join("/")) }
    }

    /// The address this request goes to.
    pub fn url(&self) -> String {
        self.url_with(&self.path(), &self.params)
    }

    pub(super) fn url_with(&self, path: &str, params: &Params) -> String {
        let (origin, path) = (&self.client.shared().origin, path::escape(path));
        let mut params = params.clone();
        if let Some(timeout) = self.timeout {
            params.insert("timeout".to_owned(), vec![go_duration::format(timeout)]);
        }
        match path::query(&params) {
            query if query.is_empty() => format!("{origin}{path}"),
            query => format!("{origin}{path}?{query}"),
        }
    }

    /// Base, prefix, namespace, resource, name, subresource and suffix, in this order.
    pub(super) fn path(&self) -> String {
        let resource = self.resource.to_ascii_lowercase();
        let namespace = self.namespace.as_deref().unwrap_or_default();
        let scope = if namespace.is_empty() { "" } else { "namespaces" };
        let rest = [scope, namespace, &resource, &self.name, &self.sub_resource, &self.suffix];
        if rest.iter().all(|part| part.is_empty()) {
            // Joining would lose the slash at its end.
            return self.prefix.clone();
        }
        path::join(std::iter::once(self.prefix.as_str()).chain(rest))
    }

    /// The client it was begun with.
    pub fn client(&self) -> &RestClient {
        &self.client
    }

    pub(crate) fn has_param(&self, name: &str) -> bool {
        self.params.get(name).is_some()
    }

    pub(super) fn param_names(&self) -> impl Iterator<Item = &str> {
        self.params.keys().map(String::as_str)
    }

    /// The wire form, or the mistake that prevents it.
    pub(super) fn build(&self) -> Result<HttpRequest, Error> {
        let operation = self.operation();
        let mistake = self.mistake.clone().or_else(|| self.preflight().map(str::to_owned));
        if let Some(why) = mistake {
            return Err(Error::invalid(&operation, why));
        }
        let mut headers = self.headers.clone();
        if headers.get("Accept").is_none() {
            headers.add("Accept", "application/json, */*");
        }
        Ok(HttpRequest {
            operation: operation.into(),
            method: self.method,
            url: self.url(),
            headers,
            body: self.body.clone(),
        })
    }

    /// Why the server could not mean what is asked.
    fn preflight(&self) -> Option<&'static str> {
        if self.namespace.as_deref() != Some("") {
            return None;
        }
        match self.method {
            Method::Post => Some("an empty namespace may not be set during creation"),
            Method::Get | Method::Put | Method::Delete if !self.name.is_empty() => {
                Some("an empty namespace may not be set when a resource name is provided")
            }
            _ => None,
        }
    }

    fn change(mut self, change: impl FnOnce(&mut Request) -> Result<(), String>) -> Request {
        if self.mistake.is_none() {
            self.mistake = change(&mut self).err();
        }
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &self.url())
            .field("headers", &self.headers)
            .field("mistake", &self.mistake)
            .finish_non_exhaustive()
    }
}

/// Sets a part of the path that may be set once.
fn once(part: &mut String, what: &str, value: &str) -> Result<(), String> {
    if !part.is_empty() {
        return Err(format!("{what} already set to {part:?}, cannot change to {value:?}"));
    }
    if let Some(why) = path::refusal(value) {
        return Err(format!("invalid {what} {value:?}: [{why}]"));
    }
    value.clone_into(part);
    Ok(())
}
