//! The types of a kind: each shape of its schema gets a name, and equal ones the same.

use crate::{
    crd::{
        ident::{self, Names},
        shape::{Field, Item, Shape, Struct},
    },
    imports::Imports,
};

/// A type of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) body: Body,
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Struct(Fields),
    /// The variants and their values.
    Enum(Vec<(String, String)>),
}

/// The fields of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) members: Vec<Member>,
    /// The field with what the schema does not name and its type, if the server keeps that.
    pub(super) unknown: Option<(String, String)>,
}

impl Fields {
    /// Whether one of them tells `null` from nothing.
    pub(super) fn keeps_null(&self) -> bool {
        self.members.iter().any(|member| member.optional && member.keeps_null)
    }
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) ident: String,
    /// What it is called in JSON.
    pub(super) property: String,
    pub(super) doc: String,
    /// The type, with the `Option`s around it.
    pub(super) rust: String,
    pub(super) optional: bool,
    /// Whether `null` is a value of its own and not the same as nothing.
    pub(super) keeps_null: bool,
}

/// What the types of a file share.
#[derive(Debug)]
pub(super) struct Scope {
    /// The types of the file, of all kinds in it.
    pub(super) names: Names,
    pub(super) imports: Imports,
    /// Whether a type is needed that is a quantity or a bare number.
    pub(super) has_quantity_or_int: bool,
}

/// Names the types of one kind.
pub(super) struct Declarer<'a> {
    /// The type of the kind.
    kind: &'a str,
    scope: &'a mut Scope,
    uses: Vec<Use<'a>>,
    declarations: Vec<Declaration>,
}

/// A shape below properties of one name. Those that are equal become one type, those of other names do not: a reader
/// looks for a type by the name of its field.
struct Use<'a> {
    /// The end that the paths of all these properties have in common, from the property up.
    path: Vec<String>,
    shape: &'a Shape,
    count: usize,
    /// The name of the type, once it is declared.
    name: Option<String>,
}

