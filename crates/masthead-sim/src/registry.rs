//! The kinds that are served now.

use std::rc::Rc;

use crate::{
    builtin::KINDS,
    kind::{Kind, ResourceId},
};

/// Every kind, the built-in ones first. No two have the same group, version and plural.
#[derive(Debug)]
pub(crate) struct Registry {
    kinds: Vec<Rc<Kind>>,
}

impl Registry {
    /// The built-in kinds.
    pub(crate) fn new() -> Registry {
        let kinds = KINDS.iter().zip(0..).map(|(builtin, number)| Rc::new(builtin.kind(ResourceId(number))));
        Registry { kinds: kinds.collect() }
    }

    /// Every kind, groups in the order of their priority.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Rc<Kind>> {
        self.kinds.iter()
    }

    /// The kind of this name in a group-version.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Rc<Kind>> {
        self.kinds.iter().find(|kind| kind.plural == plural && kind.group == group && kind.version == version)
    }

    /// The kind of an object, by its `apiVersion` and `kind`.
    pub(crate) fn of_object(&self, api_version: &str, name: &str) -> Option<&Rc<Kind>> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        self.kinds.iter().find(|kind| kind.kind == name && kind.group == group && kind.version == version)
    }

    /// The kind of namespaces themselves.
    pub(crate) fn namespaces(&self) -> &Rc<Kind> {
        self.find("", "v1", "namespaces").expect("namespaces are built in")
    }

    /// Whether anything of a group is served, in a version or in any.
    pub(crate) fn serves(&self, group: &str, version: Option<&str>) -> bool {
        self.kinds.iter().any(|kind| kind.group == group && version.is_none_or(|version| kind.version == version))
    }
}
