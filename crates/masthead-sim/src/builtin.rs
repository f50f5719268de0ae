//! The kinds that are there from the start, as a 1.36 server lists them.

mod core;
mod groups;

use std::rc::Rc;

use serde_json::{Value, json};

use crate::{
    kind::{Kind, Naming, ResourceId, Scope, Subresource},
    schema::Schema,
};

/// A built-in kind, as the table below has it.
#[derive(Debug)]
pub(crate) struct Builtin {
    group: &'static str,
    version: &'static str,
    plural: &'static str,
    singular: &'static str,
    kind: &'static str,
    short_names: &'static [&'static str],
    categories: &'static [&'static str],
    scope: Scope,
    subresources: &'static [Subresource],
    fields: &'static [&'static str],
    counts_generations: bool,
    returns_deleted: bool,
    needs_version: bool,
    naming: Naming,
    verbs: &'static [&'static str],
    /// The version that the objects are kept in.
    stored_version: &'static str,
    /// Group and version of the kind of the same plural that its objects are stored as, where it is another.
    hub: Option<(&'static str, &'static str)>,
}

impl Builtin {
    const fn namespaced(
        (group, version): (&'static str, &'static str),
        plural: &'static str,
        singular: &'static str,
        kind: &'static str,
    ) -> Builtin {
        Builtin {
            group,
            version,
            plural,
            singular,
            kind,
            short_names: &[],
            categories: &[],
            scope: Scope::Namespaced,
            subresources: &[],
            fields: &[],
            counts_generations: false,
            returns_deleted: false,
            needs_version: false,
            naming: Naming::Subdomain,
            verbs: &Kind::VERBS,
            stored_version: version,
            hub: None,
        }
    }

    const fn cluster(
        group_version: (&'static str, &'static str),
        plural: &'static str,
        singular: &'static str,
        kind: &'static str,
    ) -> Builtin {
        Builtin { scope: Scope::Cluster, ..Builtin::namespaced(group_version, plural, singular, kind) }
    }

    /// The same resource in another group and version, stored as this one.
    const fn also(self, (group, version): (&'static str, &'static str)) -> Builtin {
        Builtin { hub: Some((self.group, self.version)), group, version, ..self }
    }

    /// A kind that is answered and never stored.
    const fn review(self) -> Builtin {
        Builtin { verbs: &["create"], ..self }
    }

    fn kind(&self, resource: ResourceId, hub: Option<Rc<Kind>>) -> Kind {
        let owned = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
        Kind {
            resource,
            hub,
            group: self.group.to_owned(),
            version: self.version.to_owned(),
            plural: self.plural.to_owned(),
            singular: self.singular.to_owned(),
            kind: self.kind.to_owned(),
            short_names: owned(self.short_names),
            categories: owned(self.categories),
            scope: self.scope,
            subresources: self.subresources.to_vec(),
            fields: owned(self.fields),
            counts_generations: self.counts_generations,
            returns_deleted: self.returns_deleted,
            needs_version: self.needs_version,
            naming: self.naming,
            schema: Schema::of_kind(self.group, self.version, self.kind)
                .expect("the type of a built-in kind is recorded"),
            verbs: self.verbs,
            custom: None,
            stored_as: format!("{}/{}/{}", self.hub.map_or(self.group, |hub| hub.0), self.stored_version, self.kind),
            columns: None,
        }
    }
}

/// Every built-in kind, the core group first, then groups in the order of their priority.
pub(crate) fn kinds() -> Vec<Rc<Kind>> {
    let mut kinds: Vec<Rc<Kind>> = Vec::new();
    for (builtin, number) in core::KINDS.iter().chain(groups::KINDS).zip(0..) {
        let mut same = kinds.iter().filter(|kind| kind.plural == builtin.plural);
        let hub = builtin
            .hub
            .and_then(|(group, version)| same.find(|kind| kind.group == group && kind.version == version).cloned());
        let resource = hub.as_ref().map_or(ResourceId(number), |hub| hub.resource);
        kinds.push(Rc::new(builtin.kind(resource, hub)));
    }
    kinds
}

/// The namespaces that every cluster has.
pub(crate) const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// What every cluster begins with beside its namespaces: the service of the server itself and two classes of pods.
pub(crate) fn objects() -> Vec<Value> {
    let class = |name: &str, value: u32, description: &str| {
        json!({
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": { "name": name },
            "value": value, "description": description, "preemptionPolicy": "PreemptLowerPriority",
        })
    };
    let moved =
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.";
    let fixed = "Used for system critical pods that must not be moved from their current node.";
    let labels = json!({ "component": "apiserver", "provider": "kubernetes" });
    let ports = json!([{ "name": "https", "protocol": "TCP", "port": 443, "targetPort": 6443 }]);
    vec![
        class("system-cluster-critical", 2_000_000_000, moved),
        class("system-node-critical", 2_000_001_000, fixed),
        json!({
            "apiVersion": "v1", "kind": "Service",
            "metadata": { "name": "kubernetes", "namespace": "default", "labels": labels },
            "spec": {
                "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "type": "ClusterIP", "ports": ports,
                "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack",
            },
        }),
    ]
}

const ALL: &[&str] = &["all"];
const STATUS: &[Subresource] = &[Subresource::Status];
const PROXY_STATUS: &[Subresource] = &[Subresource::Proxy, Subresource::Status];
const SCALE_STATUS: &[Subresource] = &[Subresource::Scale, Subresource::Status];
