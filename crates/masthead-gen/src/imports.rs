//! The names that a generated file takes from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

/// What a generated file imports: every path has one short name in it, or is written in full where that name is taken.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// How the library is called, `masthead`, or `crate` within itself.
    masthead: String,
    /// Names that the file declares itself.
    declared: BTreeSet<String>,
    /// Paths by the names they are imported as.
    paths: BTreeMap<String, String>,
}

impl Imports {
    pub(crate) fn new(masthead: &str) -> Imports {
        Imports { masthead: masthead.to_owned(), ..Imports::default() }
    }

    /// From now on, `name` is one that the file declares.
    pub(crate) fn declare(&mut self, name: &str) {
        self.declared.insert(name.to_owned());
    }

    /// What a path is called in the file.
    pub(crate) fn name(&mut self, path: &str) -> String {
        self.name_as(path, last(path))
    }

    /// What a path is called in the file, where it should be called `name`.
    pub(crate) fn name_as(&mut self, path: &str, name: &str) -> String {
        let is_free = !self.declared.contains(name) && !PRELUDE.contains(&name);
        if is_free && self.paths.entry(name.to_owned()).or_insert_with(|| path.to_owned()) == path {
            return name.to_owned();
        }
        path.to_owned()
    }

    /// What something of the library is called in the file: `rest::GetOptions` is `GetOptions`.
    pub(crate) fn of_masthead(&mut self, path: &str) -> String {
        self.name(&format!("{}::{path}", self.masthead))
    }

    /// The `use` declarations: the standard library's, those of other crates, and those of this one.
    pub(crate) fn render(&self) -> String {
        let mut groups = [const { String::new() }; 3];
        let mut roots: BTreeMap<&str, Tree> = BTreeMap::new();
        for (name, path) in &self.paths {
            let (root, rest) = path.split_once("::").unwrap_or((path, ""));
            let leaf = if last(path) == name { String::new() } else { format!(" as {name}") };
            roots.entry(root).or_default().add(rest, &leaf);
        }
        for (root, tree) in &roots {
            let group = match *root {
                "std" | "core" | "alloc" => 0,
                "crate" | "self" | "super" => 2,
                _ => 1,
            };
            groups[group].push_str(&format!("use {root}::{};\n", tree.render()));
        }
        groups.iter().filter(|group| !group.is_empty()).map(|group| format!("{group}\n")).collect()
    }
}

/// What stands behind a path: leaves with their `as`, and longer paths.
#[derive(Debug, Default)]
struct Tree {
    leaves: BTreeSet<String>,
    branches: BTreeMap<String, Tree>,
}

impl Tree {
    fn add(&mut self, path: &str, leaf: &str) {
        match path.split_once("::") {
            Some((first, rest)) => self.branches.entry(first.to_owned()).or_default().add(rest, leaf),
            None => _ = self.leaves.insert(format!("{path}{leaf}")),
        }
    }

    fn render(&self) -> String {
        let branches = self.branches.iter().map(|(name, tree)| format!("{name}::{}", tree.render()));
        let all: Vec<String> = self.leaves.iter().cloned().chain(branches).collect();
        if let [only] = all.as_slice() { only.clone() } else { format!("{{{}}}", all.join(", ")) }
    }
}

/// Names that generated code uses and that are imported without a word.
const PRELUDE: [&str; 7] = ["Result", "Option", "Some", "None", "Vec", "Future", "Into"];

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::Imports;

    #[test]
    fn a_name_is_imported_once_and_written_in_full_where_it_is_taken() {
        let mut imports = Imports::new("masthead");
        imports.declare("WatchClient");
        assert_eq!(imports.name("crate::api::v1::Watch"), "Watch");
        assert_eq!(imports.of_masthead("rest::Watch"), "masthead::rest::Watch");
        assert_eq!(imports.of_masthead("rest::GetOptions"), "GetOptions");
        assert_eq!(imports.of_masthead("Error"), "Error");
        assert_eq!(imports.name("crate::api::v1::Watch"), "Watch");
        assert_eq!(imports.name("crate::api::v1::Result"), "crate::api::v1::Result");
        assert_eq!(imports.name_as("other::Pod", "Podd"), "Podd");
        assert_eq!(imports.name("std::rc::Rc"), "Rc");
        assert_eq!(
            imports.render(),
            "use std::rc::Rc;\n\nuse masthead::{Error, rest::GetOptions};\nuse other::Pod as Podd;\n\n\
             use crate::api::v1::Watch;\n\n"
        );
    }
}