impl<'a> Declarer<'a> {
    pub(super) fn new(kind: &'a str, scope: &'a mut Scope) -> Declarer<'a> {
        Declarer { kind, scope, uses: Vec::new(), declarations: Vec::new() }
    }

    /// The fields of the kind itself, and all types below it: each before those of its fields.
    pub(super) fn declare(mut self, root: &'a Struct) -> (Fields, Vec<Declaration>) {
        self.count(root, &[]);
        let fields = self.fields(root, self.kind, "", &["metadata"]);
        (fields, self.declarations)
    }

    /// Finds the shapes that are there more than once.
    fn count(&mut self, object: &'a Struct, owner: &[String]) {
        for field in &object.fields {
            let (shape, _) = field.shape.bottom("");
            if !matches!(shape, Shape::Struct(_) | Shape::Enum(_)) {
                continue;
            }
            let mut path = vec![ident::pascal(&field.name)];
            path.extend_from_slice(owner);
            match self.uses.iter_mut().find(|used| used.is(&path[0], shape)) {
                Some(known) => {
                    known.count += 1;
                    let common = known.path.iter().zip(&path).take_while(|(one, other)| one == other).count();
                    known.path.truncate(common);
                }
                None => {
                    self.uses.push(Use { path: path.clone(), shape, count: 1, name: None });
                    if let Shape::Struct(below) = shape {
                        self.count(below, &path);
                    }
                }
            }
        }
    }

    fn fields(&mut self, object: &'a Struct, owner: &str, path: &str, taken: &[&str]) -> Fields {
        let mut idents = Names::new(taken.iter().copied());
        let members = object.fields.iter().map(|field| self.member(field, owner, path, &mut idents)).collect();
        let unknown = object.keeps_unknown.then(|| {
            let (map, value) = (self.scope.imports.name(BTREE_MAP), self.scope.imports.name(VALUE));
            (idents.take("other", "_"), format!("{map}<String, {value}>"))
        });
        Fields { members, unknown }
    }

    fn member(&mut self, field: &'a Field, owner: &str, path: &str, idents: &mut Names) -> Member {
        let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
        let bottom = self.bottom(field, owner, &path);
        let mut rust = self.rust(&field.shape, &bottom);
        let doc = std::iter::once(&field.doc).chain(&field.notes).filter(|text| !text.is_empty());
        for _ in 0..usize::from(field.optional) + usize::from(field.nullable) {
            rust = format!("Option<{rust}>");
        }
        Member {
            ident: idents.take(&ident::field(&field.name), "_"),
            property: field.name.clone(),
            doc: doc.cloned().collect::<Vec<_>>().join("\n\n"),
            rust,
            optional: field.optional,
            keeps_null: field.nullable || field.shape == Shape::Anything,
        }
    }

    /// The type at the bottom of a field's lists and maps, which is declared unless it is somebody else's.
    fn bottom(&mut self, field: &'a Field, owner: &str, path: &str) -> String {
        let (shape, doc) = field.shape.bottom(&field.doc);
        if let Some(foreign) = foreign(shape) {
            return self.scope.imports.name(foreign);
        }
        if *shape == Shape::QuantityOrInt {
            self.scope.has_quantity_or_int = true;
            return QUANTITY_OR_INT.to_owned();
        }
        let segment = ident::pascal(&field.name);
        let Some(used) = self.uses.iter_mut().find(|used| used.is(&segment, shape)) else { return String::new() };
        if let Some(name) = &used.name {
            return name.clone();
        }
        let name = match used.count {
            1 => format!("{owner}{segment}"),
            _ => used.path.iter().rev().fold(self.kind.to_owned(), |name, segment| name + segment),
        };
        let name = self.scope.names.take(&name, "");
        used.name = Some(name.clone());
        let place = self.declarations.len();
        let body = match shape {
            Shape::Struct(below) => Body::Struct(self.fields(below, &name, path, &[])),
            Shape::Enum(values) => Body::Enum(variants(values)),
            _ => return String::new(),
        };
        let doc = if doc.is_empty() { format!("`{path}` of a {}.", self.kind) } else { doc.to_owned() };
        self.declarations.insert(place, Declaration { name: name.clone(), doc, body });
        name
    }

    /// A shape as Rust writes it, where `bottom` is below all lists and maps.
    fn rust(&mut self, shape: &Shape, bottom: &str) -> String {
        let item = |declarer: &mut Declarer<'a>, item: &Item| {
            let rust = declarer.rust(&item.shape, bottom);
            if item.nullable { format!("Option<{rust}>") } else { rust }
        };
        match shape {
            Shape::List(it) => format!("Vec<{}>", item(self, it)),
            Shape::Map(it) => format!("{}<String, {}>", self.scope.imports.name(BTREE_MAP), item(self, it)),
            Shape::Object => format!("{bottom}<String, {}>", self.scope.imports.name(VALUE)),
            Shape::Bool => "bool".to_owned(),
            Shape::Int32 => "i32".to_owned(),
            Shape::Int64 => "i64".to_owned(),
            Shape::Number => "f64".to_owned(),
            Shape::Text => "String".to_owned(),
            _ => bottom.to_owned(),
        }
    }
}

impl Use<'_> {
    fn is(&self, segment: &str, shape: &Shape) -> bool {
        self.path[0] == segment && self.shape == shape
    }
}

/// Where the type of a shape is, if it is not of this file.
fn foreign(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Anything => Some(VALUE),
        Shape::Object => Some("serde_json::Map"),
        Shape::Bytes => Some("k8s_openapi::ByteString"),
        Shape::Time => Some("k8s_openapi::jiff::Timestamp"),
        Shape::Quantity => Some(QUANTITY),
        Shape::IntOrString => Some("k8s_openapi::apimachinery::pkg::util::intstr::IntOrString"),
        Shape::LabelSelector => Some("k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector"),
        Shape::Metadata => Some(OBJECT_META),
        _ => None,
    }
}

/// The variants of an enum and their values.
fn variants(values: &[String]) -> Vec<(String, String)> {
    let mut names = Names::default();
    values.iter().map(|value| (names.take(&ident::variant(value), ""), value.clone())).collect()
}

pub(super) const BTREE_MAP: &str = "std::collections::BTreeMap";
pub(super) const OBJECT_META: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta";
pub(super) const VALUE: &str = "serde_json::Value";
pub(super) const QUANTITY: &str = "k8s_openapi::apimachinery::pkg::api::resource::Quantity";
/// The one type of a file that no schema names.
pub(super) const QUANTITY_OR_INT: &str = "QuantityOrInt";
