//! What a request is about to do, told from its method and its path alone.

use masthead::{fields, rest::Method};
use percent_encoding::percent_decode_str;

use crate::query::Query;

/// Something that somebody may or may not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    Resource(Resource),
    /// A path that is no resource's.
    Path {
        verb: String,
        path: String,
    },
}

/// A verb on a resource, whether or not there is such a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) verb: String,
    pub(crate) group: String,
    /// `pods`, without its subresource.
    pub(crate) resource: String,
    pub(crate) subresource: String,
    /// Empty for the cluster.
    pub(crate) namespace: String,
    /// Empty for all.
    pub(crate) name: String,
}

impl Attempt {
    /// What a request attempts.
    pub(crate) fn of(method: Method, path: &str, query: &Query) -> Attempt {
        let resource = resource(method, path, query);
        let at_path = || Attempt::Path { verb: method.as_str().to_ascii_lowercase(), path: path.to_owned() };
        resource.map_or_else(at_path, Attempt::Resource)
    }

    /// The same with another verb.
    pub(crate) fn with_verb(mut self, change: impl FnOnce(&str) -> String) -> Attempt {
        match &mut self {
            Attempt::Resource(Resource { verb, .. }) | Attempt::Path { verb, .. } => *verb = change(verb),
        }
        self
    }
}

impl Resource {
    /// The resource with its subresource, as rules and refusals name it.
    pub(crate) fn combined(&self) -> String {
        match self.subresource.as_str() {
            "" => self.resource.clone(),
            part => format!("{}/{part}", self.resource),
        }
    }
}

fn resource(method: Method, path: &str, query: &Query) -> Option<Resource> {
    let parts = path.split('/').filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned()).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (group, mut parts) = match parts.as_slice() {
        ["api", _, rest @ ..] if !rest.is_empty() => ("", rest),
        ["apis", group, _, rest @ ..] if !rest.is_empty() => (*group, rest),
        _ => return None,
    };
    let mut verb = match method {
        Method::Get => "get",
        Method::Post => "create",
        Method::Put => "update",
        Method::Patch => "patch",
        Method::Delete => "delete",
    };
    if let [special @ ("watch" | "proxy"), rest @ ..] = parts
        && !rest.is_empty()
    {
        (verb, parts) = (special, rest);
    }
    let mut namespace = "";
    if let ["namespaces", named, rest @ ..] = parts {
        namespace = named;
        if rest.first().is_some_and(|part| !matches!(*part, "status" | "finalize")) {
            parts = rest;
        }
    }
    let part = |at: usize| parts.get(at).map_or(String::new(), |part| (*part).to_owned());
    let mut name = part(1);
    if name.is_empty() && verb == "get" {
        name = selected_name(query);
        verb = if query.flag("watch") { "watch" } else { "list" };
    } else if name.is_empty() && verb == "delete" {
        verb = "deletecollection";
    }
    Some(Resource {
        verb: verb.to_owned(),
        group: group.to_owned(),
        resource: part(0),
        subresource: if verb == "proxy" { String::new() } else { part(2) },
        namespace: namespace.to_owned(),
        name,
    })
}

/// The one name that a list or watch is restricted to.
fn selected_name(query: &Query) -> String {
    let selector = query.text("fieldSelector").parse::<fields::Selector>();
    selector.ok().and_then(|selector| selector.required("metadata.name").map(str::to_owned)).unwrap_or_default()
}
