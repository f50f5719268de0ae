//! A recorded definition: a line with its name, then a line for each field.
//!
//! ```text
//! core.v1.ContainerPort
//!  containerPort*! int32 n=3 default=0
//!  protocol string go=v1.Protocol n=4 default="TCP"
//! core.v1.ServiceSpec
//!  ports []@ServicePort n=1 list=map keys=port,protocol merge=port strategy=merge
//! ```
//!
//! Behind a name, `*` is required and `!` written even when empty; behind a type, `?` is a pointer. `[]` is a list, `{}` a
//! map, `@` another definition, without its package where that is the same. Fields are in the order in which Go writes
//! them.

use std::rc::Rc;

use super::{Empty, Field, ListMerge, ListType, MapType, PatchRule, Scalar, Schema, StructType, TypeRef, Unknown};

/// The words behind a type.
#[derive(Default)]
struct Words<'a> {
    kind: Option<&'a str>,
    of: Option<&'a str>,
    list: Option<&'a str>,
    keys: Option<&'a str>,
    map: Option<&'a str>,
    merge: Option<&'a str>,
    strategy: &'a str,
    go: Option<&'a str>,
    within: Option<&'a str>,
    number: Option<&'a str>,
    default: Option<&'a str>,
}

impl<'a> Words<'a> {
    fn parse(text: &'a str) -> Words<'a> {
        // A default is JSON, in which anything may stand; it comes last.
        let (text, default) = match text.split_once("default=") {
            Some((before, default)) => (before, Some(default)),
            None => (text, None),
        };
        let mut words = Words { default, ..Words::default() };
        for (word, value) in text.split(' ').filter_map(|word| word.split_once('=')) {
            match word {
                "kind" => words.kind = Some(value),
                "type" => words.of = Some(value),
                "list" => words.list = Some(value),
                "keys" => words.keys = Some(value),
                "map" => words.map = Some(value),
                "merge" => words.merge = Some(value),
                "strategy" => words.strategy = value,
                "go" => words.go = Some(value),
                "within" => words.within = Some(value),
                "n" => words.number = Some(value),
                _ => {}
            }
        }
        words
    }

    fn atomic(&self) -> Option<bool> {
        self.map.map(|map| map == "atomic")
    }

    fn list_merge(&self) -> ListMerge {
        let keyed = |keys: &str| ListMerge::Keyed(keys.split(',').map(Rc::from).collect());
        match (self.list, self.keys, self.merge) {
            (Some("map"), Some(keys), _) => keyed(keys),
            (Some("set"), ..) => ListMerge::Set,
            (None, _, Some(key)) if self.merges() => keyed(key),
            (None, ..) if self.merges() => ListMerge::Set,
            _ => ListMerge::Atomic,
        }
    }

    fn merges(&self) -> bool {
        self.strategies().any(|strategy| strategy == "merge")
    }

    fn strategies(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.strategy.split(',')
    }
}

/// The definitions of a text, each from its name on.
pub(super) fn split(text: &'static str) -> Vec<&'static str> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| !text[*at..].starts_with(' '));
    let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

/// The name of a definition and the kind it is, if it is one.
pub(super) fn title(text: &'static str) -> (&'static str, Option<&'static str>) {
    let line = text.lines().next().unwrap_or_default();
    let (name, words) = line.split_once(' ').unwrap_or((line, ""));
    (name, Words::parse(words).kind)
}

/// Reads a definition.
pub(super) fn parse(text: &'static str) -> Schema {
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default();
    let (name, words) = line.split_once(' ').unwrap_or((line, ""));
    let words = Words::parse(words);
    let (package, own) = name.rsplit_once('.').unwrap_or(("", name));
    if let Some(word) = words.of {
        return match own {
            "RawExtension" => Schema::Opaque,
            "MicroTime" => Schema::Scalar(Scalar::MicroTime),
            _ => type_of(word, package, &words),
        };
    }
    let fields = lines.enumerate().filter_map(|(place, line)| field(line, package, place)).collect();
    let atomic = words.atomic() == Some(true);
    Schema::Struct(StructType { name: own.into(), fields, atomic, unknown: Unknown::Dropped })
}

fn field(line: &'static str, package: &str, place: usize) -> Option<(Rc<str>, Field)> {
    let (name, rest) = line.trim_start().split_once(' ')?;
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let words = Words::parse(rest);
    let (name, written) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
    let (name, required) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
    let (word, pointer) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
    let empty = match (written, pointer) {
        (true, true) => Empty::WrittenNull,
        (true, false) => Empty::Written,
        (false, true) => Empty::Kept,
        (false, false) => Empty::Omitted,
    };
    let patch = PatchRule {
        merges: words.merges(),
        retains_keys: words.strategies().any(|strategy| strategy == "retainKeys"),
        replaces: words.strategies().any(|strategy| strategy == "replace"),
        merge_key: words.merge.map(Rc::from),
    };
    let default = words.default.and_then(|text| serde_json::from_str(text).ok());
    let of = reference(word, package, &words);
    let [go, within, number] = [words.go, words.within, words.number].map(|word| word.map(Rc::from));
    Some((name.into(), Field { of, required, default, patch, empty, go, within, place, number }))
}

fn reference(word: &str, package: &str, words: &Words<'_>) -> TypeRef {
    let Some(name) = word.strip_prefix('@') else { return type_of(word, package, words).into() };
    let name = if name.contains('.') { Rc::from(name) } else { format!("{package}.{name}").into() };
    match words.atomic() {
        Some(atomic) => TypeRef::RecordedAs { name, atomic },
        None => TypeRef::Recorded(name),
    }
}

fn type_of(word: &str, package: &str, words: &Words<'_>) -> Schema {
    if let Some(items) = word.strip_prefix("[]") {
        let items = reference(items, package, &Words::default());
        return Schema::List(ListType { items, merge: words.list_merge() });
    }
    let atomic = words.atomic() == Some(true);
    if let Some(values) = word.strip_prefix("{}") {
        return Schema::Map(MapType { values: reference(values, package, &Words::default()), atomic });
    }
    match word {
        "string" => Schema::Scalar(Scalar::String),
        "byte" => Schema::Scalar(Scalar::Bytes),
        "date-time" => Schema::Scalar(Scalar::Time),
        "boolean" => Schema::Scalar(Scalar::Boolean),
        "int32" => Schema::Scalar(Scalar::Int32),
        "int64" | "integer" => Schema::Scalar(Scalar::Int64),
        "double" | "number" => Schema::Scalar(Scalar::Number),
        "int-or-string" => Schema::Scalar(Scalar::IntOrString),
        "quantity" => Schema::Scalar(Scalar::Quantity),
        "object" => Schema::Map(MapType { values: Schema::Any.into(), atomic }),
        _ => Schema::Any,
    }
}
