//! One resource that a server serves.

use kube_core::{
    ApiResource, GroupVersion, GroupVersionKind, GroupVersionResource,
    discovery::{ApiCapabilities, Scope},
};

/// A resource of one group-version, as discovery tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Where it is served.
    pub group_version: GroupVersion,
    /// The plural name that stands in paths; `pods/log` for a subresource.
    pub name: String,
    /// The name of one, in lower case; servers before 1.9 leave it empty.
    pub singular: String,
    /// What its objects are. Those of a subresource may be of another group: the scale of a deployment is.
    pub kind: GroupVersionKind,
    /// Whether its objects lie in namespaces.
    pub scope: Scope,
    /// What can be done with it, as in `list`.
    pub verbs: Vec<String>,
    /// Other names for it, as `po` for pods.
    pub short_names: Vec<String>,
    /// The groups of resources it counts among, as `all`.
    pub categories: Vec<String>,
}

impl Resource {
    /// Its full name.
    pub fn gvr(&self) -> GroupVersionResource {
        GroupVersionResource::gvr(&self.group_version.group, &self.group_version.version, &self.name)
    }

    /// What kube-core's generic types need to know of it.
    pub fn api_resource(&self) -> ApiResource {
        ApiResource {
            group: self.group_version.group.clone(),
            version: self.group_version.version.clone(),
            api_version: self.group_version.api_version(),
            kind: self.kind.kind.clone(),
            plural: self.name.clone(),
        }
    }

    /// Scope and verbs in kube-core's form, without subresources.
    pub fn capabilities(&self) -> ApiCapabilities {
        ApiCapabilities { scope: self.scope.clone(), subresources: Vec::new(), operations: self.verbs.clone() }
    }

    /// Whether its objects lie in namespaces.
    pub fn is_namespaced(&self) -> bool {
        self.scope == Scope::Namespaced
    }

    /// Whether it is a part of another resource's objects.
    pub fn is_sub_resource(&self) -> bool {
        self.name.contains('/')
    }

    /// Whether all of `verbs` can be done with it.
    pub fn supports(&self, verbs: &[&str]) -> bool {
        verbs.iter().all(|verb| self.verbs.iter().any(|own| own == verb))
    }

    /// The singular name, guessed from the kind where the server gives none.
    pub(super) fn singular_or_guess(&self) -> String {
        if self.singular.is_empty() { self.kind.kind.to_ascii_lowercase() } else { self.singular.clone() }
    }

    /// `deployments.apps`, or `pods` in the core group.
    pub(super) fn group_resource(&self) -> String {
        match self.group_version.group.as_str() {
            "" => self.name.clone(),
            group => format!("{}.{group}", self.name),
        }
    }
}
