//! The kinds that are served now.

use std::{cmp::Reverse, collections::BTreeMap, rc::Rc};

use serde_json::Value;

use crate::{
    builtin,
    kind::{Kind, ResourceId},
    version_rank::VersionRank,
};

/// Every kind, the built-in ones first. No two have the same group, version and plural.
#[derive(Debug)]
pub(crate) struct Registry {
    kinds: Vec<Rc<Kind>>,
    /// What was defined at run time, by the name of its definition. Their kinds stand last in `kinds`, by group and plural.
    defined: BTreeMap<String, Defined>,
    next_custom: u32,
}

/// A resource that is there because of a definition.
#[derive(Debug)]
struct Defined {
    resource: ResourceId,
    /// What of the definition its kinds follow from.
    shape: Value,
}

impl Registry {
    /// The built-in kinds.
    pub(crate) fn new() -> Registry {
        Registry { kinds: builtin::kinds(), defined: BTreeMap::new(), next_custom: ResourceId::FIRST_CUSTOM }
    }

    /// Serves the kinds of a definition, unless they are served in this shape already.
    pub(crate) fn define(&mut self, name: &str, shape: Value, kinds: impl FnOnce(ResourceId) -> Vec<Rc<Kind>>) {
        let resource = match self.defined.get(name) {
            Some(known) if known.shape == shape => return,
            Some(known) => known.resource,
            None => {
                self.next_custom += 1;
                ResourceId(self.next_custom)
            }
        };
        self.defined.insert(name.to_owned(), Defined { resource, shape });
        self.kinds.retain(|kind| kind.resource != resource);
        self.kinds.extend(kinds(resource));
        // Stable, and `None` comes first: the built-in kinds stay where they are.
        self.kinds.sort_by_cached_key(|kind| {
            kind.is_custom().then(|| (kind.group.clone(), kind.plural.clone(), kind.version.clone()))
        });
    }

    /// Serves only what these definitions define.
    pub(crate) fn retain_defined(&mut self, keep: impl Fn(&str) -> bool) {
        let defined = &mut self.defined;
        defined.retain(|name, _| keep(name));
        self.kinds.retain(|kind| !kind.is_custom() || defined.values().any(|known| known.resource == kind.resource));
    }

    /// What the objects of a definition are filed under.
    pub(crate) fn resource_of(&self, definition: &str) -> Option<ResourceId> {
        self.defined.get(definition).map(|known| known.resource)
    }

    /// The kind of definitions themselves.
    pub(crate) fn definitions(&self) -> Option<&Rc<Kind>> {
        self.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    }

    /// Whether a kind is served as it is: one that was defined anew since is another.
    pub(crate) fn is_current(&self, kind: &Rc<Kind>) -> bool {
        !kind.is_custom() || self.kinds.iter().any(|known| Rc::ptr_eq(known, kind))
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

    /// Whether a group is there because of definitions.
    pub(crate) fn is_custom(&self, group: &str) -> bool {
        self.kinds.iter().find(|kind| kind.group == group).is_some_and(|kind| kind.is_custom())
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
