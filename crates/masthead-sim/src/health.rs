//! `/healthz`, `/livez` and `/readyz`: whether the server is well, in whole and check by check.

use crate::{query::Query, reply::Reply};

/// Which of the three is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    Healthy,
    Live,
    Ready,
}

impl Health {
    /// All three.
    pub(crate) const ALL: [Health; 3] = [Health::Healthy, Health::Live, Health::Ready];

    /// The first segment of its path.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Health::Healthy => "healthz",
            Health::Live => "livez",
            Health::Ready => "readyz",
        }
    }

    /// The checks that it is made of, in the order they are told.
    pub(crate) fn checks(self) -> impl Iterator<Item = &'static str> {
        let ready = self == Health::Ready;
        let first: &[&str] = if ready {
            &["ping", "log", "etcd", "etcd-readiness", "informer-sync"]
        } else {
            &["ping", "log", "loopback-serving-certificate", "etcd"]
        };
        let last: &[&str] = if ready { &["shutdown"] } else { &[] };
        first.iter().chain(HOOKS).chain(last).copied()
    }

    /// The answer: every check is passed here, always.
    pub(crate) fn reply(self, query: &Query) -> Reply {
        if query.maybe_flag("verbose").is_none() {
            return Reply::text(200, "ok");
        }
        let excluded: Vec<&str> = query.all("exclude").collect();
        let mut text = String::new();
        for check in self.checks() {
            let verdict = if excluded.contains(&check) { "excluded: ok" } else { "ok" };
            text += &format!("[+]{check} {verdict}\n");
        }
        Reply::text(200, &format!("{text}{} check passed\n", self.name()))
    }
}

/// What the real server has started before it is well.
const HOOKS: &[&str] = &[
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/peer-endpoint-reconciler-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/storage-readiness",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/rbac/bootstrap-roles",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kubernetes-service-cidr-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
];
