//! What is served of one kind: its names, its verbs and the rules that tell it from other kinds.

use std::rc::Rc;

use masthead::rest::Method;
use serde_json::Value;

use crate::{custom::Custom, schema::Schema, table::CustomColumns};

/// One kind of one group and version. Kinds are shared: whoever is about one holds on to it.
#[derive(Debug, PartialEq)]
pub(crate) struct Kind {
    pub(crate) resource: ResourceId,
    /// The version of its resource that its objects are stored as; `None` for that version itself.
    pub(crate) hub: Option<Rc<Kind>>,
    /// Empty for the core group.
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) scope: Scope,
    /// In the order of their names.
    pub(crate) subresources: Vec<Subresource>,
    /// What a field selector may ask for beside name and namespace.
    pub(crate) fields: Vec<String>,
    /// Whether `metadata.generation` counts the changes that are not of status and metadata.
    pub(crate) counts_generations: bool,
    /// Whether a deletion answers with the object as it was.
    pub(crate) returns_deleted: bool,
    /// Whether an update must name the version it is based on.
    pub(crate) needs_version: bool,
    pub(crate) naming: Naming,
    /// What its objects are made of.
    pub(crate) schema: Rc<Schema>,
    /// The verbs of the collection and its objects, in the order that discovery has.
    pub(crate) verbs: &'static [&'static str],
    /// What a definition says of it; `None` for built-in kinds.
    pub(crate) custom: Option<Custom>,
    /// `{group}/{version}/{kind}` that the objects are kept as.
    pub(crate) stored_as: String,
    /// What a table shows of a custom kind. Those of built-in kinds are known.
    pub(crate) columns: Option<CustomColumns>,
}

/// What objects are filed under: the kinds that are versions of one resource have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResourceId(pub(crate) u32);

impl ResourceId {
    /// Below this are the built-in ones, from here those that are defined at run time.
    pub(crate) const FIRST_CUSTOM: u32 = 1 << 16;
}

/// Where the objects of a kind lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Namespaced,
    Cluster,
}

/// A part of an object with verbs of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subresource {
    Approval,
    Attach,
    Binding,
    EphemeralContainers,
    Eviction,
    Exec,
    Finalize,
    Log,
    PortForward,
    Proxy,
    Resize,
    Scale,
    Status,
    Token,
}

/// Which names the objects of a kind may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// DNS subdomains, as most have.
    Subdomain,
    /// DNS labels: no dots.
    Label,
    /// Anything that can stand in a path.
    PathSegment,
}

