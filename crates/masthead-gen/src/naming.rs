//! How the things that belong to a kind or a version are called.

use crate::{Kind, Package, Plurals, case::snake};

/// The names that belong to a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KindNames {
    /// `NetworkPolicy`
    pub(crate) kind: String,
    /// `network_policies`: what functions are called that give its client, lister or informer.
    pub(crate) accessor: String,
    /// `networkpolicies`, as in paths.
    pub(crate) resource: String,
    /// `network_policy_expansion`: the module of what people add.
    pub(crate) expansion: String,
}

impl KindNames {
    pub(crate) fn new(kind: &Kind, plurals: &Plurals) -> KindNames {
        let resource = kind.tags.resource_name.clone();
        KindNames {
            kind: kind.name.clone(),
            accessor: snake(&plurals.of(&kind.name)),
            resource: resource.unwrap_or_else(|| plurals.resource_of(&kind.name)),
            expansion: format!("{}_expansion", snake(&kind.name)),
        }
    }

    /// `NetworkPolicyClient`
    pub(crate) fn client(&self) -> String {
        format!("{}Client", self.kind)
    }

    /// `NetworkPolicyLister`
    pub(crate) fn lister(&self) -> String {
        format!("{}Lister", self.kind)
    }

    /// `NetworkPolicyInformer`
    pub(crate) fn informer(&self) -> String {
        format!("{}Informer", self.kind)
    }
}

/// The path of a kind's type, as generated code names it.
pub(crate) fn type_path(package: &Package, kind: &Kind) -> String {
    match (kind.origin.as_str(), package.module.as_str()) {
        ("", "") => kind.name.clone(),
        ("", module) => format!("{module}::{}", kind.name),
        (origin, _) => origin.to_owned(),
    }
}

/// The path of a type that a method names: one of the kind's own module unless it says which.
pub(crate) fn method_type(package: &Package, kind: &Kind, name: Option<&str>) -> String {
    let own = type_path(package, kind);
    match name {
        None => own,
        Some(path) if path.contains("::") => path.to_owned(),
        Some(name) => own.rsplit_once("::").map_or_else(|| name.to_owned(), |(module, _)| format!("{module}::{name}")),
    }
}

/// `core_v1` as a type: `CoreV1`.
pub(crate) fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    words.collect()
}

/// The Cargo feature of a group: `node-resources` of `node_resources`.
pub(crate) fn feature(package: &Package) -> String {
    package.group_name.replace('_', "-")
}

/// As errors of the server name a resource: `pods`, `deployments.apps`.
pub(crate) fn qualified(package: &Package, resource: &str) -> String {
    if package.group.is_empty() { resource.to_owned() } else { format!("{resource}.{}", package.group) }
}
