//! The text of a file: the kinds of one version of a group.

mod item;
mod root;

use super::{
    declaration::{BTREE_MAP, Body, Declarer, Fields, OBJECT_META, QUANTITY, QUANTITY_OR_INT, Scope, VALUE},
    definition::{Definition, Version},
    ident::{self, Names},
};
use crate::{imports::Imports, output::MARK};

/// The kinds of one version of a group.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) group: &'a str,
    /// What the group is called, if that is not its first label.
    pub(super) group_name: Option<&'a str>,
    pub(super) version: &'a str,
    /// In the order of their names.
    pub(super) kinds: Vec<(&'a Definition, &'a Version)>,
}

/// The types of a file; rustfmt has not seen them.
pub(super) fn file(file: &File) -> String {
    let imports = Imports::new("masthead");
    let mut scope = Scope { names: Names::new(RESERVED), imports, has_quantity_or_int: false };
    let kinds = file.kinds.iter().map(|(definition, _)| ident::pascal(&definition.kind));
    let names: Vec<String> = kinds.map(|kind| scope.names.take(&kind, "")).collect();
    names.iter().for_each(|name| scope.imports.declare(name));
    for import in ["serde::Deserialize", "serde::Serialize"] {
        scope.imports.name(import);
    }
    let metadata = scope.imports.name(OBJECT_META);
    let (mut body, mut keeps_null, mut keeps_unknown) = (String::new(), false, false);
    for ((definition, version), name) in file.kinds.iter().zip(&names) {
        let (fields, declarations) = Declarer::new(name, &mut scope).declare(&version.fields);
        let below = declarations.iter().filter_map(|declaration| match &declaration.body {
            Body::Struct(fields) => Some(fields),
            Body::Enum(_) => None,
        });
        keeps_null |= below.chain([&fields]).any(Fields::keeps_null);
        keeps_unknown |= fields.unknown.is_some();
        body.push_str(&root::Root { name, definition, version, fields: &fields, metadata: &metadata }.text());
        declarations.iter().for_each(|declaration| body.push_str(&item::text(declaration)));
    }
    if scope.has_quantity_or_int {
        body.push_str(&QUANTITY_TYPE.replace("Quantity(Q)", &format!("Quantity({})", scope.imports.name(QUANTITY))));
    }
    if keeps_null {
        body.push_str(PRESENT);
    }
    if keeps_unknown {
        let (map, value) = (scope.imports.name(BTREE_MAP), scope.imports.name(VALUE));
        body.push_str(&UNNAMED.replace("Fields", &format!("{map}<String, {value}>")));
    }
    head(file) + &scope.imports.render() + &body
}

fn head(file: &File) -> String {
    let File { group, group_name, version, .. } = file;
    let go_name = group_name.map(|name| format!("// +groupGoName={name}\n")).unwrap_or_default();
    format!(
        "//! The kinds of {group}/{version}, as their definitions have them.\n//!\n//! {MARK} crd-types: do not edit.\n\n\
         {ALLOW}\n\n// +groupName={group}\n{go_name}\n"
    )
}

const ALLOW: &str = "#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = \"as the definitions have it\"
)]";

const QUANTITY_TYPE: &str = "/// A quantity as it was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum QuantityOrInt {
    Int(i64),
    Quantity(Q),
}

impl Default for QuantityOrInt {
    fn default() -> QuantityOrInt {
        QuantityOrInt::Int(0)
    }
}

";

const PRESENT: &str = "/// Tells a field that is `null` from one that is not there.
fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

";

const UNNAMED: &str = "/// What neither the definition names nor every object has.
fn unnamed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
    let mut fields = <Fields>::deserialize(deserializer)?;
    fields.retain(|name, _| name != \"apiVersion\" && name != \"kind\");
    Ok(fields)
}

";

/// Names that no type can have, since the file uses them otherwise.
const RESERVED: [&str; 30] = [
    "BTreeMap",
    "Box",
    "ByteString",
    "Clone",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Err",
    "From",
    "Hash",
    "IntOrString",
    "Into",
    "LabelSelector",
    "Map",
    "None",
    "ObjectMeta",
    "Ok",
    "Option",
    "PartialEq",
    "Quantity",
    QUANTITY_OR_INT,
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Timestamp",
    "Value",
    "Vec",
];
