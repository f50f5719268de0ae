//! Controller revisions: the templates that stateful and daemon sets have had.

use serde_json::{Value, json};

use super::{actor::Turn, component::Component, resource::Resource, template};

/// One of them.
#[derive(Debug)]
pub(super) struct Revision {
    pub(super) name: String,
    pub(super) hash: String,
    /// The template of pods that it stands for.
    pub(super) pods: Value,
}

impl Turn<'_> {
    /// The revision of a set's present template, made if it is not there; the highest number is the newest.
    pub(super) fn revise(&mut self, by: Component, set: &Value, label: &str) -> Option<Revision> {
        let pods = &set["spec"]["template"];
        let hash = template::hash(pods, 0);
        let name = format!("{}-{hash}", template::name(set));
        let known = self.owned(Resource::Revision, template::uid(set));
        let known: Vec<Value> = known.into_iter().map(|revision| revision.value()).collect();
        let newest = known.iter().filter_map(|revision| revision["revision"].as_u64()).max().unwrap_or_default();
        match known.into_iter().find(|revision| template::name(revision) == name) {
            Some(mut revision) if revision["revision"] != newest => {
                revision["revision"] = (newest + 1).into();
                self.update(by, Resource::Revision, crate::write::Half::Main, revision);
            }
            Some(_) => {}
            None => {
                let mut labels = pods["metadata"]["labels"].clone();
                labels[label] = hash.as_str().into();
                let mut kept = pods.clone();
                kept["$patch"] = "replace".into();
                let revision = json!({
                    "apiVersion": "apps/v1", "kind": "ControllerRevision",
                    "metadata": {
                        "name": name, "namespace": set["metadata"]["namespace"], "labels": labels,
                        "ownerReferences": [template::reference(set)],
                    },
                    "data": { "spec": { "template": kept } }, "revision": newest + 1,
                });
                self.create(by, Resource::Revision, revision).ok()?;
            }
        }
        Some(Revision { name, hash, pods: pods.clone() })
    }

    /// The revision of a set that has this name.
    pub(super) fn revision(&self, set: &Value, name: &str) -> Option<Revision> {
        let revision = self.get(Resource::Revision, &template::beside(set, name))?;
        let mut pods = revision["data"]["spec"]["template"].clone();
        if let Some(fields) = pods.as_object_mut() {
            fields.remove("$patch");
        }
        let hash = name.rsplit('-').next().unwrap_or_default().to_owned();
        Some(Revision { name: name.to_owned(), hash, pods })
    }

    /// Deletes the oldest revisions that no pod has, beyond those that are kept.
    pub(super) fn forget_revisions(&mut self, by: Component, set: &Value, live: &[&str]) {
        let kept = set["spec"]["revisionHistoryLimit"].as_u64().unwrap_or(10) as usize;
        let owned = self.owned(Resource::Revision, template::uid(set));
        let mut old: Vec<(u64, _)> = owned
            .iter()
            .filter(|revision| !live.iter().any(|live| revision.key.name.ends_with(live)))
            .map(|revision| (revision.value()["revision"].as_u64().unwrap_or_default(), revision.key.clone()))
            .collect();
        old.sort();
        let many = old.len().saturating_sub(kept);
        for (_, key) in old.into_iter().take(many) {
            self.delete(by, Resource::Revision, &key, None);
        }
    }
}
