//! What a value is, as far as Rust can say it.

/// What a value of a schema is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any JSON.
    Anything,
    /// Any JSON object.
    Object,
    Bool,
    Int32,
    Int64,
    Number,
    Text,
    /// Base64 in JSON.
    Bytes,
    Time,
    Quantity,
    /// A quantity that may also be a bare number.
    QuantityOrInt,
    IntOrString,
    LabelSelector,
    /// The metadata of an object within the object.
    Metadata,
    /// One of these strings.
    Enum(Vec<String>),
    List(Box<Item>),
    Map(Box<Item>),
    Struct(Struct),
}

/// What a list or a map holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) shape: Shape,
    pub(super) nullable: bool,
    pub(super) doc: String,
}

/// An object with known fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Struct {
    /// In the order of their names.
    pub(super) fields: Vec<Field>,
    /// Whether the server keeps fields that are not among them.
    pub(super) keeps_unknown: bool,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// Whether it may be missing: it need not be there, or the server fills it in.
    pub(super) optional: bool,
    /// Whether `null` is a value of its own.
    pub(super) nullable: bool,
    /// The description.
    pub(super) doc: String,
    /// What a reader should know that neither the description nor the type says.
    pub(super) notes: Vec<String>,
}

impl Shape {
    /// What is at the bottom of lists and maps, with the description that is nearest to it.
    pub(super) fn bottom<'a>(&'a self, doc: &'a str) -> (&'a Shape, &'a str) {
        match self {
            Shape::List(item) | Shape::Map(item) => {
                item.shape.bottom(if item.doc.is_empty() { doc } else { &item.doc })
            }
            shape => (shape, doc),
        }
    }
}

impl Struct {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether this is `LabelSelector`, which other code takes.
    pub(super) fn is_label_selector(&self) -> bool {
        let Some([expressions, labels]) = self.plain_fields(["matchExpressions", "matchLabels"]) else { return false };
        let is_labels = matches!(&labels.shape, Shape::Map(item) if item.is(&Shape::Text));
        let Shape::List(item) = &expressions.shape else { return false };
        let Shape::Struct(requirement) = &item.shape else { return false };
        let Some([key, operator, values]) = requirement.plain_fields(["key", "operator", "values"]) else {
            return false;
        };
        let is_text = |field: &Field| field.shape == Shape::Text && !field.optional;
        let is_values = matches!(&values.shape, Shape::List(item) if item.is(&Shape::Text)) && values.optional;
        let optional = expressions.optional && labels.optional && !item.nullable;
        optional && is_labels && is_text(key) && is_text(operator) && is_values
    }

    /// The fields, if they are these, never null and all there can be.
    fn plain_fields<const N: usize>(&self, names: [&str; N]) -> Option<&[Field; N]> {
        let fields: &[Field; N] = self.fields.as_slice().try_into().ok()?;
        let fits = |(field, name): (&Field, &str)| field.name == name && !field.nullable;
        (fields.iter().zip(names).all(fits) && !self.keeps_unknown).then_some(fields)
    }
}

impl Item {
    fn is(&self, shape: &Shape) -> bool {
        self.shape == *shape && !self.nullable
    }
}
