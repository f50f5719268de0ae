//! The type of a value: what it may hold, how two values merge, and what of it the server writes.
//!
//! The types of the built-in kinds are those that a real server publishes and is made of, recorded in `definitions.txt`;
//! those of custom kinds are read from their OpenAPI schemas.

mod decoding;
mod definition;
mod openapi;
mod publishing;
mod recorded;
mod showing;
mod writing;

use std::{collections::BTreeMap, rc::Rc};

use serde_json::Value;

pub(crate) use decoding::Decoded;
pub(crate) use publishing::{full_name, name_of_kind, publish};

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Schema {
    /// Anything. Objects in it merge key by key, everything else as a whole.
    Any,
    /// Anything, merged as a whole.
    Opaque,
    Scalar(Scalar),
    Struct(StructType),
    Map(MapType),
    List(ListType),
}

/// A value without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    String,
    /// A string in base64.
    Bytes,
    /// A string that names a point in time, in seconds.
    Time,
    /// The same in microseconds.
    MicroTime,
    Boolean,
    Int32,
    Int64,
    Number,
    IntOrString,
    /// A string or a number, such as `100m`.
    Quantity,
}

/// An object with fields that are known by name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StructType {
    /// As Go calls it, such as `PodSpec`; empty for types of custom kinds.
    pub(crate) name: Rc<str>,
    pub(crate) fields: BTreeMap<Rc<str>, Field>,
    /// Whether it merges as a whole.
    pub(crate) atomic: bool,
    pub(crate) unknown: Unknown,
}

/// What becomes of fields that a type does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Dropped,
    Kept,
}

/// An object with any keys and values of one type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapType {
    pub(crate) values: TypeRef,
    /// Whether it merges as a whole.
    pub(crate) atomic: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListType {
    pub(crate) items: TypeRef,
    pub(crate) merge: ListMerge,
}

/// How two lists merge.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ListMerge {
    Atomic,
    /// Every value is there once.
    Set,
    /// Items are told apart by these of their fields, in this order.
    Keyed(Vec<Rc<str>>),
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) of: TypeRef,
    pub(crate) required: bool,
    /// What it is where it is not given, as the schema says. Built-in kinds have defaults that no schema tells, too.
    pub(crate) default: Option<Value>,
    pub(crate) patch: PatchRule,
    pub(crate) empty: Empty,
    /// The Go type, where it is not the one that goes without saying.
    pub(crate) go: Option<Rc<str>>,
    /// The embedded struct that it is a field of in Go.
    pub(crate) within: Option<Rc<str>>,
    /// Where it stands among the fields, as Go writes them.
    pub(crate) place: usize,
    /// Its number in protobuf: `2.1` is field 1 of what JSON has inline and protobuf as field 2.
    pub(crate) number: Option<Rc<str>>,
}

/// What becomes of a field that was given with nothing in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    /// It is left out.
    Omitted,
    /// It is written, given or not.
    Written,
    /// It is as it was given: a pointer in Go.
    Kept,
    /// As `Kept`, and `null` where it was not given.
    WrittenNull,
}

/// What a strategic merge patch does to a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PatchRule {
    /// Whether lists and objects merge; a list is replaced unless this says so.
    pub(crate) merges: bool,
    /// Whether a patch names the fields that stay.
    pub(crate) retains_keys: bool,
    /// Whether even an object is replaced.
    pub(crate) replaces: bool,
    /// The field that tells the items of a list apart.
    pub(crate) merge_key: Option<Rc<str>>,
}

/// A type that is part of another. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TypeRef {
    Here(Rc<Schema>),
    /// The name of a recorded definition. Types may hold themselves, so each is read when it is asked for.
    Recorded(Rc<str>),
    /// The same, with another rule for merging it as a whole.
    RecordedAs {
        name: Rc<str>,
        atomic: bool,
    },
}

impl Schema {
    /// The type of the built-in kind of this name.
    pub(crate) fn of_kind(group: &str, version: &str, kind: &str) -> Option<Rc<Schema>> {
        recorded::of_kind(group, version, kind)
    }

    /// The type that the real server calls `name`, such as `meta.v1.ObjectMeta`.
    pub(crate) fn recorded(name: &str) -> Option<Rc<Schema>> {
        recorded::find(name)
    }

    /// The type of what lies under a key of an object of this type; `None` where nothing may.
    pub(crate) fn under(&self, key: &str) -> Option<Rc<Schema>> {
        match self {
            Schema::Any => Some(Rc::new(Schema::Any)),
            Schema::Opaque => Some(Rc::new(Schema::Opaque)),
            Schema::Struct(of) => match of.fields.get(key) {
                Some(field) => Some(field.of.schema()),
                None => (of.unknown == Unknown::Kept).then(|| Rc::new(Schema::Any)),
            },
            Schema::Map(of) => Some(of.values.schema()),
            Schema::Scalar(_) | Schema::List(_) => None,
        }
    }

    /// Whether a value of this type merges as a whole.
    pub(crate) fn is_atomic(&self) -> bool {
        match self {
            Schema::Any => false,
            Schema::Opaque | Schema::Scalar(_) => true,
            Schema::Struct(of) => of.atomic,
            Schema::Map(of) => of.atomic,
            Schema::List(of) => of.merge == ListMerge::Atomic,
        }
    }
}

impl TypeRef {
    pub(crate) fn schema(&self) -> Rc<Schema> {
        match self {
            TypeRef::Here(schema) => Rc::clone(schema),
            TypeRef::Recorded(name) => recorded::find(name).unwrap_or_else(|| Rc::new(Schema::Any)),
            TypeRef::RecordedAs { name, atomic } => match recorded::find(name).as_deref() {
                Some(Schema::Struct(of)) => Rc::new(Schema::Struct(StructType { atomic: *atomic, ..of.clone() })),
                _ => Rc::new(Schema::Any),
            },
        }
    }
}

impl From<Schema> for TypeRef {
    fn from(schema: Schema) -> TypeRef {
        TypeRef::Here(Rc::new(schema))
    }
}

impl Field {
    /// A field of which nothing but its type is known.
    pub(crate) fn new(of: impl Into<TypeRef>) -> Field {
        let (of, patch) = (of.into(), PatchRule::default());
        Field {
            of,
            required: false,
            default: None,
            patch,
            empty: Empty::Kept,
            go: None,
            within: None,
            place: 0,
            number: None,
        }
    }
}

#[cfg(test)]
mod tests;
