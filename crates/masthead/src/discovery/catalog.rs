//! All that a server serves, and what of it could not be learnt.

use std::collections::HashMap;

use kube_core::GroupVersion;
use rustc_hash::FxHashMap;

use crate::{Error, discovery::Resource};

/// The groups of a server and their resources, with the group-versions whose resources are not known.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The groups in the server's order, the core group first.
    pub groups: Vec<Group>,
    /// The resources of each group-version, in the order of the groups and their versions.
    pub lists: Vec<ResourceList>,
    /// Why the resources of a group-version are missing.
    pub failed: HashMap<GroupVersion, Error>,
}

/// One API group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Empty for the core group.
    pub name: String,
    /// The versions that are served, in the server's order.
    pub versions: Vec<String>,
    /// The version that the server prefers; `None` when all of them are stale.
    pub preferred: Option<String>,
}

/// The resources of one group-version, subresources among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceList {
    /// The group-version.
    pub group_version: GroupVersion,
    /// Its resources, in the server's order.
    pub resources: Vec<Resource>,
}

impl Catalog {
    /// The resources of one group-version, if they are known.
    pub fn list(&self, group_version: &GroupVersion) -> Option<&ResourceList> {
        self.lists.iter().find(|list| list.group_version == *group_version)
    }

    /// Every resource and subresource.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.lists.iter().flat_map(|list| &list.resources)
    }

    /// The catalog with only those resources that `keep` holds for; a list that loses all of them is left out.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Resource) -> bool) -> Catalog {
        let lists = self.lists.iter().map(|list| ResourceList {
            group_version: list.group_version.clone(),
            resources: list.resources.iter().filter(|resource| keep(resource)).cloned().collect(),
        });
        let lists = lists.filter(|list| !list.resources.is_empty()).collect();
        Catalog { groups: self.groups.clone(), lists, failed: self.failed.clone() }
    }

    /// Only what all of `verbs` can be done with.
    #[must_use]
    pub fn supporting(&self, verbs: &[&str]) -> Catalog {
        self.filtered(|resource| resource.supports(verbs))
    }

    /// Every resource once: in its group's preferred version, or else in the first version that has it. No subresources.
    #[must_use]
    pub fn preferred(&self) -> Catalog {
        let mut chosen: FxHashMap<(&str, &str), &str> = FxHashMap::default();
        for resource in self.resources() {
            let GroupVersion { group, version } = &resource.group_version;
            let is_preferred = self.group(group).and_then(|group| group.preferred.as_deref()) == Some(version);
            let slot = chosen.entry((group, &resource.name)).or_insert(version);
            if is_preferred {
                *slot = version;
            }
        }
        self.filtered(|resource| {
            let GroupVersion { group, version } = &resource.group_version;
            let best = chosen.get(&(group.as_str(), resource.name.as_str()));
            !resource.is_sub_resource() && best.is_some_and(|best| best == version)
        })
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// The catalog itself if nothing failed, or one error that tells of every failure.
    pub fn complete(self) -> Result<Catalog, Error> {
        if self.failed.is_empty() {
            return Ok(self);
        }
        let mut failures: Vec<String> = self
            .failed
            .iter()
            .map(|(group_version, error)| format!("{}: {error}", group_version.api_version()))
            .collect();
        failures.sort();
        Err(Error::incomplete("discover resources", failures.join(", ")))
    }

    /// Notes what asking for one group-version came to.
    pub(super) fn insert(&mut self, group_version: GroupVersion, outcome: Result<ResourceList, Error>) {
        match outcome {
            Ok(list) => {
                self.failed.remove(&group_version);
                self.lists.retain(|other| other.group_version != group_version);
                self.lists.push(list);
                self.sort();
            }
            Err(error) => {
                self.failed.insert(group_version, error);
            }
        }
    }

    fn sort(&mut self) {
        let mut others = std::mem::take(&mut self.lists);
        for group_version in self.group_versions().collect::<Vec<_>>() {
            self.lists.extend(others.extract_if(.., |list| list.group_version == group_version));
        }
        self.lists.append(&mut others);
    }

    /// Every group-version, in the order of groups and versions.
    pub(super) fn group_versions(&self) -> impl Iterator<Item = GroupVersion> {
        let versions = |group: &Group| {
            let name = group.name.clone();
            group.versions.clone().into_iter().map(move |version| GroupVersion { group: name.clone(), version })
        };
        self.groups.iter().flat_map(versions)
    }
}
