//! Which types go to which file.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::{
    definition::Definition,
    ident::{self, Names},
    render::{self, File},
};
use crate::output::{MARK, Output};

/// The files of the types: a module for each group, and one in it for each version.
pub(super) fn output(definitions: &[Definition], folder: &Path) -> Output {
    let mut output = Output::default();
    let names = group_names(definitions.iter().map(|definition| definition.group.as_str()).collect());
    for (group, name) in &names {
        let files = versions(definitions, group, name);
        output.folders.insert(folder.join(name));
        let modules: Vec<String> = files.iter().map(|file| file.version.to_owned()).collect();
        let title = format!("The versions of {group}.");
        output.files.insert(folder.join(name).join("mod.rs"), modules_text(&title, &modules));
        for file in &files {
            output.files.insert(folder.join(name).join(format!("{}.rs", file.version)), render::file(file));
        }
    }
    let groups: Vec<String> = names.values().cloned().collect();
    output.files.insert(folder.join("mod.rs"), modules_text("Kinds of custom resources, by their groups.", &groups));
    output
}

/// The files of a group, in the order of their versions.
fn versions<'a>(definitions: &'a [Definition], group: &'a str, name: &'a str) -> Vec<File<'a>> {
    let mut versions: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for definition in definitions.iter().filter(|definition| definition.group == group) {
        for version in &definition.versions {
            versions.entry(&version.name).or_default().push((definition, version));
        }
    }
    let file = |(version, mut kinds): (&'a str, Vec<(&'a Definition, _)>)| {
        kinds.sort_by(|(one, _), (other, _)| one.kind.cmp(&other.kind));
        let first_label = group.split('.').next().unwrap_or_default().replace('-', "_");
        let group_name = (name != first_label).then_some(name);
        File { group, group_name, version, kinds }
    };
    versions.into_iter().map(file).collect()
}

/// What each group is called: its first label, as client-go has it, and more of them where two would be called the same.
fn group_names(groups: BTreeSet<&str>) -> BTreeMap<&str, String> {
    let name = |group: &str, labels: usize| {
        let labels: Vec<&str> = group.split('.').take(labels).collect();
        ident::field(&labels.join("."))
    };
    let is_alone = |group: &str, labels: usize| {
        let mut others = groups.iter().filter(|other| **other != group);
        others.all(|other| name(other, labels) != name(group, labels))
    };
    let named = |group: &&'_ str| {
        let most = group.split('.').count();
        (1..=most).find(|labels| is_alone(group, *labels)).unwrap_or(most)
    };
    let mut names = Names::default();
    groups.iter().map(|group| (*group, names.take(&name(group, named(group)), "_"))).collect()
}

fn modules_text(title: &str, modules: &[String]) -> String {
    let modules: String = modules.iter().map(|module| format!("pub mod {module};\n")).collect();
    let allow = "#![allow(unreachable_pub, reason = \"who uses them decides who sees them\")]";
    format!("//! {title}\n//!\n//! {MARK} crd-types: do not edit.\n\n{allow}\n\n{modules}")
}
