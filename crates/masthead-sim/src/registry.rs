//! The kinds that are served now.

use std::{cmp::Reverse, rc::Rc};

use crate::{builtin, kind::Kind, version_rank::VersionRank};

/// Every kind, the built-in ones first. No two have the same group, version and plural.
#[derive(Debug)]
pub(crate) struct Registry {
    kinds: Vec<Rc<Kind>>,
}

impl Registry {
    /// The built-in kinds.
    pub(crate) fn new() -> Registry {
        Registry { kinds: builtin::kinds() }
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

    /// Every group but the core: the built-in ones in the order of their priority, then the others by name.
    pub(crate) fn groups(&self) -> Vec<&str> {
        let named = self.kinds.iter().map(|kind| kind.group.as_str()).filter(|group| !group.is_empty());
        let mut groups: Vec<&str> = named.collect();
        groups.dedup();
        groups
    }

    /// How many of the groups are built in.
    pub(crate) fn built_in_groups(&self) -> usize {
        let custom = |group: &&str| self.kinds.iter().any(|kind| kind.group == *group && !kind.is_custom());
        self.groups().into_iter().filter(custom).count()
    }

    /// The versions of a group, the preferred one first.
    pub(crate) fn versions(&self, group: &str) -> Vec<&str> {
        let inside = self.kinds.iter().filter(|kind| kind.group == group);
        let mut versions: Vec<&str> = inside.map(|kind| kind.version.as_str()).collect();
        versions.sort_by_key(|version| Reverse(VersionRank::of(version)));
        versions.dedup();
        versions
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
