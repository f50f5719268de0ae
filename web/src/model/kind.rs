//! The kinds of objects that a server serves, as the page names and groups them.

use masthead::discovery::{Catalog, Resource};

/// A kind that can be listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// The API group; empty for the core group.
    pub group: String,
    /// The version that the server prefers.
    pub version: String,
    /// The plural name in paths, as `pods`.
    pub resource: String,
    /// The name of one, as `Pod`.
    pub kind: String,
    /// Whether its objects lie in namespaces.
    pub namespaced: bool,
    /// Other names, as `po`.
    pub short_names: Vec<String>,
}

impl Kind {
    fn of(resource: &Resource) -> Kind {
        Kind {
            group: resource.group_version.group.clone(),
            version: resource.group_version.version.clone(),
            resource: resource.name.clone(),
            kind: resource.kind.kind.clone(),
            namespaced: resource.is_namespaced(),
            short_names: resource.short_names.clone(),
        }
    }

    /// What tells it from every other kind of a server, as in `pods` and `deployments.apps`. Stands in routes and settings.
    pub fn id(&self) -> String {
        match self.group.as_str() {
            "" => self.resource.clone(),
            group => format!("{}.{group}", self.resource),
        }
    }

    /// Group and version as objects name them, as in `v1` and `apps/v1`.
    pub fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }

    /// The kind's own spelling in the plural, as in `NetworkPolicies`.
    pub fn title(&self) -> String {
        let alike = |(one, other): &(char, char)| one.to_ascii_lowercase() == *other;
        let common = self.kind.chars().zip(self.resource.chars()).take_while(alike).count();
        self.kind.chars().take(common).chain(self.resource.chars().skip(common)).collect()
    }

    /// Whether its objects hold secrets: those are listed without their contents, whatever else is known of them.
    pub fn is_secret(&self) -> bool {
        self.group.is_empty() && self.resource == "secrets"
    }

    /// Where the rail shows it.
    pub fn section(&self) -> Section {
        let id = self.id();
        let known = SECTIONS.iter().find(|(_, ids)| ids.contains(&id.as_str()));
        match known {
            Some((section, _)) => section.clone(),
            None if BUILT_IN.contains(&self.group.as_str()) => Section::Cluster,
            None => Section::Custom(self.group.clone()),
        }
    }

    /// Its place within its section; kinds of no particular place come last.
    fn place(&self) -> usize {
        let id = self.id();
        SECTIONS.iter().find_map(|(_, ids)| ids.iter().position(|known| *known == id)).unwrap_or(usize::MAX)
    }
}

/// A group of kinds in the rail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// What runs.
    Workloads,
    /// How it is reached.
    Network,
    /// What it is told.
    Config,
    /// What it keeps.
    Storage,
    /// Who may.
    Access,
    /// Where it runs, and everything else that servers bring.
    Cluster,
    /// Kinds that somebody added, by their API group.
    Custom(String),
}

/// All kinds of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// In the order of the rail.
    all: Vec<Kind>,
}

impl Kinds {
    /// What can be listed, each kind once, in the version the server prefers.
    pub fn of(catalog: &Catalog) -> Kinds {
        let preferred = catalog.preferred();
        let listable = preferred.resources().filter(|resource| resource.supports(&["list"]));
        let mut all: Vec<Kind> = listable.map(Kind::of).filter(|kind| !is_twin(kind)).collect();
        all.sort_by_key(|kind| (kind.section(), kind.place(), kind.title()));
        Kinds { all }
    }

    /// Every kind, in the order of the rail.
    pub fn all(&self) -> &[Kind] {
        &self.all
    }

    /// The kind of this id.
    pub fn find(&self, id: &str) -> Option<&Kind> {
        self.all.iter().find(|kind| kind.id() == id)
    }

    /// The kind that objects of this `apiVersion` and `kind` are of, in whatever version they name.
    pub fn of_object(&self, api_version: &str, kind: &str) -> Option<&Kind> {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        self.all.iter().find(|known| known.group == group && known.kind == kind)
    }

    /// The sections with their kinds.
    pub fn sections(&self) -> Vec<(Section, Vec<Kind>)> {
        let mut sections: Vec<(Section, Vec<Kind>)> = Vec::new();
        for kind in &self.all {
            let section = kind.section();
            match sections.last_mut() {
                Some((last, kinds)) if *last == section => kinds.push(kind.clone()),
                _ => sections.push((section, vec![kind.clone()])),
            }
        }
        sections
    }
}

/// The same objects are served under two names: the older one is what people know.
fn is_twin(kind: &Kind) -> bool {
    kind.id() == "events.events.k8s.io"
}

