//! informer-gen: typed informers of a version, and the factory of all.

use std::collections::BTreeMap;

use crate::{
    Kind, Package,
    generation::Style,
    imports::Imports,
    naming::{KindNames, camel, feature, type_path},
    output::MARK,
};

/// The informers of one version.
pub(crate) fn version(package: &Package, style: &Style) -> String {
    let (name, title) = (camel(&package.name()), package.title());
    let kinds: Vec<(&Kind, KindNames)> =
        package.kinds.iter().filter(|kind| kind.has_informer()).map(|kind| (kind, style.names(kind))).collect();
    let mut imports = style.imports();
    imports.declare(&name);
    kinds.iter().for_each(|(_, names)| imports.declare(&names.informer()));
    let (scope, generic) = (imports.of_masthead("cache::InformerScope"), imports.of_masthead("cache::GenericInformer"));
    let (mut accessors, mut arms, mut informers) = (String::new(), String::new(), String::new());
    for (kind, names) in &kinds {
        let informer = names.informer();
        let KindNames { accessor, resource, .. } = names;
        let place = if kind.tags.non_namespaced { "cluster" } else { "namespaced" };
        let (group, version) = (&package.group, &package.version);
        accessors += &format!(
            "\n/// The informer of `{resource}`.
            #[inline]
            pub fn {accessor}(&self) -> {informer} {{
                {informer} {{ informer: self.scope.{place}({group:?}, {version:?}, {resource:?}) }}
            }}\n"
        );
        arms += &format!("{resource:?} => {generic}::new(&self.{accessor}().informer),\n");
        informers += &one(package, (kind, names), style, &mut imports);
    }
    let uses = imports.render();
    format!(
        "//! Informers of the kinds of {title}.\n//!\n//! {MARK}: do not edit.\n\n{uses}/// The informers of {title}. \
        Whoever asks for the same gets the same one.
        #[derive(Clone, Debug)]
        pub struct {name} {{
            scope: {scope},
        }}

        impl {name} {{
            /// Informers of what `scope` sees.
            #[inline]
            pub fn new(scope: &{scope}) -> {name} {{
                {name} {{ scope: scope.clone() }}
            }}
            {accessors}
            /// The informer of a resource by its name, or `None` if this version has no such resource.
            ///
            /// Whoever calls it has every kind of the version in the program.
            #[inline]
            pub fn for_resource(&self, resource: &str) -> Option<{generic}> {{
                Some(match resource {{
                    {arms}_ => return None,
                }})
            }}
        }}
        {informers}"
    )
}

fn one(package: &Package, (kind, names): (&Kind, &KindNames), style: &Style, imports: &mut Imports) -> String {
    let kind_type = imports.name_as(&type_path(package, kind), &kind.name);
    let (name, shared) = (names.informer(), imports.of_masthead("cache::SharedInformer"));
    let lister = if kind.has_lister() {
        let lister = imports.name(&format!("{}::{}::{}", style.listers, package.name(), names.lister()));
        format!(
            "\n/// Reads its local copy.
            #[inline]
            pub fn lister(&self) -> {lister} {{
                {lister}::new(self.informer.store())
            }}\n"
        )
    } else {
        String::new()
    };
    format!(
        "\n/// The informer of [`{kind_type}`] objects, and their lister. Cheap to clone.
        #[derive(Clone, Debug)]
        pub struct {name} {{
            informer: {shared}<{kind_type}>,
        }}

        impl {name} {{
            /// The informer; it begins when it or its factory is started.
            #[inline]
            pub fn informer(&self) -> &{shared}<{kind_type}> {{
                &self.informer
            }}
            {lister}
        }}\n"
    )
}

/// The factory of all informers.
pub(crate) fn set(packages: &[Package], style: &Style) -> String {
    let with: Vec<&Package> = packages.iter().filter(|package| package.kinds.iter().any(Kind::has_informer)).collect();
    let mut groups: BTreeMap<&str, Vec<&Package>> = BTreeMap::new();
    for package in &with {
        groups.entry(&package.group_name).or_default().push(package);
    }
    let mut imports = style.imports();
    imports.declare("SharedInformerFactory");
    groups.keys().for_each(|group| imports.declare(&camel(group)));
    let factory = factory(&with, groups.values(), style, &mut imports);
    let groups: String = groups.values().map(|versions| group(versions, style, &mut imports)).collect();
    let module = |package: &&Package| format!("{}pub mod {};\n", style.cfg(&feature(package)), package.name());
    let (modules, uses) = (with.iter().map(module).collect::<String>(), imports.render());
    format!(
        "//! Typed informers, by group and version, and the factory that shares them.\n//!\n//! {MARK}: do not edit.\n\n\
        {modules}\n{uses}{factory}{groups}"
    )
}

