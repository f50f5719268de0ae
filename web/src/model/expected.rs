//! Kinds that every server has, so that their rows need not wait for the server to say so.

use crate::model::kind::Kind;

impl Kind {
    /// The kind of this id as every server of these years has it; `None` for all but the most looked at.
    pub fn expected(id: &str) -> Option<Kind> {
        let (_, version, kind, namespaced) = EXPECTED.iter().find(|(known, ..)| *known == id)?;
        let (resource, group) = id.split_once('.').unwrap_or((id, ""));
        Some(Kind {
            group: group.to_owned(),
            version: (*version).to_owned(),
            resource: resource.to_owned(),
            kind: (*kind).to_owned(),
            namespaced: *namespaced,
            short_names: Vec::new(),
        })
    }
}

const EXPECTED: &[(&str, &str, &str, bool)] = &[
    ("pods", "v1", "Pod", true),
    ("deployments.apps", "v1", "Deployment", true),
    ("statefulsets.apps", "v1", "StatefulSet", true),
    ("daemonsets.apps", "v1", "DaemonSet", true),
    ("replicasets.apps", "v1", "ReplicaSet", true),
    ("jobs.batch", "v1", "Job", true),
    ("cronjobs.batch", "v1", "CronJob", true),
    ("services", "v1", "Service", true),
    ("configmaps", "v1", "ConfigMap", true),
    ("secrets", "v1", "Secret", true),
    ("events", "v1", "Event", true),
    ("nodes", "v1", "Node", false),
    ("namespaces", "v1", "Namespace", false),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_kind_is_the_one_its_id_names() {
        for (id, ..) in EXPECTED {
            assert_eq!(Kind::expected(id).map(|kind| kind.id()).as_deref(), Some(*id));
        }
        assert_eq!(Kind::expected("rockets.acme.io"), None);
    }
}