impl Kind {
    pub(crate) const VERBS: [&'static str; 8] =
        ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

    /// The kind of a list of its objects.
    pub(crate) fn list_kind(&self) -> String {
        match &self.custom {
            Some(custom) => custom.list_kind.clone(),
            None => format!("{}List", self.kind),
        }
    }

    /// Whether its objects define kinds.
    pub(crate) fn is_definition(&self) -> bool {
        self.is("apiextensions.k8s.io", "customresourcedefinitions")
    }

    /// Whether a verb is one of the collection or its objects.
    pub(crate) fn allows(&self, verb: &str) -> bool {
        self.verbs.contains(&verb)
    }

    /// `v1` or `apps/v1`.
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// The resource as errors name it: `pods` or `deployments.apps`.
    pub(crate) fn qualified_plural(&self) -> String {
        qualified(&self.plural, &self.group)
    }

    /// The kind as errors name it: `Pod` or `Deployment.apps`.
    pub(crate) fn qualified_kind(&self) -> String {
        qualified(&self.kind, &self.group)
    }

    pub(crate) fn has(&self, subresource: Subresource) -> bool {
        self.subresources.contains(&subresource)
    }

    /// Group, version and plural.
    pub(crate) fn resource_name(&self) -> (&str, &str, &str) {
        (&self.group, &self.version, &self.plural)
    }

    /// Whether anything of it is kept: a review is answered and forgotten.
    pub(crate) fn is_stored(&self) -> bool {
        self.allows("delete")
    }

    /// Whether this is the built-in kind of this group and plural, in whatever version.
    pub(crate) fn is(&self, group: &str, plural: &str) -> bool {
        self.group == group && self.plural == plural
    }

    /// Whether it was defined at run time.
    pub(crate) fn is_custom(&self) -> bool {
        self.custom.is_some()
    }

    pub(crate) fn is_namespaced(&self) -> bool {
        self.scope == Scope::Namespaced
    }

    /// What every answer about it warns of.
    pub(crate) fn deprecation(&self) -> Option<&str> {
        match (&self.custom, self.resource_name()) {
            (Some(custom), _) => custom.deprecation.as_deref(),
            (None, ("", _, "componentstatuses")) => Some("v1 ComponentStatus is deprecated in v1.19+"),
            (None, ("", _, "endpoints")) => {
                Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
            }
            _ => None,
        }
    }

    /// Whether its objects go by themselves after a while.
    pub(crate) fn expires(&self) -> bool {
        self.kind == "Event"
    }

    /// The values of the selectable fields of an object of this kind, in the order of `fields`.
    pub(crate) fn field_values(&self, object: &Value) -> Vec<String> {
        self.fields.iter().map(|path| field_value(object, path)).collect()
    }
}

impl Subresource {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Subresource::Approval => "approval",
            Subresource::Attach => "attach",
            Subresource::Binding => "binding",
            Subresource::EphemeralContainers => "ephemeralcontainers",
            Subresource::Eviction => "eviction",
            Subresource::Exec => "exec",
            Subresource::Finalize => "finalize",
            Subresource::Log => "log",
            Subresource::PortForward => "portforward",
            Subresource::Proxy => "proxy",
            Subresource::Resize => "resize",
            Subresource::Scale => "scale",
            Subresource::Status => "status",
            Subresource::Token => "token",
        }
    }

    pub(crate) fn verbs(self) -> &'static [&'static str] {
        match self {
            Subresource::Binding | Subresource::Eviction | Subresource::Token => &["create"],
            Subresource::Attach | Subresource::Exec | Subresource::PortForward => &["create", "get"],
            Subresource::Finalize => &["update"],
            Subresource::Log => &["get"],
            Subresource::Proxy => &["create", "delete", "get", "patch", "update"],
            Subresource::Approval
            | Subresource::EphemeralContainers
            | Subresource::Resize
            | Subresource::Scale
            | Subresource::Status => &["get", "patch", "update"],
        }
    }

    /// Whether a method leads through it into a container or to a machine.
    pub(crate) fn connects(self, method: Method) -> bool {
        match self {
            Subresource::Proxy => true,
            Subresource::Attach | Subresource::Exec | Subresource::PortForward => {
                matches!(method, Method::Get | Method::Post)
            }
            _ => false,
        }
    }

    /// Whether it is the object itself that is read and patched through it.
    pub(crate) fn is_whole(self) -> bool {
        use Subresource::{Approval, EphemeralContainers, Resize, Status};
        matches!(self, Approval | EphemeralContainers | Resize | Status)
    }

    /// Group, version and kind of what is read and written of a `kind`, where it is not the object itself.
    pub(crate) fn response(self, kind: &Kind) -> Option<(&'static str, &'static str, &'static str)> {
        match (self, kind.kind.as_str()) {
            (Subresource::Attach, _) => Some(("", "", "PodAttachOptions")),
            (Subresource::Binding, _) => Some(("", "", "Binding")),
            (Subresource::Eviction, _) => Some(("policy", "v1", "Eviction")),
            (Subresource::Exec, _) => Some(("", "", "PodExecOptions")),
            (Subresource::PortForward, _) => Some(("", "", "PodPortForwardOptions")),
            (Subresource::Proxy, "Node") => Some(("", "", "NodeProxyOptions")),
            (Subresource::Proxy, "Service") => Some(("", "", "ServiceProxyOptions")),
            (Subresource::Proxy, _) => Some(("", "", "PodProxyOptions")),
            (Subresource::Scale, _) => Some(("autoscaling", "v1", "Scale")),
            (Subresource::Token, _) => Some(("authentication.k8s.io", "v1", "TokenRequest")),
            _ => None,
        }
    }
}

/// A resource or kind with its group, as errors name it.
pub(crate) fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

fn field_value(object: &Value, path: &str) -> String {
    let pointer = format!("/{}", path.replace('.', "/"));
    match object.pointer(&pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(other) if !other.is_null() => other.to_string(),
        // Go's zero values, which the server compares with.
        _ if matches!(path, "spec.hostNetwork" | "spec.unschedulable") => "false".to_owned(),
        _ if matches!(path, "status.replicas" | "status.successful") => "0".to_owned(),
        _ => String::new(),
    }
}