fn factory<'a>(
    packages: &[&Package],
    groups: impl Iterator<Item = &'a Vec<&'a Package>>,
    style: &Style,
    imports: &mut Imports,
) -> String {
    let [scope, factory, generic, rest_client, error] =
        ["cache::InformerScope", "cache::InformerFactory", "cache::GenericInformer", "rest::RestClient", "Error"]
            .map(|path| imports.of_masthead(path));
    let resource = imports.name("kube_core::GroupVersionResource");
    let arm = |package: &&Package| {
        let Package { group_name, group, version, .. } = package;
        let cfg = style.cfg(&feature(package));
        format!("{cfg}({group:?}, {version:?}) => self.{group_name}().{version}().for_resource(&resource.resource),\n")
    };
    let arms: String = packages.iter().map(arm).collect();
    let accessors: String = groups
        .map(|versions| {
            let (group, cfg) = (&versions[0].group_name, style.cfg(&feature(versions[0])));
            let (name, told) = (camel(group), told(versions[0]));
            format!(
                "\n/// The informers of {told}.
                {cfg}#[inline]
                pub fn {group}(&self) -> {name} {{ {name} {{ scope: self.scope.clone() }} }}\n"
            )
        })
        .collect();
    let allow = if style.features { MANY_OR_NONE } else { "" };
    format!(
        "/// Gives out informers, the same one to everyone who asks for the same. Clones are the same factory.
        #[derive(Clone, Debug)]
        pub struct SharedInformerFactory {{
            scope: {scope},
        }}

        impl SharedInformerFactory {{
            /// Informers of everything that `client` can see.
            pub fn new(client: &{rest_client}) -> SharedInformerFactory {{
                SharedInformerFactory::within({scope}::new(client, &{factory}::default()))
            }}

            /// Informers of what `scope` sees: one namespace, a selection, by a factory of one's own.
            pub fn within(scope: {scope}) -> SharedInformerFactory {{
                SharedInformerFactory {{ scope }}
            }}

            /// What the informers see.
            pub fn scope(&self) -> &{scope} {{
                &self.scope
            }}

            /// Starts every informer that was asked for and does not run.
            pub fn start(&self) {{
                self.scope.factory().start();
            }}

            /// Stops every informer. They can be started again.
            pub fn stop(&self) {{
                self.scope.factory().stop();
            }}

            /// Completes once every informer is complete; fails with the first that will not be by itself.
            pub async fn synced(&self) -> Result<(), {error}> {{
                self.scope.factory().synced().await
            }}

            /// The informer of a resource by its name, or `None` if no version here has it.
            ///
            /// Whoever calls it has every kind in the program; ask a version for its own where that is too much.
            #[inline]
            {allow}pub fn for_resource(&self, resource: &{resource}) -> Option<{generic}> {{
                match (resource.group.as_str(), resource.version.as_str()) {{
                    {arms}_ => None,
                }}
            }}
            {accessors}
        }}\n"
    )
}

const MANY_OR_NONE: &str = "#[allow(clippy::match_single_binding, clippy::too_many_lines, \
                            reason = \"as many arms as there are versions with their features\")]\n";

/// The informers of a group, by version.
fn group(versions: &[&Package], style: &Style, imports: &mut Imports) -> String {
    let (cfg, scope) = (style.cfg(&feature(versions[0])), imports.of_masthead("cache::InformerScope"));
    let (name, told) = (camel(&versions[0].group_name), told(versions[0]));
    let accessor = |package: &&Package| {
        let (module, version, title) = (package.name(), &package.version, package.title());
        let name = camel(&module);
        format!(
            "/// The informers of {title}.
            #[inline]
            pub fn {version}(&self) -> {module}::{name} {{ {module}::{name}::new(&self.scope) }}\n\n"
        )
    };
    let accessors: String = versions.iter().map(accessor).collect();
    format!(
        "\n/// The informers of {told}, by version.
        {cfg}#[derive(Clone, Debug)]
        pub struct {name} {{
            scope: {scope},
        }}

        {cfg}impl {name} {{
            {accessors}
        }}\n"
    )
}

/// A group as people say it.
fn told(package: &Package) -> &str {
    if package.group.is_empty() { "core" } else { &package.group }
}
