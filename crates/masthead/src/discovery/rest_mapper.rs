//! From a name or a kind to a resource.

use std::rc::Rc;

use kube_core::GroupVersion;

use super::{Catalog, Group, Resource, ResourceName, resource_name::Reading};
use crate::Error;

/// Understands names and kinds, by one catalog.
///
/// Where several resources fit, the core group's `v1` comes first, then groups in the server's order, each with its
/// preferred version before its others. Look-ups cost one pass over the catalog.
#[derive(Clone, Debug, Default)]
pub struct RestMapper {
    /// No subresources; in order of preference.
    resources: Vec<Rc<Resource>>,
    sub_resources: Vec<Rc<Resource>>,
}

impl RestMapper {
    /// A mapper by what `catalog` has.
    pub fn new(catalog: &Catalog) -> RestMapper {
        let ranked = ranked(&catalog.groups);
        let known =
            ranked.iter().flat_map(|wanted| catalog.lists.iter().filter(move |list| list.group_version == *wanted));
        let others = catalog.lists.iter().filter(|list| !ranked.contains(&list.group_version));
        let all = known.chain(others).flat_map(|list| &list.resources).map(|resource| Rc::new(resource.clone()));
        let (sub_resources, resources) = all.partition(|resource| resource.is_sub_resource());
        RestMapper { resources, sub_resources }
    }

    /// The resource that `name` means: plural, singular or short, with or without version and group.
    ///
    /// Fails with [`is_no_match`](Error::is_no_match), or with [`is_ambiguous`](Error::is_ambiguous) when two resources of
    /// one group-version have the name.
    pub fn resource_for(&self, name: &ResourceName) -> Result<Rc<Resource>, Error> {
        let mut reading = None;
        for next in name.readings() {
            reading = Some(next);
            let expanded = self.expand_short(next);
            let found = self.matching(expanded.as_ref().map_or(next, |(expanded, _)| *expanded));
            if let Some(best) = only(&found, &next)? {
                return self.part_of(best, name);
            }
        }
        let what = reading.map_or_else(|| name.to_string(), |reading| reading.to_string());
        Err(Error::no_match(OPERATION, what))
    }

    /// Every resource that `name` fits, the preferred one first.
    pub fn resources_for(&self, name: &ResourceName) -> Vec<Rc<Resource>> {
        let found = name.readings().map(|reading| {
            let expanded = self.expand_short(reading);
            self.matching(expanded.map_or(reading, |(expanded, _)| expanded))
        });
        let found = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        found.into_iter().filter_map(|resource| self.part_of(resource, name).ok()).collect()
    }

    /// What a person should know about `name`: a short name may mean several resources, of which the first is taken.
    pub fn warnings(&self, name: &ResourceName) -> Vec<String> {
        let others = name.readings().find_map(|reading| self.expand_short(reading)).map(|(_, others)| others);
        let warn = |other: String| {
            format!("short name {:?} could also match lower priority resource {other}", name.resource())
        };
        others.unwrap_or_default().into_iter().map(warn).collect()
    }

    /// The resource whose objects are of this kind, in the first of `versions` that has it, or in the preferred version
    /// when `versions` is empty.
    pub fn resource_for_kind(&self, group: &str, kind: &str, versions: &[&str]) -> Result<Rc<Resource>, Error> {
        let of_kind = |resource: &&Rc<Resource>| {
            let own = &resource.kind.kind;
            resource.group_version.group == group && (own == kind || own.to_ascii_lowercase() == kind)
        };
        let all: Vec<Rc<Resource>> = self.resources.iter().filter(of_kind).cloned().collect();
        let of_version = |version: &&str| -> Vec<Rc<Resource>> {
            all.iter().filter(|resource| resource.group_version.version == **version).cloned().collect()
        };
        let found = match versions {
            [] => all,
            versions => versions.iter().map(of_version).find(|found| !found.is_empty()).unwrap_or_default(),
        };
        let asked = format!("{group}/{}, Kind={kind}", versions.join(","));
        only(&found, &asked)?.ok_or_else(|| Error::no_match(OPERATION, unknown_kind(group, kind, versions)))
    }

    /// The resources of a category such as `all`, each once in its preferred version.
    pub fn category(&self, category: &str) -> Vec<Rc<Resource>> {
        let mut found: Vec<Rc<Resource>> = Vec::new();
        for resource in self.resources.iter().filter(|resource| resource.categories.iter().any(|own| own == category)) {
            if !found.iter().any(|known| same_group_resource(known, resource)) {
                found.push(Rc::clone(resource));
            }
        }
        found
    }

