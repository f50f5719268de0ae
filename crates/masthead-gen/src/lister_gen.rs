//! lister-gen: typed listers of a version.

use std::path::Path;

use crate::{
    Kind, Package,
    generation::Style,
    imports::Imports,
    naming::{KindNames, feature, qualified, type_path},
    output::MARK,
};

/// The listers of one version.
pub(crate) fn version(package: &Package, style: &Style, folder: &Path) -> String {
    let title = package.title();
    let kinds: Vec<(&Kind, KindNames)> =
        package.kinds.iter().filter(|kind| kind.has_lister()).map(|kind| (kind, style.names(kind))).collect();
    let mut imports = style.imports();
    kinds.iter().for_each(|(_, names)| imports.declare(&names.lister()));
    let expansions = style.expansions(kinds.iter().map(|(_, names)| names), &folder.join(package.name()));
    let listers: String = kinds.iter().map(|(kind, names)| one(package, kind, names, &mut imports)).collect();
    let modules: String = expansions.iter().map(|module| format!("mod {module};\n")).collect();
    let uses = imports.render();
    format!(
        "//! Listers of the kinds of {title}.\n//!\n//! {MARK}: do not edit. What is written by hand goes to \
         `{}/*_expansion.rs`.\n\n{modules}\n{uses}{}",
        package.name(),
        listers.trim_start()
    )
}

fn one(package: &Package, kind: &Kind, names: &KindNames, imports: &mut Imports) -> String {
    let kind_type = imports.name_as(&type_path(package, kind), &kind.name);
    let (lister, store) = (imports.of_masthead("cache::Lister"), imports.of_masthead("cache::Store"));
    let (selector, shared) = (imports.of_masthead("labels::Selector"), imports.name("std::rc::Rc"));
    let (name, title, resource) = (names.lister(), package.title(), qualified(package, &names.resource));
    let reading = if kind.tags.non_namespaced {
        let error = imports.of_masthead("Error");
        format!(
            "/// The object of this name; the error [is that it was not found]({error}::is_not_found) where there is none.
            #[inline]
            pub fn get(&self, name: &str) -> Result<{shared}<{kind_type}>, {error}> {{
                self.lister.get(name)
            }}\n"
        )
    } else {
        let namespaced = imports.of_masthead("cache::NamespaceLister");
        format!(
            "/// The objects of one namespace.
            #[inline]
            pub fn namespace(&self, namespace: &str) -> {namespaced}<{kind_type}> {{
                self.lister.namespace(namespace)
            }}\n"
        )
    };
    format!(
        "\n/// Reads [`{kind_type}`] objects from a cache: `{}` of {title}. Cheap to clone.
        #[derive(Clone, Debug)]
        pub struct {name} {{
            lister: {lister}<{kind_type}>,
        }}

        impl {name} {{
            /// Reads `store`, which an informer keeps.
            #[inline]
            pub fn new(store: {store}<{kind_type}>) -> {name} {{
                {name} {{ lister: {lister}::new(store, {resource:?}) }}
            }}

            /// All objects that `selector` selects, in no order.
            #[inline]
            pub fn list(&self, selector: &{selector}) -> Vec<{shared}<{kind_type}>> {{
                self.lister.list(selector)
            }}

            {reading}
        }}\n",
        names.resource
    )
}

/// The module of all listers.
pub(crate) fn set(packages: &[Package], style: &Style) -> String {
    let with_listers = packages.iter().filter(|package| package.kinds.iter().any(Kind::has_lister));
    let modules: String =
        with_listers.map(|package| format!("{}pub mod {};\n", style.cfg(&feature(package)), package.name())).collect();
    format!("//! Typed listers, by group and version.\n//!\n//! {MARK}: do not edit.\n\n{modules}")
}
