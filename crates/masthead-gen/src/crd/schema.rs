//! A structural schema: OpenAPI v3 as definitions of custom resources have it.

use serde_json::Value;

use super::{
    place::{Place, Wrong},
    shape::{Field, Item, Shape, Struct},
};

/// Reads schemas, and keeps what is wrong in them.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Whether objects keep what no schema names, wherever they are: `spec.preserveUnknownFields`.
    pub(super) keeps_unknown: bool,
    pub(super) wrong: Vec<Wrong>,
}

impl Reader {
    /// The fields of a whole object, which has metadata and the like beside them.
    pub(super) fn root(&mut self, schema: &Place) -> Struct {
        if schema.text_at("type").ok().flatten().is_some_and(|kind| kind != "object") {
            self.wrong.push(schema.wrong("the root of a schema is of `type: object`"));
        }
        let mut root = self.object(schema);
        root.fields.retain(|field| !["apiVersion", "kind", "metadata"].contains(&field.name.as_str()));
        root
    }

    /// The value, or that of its type where it is wrong, which is kept.
    fn told<T: Default>(&mut self, read: Result<T, Wrong>) -> T {
        read.unwrap_or_else(|wrong| {
            self.wrong.push(wrong);
            T::default()
        })
    }

    fn shape(&mut self, schema: &Place) -> Shape {
        if let Err(wrong) = schema.map() {
            self.wrong.push(wrong);
            return Shape::Anything;
        }
        for (key, instead) in NOT_STRUCTURAL {
            if schema.at(key).is_some() {
                self.wrong.push(schema.wrong(format!("`{key}` cannot be in a definition: {instead}")));
            }
        }
        if self.told(schema.flag(INT_OR_STRING)) {
            return if is_quantity(schema) { Shape::QuantityOrInt } else { Shape::IntOrString };
        }
        let keeps = self.told(schema.flag(KEEPS_UNKNOWN));
        match (self.told(schema.text_at("type")), keeps) {
            (Some("object"), keeps) => self.map_or_object(schema, keeps),
            (Some("array"), _) => self.list(schema),
            (Some("string"), _) => self.string(schema),
            (Some("integer"), _) if schema.text_at("format") == Ok(Some("int32")) => Shape::Int32,
            (Some("integer"), _) => Shape::Int64,
            (Some("number"), _) => Shape::Number,
            (Some("boolean"), _) => Shape::Bool,
            (None, true) if schema.at("properties").is_some() => self.map_or_object(schema, true),
            (None, true) => Shape::Anything,
            (Some(other), _) => {
                self.wrong.push(schema.wrong(format!("`type: {other}` is none of {TYPES}")));
                Shape::Anything
            }
            (None, false) => {
                let told_already = schema.at("$ref").is_some() || schema.at("type").is_some();
                if !told_already {
                    let why =
                        format!("no `type`: write one of {TYPES}, `{INT_OR_STRING}: true` or `{KEEPS_UNKNOWN}: true`");
                    self.wrong.push(schema.wrong(why));
                }
                Shape::Anything
            }
        }
    }

    fn map_or_object(&mut self, schema: &Place, keeps: bool) -> Shape {
        let has_properties = schema.at("properties").is_some();
        let is_embedded = self.told(schema.flag(EMBEDDED));
        if let Some(values) = schema.at("additionalProperties") {
            if has_properties {
                let why =
                    "`properties` and `additionalProperties` exclude each other: an object has fields or is a map";
                self.wrong.push(schema.wrong(why));
            }
            return match values.value {
                Value::Bool(true) => Shape::Object,
                Value::Bool(false) => {
                    self.wrong.push(values.wrong("cannot be false: unknown fields are dropped without it"));
                    Shape::Object
                }
                _ => Shape::Map(Box::new(self.item(&values))),
            };
        }
        if (keeps || self.keeps_unknown) && !has_properties && !is_embedded {
            return Shape::Object;
        }
        let mut object = self.object(schema);
        if is_embedded {
            embed(&mut object);
        }
        if object.is_label_selector() { Shape::LabelSelector } else { Shape::Struct(object) }
    }

    /// An object with the fields that it names.
    fn object(&mut self, schema: &Place) -> Struct {
        let keeps_unknown = self.told(schema.flag(KEEPS_UNKNOWN)) || self.keeps_unknown;
        let required = self.strings(schema.at("required"));
        let properties = schema.at("properties").map(|properties| properties.entries());
        let properties = self.told(properties.transpose()).unwrap_or_default();
        let fields = properties.into_iter().map(|(name, property)| {
            let default = property.value.get("default").filter(|default| !default.is_null());
            let shape = self.shape(&property);
            Field {
                name: name.to_owned(),
                optional: default.is_some() || !required.iter().any(|required| required == name),
                nullable: self.nullable(&property, &shape),
                doc: self.doc(&property),
                notes: self.notes(&property, default),
                shape,
            }
        });
        Struct { fields: fields.collect(), keeps_unknown }
    }

