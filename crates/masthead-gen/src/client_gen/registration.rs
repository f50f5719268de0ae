//! What tells the library which kind a type is.

use crate::{Kind, Package, imports::Imports, naming::KindNames};

/// The `Resource` of a kind whose file has none: its tags say all there is to say.
pub(super) fn of(package: &Package, kind: &Kind, names: &KindNames, imports: &mut Imports) -> String {
    if !kind.needs_resource {
        return String::new();
    }
    let scope = if kind.tags.non_namespaced { "ClusterResourceScope" } else { "NamespaceResourceScope" };
    let scope = imports.name(&format!("kube_core::{scope}"));
    let (resource, meta) = (imports.name("kube_core::Resource"), imports.name("kube_core::ObjectMeta"));
    let cow = imports.name("std::borrow::Cow");
    let constants: String = [
        ("kind", kind.name.as_str()),
        ("group", &package.group),
        ("version", &package.version),
        ("plural", &names.resource),
    ]
    .map(|(name, value)| format!("\nfn {name}((): &()) -> {cow}<'_, str> {{ {value:?}.into() }}\n"))
    .concat();
    let kind_type = imports.name_as(&crate::naming::type_path(package, kind), &kind.name);
    format!(
        "\nimpl {resource} for {kind_type} {{
            type DynamicType = ();
            type Scope = {scope};
            {constants}
            fn meta(&self) -> &{meta} {{ &self.metadata }}

            fn meta_mut(&mut self) -> &mut {meta} {{ &mut self.metadata }}
        }}\n"
    )
}
