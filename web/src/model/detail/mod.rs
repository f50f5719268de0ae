//! What to tell of an object: what a person asks first, per kind, and of every kind what all objects have.
//!
//! Reads complete objects as the server writes them. Whatever is missing, or is not what it should be, is left out: an
//! object is told as far as it can be. Nothing here is a Secret's value.

mod amount;
mod condition;
mod config;
mod container;
mod event;
mod fact;
mod label;
mod listing;
mod network;
mod node;
mod object;
mod pod;
mod reference;
mod relation;
mod relative;
mod secret;
mod storage;
mod usage;
mod workload;

use serde_json::Value;

use self::{fact::Facts, object::Object};

pub use amount::Amount;
pub use condition::Condition;
pub use container::{Container, Resource, Role, State};
pub use event::Event;
pub use fact::{Fact, Told};
pub use label::Label;
pub use listing::Listing;
pub use reference::Reference;
pub use relation::Relation;
pub use relative::Relative;
pub use secret::{MASK, SecretValue};
pub use usage::{Usage, used_by};

/// What is told of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// In a few words.
    pub facts: Vec<Fact>,
    /// What controllers say of it.
    pub conditions: Vec<Condition>,
    /// The containers of a pod, or of what makes pods.
    pub containers: Vec<Container>,
    /// How much of what there is.
    pub amounts: Vec<Amount>,
    /// Ports, rules, subjects.
    pub listings: Vec<Listing>,
    /// The keys of a ConfigMap with what they hold.
    pub entries: Vec<(String, String)>,
    /// Which other objects belong to it.
    pub relations: Vec<Relation>,
    /// The labels, by key.
    pub labels: Vec<(String, String)>,
    /// The annotations, by key.
    pub annotations: Vec<(String, String)>,
}

impl Detail {
    /// What to tell of a complete object.
    pub fn of(object: &Value) -> Detail {
        let object = Object(object);
        let group = object.text("/apiVersion").split_once('/').map_or("", |(group, _)| group);
        let mut detail = Detail::default();
        let mut facts = Facts::default();
        let about: fn(Object<'_>, &mut Facts, &mut Detail) = match (group, object.text("/kind")) {
            ("", "Pod") => pod::tell,
            ("", "Node") => node::tell,
            ("", "Service") => network::service,
            ("", "ConfigMap") => config::config_map,
            ("", "Secret") => config::secret,
            ("", "Event") => event::tell,
            ("", "Namespace") => storage::namespace,
            ("", "PersistentVolumeClaim") => storage::claim,
            ("", "PersistentVolume") => storage::volume,
            ("", "ResourceQuota") => config::quota,
            ("", "ServiceAccount") => config::service_account,
            ("", "ReplicationController") | ("apps", "ReplicaSet") => workload::replicas,
            ("apps", "Deployment") => workload::deployment,
            ("apps", "StatefulSet") => workload::stateful_set,
            ("apps", "DaemonSet") => workload::daemon_set,
            ("batch", "Job") => workload::job,
            ("batch", "CronJob") => workload::cron_job,
            ("autoscaling", "HorizontalPodAutoscaler") => workload::autoscaler,
            ("policy", "PodDisruptionBudget") => workload::disruption_budget,
            ("networking.k8s.io", "Ingress") => network::ingress,
            ("networking.k8s.io", "NetworkPolicy") => network::policy,
            ("discovery.k8s.io", "EndpointSlice") => network::endpoint_slice,
            ("storage.k8s.io", "StorageClass") => storage::class,
            ("rbac.authorization.k8s.io", "Role" | "ClusterRole") => config::role,
            ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => config::binding,
            _ => |_, _, _| {},
        };
        about(object, &mut facts, &mut detail);
        facts.time(Label::Created, object.time("/metadata/creationTimestamp"));
        facts.time(Label::Deleting, object.time("/metadata/deletionTimestamp"));
        facts.text(Label::Finalizers, object.joined("/metadata/finalizers"));
        detail.facts = facts.0;
        detail.conditions = Condition::all(object);
        let pairs = |path| object.pairs(path).map(|(key, value)| (key.to_owned(), value)).collect();
        detail.labels = pairs("/metadata/labels");
        detail.annotations = pairs("/metadata/annotations");
        // A copy of the whole object, for kubectl's own use.
        detail.annotations.retain(|(key, _)| key != "kubectl.kubernetes.io/last-applied-configuration");
        if (group, object.text("/kind")) == ("", "Secret") {
            detail.annotations.iter_mut().for_each(|(_, value)| MASK.clone_into(value));
        }
        detail
    }
}

#[cfg(test)]
mod tests;