    fn list(&mut self, schema: &Place) -> Shape {
        match schema.need("items", "the schema of the items, as in `items: {type: string}`") {
            Ok(items) => Shape::List(Box::new(self.item(&items))),
            Err(wrong) => {
                self.wrong.push(wrong);
                Shape::Anything
            }
        }
    }

    fn item(&mut self, schema: &Place) -> Item {
        let shape = self.shape(schema);
        Item { nullable: self.nullable(schema, &shape), shape, doc: self.doc(schema) }
    }

    /// Whether `null` is a value beside those of the shape.
    fn nullable(&mut self, schema: &Place, shape: &Shape) -> bool {
        self.told(schema.flag("nullable")) && *shape != Shape::Anything
    }

    fn string(&mut self, schema: &Place) -> Shape {
        if schema.at("enum").is_some() {
            let values = self.strings(schema.at("enum"));
            let mut distinct: Vec<String> = Vec::new();
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            return Shape::Enum(distinct);
        }
        match self.told(schema.text_at("format")) {
            Some("date-time") => Shape::Time,
            Some("byte") => Shape::Bytes,
            Some("quantity") => Shape::Quantity,
            _ if is_quantity(schema) => Shape::Quantity,
            _ => Shape::Text,
        }
    }

    /// The strings of a list; a `null` among them says what `nullable` says.
    fn strings(&mut self, list: Option<Place>) -> Vec<String> {
        let items = self.told(list.map(|list| list.list()).transpose()).unwrap_or_default();
        let items = items.into_iter().filter(|item| !item.value.is_null());
        items.filter_map(|item| self.told(item.text().map(|text| Some(text.to_owned())))).collect()
    }

    fn doc(&mut self, schema: &Place) -> String {
        self.told(schema.text_at("description")).unwrap_or_default().to_owned()
    }

    /// What neither the description nor the type says.
    fn notes(&mut self, schema: &Place, default: Option<&Value>) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        match self.told(schema.text_at("x-kubernetes-list-type")) {
            Some("set") => notes.push("A set: no item is there twice.".to_owned()),
            Some("map") => {
                let keys = self.strings(schema.at("x-kubernetes-list-map-keys"));
                if keys.is_empty() {
                    let why = "`x-kubernetes-list-type: map` needs `x-kubernetes-list-map-keys`, as in `[name]`";
                    self.wrong.push(schema.wrong(why));
                }
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                notes.push(format!("A map in a list: one item for each {}.", keys.join(" and ")));
            }
            Some("atomic") | None => {}
            Some(other) => {
                let why = format!("`x-kubernetes-list-type: {other}` is none of atomic, map, set");
                self.wrong.push(schema.wrong(why));
            }
        }
        notes.extend(default.map(|default| match default.to_string() {
            text if text.len() <= 80 => format!("Default: `{text}`"),
            _ => "It has a default.".to_owned(),
        }));
        notes
    }
}

/// Gives an object what every object of its own has.
fn embed(object: &mut Struct) {
    for (name, shape) in [("apiVersion", Shape::Text), ("kind", Shape::Text), ("metadata", Shape::Metadata)] {
        match object.fields.iter_mut().find(|field| field.name == name) {
            Some(field) => field.shape = shape,
            None => object.fields.push(Field {
                name: name.to_owned(),
                shape,
                optional: true,
                nullable: false,
                doc: String::new(),
                notes: Vec::new(),
            }),
        }
    }
    object.fields.sort_by(|one, other| one.name.cmp(&other.name));
}

/// Kubernetes' own pattern of quantities, which generators of definitions write; it begins like no other.
fn is_quantity(schema: &Place) -> bool {
    let pattern = schema.value["pattern"].as_str().unwrap_or_default();
    pattern.starts_with(r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|")
}

const TYPES: &str = "array, boolean, integer, number, object, string";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
const KEEPS_UNKNOWN: &str = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED: &str = "x-kubernetes-embedded-resource";

/// What OpenAPI has and structural schemas do not, and what they have instead.
const NOT_STRUCTURAL: [(&str, &str); 3] = [
    ("$ref", "write the schema in its place"),
    ("definitions", "write the schemas where they are used"),
    ("patternProperties", "`additionalProperties` is a map of any keys"),
];
