//! The fake clientset: the real one on a simulated server.

use std::collections::BTreeMap;

use crate::{Kind, Package, Verbs, generation::Style, naming::qualified, output::MARK};

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
    let (stored, list) = if definitions.is_empty() {
        ("objects", String::new())
    } else {
        let json = imports.name("serde_json::json");
        let made = format!(
            "\n/// The kinds that a server learns from definitions; whatever their objects have is kept.
            fn definitions() -> Vec<{value}> {{ vec![{definitions}] }}\n{DEFINITION}"
        );
        let list = made.replace("json!", &format!("{json}!")).replace("VALUE", &value);
        let list = list.replace("BTREEMAP", &imports.name("std::collections::BTreeMap"));
        ("definitions().into_iter().chain(objects)", list)
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
                for object in {stored} {{
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
        let is_served = kind.tags.verbs != Verbs::None;
        if is_served && !kind.origin.starts_with("k8s_openapi::") {
            let name = qualified(package, &style.names(kind).resource);
            kinds.entry(name).or_default().push((package, kind));
        }
    }
    kinds.values().map(|versions| definition(versions, style)).collect()
}

fn definition(versions: &[(&Package, &Kind)], style: &Style) -> String {
    let (package, kind) = versions[0];
    let (group, plural) = (&package.group, style.names(kind).resource);
    let scope = if kind.tags.non_namespaced { "Cluster" } else { "Namespaced" };
    let served: String =
        versions.iter().map(|(package, kind)| format!("({:?}, &[{}]),", package.version, subresources(kind))).collect();
    format!("definition({:?}, {plural:?}, {group:?}, {scope:?}, &[{served}]),\n", kind.name)
}

/// The subresources that a client of the kind uses, among those that definitions can have.
fn subresources(kind: &Kind) -> String {
    let has_status = kind.has_status && !kind.tags.no_status;
    let has_scale = kind.tags.methods.iter().any(|method| method.subresource == "scale");
    let parts = [has_status.then_some("\"status\""), has_scale.then_some("\"scale\"")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What makes a definition in the generated file.
const DEFINITION: &str = r#"
/// The definition of a kind: its versions with their subresources, of which the first is stored.
fn definition(kind: &str, plural: &str, group: &str, scope: &str, versions: &[(&str, &[&str])]) -> VALUE {
    let part = |name: &&str| match *name {
        "scale" => json!({ "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" }),
        _ => json!({}),
    };
    let version = |(index, (name, parts)): (usize, &(&str, &[&str]))| {
        let parts: BTREEMAP<&str, VALUE> = parts.iter().map(|name| (*name, part(name))).collect();
        json!({
            "name": name, "served": true, "storage": index == 0, "subresources": parts,
            "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } },
        })
    };
    let versions: Vec<VALUE> = versions.iter().enumerate().map(version).collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.{group}") },
        "spec": {
            "group": group, "scope": scope, "versions": versions,
            "names": {
                "kind": kind, "listKind": format!("{kind}List"), "plural": plural, "singular": kind.to_lowercase(),
            },
        },
    })
}
"#;
