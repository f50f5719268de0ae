//! The text of the type of a kind: its tags, its fields, and what makes it a resource.

use super::item;
use crate::{
    Plurals,
    crd::{
        declaration::{Fields, Member},
        definition::{Definition, Version},
        doc,
    },
};

/// A version of a kind and the type that it becomes.
pub(super) struct Root<'a> {
    /// Of the type.
    pub(super) name: &'a str,
    pub(super) definition: &'a Definition,
    pub(super) version: &'a Version,
    pub(super) fields: &'a Fields,
    /// What `ObjectMeta` is called in the file.
    pub(super) metadata: &'a str,
}

impl Root<'_> {
    pub(super) fn text(&self) -> String {
        let Root { name, fields, metadata, .. } = self;
        let members: String = fields.members.iter().map(item::member).collect();
        let unknown =
            |(ident, rust): &(String, String)| item::unknown("flatten, deserialize_with = \"unnamed\"", ident, rust);
        let unknown = fields.unknown.as_ref().map(unknown).unwrap_or_default();
        let (tags, doc) = (self.tags(), doc::comment(&self.description(), ""));
        format!(
            "{tags}{doc}#[derive(Clone, Debug, Default, PartialEq, Deserialize)]\n{}\npub struct {name} {{\n    \
             pub metadata: {metadata},\n{members}{unknown}}}\n\n{}{}",
            item::CONTAINER,
            self.resource(),
            self.serialize()
        )
    }

    fn description(&self) -> String {
        let Root { definition, version, .. } = self;
        let described = match version.doc.is_empty() {
            true => format!("A {} of {}/{}.", definition.kind, definition.group, version.name),
            false => version.doc.clone(),
        };
        match &version.deprecated {
            Some(why) => format!("{described}\n\nDeprecated: {why}"),
            None => described,
        }
    }

    fn tags(&self) -> String {
        let Root { definition, version, .. } = self;
        let has_status = self.fields.members.iter().any(|member| member.ident == "status");
        let mut tags = vec!["+genclient".to_owned()];
        if !definition.namespaced {
            tags.push("+genclient:nonNamespaced".to_owned());
        }
        if has_status && !version.has_status {
            tags.push("+genclient:noStatus".to_owned());
        }
        if version.has_scale {
            let method = |name: &str, verb: &str, input: &str| {
                format!("+genclient:method={name},verb={verb},subresource=scale,{input}result={SCALE}")
            };
            let input = format!("input={SCALE},");
            tags.push(method("GetScale", "get", ""));
            tags.push(method("UpdateScale", "update", &input));
            tags.push(method("ApplyScale", "apply", &input));
        }
        if Plurals::default().resource_of(self.name) != definition.plural {
            tags.push(format!("+resourceName={}", definition.plural));
        }
        tags.iter().map(|tag| format!("// {tag}\n")).collect()
    }

    fn resource(&self) -> String {
        let Root { name, metadata, .. } = self;
        let Definition { group, kind, list_kind, plural, namespaced, .. } = self.definition;
        let (version, scope) = (&self.version.name, if *namespaced { "Namespace" } else { "Cluster" });
        format!(
            "impl k8s_openapi::Resource for {name} {{
    const API_VERSION: &'static str = \"{group}/{version}\";
    const GROUP: &'static str = \"{group}\";
    const KIND: &'static str = {kind:?};
    const VERSION: &'static str = \"{version}\";
    const URL_PATH_SEGMENT: &'static str = \"{plural}\";
    type Scope = k8s_openapi::{scope}ResourceScope;
}}

impl k8s_openapi::ListableResource for {name} {{
    const LIST_KIND: &'static str = {list_kind:?};
}}

impl k8s_openapi::Metadata for {name} {{
    type Ty = {metadata};

    fn metadata(&self) -> &Self::Ty {{
        &self.metadata
    }}

    fn metadata_mut(&mut self) -> &mut Self::Ty {{
        &mut self.metadata
    }}
}}

"
        )
    }

    /// A kind writes what it is before its fields.
    fn serialize(&self) -> String {
        let Root { name, fields, .. } = self;
        let entry = |Member { ident, property, optional, .. }: &Member| match optional {
            true => format!(
                "        if let Some(value) = &self.{ident} {{
            fields.serialize_entry({property:?}, value)?;
        }}
"
            ),
            false => format!("        fields.serialize_entry({property:?}, &self.{ident})?;\n"),
        };
        let entries: String = fields.members.iter().map(entry).collect();
        let unknown = |(ident, _): &(String, String)| {
            format!(
                "        for (name, value) in &self.{ident} {{
            fields.serialize_entry(name, value)?;
        }}
"
            )
        };
        let unknown = fields.unknown.as_ref().map(unknown).unwrap_or_default();
        format!(
            "impl Serialize for {name} {{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {{
        use serde::ser::SerializeMap as _;

        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry(\"apiVersion\", <{name} as k8s_openapi::Resource>::API_VERSION)?;
        fields.serialize_entry(\"kind\", <{name} as k8s_openapi::Resource>::KIND)?;
        fields.serialize_entry(\"metadata\", &self.metadata)?;
{entries}{unknown}        fields.end()
    }}
}}

"
        )
    }
}

const SCALE: &str = "k8s_openapi::api::autoscaling::v1::Scale";
