//! The text of a type below a kind.

use crate::crd::{
    declaration::{Body, Declaration, Member},
    doc,
    ident::{self, Names},
};

pub(super) fn text(declaration: &Declaration) -> String {
    let Declaration { name, doc, body } = declaration;
    let doc = doc::comment(doc, "");
    match body {
        Body::Struct(fields) => {
            let members: String = fields.members.iter().map(member).collect();
            let unknown = fields.unknown.as_ref().map(|(ident, rust)| unknown("flatten", ident, rust));
            format!(
                "{doc}#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]\n{CONTAINER}\n\
                 pub struct {name} {{\n{members}{}}}\n\n",
                unknown.unwrap_or_default()
            )
        }
        Body::Enum(variants) => doc + &enumeration(name, variants),
    }
}

/// An enum that also holds values which came later than it.
fn enumeration(name: &str, variants: &[(String, String)]) -> String {
    let mut names = Names::new(variants.iter().map(|(variant, _)| variant.as_str()));
    let other = names.take("Other", "");
    let empty = variants.iter().find(|(_, value)| value.is_empty());
    let default = empty.map_or_else(|| format!("{other}(String::new())"), |(variant, _)| variant.clone());
    let variant = |(variant, value): &(String, String)| match variant == value {
        true => format!("    {variant},\n"),
        false => format!("    #[serde(rename = {value:?})]\n    {variant},\n"),
    };
    let variants: String = variants.iter().map(variant).collect();
    format!(
        "#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum {name} {{
{variants}    /// A value that the definition did not have.
    #[serde(untagged)]
    {other}(String),
}}

impl Default for {name} {{
    fn default() -> {name} {{
        {name}::{default}
    }}
}}

"
    )
}

/// A field with its attributes. Each has a line of its own: what stands together, rustfmt breaks where it pleases.
pub(super) fn member(member: &Member) -> String {
    let mut text = doc::comment(&member.doc, "    ");
    if ident::camel(&member.ident) != member.property {
        text.push_str(&format!("    #[serde(rename = {:?})]\n", member.property));
    }
    if member.optional {
        text.push_str("    #[serde(skip_serializing_if = \"Option::is_none\")]\n");
    }
    if member.optional && member.keeps_null {
        text.push_str("    #[serde(deserialize_with = \"present\")]\n");
    }
    text + &format!("    pub {}: {},\n", member.ident, member.rust)
}

/// The field of what the definition does not name.
pub(super) fn unknown(serde: &str, ident: &str, rust: &str) -> String {
    format!("    /// What the definition does not name.\n    #[serde({serde})]\n    pub {ident}: {rust},\n")
}

/// A field that should be there and is not is empty, as in Go: one such object must not end the list that it is in.
pub(super) const CONTAINER: &str = "#[serde(rename_all = \"camelCase\", default)]";
