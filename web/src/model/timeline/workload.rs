//! What the timeline reads of the objects that own pods.

use masthead::lean::{Interned, Lean};

/// The fields of a Deployment, ReplicaSet, StatefulSet, DaemonSet or Job that say what was asked of it.
#[derive(Clone, Debug, Lean)]
pub(super) struct WorkloadFields {
    #[lean("metadata.generation")]
    generation: i64,
    #[lean("spec.replicas")]
    replicas: Option<i64>,
    #[lean("spec.template.spec.containers[*].image")]
    images: Vec<Interned>,
}

impl WorkloadFields {
    /// What changed since `old`, in words; `None` where nothing was asked of it.
    pub(super) fn change_since(&self, old: &WorkloadFields) -> Option<String> {
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
    use crate::model::timeline::fixture::read;

    #[test]
    fn says_what_was_asked_of_it() {
        let at = |generation: u32, replicas: u32, image: &str| {
            read::<WorkloadFields>(&json!({ "metadata": { "name": "web", "generation": generation },
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
