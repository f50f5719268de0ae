//! A value as the server writes it: without what is empty or unknown, and with what Go writes even so.
//!
//! A list or map with nothing in it is written as it was given, until it was stored once: from then on it is `null`.

use serde_json::{Map, Value};

use super::{Empty, Field, Scalar, Schema, StructType};
use crate::tree::is_empty;

impl Schema {
    /// Brings a value into the form in which a Go type of this shape would write it. Types of custom kinds change nothing.
    pub(crate) fn write(&self, value: &mut Value) {
        self.walk(value, false);
    }

    /// The same for a value that is read back from where it was stored.
    pub(crate) fn write_stored(&self, value: &mut Value) {
        self.walk(value, true);
    }

    fn walk(&self, value: &mut Value, stored: bool) {
        match self {
            Schema::Struct(of) if of.name.is_empty() => {}
            Schema::Struct(of) => {
                if !value.is_object() {
                    *value = Value::Object(Map::new());
                }
                if let Some(fields) = value.as_object_mut() {
                    of.walk(fields, stored);
                }
            }
            Schema::Map(of) => {
                let values = of.values.schema();
                for value in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
                    values.walk(value, stored);
                }
            }
            Schema::List(of) => {
                let items = of.items.schema();
                value.as_array_mut().into_iter().flatten().for_each(|item| items.walk(item, stored));
            }
            Schema::Scalar(scalar) if value.is_null() => *value = scalar.zero(),
            Schema::Scalar(_) | Schema::Any | Schema::Opaque => {}
        }
    }

    /// What Go writes where nothing was given.
    fn zero(&self) -> Value {
        match self {
            Schema::Scalar(scalar) => scalar.zero(),
            Schema::Struct(_) => {
                let mut value = Value::Object(Map::new());
                self.write(&mut value);
                value
            }
            _ => Value::Null,
        }
    }
}

impl StructType {
    fn walk(&self, fields: &mut Map<String, Value>, stored: bool) {
        fields.retain(|name, _| self.fields.contains_key(name.as_str()));
        for (name, field) in &self.fields {
            let given = fields.remove(&**name).filter(|given| !given.is_null());
            if let Some(written) = field.written(given, stored) {
                fields.insert(name.to_string(), written);
            }
        }
    }
}

impl Field {
    fn written(&self, given: Option<Value>, stored: bool) -> Option<Value> {
        let schema = self.of.schema();
        let given = given.map(|mut given| {
            schema.walk(&mut given, stored);
            given
        });
        match (self.empty, given) {
            (Empty::Omitted, given) => given.filter(|given| !is_empty(given)),
            (Empty::Kept, given) => given,
            (Empty::Written, Some(given)) if !stored || !is_empty(&given) => Some(given),
            (Empty::Written, _) => Some(schema.zero()),
            (Empty::WrittenNull, given) => Some(given.unwrap_or(Value::Null)),
        }
    }
}

impl Scalar {
    fn zero(self) -> Value {
        match self {
            Scalar::String => "".into(),
            Scalar::Boolean => false.into(),
            Scalar::Int32 | Scalar::Int64 | Scalar::Number | Scalar::IntOrString => 0.into(),
            Scalar::Quantity => "0".into(),
            Scalar::Bytes | Scalar::Time | Scalar::MicroTime => Value::Null,
        }
    }
}
