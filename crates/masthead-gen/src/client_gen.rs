//! client-gen: typed clients of a version, and the clientset of all.

mod extension;
mod registration;
mod verbs;

use std::path::Path;

use crate::{
    Kind, Package, Verb,
    generation::Style,
    imports::Imports,
    naming::{KindNames, camel, feature, type_path},
    output::MARK,
};

/// The clients of one version.
pub(crate) fn version(package: &Package, style: &Style, folder: &Path) -> String {
    let (name, title) = (camel(&package.name()), package.title());
    let kinds: Vec<(&Kind, KindNames)> =
        package.kinds.iter().filter(|kind| kind.has_client()).map(|kind| (kind, style.names(kind))).collect();
    let mut imports = style.imports();
    imports.declare(&name);
    kinds.iter().for_each(|(_, names)| imports.declare(&names.client()));
    let types: Vec<String> =
        kinds.iter().map(|(kind, _)| imports.name_as(&type_path(package, kind), &kind.name)).collect();
    let rest_client = imports.of_masthead("rest::RestClient");
    let client = imports.of_masthead("typed::Client");

    let expansions = style.expansions(kinds.iter().map(|(_, names)| names), &folder.join(package.name()));
    let mut accessors = String::new();
    let mut clients = String::new();
    for ((kind, names), kind_type) in kinds.iter().zip(&types) {
        accessors += &accessor(kind, names, &client);
        let expanded = expansions.contains(&names.expansion);
        clients += &one(&Place { package, kind, names, kind_type, expanded }, &mut imports, &client);
    }
    let modules: String = expansions.iter().map(|module| format!("mod {module};\n")).collect();
    let (group, version) = (&package.group, &package.version);
    let uses = imports.render();
    format!(
        "//! Clients of the kinds of {title}.\n//!\n//! {MARK}: do not edit. What is written by hand goes to \
         `{}/*_expansion.rs`.\n\n{modules}\n{uses}/// The clients of {title}. Cheap to clone.
        #[derive(Clone, Debug)]
        pub struct {name} {{
            client: {rest_client},
        }}

        impl {name} {{
            /// Clients of the server that `client` talks to.
            #[inline]
            pub fn new(client: &{rest_client}) -> {name} {{
                {name} {{ client: client.group_version({group:?}, {version:?}) }}
            }}

            /// The REST client beneath, for paths of this version.
            #[inline]
            pub fn rest_client(&self) -> &{rest_client} {{
                &self.client
            }}
            {accessors}
        }}
        {clients}",
        package.name(),
    )
}

/// A kind, and where its client is written.
struct Place<'a> {
    package: &'a Package,
    kind: &'a Kind,
    names: &'a KindNames,
    /// What its type is called in the file.
    kind_type: &'a str,
    /// Whether something is written by hand for it.
    expanded: bool,
}

fn accessor(kind: &Kind, names: &KindNames, client: &str) -> String {
    let KindNames { accessor, resource, .. } = names;
    let struct_name = names.client();
    if kind.tags.non_namespaced {
        return format!(
            "\n/// The client of `{resource}`.
            #[inline]
            pub fn {accessor}(&self) -> {struct_name} {{
                {struct_name} {{ client: {client}::cluster_resource(&self.client, {resource:?}) }}
            }}\n"
        );
    }
    format!(
        "\n/// The client of `{resource}` of one namespace; an empty one is all.
        #[inline]
        pub fn {accessor}(&self, namespace: &str) -> {struct_name} {{
            {struct_name} {{ client: {client}::namespaced_resource(&self.client, {resource:?}, namespace) }}
        }}\n"
    )
}

fn one(place: &Place<'_>, imports: &mut Imports, client: &str) -> String {
    let Place { package, kind, names, kind_type, expanded } = place;
    let (struct_name, title) = (names.client(), package.title());
    let verbs = kind.verbs();
    let mut methods = String::new();
    // The generic client has every verb, so that it is given out only where nothing is left out.
    if Verb::ALL.iter().all(|verb| kind.tags.leaves(*verb) || verb.is_of_status()) {
        methods += &format!(
            "/// The generic client beneath, for what has no name here: pages, watches that outlive their connections.
            #[inline]
            pub fn generic(&self) -> &{client}<{kind_type}> {{
                &self.client
            }}\n"
        );
    }
    for verb in &verbs {
        methods += "\n";
        methods += &verbs::method(*verb, kind_type, imports);
    }
    for method in &kind.tags.methods {
        methods += "\n";
        methods += &extension::method(package, kind, method, imports);
    }
    let unused = methods.is_empty() && !expanded;
    let allow =
        if unused { "#[allow(dead_code, reason = \"there is nothing to call until it is expanded\")]\n" } else { "" };
    let body = if methods.is_empty() { String::new() } else { format!("impl {struct_name} {{\n{methods}}}\n") };
    let registration = registration::of(package, kind, names, imports);
    format!(
        "\n/// The client of [`{kind_type}`] objects: `{}` of {title}. Cheap to clone.
        #[derive(Clone, Debug)]
        pub struct {struct_name} {{
            {allow}client: {client}<{kind_type}>,
        }}\n\n{body}{registration}",
        names.resource
    )
}

/// The clientset: the clients of every version.
pub(crate) fn set(packages: &[Package], style: &Style) -> String {
    let mut imports = style.imports();
    imports.declare("ClientSet");
    let (rest_client, discovery) =
        (imports.of_masthead("rest::RestClient"), imports.of_masthead("discovery::DiscoveryClient"));
    let (mut modules, mut accessors) = (String::new(), String::new());
    for package in packages.iter().filter(|package| package.kinds.iter().any(Kind::has_client)) {
        let (module, title, cfg) = (package.name(), package.title(), style.cfg(&feature(package)));
        let name = camel(&module);
        modules += &format!("{cfg}pub mod {module};\n");
        accessors += &format!(
            "\n/// The clients of {title}.
            {cfg}#[inline]
            pub fn {module}(&self) -> {module}::{name} {{
                {module}::{name}::new(&self.client)
            }}\n"
        );
    }
    let uses = imports.render();
    format!(
        "//! Typed clients, by group and version.\n//!\n//! {MARK}: do not edit.\n\n{modules}\n{uses}
        /// The clients of every version, over one REST client. Cheap to clone.
        #[derive(Clone, Debug)]
        pub struct ClientSet {{
            client: {rest_client},
        }}

        impl ClientSet {{
            /// Clients of the server that `client` talks to.
            pub fn new(client: &{rest_client}) -> ClientSet {{
                ClientSet {{ client: client.clone() }}
            }}

            /// The REST client beneath.
            pub fn rest_client(&self) -> &{rest_client} {{
                &self.client
            }}

            /// What the server serves.
            pub fn discovery(&self) -> {discovery} {{
                {discovery}::over(self.client.clone())
            }}
            {accessors}
        }}\n"
    )
}
