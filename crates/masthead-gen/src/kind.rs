//! A type that something is generated for.

use std::collections::BTreeMap;

use syn::{Item, UseTree, Visibility};

use crate::{
    derived::Derived,
    mistake::Found,
    tag::{Generator, Tags, Verbs},
    verb::Verb,
};

/// A tagged type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name, which is that of the Kubernetes kind.
    pub name: String,
    /// Where it is: a path for a type that the package re-exports from another crate, empty for one of its own.
    pub origin: String,
    /// What its tags ask for.
    pub tags: Tags,
    /// Whether there is a status: a field of a struct. Of a type from elsewhere only `+genclient:noStatus` is known.
    pub has_status: bool,
    /// Whether its `Resource` is generated: it is a struct with metadata, and its file implements none for it.
    pub needs_resource: bool,
    /// The line of its declaration.
    pub line: usize,
}

impl Kind {
    /// The verbs of its client, in the order in which they are generated.
    pub fn verbs(&self) -> Vec<Verb> {
        Verb::ALL.into_iter().filter(|verb| self.has(*verb)).collect()
    }

    /// Whether its client has a verb.
    pub fn has(&self, verb: Verb) -> bool {
        self.tags.leaves(verb) && (self.has_status || !verb.is_of_status())
    }

    /// Whether there is a client.
    pub fn has_client(&self) -> bool {
        !self.opts_out(Generator::Client)
    }

    /// Whether there is a lister: its objects can be read one by one and all together.
    pub fn has_lister(&self) -> bool {
        self.has(Verb::Get) && self.has(Verb::List) && !self.opts_out(Generator::Lister)
    }

    /// Whether there is an informer: its objects can be listed and watched.
    pub fn has_informer(&self) -> bool {
        self.has(Verb::List) && self.has(Verb::Watch) && !self.opts_out(Generator::Informer)
    }

    fn opts_out(&self, generator: Generator) -> bool {
        self.tags.opt_outs.contains(&generator)
    }
}

/// What an item declares: a name, where it comes from, and whether it has a status.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) origin: String,
    pub(crate) has_status: bool,
    pub(crate) has_metadata: bool,
    /// What kube makes the kind of, if it does.
    pub(crate) derived: Option<Derived>,
}

/// What a tagged item declares, or why nothing can be generated for it.
pub(crate) fn declared(item: &Item) -> Result<Declared, String> {
    match item {
        Item::Struct(it) => {
            public(&it.vis, "struct")?;
            if !it.generics.params.is_empty() {
                return Err("a kind has no type parameters".to_owned());
            }
            if let Some(derived) = Derived::of(it)? {
                let (name, has_status) = (derived.kind.clone(), derived.has_status);
                let derived = Some(derived);
                return Ok(Declared { name, origin: String::new(), has_status, has_metadata: false, derived });
            }
            let has = |field: &str| it.fields.iter().filter_map(|it| it.ident.as_ref()).any(|name| name == field);
            let (has_status, has_metadata) = (has("status"), has("metadata"));
            let name = it.ident.to_string();
            Ok(Declared { name, origin: String::new(), has_status, has_metadata, derived: None })
        }
        Item::Use(it) => {
            public(&it.vis, "use")?;
            let (name, path) = used(&it.tree)?;
            // Paths of this crate lead from this file alone, so that the generated code goes by way of it.
            let is_local = ["crate", "self", "super"].contains(&path[0].as_str());
            let origin = if is_local { String::new() } else { path.join("::") };
            Ok(Declared { name, origin, has_status: true, has_metadata: false, derived: None })
        }
        Item::Type(it) => {
            public(&it.vis, "type")?;
            let name = it.ident.to_string();
            Ok(Declared { name, origin: String::new(), has_status: true, has_metadata: false, derived: None })
        }
        _ => Err("tags stand above a struct, a `pub type`, or the `pub use` of one".to_owned()),
    }
}

/// Whether one of the items implements a trait `Resource` for what `declared` declares, kube's or k8s-openapi's.
pub(crate) fn has_resource(items: &[Item], declared: &Item) -> bool {
    let Item::Struct(declared) = declared else { return false };
    items.iter().any(|item| {
        let Item::Impl(it) = item else { return false };
        let of = it.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_resource = of.is_some_and(|segment| segment.ident == "Resource");
        is_resource && matches!(&*it.self_ty, syn::Type::Path(path) if path.path.is_ident(&declared.ident))
    })
}

fn public(visibility: &Visibility, what: &str) -> Result<(), String> {
    match visibility {
        Visibility::Public(_) => Ok(()),
        _ => Err(format!("generated code must reach it: `pub {what}`")),
    }
}

/// The paths of the names that a file takes from elsewhere, as far as they are the same from everywhere.
pub(crate) fn imported(items: &[Item]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for item in items {
        if let Item::Use(it) = item {
            collect(&it.tree, "", &mut found);
        }
    }
    found.retain(|_, path: &mut String| !["self::", "super::"].iter().any(|root| path.starts_with(root)));
    found
}

fn collect(tree: &UseTree, before: &str, found: &mut BTreeMap<String, String>) {
    match tree {
        UseTree::Path(path) => collect(&path.tree, &format!("{before}{}::", path.ident), found),
        UseTree::Name(name) => _ = found.insert(name.ident.to_string(), format!("{before}{}", name.ident)),
        UseTree::Rename(it) => _ = found.insert(it.rename.to_string(), format!("{before}{}", it.ident)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, before, found)),
        UseTree::Glob(_) => {}
    }
}

/// The name that a `use` gives, and the path it stands for.
fn used(tree: &UseTree) -> Result<(String, Vec<String>), String> {
    match tree {
        UseTree::Path(path) => {
            let (name, mut rest) = used(&path.tree)?;
            rest.insert(0, path.ident.to_string());
            Ok((name, rest))
        }
        UseTree::Name(name) => Ok((name.ident.to_string(), vec![name.ident.to_string()])),
        UseTree::Rename(it) => Ok((it.rename.to_string(), vec![it.ident.to_string()])),
        UseTree::Glob(_) | UseTree::Group(_) => Err("a tagged `pub use` names one type; write one for each".to_owned()),
    }
}

/// What the tags ask for and the type cannot give.
pub(crate) fn contradictions(kind: &Kind) -> Vec<Found> {
    let mut found = Vec::new();
    let asked = match &kind.tags.verbs {
        Verbs::Only(verbs) | Verbs::Skip(verbs) => verbs.as_slice(),
        Verbs::All | Verbs::None => &[],
    };
    if !kind.has_status
        && let Some(verb) = asked.iter().find(|verb| verb.is_of_status())
    {
        found.push((kind.line, format!("{} has no field `status`, so that there is no {verb} to name", kind.name)));
    }
    if kind.origin.is_empty() && !kind.has_status && kind.tags.no_status {
        found.push((kind.line, format!("{} has no field `status`: leave `+genclient:noStatus` out", kind.name)));
    }
    found
}