    /// What a person wrote where resources are expected: names and categories between commas, as in `deploy,svc` or `all`.
    pub fn expand(&self, text: &str) -> Result<Vec<Rc<Resource>>, Error> {
        let mut found: Vec<Rc<Resource>> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let mut meant = self.category(part);
            if meant.is_empty() {
                meant.push(self.resource_for(&part.parse()?)?);
            }
            for resource in meant {
                if !found.contains(&resource) {
                    found.push(resource);
                }
            }
        }
        Ok(found)
    }

    /// The singular of a plural or short name.
    pub fn singular(&self, name: &ResourceName) -> Result<String, Error> {
        self.resource_for(name).map(|resource| resource.singular_or_guess())
    }

    /// The resources whose plural or singular a reading gives, in order of preference.
    fn matching(&self, reading: Reading<'_>) -> Vec<Rc<Resource>> {
        let named = |resource: &&Rc<Resource>| {
            let version = reading.version.is_none_or(|version| version == resource.group_version.version);
            version && has_name(resource, reading.resource)
        };
        let of = |fits: &dyn Fn(&str) -> bool| -> Vec<Rc<Resource>> {
            let fitting = self.resources.iter().filter(named).filter(|resource| fits(&resource.group_version.group));
            fitting.cloned().collect()
        };
        let Some(wanted) = reading.group else { return of(&|_| true) };
        let exact = of(&|group| group == wanted);
        // With a version the group must be whole; without one, `storageclass.storage` is enough.
        if exact.is_empty() && reading.version.is_none() { of(&|group| group.starts_with(wanted)) } else { exact }
    }

    /// The long form of a short name, with what else it could mean; `None` for what is no short name or a name already.
    fn expand_short<'a>(&'a self, reading: Reading<'a>) -> Option<(Reading<'a>, Vec<String>)> {
        let in_group =
            |resource: &&Rc<Resource>| reading.group.is_none_or(|group| group == resource.group_version.group);
        let is_name = self.resources.iter().filter(in_group).any(|resource| has_name(resource, reading.resource));
        if is_name {
            return None;
        }
        let short = |resource: &&Rc<Resource>| resource.short_names.iter().any(|own| own == reading.resource);
        let mut found = self.resources.iter().filter(short).filter(in_group).peekable();
        let Some(best) = found.next() else {
            let wanted = reading.group?;
            let begins = |resource: &&Rc<Resource>| resource.group_version.group.starts_with(wanted);
            let best = self.resources.iter().filter(short).find(begins)?;
            return Some((long_form(best, reading), Vec::new()));
        };
        let mut others: Vec<String> =
            found.filter(|other| !same_group_resource(other, best)).map(|other| other.group_resource()).collect();
        others.dedup();
        Some((long_form(best, reading), others))
    }

    /// The subresource that `name` means, or `resource` itself if it means none.
    fn part_of(&self, resource: Rc<Resource>, name: &ResourceName) -> Result<Rc<Resource>, Error> {
        let Some(part) = name.sub_resource() else { return Ok(resource) };
        let full = format!("{}/{part}", resource.name);
        let fits = |other: &&Rc<Resource>| other.group_version == resource.group_version && other.name == full;
        let found = self.sub_resources.iter().find(fits).cloned();
        found.ok_or_else(|| {
            let GroupVersion { group, version } = &resource.group_version;
            Error::no_match(OPERATION, format!("{group}/{version}, Resource={full}"))
        })
    }
}

const OPERATION: &str = "map resource";

/// Core v1, then each group's versions with the preferred one first.
fn ranked(groups: &[Group]) -> Vec<GroupVersion> {
    let versions = |group: &Group| {
        let others = group.versions.iter().filter(|version| Some(*version) != group.preferred.as_ref());
        let ordered = group.preferred.iter().chain(others).map(|version| GroupVersion::gv(&group.name, version));
        ordered.collect::<Vec<_>>()
    };
    let core = GroupVersion::gv("", "v1");
    let others = groups.iter().flat_map(versions).filter(|version| *version != core).collect::<Vec<_>>();
    std::iter::once(core).chain(others).collect()
}

/// The first of what was found, unless another of the same group-version fits as well.
fn only(found: &[Rc<Resource>], asked: &dyn std::fmt::Display) -> Result<Option<Rc<Resource>>, Error> {
    let Some(best) = found.first() else { return Ok(None) };
    let rivals: Vec<String> = found
        .iter()
        .filter(|other| other.group_version == best.group_version)
        .map(|rival| format!("{}/{}, Resource={}", best.group_version.group, best.group_version.version, rival.name))
        .collect();
    match rivals.len() {
        1 => Ok(Some(Rc::clone(best))),
        _ => Err(Error::ambiguous(OPERATION, format!("{asked} matches multiple resources [{}]", rivals.join(" ")))),
    }
}

fn has_name(resource: &Resource, name: &str) -> bool {
    resource.name == name || resource.singular_or_guess() == name
}

fn same_group_resource(a: &Resource, b: &Resource) -> bool {
    a.name == b.name && a.group_version.group == b.group_version.group
}

fn long_form<'a>(resource: &'a Resource, short: Reading<'a>) -> Reading<'a> {
    let group = Some(resource.group_version.group.as_str()).filter(|group| !group.is_empty());
    Reading { resource: &resource.name, version: short.version, group }
}

fn unknown_kind(group: &str, kind: &str, versions: &[&str]) -> String {
    let mut searched: Vec<String> =
        versions.iter().map(|version| GroupVersion::gv(group, version).api_version()).collect();
    searched.sort();
    searched.dedup();
    match searched.as_slice() {
        [] => format!("kind {kind:?} in group {group:?}"),
        [only] => format!("kind {kind:?} in version {only:?}"),
        several => format!("kind {kind:?} in versions {several:?}"),
    }
}
