//! The fake clientset: the real one on a simulated server.

use std::collections::BTreeMap;

use crate::{Kind, Package, generation::Style, naming::qualified, output::MARK};

/// The module of the fake clientset, whose clients are those of `clients`.
pub(crate) fn module(packages: &[Package], style: &Style, clients: &str) -> String {
    let mut imports = style.imports();
    imports.declare("FakeClientSet");
    let clients = imports.name(&format!("{clients}::ClientSet"));
    let [config, rest_client, runtime] =
        ["rest::Config", "rest::RestClient", "runtime::Runtime"].map(|path| imports.of_masthead(path));
    let (error, sim) = (imports.of_masthead("Error"), imports.name(&format!("{}::Sim", style.sim)));
    let (deref, shared, value) =
        (imports.name("std::ops::Deref"), imports.name("std::rc::Rc"), imports.name("serde_json::Value"));
    let definitions = definitions(packages, style);
    let (seed, list) = if definitions.is_empty() {
        (String::new(), String::new())
    } else {
        let json = imports.name("serde_json::json");
        let list = format!(
            "\n/// The kinds that a server learns from definitions; whatever their objects have is kept.
            fn definitions() -> Vec<{value}> {{ vec![{}] }}\n",
            definitions.replace("json!", &format!("{json}!"))
        );
        ("for definition in definitions() { sim.insert(definition); }\n".to_owned(), list)
    };
    let uses = imports.render();
    format!(
        "//! A clientset on a simulated server, for tests.\n//!\n//! {MARK}: do not edit.\n\n{uses}\
        /// The real clientset on a server in memory, which knows its kinds.
        ///
        /// What a test lets go wrong, and what it stores without a request, goes through [`sim`](Self::sim).
        #[derive(Clone, Debug)]
        pub struct FakeClientSet {{
            clients: {clients},
            sim: {sim},
        }}

        impl FakeClientSet {{
            /// A server that holds `objects`, each as it is given.
            ///
            /// # Errors
            ///
            /// An object that the server would not store: one without a name, or that is none of a kind it serves.
            pub fn new(runtime: {runtime}, objects: impl IntoIterator<Item = {value}>) -> Result<FakeClientSet, {error}> {{
                let sim = {sim}::new(runtime.clone());
                {seed}for object in objects {{
                    let told = object[\"kind\"].to_string();
                    if !sim.insert(object) {{
                        return Err({error}::invalid(\"make a fake clientset\", format!(\"one object of kind {{told}} cannot be stored\")));
                    }}
                }}
                let config = {config}::new(\"http://sim\", {shared}::new(sim.clone()), runtime);
                Ok(FakeClientSet {{ clients: {clients}::new(&{rest_client}::new(config)?), sim }})
            }}

            /// The server.
            pub fn sim(&self) -> &{sim} {{
                &self.sim
            }}
        }}

        impl {deref} for FakeClientSet {{
            type Target = {clients};

            fn deref(&self) -> &{clients} {{
                &self.clients
            }}
        }}
        {list}"
    )
}

/// The definitions of all kinds that are none of Kubernetes' own, as JSON in Rust. A kind has one for all its versions.
fn definitions(packages: &[Package], style: &Style) -> String {
    let mut kinds: BTreeMap<String, Vec<(&Package, &Kind)>> = BTreeMap::new();
    for (package, kind) in packages.iter().flat_map(|package| package.kinds.iter().map(move |kind| (package, kind))) {
        if !kind.origin.starts_with("k8s_openapi::") {
            let name = qualified(package, &style.names(kind).resource);
            kinds.entry(name).or_default().push((package, kind));
        }
    }
    kinds.iter().map(|(name, versions)| definition(name, versions, style)).collect()
}

fn definition(name: &str, versions: &[(&Package, &Kind)], style: &Style) -> String {
    let (package, kind) = versions[0];
    let (group, plural) = (&package.group, style.names(kind).resource);
    let (scope, singular) = (if kind.tags.non_namespaced { "Cluster" } else { "Namespaced" }, kind.name.to_lowercase());
    let served: String = versions.iter().enumerate().map(|(index, version)| served(index == 0, *version)).collect();
    let kind = &kind.name;
    format!(
        "json!({{
            \"apiVersion\": \"apiextensions.k8s.io/v1\",
            \"kind\": \"CustomResourceDefinition\",
            \"metadata\": {{ \"name\": \"{name}\" }},
            \"spec\": {{
                \"group\": \"{group}\",
                \"scope\": \"{scope}\",
                \"names\": {{ \"kind\": \"{kind}\", \"listKind\": \"{kind}List\", \"plural\": \"{plural}\", \"singular\": \"{singular}\" }},
                \"versions\": [{served}],
            }},
        }}),\n"
    )
}

/// One version of a kind; the first is the one that is stored.
fn served(is_stored: bool, (package, kind): (&Package, &Kind)) -> String {
    let mut parts = Vec::new();
    if kind.has_status && !kind.tags.no_status {
        parts.push("\"status\": {}");
    }
    if kind.tags.methods.iter().any(|method| method.subresource == "scale") {
        parts.push(
            "\"scale\": { \"specReplicasPath\": \".spec.replicas\", \"statusReplicasPath\": \".status.replicas\" }",
        );
    }
    format!(
        "{{
            \"name\": \"{}\", \"served\": true, \"storage\": {is_stored},
            \"schema\": {{ \"openAPIV3Schema\": {{ \"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true }} }},
            \"subresources\": {{ {} }},
        }},",
        package.version,
        parts.join(", ")
    )
}
