//! A set of fields of an object, and how it is written: `{"f:spec":{"f:replicas":{}}}`.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde_json::{Map, Value};

use crate::schema::{ListType, Schema};

/// Fields, by where they lie. A field can be in the set without what lies below it, and the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldSet {
    /// The steps that lead to fields of the set.
    members: BTreeSet<Step>,
    /// What the set has below a step. No set in here is empty.
    children: BTreeMap<Step, FieldSet>,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Field(String),
    /// The item of a list that has these values in these fields, which are in the order of their names.
    Key(Vec<(String, Leaf)>),
    /// The item of a set.
    Value(Leaf),
    Index(usize),
}

/// A value without parts, ordered as the real server orders them: numbers, strings, truth values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf(pub(crate) Value);

impl FieldSet {
    /// A set of paths of field names, such as `metadata.name`.
    pub(crate) fn of(paths: &[&str]) -> FieldSet {
        let mut set = FieldSet::default();
        for path in paths {
            let steps: Vec<Step> = path.split('.').map(|name| Step::Field(name.to_owned())).collect();
            set.insert(&steps);
        }
        set
    }

    /// Adds the field at a path; the whole object, at no path, is nobody's.
    pub(crate) fn insert(&mut self, path: &[Step]) {
        match path {
            [] => {}
            [last] => drop(self.members.insert(last.clone())),
            [first, rest @ ..] => self.children.entry(first.clone()).or_default().insert(rest),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.is_empty()
    }

    /// Whether the field one step away is in the set.
    pub(crate) fn has(&self, step: &Step) -> bool {
        self.members.contains(step)
    }

    /// Whether the field at a path is in the set.
    pub(crate) fn has_path(&self, path: &[Step]) -> bool {
        match path {
            [] => false,
            [last] => self.has(last),
            [first, rest @ ..] => self.below(first).is_some_and(|below| below.has_path(rest)),
        }
    }

    /// What the set has below a step.
    pub(crate) fn below(&self, step: &Step) -> Option<&FieldSet> {
        self.children.get(step)
    }

    pub(crate) fn union(&self, other: &FieldSet) -> FieldSet {
        let mut all = self.clone();
        all.members.extend(other.members.iter().cloned());
        for (step, below) in &other.children {
            let known = all.children.entry(step.clone()).or_default();
            *known = known.union(below);
        }
        all
    }

    pub(crate) fn intersection(&self, other: &FieldSet) -> FieldSet {
        let children = self.children.iter().filter_map(|(step, below)| {
            let both = below.intersection(other.children.get(step)?);
            (!both.is_empty()).then(|| (step.clone(), both))
        });
        FieldSet { members: self.members.intersection(&other.members).cloned().collect(), children: children.collect() }
    }

    /// Without the fields of another set; what lies below those stays.
    pub(crate) fn difference(&self, other: &FieldSet) -> FieldSet {
        self.without(other, |_| false, FieldSet::difference)
    }

    /// Without the fields of another set and all that lies below them.
    pub(crate) fn without_trees(&self, other: &FieldSet) -> FieldSet {
        self.without(other, |step| other.has(step), FieldSet::without_trees)
    }

    fn without(
        &self,
        other: &FieldSet,
        is_gone: impl Fn(&Step) -> bool,
        subtract: fn(&FieldSet, &FieldSet) -> FieldSet,
    ) -> FieldSet {
        let kept = self.children.iter().filter(|(step, _)| !is_gone(step));
        let children = kept.filter_map(|(step, below)| {
            let left = match other.children.get(step) {
                Some(gone) => subtract(below, gone),
                None => below.clone(),
            };
            (!left.is_empty()).then(|| (step.clone(), left))
        });
        FieldSet { members: self.members.difference(&other.members).cloned().collect(), children: children.collect() }
    }

    /// With every field of a struct that the set has something below.
    pub(crate) fn with_named_fields(&self, schema: &Schema) -> FieldSet {
        let mut members = self.members.clone();
        let mut children = BTreeMap::new();
        for (step, below) in &self.children {
            let inner = match (step, schema) {
                (Step::Field(name), Schema::Struct(of)) if of.fields.contains_key(name.as_str()) => {
                    members.insert(step.clone());
                    schema.under(name)
                }
                (Step::Field(name), _) => schema.under(name),
                (Step::Key(_), Schema::List(ListType { items, .. })) => Some(items.schema()),
                _ => None,
            };
            let below = inner.map_or_else(|| below.clone(), |inner| below.with_named_fields(&inner));
            children.insert(step.clone(), below);
        }
        FieldSet { members, children }
    }

    /// The path of every field, those nearer to the root first at each level.
    pub(crate) fn paths(&self) -> Vec<Vec<Step>> {
        let own = self.members.iter().map(|step| vec![step.clone()]);
        let deeper = self.children.iter().flat_map(|(step, below)| {
            below.paths().into_iter().map(|path| std::iter::once(step.clone()).chain(path).collect())
        });
        own.chain(deeper).collect()
    }

    /// As `fieldsV1` has it.
    pub(crate) fn to_json(&self) -> Value {
        let mut fields = Map::new();
        for step in &self.members {
            fields.insert(step.key(), Value::Object(Map::new()));
        }
        for (step, below) in &self.children {
            let mut inner = below.to_json();
            if self.has(step)
                && let Some(inner) = inner.as_object_mut()
            {
                inner.insert(".".to_owned(), Value::Object(Map::new()));
            }
            fields.insert(step.key(), inner);
        }
        Value::Object(fields)
    }

    /// Reads `fieldsV1`. What it does not know is left out.
    pub(crate) fn from_json(fields: &Value) -> FieldSet {
        let mut set = FieldSet::default();
        for (key, inner) in fields.as_object().into_iter().flatten() {
            let Some(step) = Step::parse(key) else { continue };
            let below = FieldSet::from_json(inner);
            if below.is_empty() || inner.get(".").is_some() {
                set.members.insert(step.clone());
            }
            if !below.is_empty() {
                set.children.insert(step, below);
            }
        }
        set
    }
}

impl Step {
    /// As it stands in `fieldsV1`.
    fn key(&self) -> String {
        match self {
            Step::Field(name) => format!("f:{name}"),
            Step::Key(fields) => {
                let fields = fields.iter().map(|(name, Leaf(value))| (name.clone(), value.clone()));
                format!("k:{}", Value::Object(fields.collect()))
            }
            Step::Value(Leaf(value)) => format!("v:{value}"),
            Step::Index(index) => format!("i:{index}"),
        }
    }

