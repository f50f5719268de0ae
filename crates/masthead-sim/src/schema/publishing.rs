//! A type as an OpenAPI v3 schema, without the words that explain it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Field, ListMerge, PatchRule, Scalar, Schema, TypeRef, recorded};

/// The schemas of recorded types and of all that they are made of, by the names that the real server gives them.
pub(crate) fn publish(names: impl IntoIterator<Item = String>) -> BTreeMap<String, Value> {
    let mut left: Vec<String> = names.into_iter().collect();
    let mut published = BTreeMap::new();
    while let Some(name) = left.pop() {
        let full = full_name(&name);
        if published.contains_key(&full) {
            continue;
        }
        if let Some(schema) = recorded::find(&name) {
            left.extend(references(&schema));
            published.insert(full, schema.to_openapi());
        }
    }
    published
}

/// The name of a built-in kind's type.
pub(crate) fn name_of_kind(group: &str, version: &str, kind: &str) -> Option<&'static str> {
    recorded::name_of_kind(group, version, kind)
}

/// A type's name as the real server has it.
pub(crate) fn full_name(name: &str) -> String {
    match name {
        _ if name.starts_with("io.") => name.to_owned(),
        _ if name.starts_with("meta.") => format!("io.k8s.apimachinery.pkg.apis.{name}"),
        _ => format!("io.k8s.api.{name}"),
    }
}

fn references(schema: &Schema) -> Vec<String> {
    let of = |of: &TypeRef| match of {
        TypeRef::Here(schema) => references(schema),
        TypeRef::Recorded(name) | TypeRef::RecordedAs { name, .. } => vec![name.to_string()],
    };
    match schema {
        Schema::Struct(it) => it.fields.values().flat_map(|field| of(&field.of)).collect(),
        Schema::Map(it) => of(&it.values),
        Schema::List(it) => of(&it.items),
        Schema::Scalar(_) | Schema::Any | Schema::Opaque => Vec::new(),
    }
}

impl Schema {
    fn to_openapi(&self) -> Value {
        match self {
            Schema::Any => json!({}),
            Schema::Opaque => json!({ "type": "object" }),
            Schema::Scalar(scalar) => scalar.to_openapi(),
            Schema::Struct(of) => {
                let properties = of.fields.iter().map(|(name, field)| (name.to_string(), field.to_openapi()));
                let mut schema = json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() });
                let required = of.fields.iter().filter(|(_, field)| field.required);
                let required: Vec<Value> = required.map(|(name, _)| Value::from(&**name)).collect();
                if !required.is_empty() {
                    schema["required"] = required.into();
                }
                if of.atomic {
                    schema["x-kubernetes-map-type"] = "atomic".into();
                }
                schema
            }
            Schema::Map(of) => {
                let mut schema = json!({ "type": "object", "additionalProperties": of.values.to_openapi() });
                if of.atomic {
                    schema["x-kubernetes-map-type"] = "atomic".into();
                }
                schema
            }
            Schema::List(of) => {
                let mut schema = json!({ "type": "array", "items": of.items.to_openapi() });
                schema["x-kubernetes-list-type"] = match &of.merge {
                    ListMerge::Atomic => "atomic".into(),
                    ListMerge::Set => "set".into(),
                    ListMerge::Keyed(keys) => {
                        schema["x-kubernetes-list-map-keys"] = keys.iter().map(|key| Value::from(&**key)).collect();
                        "map".into()
                    }
                };
                schema
            }
        }
    }
}

impl TypeRef {
    fn to_openapi(&self) -> Value {
        let reference = |name: &str| json!([{ "$ref": format!("#/components/schemas/{}", full_name(name)) }]);
        match self {
            TypeRef::Here(schema) => schema.to_openapi(),
            TypeRef::Recorded(name) => json!({ "allOf": reference(name) }),
            TypeRef::RecordedAs { name, atomic } => {
                let rule = if *atomic { "atomic" } else { "granular" };
                json!({ "allOf": reference(name), "x-kubernetes-map-type": rule })
            }
        }
    }
}

impl Field {
    fn to_openapi(&self) -> Value {
        let mut schema = self.of.to_openapi();
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        if let Some(key) = &self.patch.merge_key {
            schema["x-kubernetes-patch-merge-key"] = Value::from(&**key);
        }
        let strategy = self.patch.strategy();
        if !strategy.is_empty() {
            schema["x-kubernetes-patch-strategy"] = strategy.into();
        }
        schema
    }
}

impl PatchRule {
    fn strategy(&self) -> String {
        let all = [(self.replaces, "replace"), (self.merges, "merge"), (self.retains_keys, "retainKeys")];
        all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect::<Vec<_>>().join(",")
    }
}

impl Scalar {
    fn to_openapi(self) -> Value {
        match self {
            Scalar::String => json!({ "type": "string" }),
            Scalar::Bytes => json!({ "type": "string", "format": "byte" }),
            Scalar::Time | Scalar::MicroTime => json!({ "type": "string", "format": "date-time" }),
            Scalar::Boolean => json!({ "type": "boolean" }),
            Scalar::Int32 => json!({ "type": "integer", "format": "int32" }),
            Scalar::Int64 => json!({ "type": "integer", "format": "int64" }),
            Scalar::Number => json!({ "type": "number", "format": "double" }),
            Scalar::IntOrString => {
                json!({ "format": "int-or-string", "oneOf": [{ "type": "integer" }, { "type": "string" }] })
            }
            Scalar::Quantity => json!({ "oneOf": [{ "type": "string" }, { "type": "number" }] }),
        }
    }
}
