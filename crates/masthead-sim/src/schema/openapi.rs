//! The type that an OpenAPI v3 schema describes, with what Kubernetes adds to those.

use std::rc::Rc;

use serde_json::Value;

use super::{Field, ListMerge, ListType, MapType, Scalar, Schema, StructType, TypeRef, Unknown};

impl Schema {
    /// The type of the objects of a custom kind: what its schema says, and what every object has.
    pub(crate) fn of_custom(openapi: &Value) -> Schema {
        let schema = Schema::from_openapi(openapi);
        match schema {
            Schema::Struct(of) => Schema::Struct(of.with_identity()),
            other => other,
        }
    }

    /// The type that a structural schema describes; it names no definitions.
    pub(crate) fn from_openapi(openapi: &Value) -> Schema {
        let flag = |extension: &str| openapi[extension].as_bool() == Some(true);
        if flag("x-kubernetes-int-or-string") || openapi["format"] == "int-or-string" {
            return Schema::Scalar(Scalar::IntOrString);
        }
        let atomic = openapi["x-kubernetes-map-type"] == "atomic";
        match (openapi["type"].as_str(), openapi["format"].as_str()) {
            (Some("string"), Some("byte")) => Schema::Scalar(Scalar::Bytes),
            // Other than in Go's types these are strings like any other.
            (Some("string"), _) => Schema::Scalar(Scalar::String),
            (Some("boolean"), _) => Schema::Scalar(Scalar::Boolean),
            (Some("integer"), Some("int32")) => Schema::Scalar(Scalar::Int32),
            (Some("integer"), _) => Schema::Scalar(Scalar::Int64),
            (Some("number"), _) => Schema::Scalar(Scalar::Number),
            (Some("array"), _) => {
                let items = Schema::from_openapi(&openapi["items"]).into();
                Schema::List(ListType { items, merge: list_merge(openapi) })
            }
            (Some("object"), _) => match &openapi["additionalProperties"] {
                Value::Object(_) => {
                    let values = Schema::from_openapi(&openapi["additionalProperties"]).into();
                    Schema::Map(MapType { values, atomic })
                }
                Value::Bool(true) => Schema::Map(MapType { values: Schema::Any.into(), atomic }),
                _ => struct_of(openapi),
            },
            _ => Schema::Any,
        }
    }
}

impl StructType {
    /// The same with kind, version and metadata as every object has them.
    fn with_identity(mut self) -> StructType {
        for name in ["apiVersion", "kind"] {
            self.fields.insert(name.into(), Field::new(Schema::Scalar(Scalar::String)));
        }
        self.fields.insert("metadata".into(), Field::new(TypeRef::Recorded("meta.v1.ObjectMeta".into())));
        self
    }
}

fn struct_of(openapi: &Value) -> Schema {
    let required: Vec<&str> = openapi["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = openapi["properties"].as_object().into_iter().flatten().map(|(name, property)| {
        let field = Field {
            required: required.contains(&name.as_str()),
            default: property.get("default").cloned(),
            ..Field::new(Schema::from_openapi(property))
        };
        (Rc::from(name.as_str()), field)
    });
    let flag = |extension: &str| openapi[extension].as_bool() == Some(true);
    let of = StructType {
        name: "".into(),
        fields: fields.collect(),
        atomic: openapi["x-kubernetes-map-type"] == "atomic",
        unknown: if flag("x-kubernetes-preserve-unknown-fields") { Unknown::Kept } else { Unknown::Dropped },
    };
    Schema::Struct(if flag("x-kubernetes-embedded-resource") { of.with_identity() } else { of })
}

fn list_merge(openapi: &Value) -> ListMerge {
    match openapi["x-kubernetes-list-type"].as_str() {
        Some("set") => ListMerge::Set,
        Some("map") => {
            let keys = openapi["x-kubernetes-list-map-keys"].as_array().into_iter().flatten();
            ListMerge::Keyed(keys.filter_map(Value::as_str).map(Rc::from).collect())
        }
        _ => ListMerge::Atomic,
    }
}