    fn parse(key: &str) -> Option<Step> {
        let (kind, rest) = key.split_once(':')?;
        match kind {
            "f" => Some(Step::Field(rest.to_owned())),
            "k" => {
                let fields: Map<String, Value> = serde_json::from_str(rest).ok()?;
                let mut fields: Vec<(String, Leaf)> = fields.into_iter().map(|(name, it)| (name, Leaf(it))).collect();
                fields.sort();
                Some(Step::Key(fields))
            }
            "v" => serde_json::from_str(rest).ok().map(|value| Step::Value(Leaf(value))),
            "i" => rest.parse().ok().map(Step::Index),
            _ => None,
        }
    }
}

/// As conflicts and errors name it: `.spec` or `[name="web"]`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Field(name) => write!(f, ".{name}"),
            Step::Key(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, Leaf(value))| format!("{name}={value}")).collect();
                write!(f, "[{}]", fields.join(","))
            }
            Step::Value(Leaf(value)) => write!(f, "[={value}]"),
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// A path as conflicts and errors name it.
pub(crate) fn show(path: &[Step]) -> String {
    path.iter().map(Step::to_string).collect()
}

impl Eq for Leaf {}

impl PartialOrd for Leaf {
    fn partial_cmp(&self, other: &Leaf) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Leaf {
    fn cmp(&self, other: &Leaf) -> Ordering {
        let rank = |value: &Value| match value {
            Value::Number(_) => 0,
            Value::String(_) => 1,
            Value::Bool(_) => 2,
            Value::Array(_) => 3,
            Value::Object(_) => 4,
            Value::Null => 5,
        };
        match (&self.0, &other.0) {
            (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => a.as_f64().unwrap_or_default().total_cmp(&b.as_f64().unwrap_or_default()),
            },
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (a, b) if rank(a) == rank(b) => a.to_string().cmp(&b.to_string()),
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{FieldSet, show};

    #[test]
    fn a_set_comes_back_as_it_was_written() {
        let fields = json!({
            "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
            "f:spec": {
                "f:ports": { "k:{\"port\":80,\"protocol\":\"TCP\"}": { ".": {}, "f:port": {} } },
                "f:finalizers": { "v:\"a/b\"": {} },
            },
        });
        let set = FieldSet::from_json(&fields);
        assert_eq!(set.to_json(), fields);
        let paths: Vec<String> = set.paths().iter().map(|path| show(path)).collect();
        let expect = [
            ".metadata.labels",
            ".metadata.labels.app",
            ".spec.finalizers[=\"a/b\"]",
            ".spec.ports[port=80,protocol=\"TCP\"]",
            ".spec.ports[port=80,protocol=\"TCP\"].port",
        ];
        assert_eq!(paths, expect);
    }

    #[test]
    fn sets_are_added_and_taken_away() {
        let (a, b) = (FieldSet::of(&["a", "a.b", "a.c", "d"]), FieldSet::of(&["a", "a.c"]));
        assert_eq!(a.difference(&b), FieldSet::of(&["a.b", "d"]));
        assert_eq!(a.without_trees(&b), FieldSet::of(&["d"]));
        assert_eq!(a.intersection(&b), b);
        assert_eq!(b.union(&FieldSet::of(&["d", "a.b"])), a);
    }
}
