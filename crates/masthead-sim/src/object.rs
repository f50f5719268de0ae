//! An object at rest: its bytes as every answer needs them, and what selectors ask of it.

use std::{collections::BTreeMap, rc::Rc};

use serde_json::Value;

use crate::{
    accept::Meta,
    body::{Body, Pattern, Values},
    conversion::convert,
    kind::Kind,
};

/// One state of one object. Serialised once; answers are put together from its bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Object {
    pub(crate) kind: Rc<Kind>,
    pub(crate) key: Key,
    pub(crate) uid: String,
    pub(crate) version: u64,
    /// Shared by those that are alike.
    pub(crate) labels: Rc<BTreeMap<String, String>>,
    /// In the order of the kind's own.
    fields: Vec<String>,
    /// The uids of those it belongs to.
    pub(crate) owners: Vec<String>,
    body: Body,
}

/// Where an object lies within its kind; no namespace is an empty one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) namespace: Rc<str>,
    pub(crate) name: Rc<str>,
}

impl Key {
    pub(crate) fn new(namespace: &str, name: &str) -> Key {
        Key { namespace: namespace.into(), name: name.into() }
    }
}

impl Object {
    /// The object at `version`, which its metadata will name; 0 is that of an object that was never stored.
    pub(crate) fn new(kind: &Rc<Kind>, mut value: Value, version: u64) -> Object {
        if version > 0 {
            value["metadata"]["resourceVersion"] = version.to_string().into();
        }
        let fields = kind.field_values(&value);
        let metadata = &value["metadata"];
        let text = |field: &str| metadata[field].as_str().unwrap_or_default();
        let labels = metadata["labels"].as_object().into_iter().flatten();
        let labels = labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
        let owners = metadata["ownerReferences"].as_array().into_iter().flatten();
        let owners = owners.filter_map(|owner| Some(owner["uid"].as_str()?.to_owned())).collect();
        Object {
            kind: Rc::clone(kind),
            key: Key::new(text("namespace"), text("name")),
            uid: text("uid").to_owned(),
            version,
            labels: Rc::new(labels.collect()),
            fields,
            owners,
            body: Body::of(&value),
        }
    }

    /// An object that differs from `like` only in the holes of `pattern`, which is that of `like`.
    pub(crate) fn alike(like: &Object, pattern: &Rc<Pattern>, name: &str, version: u64, values: Values) -> Object {
        Object {
            kind: Rc::clone(&like.kind),
            key: Key { namespace: Rc::clone(&like.key.namespace), name: name.into() },
            uid: values.fill(&like.uid),
            version,
            labels: Rc::clone(&like.labels),
            fields: like.fields.iter().map(|field| values.fill(field)).collect(),
            owners: like.owners.clone(),
            body: Body::Shared(Rc::clone(pattern), values),
        }
    }

    /// The value of a selectable field.
    pub(crate) fn field(&self, path: &str) -> Option<&str> {
        match path {
            "metadata.name" => Some(&self.key.name),
            "metadata.namespace" => Some(&self.key.namespace),
            _ => {
                let at = self.kind.fields.iter().position(|field| *field == path)?;
                self.fields.get(at).map(String::as_str)
            }
        }
    }

    /// The object as a tree, with kind and version.
    pub(crate) fn value(&self) -> Value {
        let mut whole = Vec::new();
        self.write(Form::Whole, &mut whole);
        serde_json::from_slice(&whole).expect("what was serialised here can be read")
    }

    /// The same state as an object of `kind`, which is a version of the same resource.
    pub(crate) fn served_as(self: &Rc<Object>, kind: &Rc<Kind>) -> Rc<Object> {
        // A custom kind may have been defined anew since, and would then make something else of it.
        let same = !kind.is_custom() && self.kind.resource_name() == kind.resource_name();
        if same || Rc::ptr_eq(&self.kind, kind) {
            return Rc::clone(self);
        }
        Rc::new(Object::new(kind, convert(self.value(), &self.kind, kind), self.version))
    }

    /// The same state as of another version, as a watch shows an object that left its selector.
    pub(crate) fn at_version(&self, version: u64) -> Object {
        Object::new(&self.kind, self.value(), version)
    }

    /// Appends the object, with kind and version.
    pub(crate) fn write(&self, form: Form, out: &mut Vec<u8>) {
        match form {
            Form::Whole => {
                write_type(&self.kind.kind, &self.kind.api_version(), out);
                self.body.append(out);
            }
            Form::Metadata(meta) => {
                write_type("PartialObjectMetadata", meta.api_version(), out);
                self.body.append_metadata(out);
                out.push(b'}');
            }
        }
    }

    /// Appends the object as it stands in a list: only metadata name their kind there.
    pub(crate) fn write_item(&self, form: Form, out: &mut Vec<u8>) {
        match form {
            Form::Whole => {
                out.push(b'{');
                self.body.append(out);
            }
            Form::Metadata(_) => self.write(form, out),
        }
    }

    /// How many bytes it takes in a list, about.
    pub(crate) fn size(&self) -> usize {
        self.body.size() + 1
    }
}

/// How much of an object an answer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Whole,
    /// `as=PartialObjectMetadata`.
    Metadata(Meta),
}

fn write_type(kind: &str, api_version: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"kind\":\"{kind}\",\"apiVersion\":\"{api_version}\",").as_bytes());
}