const SECTIONS: &[(Section, &[&str])] = &[
    (
        Section::Workloads,
        &[
            "pods",
            "deployments.apps",
            "statefulsets.apps",
            "daemonsets.apps",
            "replicasets.apps",
            "jobs.batch",
            "cronjobs.batch",
            "horizontalpodautoscalers.autoscaling",
            "poddisruptionbudgets.policy",
            "replicationcontrollers",
            "controllerrevisions.apps",
            "podtemplates",
        ],
    ),
    (
        Section::Network,
        &[
            "services",
            "ingresses.networking.k8s.io",
            "endpointslices.discovery.k8s.io",
            "endpoints",
            "networkpolicies.networking.k8s.io",
            "ingressclasses.networking.k8s.io",
            "ipaddresses.networking.k8s.io",
            "servicecidrs.networking.k8s.io",
        ],
    ),
    (Section::Config, &["configmaps", "secrets", "resourcequotas", "limitranges", "priorityclasses.scheduling.k8s.io"]),
    (
        Section::Storage,
        &[
            "persistentvolumeclaims",
            "persistentvolumes",
            "storageclasses.storage.k8s.io",
            "volumeattachments.storage.k8s.io",
            "csidrivers.storage.k8s.io",
            "csinodes.storage.k8s.io",
            "csistoragecapacities.storage.k8s.io",
            "volumeattributesclasses.storage.k8s.io",
        ],
    ),
    (
        Section::Access,
        &[
            "serviceaccounts",
            "roles.rbac.authorization.k8s.io",
            "rolebindings.rbac.authorization.k8s.io",
            "clusterroles.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io",
            "certificatesigningrequests.certificates.k8s.io",
        ],
    ),
    (Section::Cluster, &["nodes", "namespaces", "events", "leases.coordination.k8s.io"]),
];

/// The groups that every server has. Others of the same ending are definitions somebody installed.
const BUILT_IN: &[&str] = &[
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

#[cfg(test)]
mod tests {
    use kube_core::{GroupVersion, GroupVersionKind, discovery::Scope};
    use masthead::discovery::{Group, ResourceList};

    use super::*;

    /// A catalog of `group/version resource Kind verb,verb` lines.
    fn catalog(lines: &[&str]) -> Catalog {
        let mut catalog = Catalog::default();
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let (group, version) = words[0].split_once('/').unwrap();
            let group_version = GroupVersion { group: group.into(), version: version.into() };
            let resource = Resource {
                group_version: group_version.clone(),
                name: words[1].into(),
                singular: String::new(),
                kind: GroupVersionKind::gvk(group, version, words[2]),
                scope: Scope::Namespaced,
                verbs: words[3].split(',').map(str::to_owned).collect(),
                short_names: Vec::new(),
                categories: Vec::new(),
            };
            if catalog.group(group).is_none() {
                let preferred = Some(version.to_owned());
                catalog.groups.push(Group { name: group.into(), versions: vec![version.into()], preferred });
            }
            match catalog.lists.iter_mut().find(|list| list.group_version == group_version) {
                Some(list) => list.resources.push(resource),
                None => catalog.lists.push(ResourceList { group_version, resources: vec![resource] }),
            }
        }
        catalog
    }

    #[test]
    fn the_rail_has_every_listable_kind_once_in_its_section() {
        let kinds = Kinds::of(&catalog(&[
            "/v1 secrets Secret list,watch",
            "/v1 pods Pod list,watch",
            "/v1 pods/log Pod get",
            "/v1 bindings Binding create",
            "/v1 nodes Node list",
            "apps/v1 deployments Deployment list",
            "events.k8s.io/v1 events Event list",
            "node.k8s.io/v1 runtimeclasses RuntimeClass list",
            "gateway.networking.k8s.io/v1 httproutes HTTPRoute list",
            "acme.io/v2 rockets Rocket list",
            "acme.io/v1 rockets Rocket list",
        ]));
        let shown: Vec<String> = kinds
            .sections()
            .iter()
            .map(|(section, kinds)| {
                format!("{section:?}: {}", kinds.iter().map(Kind::title).collect::<Vec<_>>().join(" "))
            })
            .collect();
        let expected = [
            "Workloads: Pods Deployments",
            "Config: Secrets",
            "Cluster: Nodes RuntimeClasses",
            "Custom(\"acme.io\"): Rockets",
            "Custom(\"gateway.networking.k8s.io\"): HTTPRoutes",
        ];
        assert_eq!(shown, expected);
        assert_eq!(kinds.find("rockets.acme.io").map(|kind| kind.version.as_str()), Some("v2"));
        assert!(kinds.find("secrets").is_some_and(Kind::is_secret));
        assert_eq!(kinds.of_object("apps/v1beta1", "Deployment").map(Kind::id).as_deref(), Some("deployments.apps"));
    }

    #[test]
    fn titles_keep_the_spelling_of_the_kind() {
        let check = |line: &str, expected: &str| {
            assert_eq!(Kinds::of(&catalog(&[line])).all()[0].title(), expected);
        };
        check("networking.k8s.io/v1 networkpolicies NetworkPolicy list", "NetworkPolicies");
        check("networking.k8s.io/v1 ingresses Ingress list", "Ingresses");
        check("/v1 endpoints Endpoints list", "Endpoints");
    }
}
