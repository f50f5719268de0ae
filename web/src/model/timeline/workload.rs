//! What the timeline reads of the objects that own pods.

use masthead::lean::{Interned, Lean};

use super::moment::Moment;

/// The fields of a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or CronJob that say whose it is and what was asked
/// of it.
#[derive(Clone, Debug, Lean)]
pub struct WorkloadFields {
    #[lean("metadata.ownerReferences[*].kind")]
    owner_kinds: Vec<Interned>,
    #[lean("metadata.ownerReferences[*].name")]
    owner_names: Vec<Interned>,
    #[lean("metadata.creationTimestamp")]
    created: Moment,
    #[lean("metadata.generation")]
    generation: i64,
    #[lean("spec.replicas")]
    replicas: Option<i64>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
}

impl WorkloadFields {
    /// Kind and name of its owner: the first, which is the controller wherever there is one.
    pub fn owner(&self) -> Option<(&Interned, &Interned)> {
        self.owner_kinds.first().zip(self.owner_names.first())
    }

    /// When it was created.
    pub fn created(&self) -> Option<i64> {
        self.created.0
    }

    /// What changed since `old`, in words; `None` where nothing was asked of it.
    pub fn change_since(&self, old: &WorkloadFields) -> Option<String> {
        let mut said = Vec::new();
        if let (Some(before), Some(after)) = (old.replicas, self.replicas)
            && before != after
        {
            said.push(format!("replicas {before} → {after}"));
        }
        for (before, after) in old.images.iter().zip(&self.images).filter(|(before, after)| before != after) {
            said.push(format!("image {before} → {after}"));
        }
        if said.is_empty() && self.generation != old.generation {
            said.push("spec".to_owned());
        }
        (!said.is_empty()).then(|| said.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::timeline::fixture::row;

    #[test]
    fn says_what_was_asked_of_it() {
        let at = |generation: u32, replicas: u32, image: &str| {
            row::<WorkloadFields>(&json!({ "metadata": { "name": "web", "generation": generation },
                "spec": { "replicas": replicas, "template": { "spec": { "containers": [{ "image": image }] } } } }))
        };
        let check = |new: &WorkloadFields, expect: Option<&str>| {
            assert_eq!(new.change_since(&at(1, 3, "web:1")).as_deref(), expect);
        };
        check(&at(2, 5, "web:1"), Some("replicas 3 → 5"));
        check(&at(2, 3, "web:2"), Some("image web:1 → web:2"));
        check(&at(2, 3, "web:1"), Some("spec"));
        check(&at(1, 3, "web:1"), None);
    }
}
