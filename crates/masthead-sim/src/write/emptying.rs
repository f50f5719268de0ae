//! The end of a namespace: its pods go first, then everything else, then itself.

use std::{collections::BTreeMap, rc::Rc, time::Duration};

use serde_json::Value;

use super::{Half, Write, finalizers};
use crate::{
    custom::set_condition,
    object::{Key, Object},
    refusal::Refusal,
    tree::items,
};

/// What is left in a namespace, counted.
#[derive(Default)]
struct Remains {
    /// By `{plural}.{group}`.
    resources: BTreeMap<String, usize>,
    finalizers: BTreeMap<String, usize>,
}

impl Write<'_> {
    /// Deletes what is in a namespace that ends, says in its status what is left, and lets it go once nothing is.
    pub(crate) fn empty_namespace(&mut self, name: &str) -> Result<(), Refusal> {
        let (namespaces, key) = (Rc::clone(self.kinds.namespaces()), Key::new("", name));
        let Some(found) = self.store.get(&namespaces, &key).cloned() else { return Ok(()) };
        let inside = self.store.within(name);
        let (pods, others): (Vec<_>, Vec<_>) = inside.into_iter().partition(|object| object.kind.is("", "pods"));
        self.end_all(&pods);
        let waits = pods.iter().any(|pod| self.store.get(&pod.kind, &pod.key).is_some());
        if !waits {
            self.end_all(&others);
        }
        let left = self.store.within(name);
        // While pods are left the real server does not look at what else is.
        let remains = if waits { Remains::default() } else { Remains::of(&left) };
        let mut next = found.value();
        remains.tell(&mut next, &self.time(Duration::ZERO));
        self.replace(&namespaces, &key, Half::Status, next)?;
        if left.is_empty() {
            self.release_namespace(&key);
        }
        Ok(())
    }

    fn end_all(&mut self, objects: &[Rc<Object>]) {
        for object in objects {
            // One may have gone with another that owned it.
            let Some(found) = self.store.get(&object.kind, &object.key).cloned() else { continue };
            if self.is_held(&found) {
                self.end(&found);
            } else {
                self.finish(&found);
            }
        }
    }

    /// Takes its own finalizer from a namespace with nothing inside, and the namespace away if there is no other.
    fn release_namespace(&mut self, key: &Key) {
        let namespaces = Rc::clone(self.kinds.namespaces());
        let Some(found) = self.store.get(&namespaces, key) else { return };
        let mut namespace = found.value();
        if let Some(held) = namespace["spec"]["finalizers"].as_array_mut() {
            held.retain(|finalizer| finalizer != "kubernetes");
        }
        if items(&namespace["spec"], "finalizers").is_empty() && finalizers(&namespace).is_empty() {
            self.store.remove(&namespaces, key);
        } else if namespace != found.value() {
            self.store.put(&namespaces, namespace);
        }
    }
}

impl Remains {
    fn of(left: &[Rc<Object>]) -> Remains {
        let mut remains = Remains::default();
        for object in left {
            let resource = format!("{}.{}", object.kind.plural, object.kind.group);
            *remains.resources.entry(resource).or_default() += 1;
            for finalizer in finalizers(&object.value()) {
                *remains.finalizers.entry(finalizer.to_owned()).or_default() += 1;
            }
        }
        remains
    }

    /// Writes the conditions of a namespace that ends.
    fn tell(&self, namespace: &mut Value, now: &Value) {
        let listed = |counts: &BTreeMap<String, usize>, word: &str| {
            let each = counts.iter().map(|(name, count)| format!("{name} {word} {count} resource instances"));
            each.collect::<Vec<_>>().join(", ")
        };
        let (resources, held) = (listed(&self.resources, "has"), listed(&self.finalizers, "in"));
        let resources = format!("Some resources are remaining: {resources}");
        let held = format!("Some content in the namespace has finalizers remaining: {held}");
        let conditions = [
            ("NamespaceDeletionDiscoveryFailure", DISCOVERED),
            ("NamespaceDeletionGroupVersionParsingFailure", PARSED),
            ("NamespaceDeletionContentFailure", DELETED),
            (
                "NamespaceContentRemaining",
                if self.resources.is_empty() { REMOVED } else { ("True", "SomeResourcesRemain", resources.as_str()) },
            ),
            (
                "NamespaceFinalizersRemaining",
                if self.finalizers.is_empty() { FINALIZED } else { ("True", "SomeFinalizersRemain", held.as_str()) },
            ),
        ];
        for (name, to) in conditions {
            set_condition(namespace, name, to, now);
        }
    }
}

const DISCOVERED: (&str, &str, &str) = ("False", "ResourcesDiscovered", "All resources successfully discovered");
const PARSED: (&str, &str, &str) = ("False", "ParsedGroupVersions", "All legacy kube types successfully parsed");
const DELETED: (&str, &str, &str) =
    ("False", "ContentDeleted", "All content successfully deleted, may be waiting on finalization");
const REMOVED: (&str, &str, &str) = ("False", "ContentRemoved", "All content successfully removed");
const FINALIZED: (&str, &str, &str) = ("False", "ContentHasNoFinalizers", "All content-preserving finalizers finished");
