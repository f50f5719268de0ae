//! Another object, by what it is called.

use super::object::Object;

/// An object that another one names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// Group and version; the group counts.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The namespace; empty for what has none, or may have none.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl Reference {
    pub(super) fn new(api_version: &str, kind: &str, namespace: &str, name: &str) -> Reference {
        let own = str::to_owned;
        Reference { api_version: own(api_version), kind: own(kind), namespace: own(namespace), name: own(name) }
    }

    /// The controller of an object, or its first owner where none is the controller.
    pub fn owner(object: &serde_json::Value) -> Option<Reference> {
        let object = Object(object);
        let owners = || object.items("/metadata/ownerReferences");
        let owner = owners().find(|owner| owner.is("/controller")).or_else(|| owners().next())?;
        let [api_version, kind, name] = ["/apiVersion", "/kind", "/name"].map(|path| owner.text(path));
        // An owner is in the same namespace, or in none.
        let namespace = object.text("/metadata/namespace");
        (!name.is_empty()).then(|| Reference::new(api_version, kind, namespace, name))
    }
}
