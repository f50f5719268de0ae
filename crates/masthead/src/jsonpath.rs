//! JSONPath as printer columns and `kubectl -o custom-columns` have it, read and followed as client-go does.
//!
//! ```
//! use masthead::jsonpath::JsonPath;
//! use serde_json::json;
//!
//! let ready = JsonPath::parse(r#".status.conditions[?(@.type=="Ready")].status"#)?;
//! let node = json!({ "status": { "conditions": [{ "type": "Ready", "status": "True" }] } });
//! assert_eq!(ready.follow(&node)?, [&json!("True")]);
//! # Ok::<(), masthead::jsonpath::Malformed>(())
//! ```

mod reader;

use std::{cmp::Ordering, fmt};

use serde_json::Value;

/// A path that can be followed through any object.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Field(String),
    /// `.*`.
    All,
    /// `..`.
    Descend,
    /// `[from:to:step]`; `[1]` is `[1:2]` and `[*]` is `[:]`.
    Slice(Slice),
    /// `[a,b]`.
    Union(Vec<JsonPath>),
    Filter(Filter),
    /// What stands for itself on a side of a comparison.
    Literal(Value),
    /// A bare word, which leads nowhere.
    Word,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Slice {
    from: Option<i64>,
    to: Option<i64>,
    step: Option<i64>,
    /// Whether `to` is only there because one element was asked for.
    is_index: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Filter {
    left: JsonPath,
    /// `None` where it is enough that there is a left side.
    right: Option<(Comparison, JsonPath)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// That a path cannot be read, or not be followed through an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Malformed;

type Found<'a> = Result<Vec<&'a Value>, Malformed>;

impl JsonPath {
    /// Reads a path without its braces: `.spec.nodeName`, `.spec.ports[0].port`, `..image`.
    pub fn parse(text: &str) -> Result<JsonPath, Malformed> {
        reader::steps(text).map(JsonPath)
    }

    /// Everything that the path leads to, which is nothing where a member is missing.
    ///
    /// An index beyond the end of a list, a list that is none and values that cannot be compared are errors, as they are
    /// in client-go.
    pub fn follow<'a>(&'a self, object: &'a Value) -> Result<Vec<&'a Value>, Malformed> {
        self.0.iter().try_fold(vec![object], |found, step| step.follow(found))
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path cannot be read, or not be followed through this object")
    }
}

impl std::error::Error for Malformed {}

impl Step {
    fn follow<'a>(&'a self, from: Vec<&'a Value>) -> Found<'a> {
        let from = from.into_iter();
        match self {
            Step::Field(name) => Ok(from.filter_map(|value| value.as_object()?.get(name)).collect()),
            Step::All => Ok(from.flat_map(members).collect()),
            Step::Descend => Ok(from.flat_map(descend).collect()),
            Step::Literal(value) => Ok(from.map(|_| value).collect()),
            Step::Word => Err(Malformed),
            Step::Slice(slice) => each(from, |value| slice.of(value)),
            Step::Union(paths) => {
                let from: Vec<&Value> = from.collect();
                each(paths.iter(), |path| path.0.iter().try_fold(from.clone(), |found, step| step.follow(found)))
            }
            Step::Filter(filter) => each(from, |value| filter.of(value)),
        }
    }
}

fn each<'a, T>(all: impl Iterator<Item = T>, found: impl Fn(T) -> Found<'a>) -> Found<'a> {
    let found: Result<Vec<Vec<&Value>>, Malformed> = all.map(found).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn members(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

/// The value and everything below it that has something below.
fn descend(value: &Value) -> Vec<&Value> {
    let below = members(value);
    if below.is_empty() {
        return Vec::new();
    }
    std::iter::once(value).chain(below.into_iter().flat_map(descend)).collect()
}

impl Slice {
    fn of<'a>(&self, value: &'a Value) -> Found<'a> {
        let items = match value {
            Value::Null => return Ok(Vec::new()),
            Value::Array(items) => items,
            _ => return Err(Malformed),
        };
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let mut from = self.from.unwrap_or_default();
        from += if from < 0 { length } else { 0 };
        let mut to = self.to.unwrap_or(length);
        to += if to < 0 || (to == 0 && self.is_index) { length } else { 0 };
        if from == to {
            return Ok(Vec::new());
        }
        let step = usize::try_from(self.step.unwrap_or(1)).map_err(|_| Malformed)?;
        let [from, to] = [from, to].map(usize::try_from);
        let (from, to) = (from.map_err(|_| Malformed)?, to.map_err(|_| Malformed)?);
        if step == 0 {
            return Err(Malformed);
        }
        items.get(from..to).map(|items| items.iter().step_by(step).collect()).ok_or(Malformed)
    }
}

impl Filter {
    fn of<'a>(&'a self, value: &'a Value) -> Found<'a> {
        let items = value.as_array().ok_or(Malformed)?;
        let mut passed = Vec::new();
        for item in items {
            if self.passes(item)? {
                passed.push(item);
            }
        }
        Ok(passed)
    }

    fn passes(&self, item: &Value) -> Result<bool, Malformed> {
        let left = self.left.follow(item);
        let Some((comparison, right)) = &self.right else {
            return Ok(left.is_ok_and(|left| !left.is_empty()));
        };
        match (left?.as_slice(), right.follow(item)?.as_slice()) {
            ([], _) | (_, []) => Ok(false),
            ([left], [right]) => comparison.holds(left, right),
            _ => Err(Malformed),
        }
    }
}

impl Comparison {
    fn parse(text: &str) -> Result<Comparison, Malformed> {
        match text {
            "==" => Ok(Comparison::Equal),
            "!=" => Ok(Comparison::NotEqual),
            "<" => Ok(Comparison::Less),
            "<=" => Ok(Comparison::LessOrEqual),
            ">" => Ok(Comparison::Greater),
            ">=" => Ok(Comparison::GreaterOrEqual),
            _ => Err(Malformed),
        }
    }

    /// Values of different types cannot be compared, and of truths nothing is less or more.
    fn holds(self, left: &Value, right: &Value) -> Result<bool, Malformed> {
        let order = match (left, right) {
            (Value::String(left), Value::String(right)) => left.cmp(right),
            (Value::Number(left), Value::Number(right)) if left.is_f64() == right.is_f64() => {
                let [left, right] = [left, right].map(|number| number.as_f64().unwrap_or_default());
                left.total_cmp(&right)
            }
            (Value::Bool(left), Value::Bool(right)) if matches!(self, Comparison::Equal | Comparison::NotEqual) => {
                left.cmp(right)
            }
            _ => return Err(Malformed),
        };
        Ok(match self {
            Comparison::Equal => order == Ordering::Equal,
            Comparison::NotEqual => order != Ordering::Equal,
            Comparison::Less => order == Ordering::Less,
            Comparison::LessOrEqual => order != Ordering::Greater,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::GreaterOrEqual => order != Ordering::Less,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::JsonPath;

    fn check(path: &str, expect: &str) {
        let object = json!({
            "metadata": { "labels": { "app.kubernetes.io/name": "web", "a": "b" } },
            "spec": { "n": 3, "ports": [{ "p": 1 }, { "p": 2 }, { "p": 3 }], "none": null },
            "status": { "conditions": [
                { "type": "Ready", "status": "True", "weight": 7 }, { "type": "Live", "status": "False", "on": true },
            ] },
        });
        let shown = match JsonPath::parse(path) {
            Err(_) => "malformed".to_owned(),
            Ok(path) => match path.follow(&object) {
                Err(_) => "does not fit".to_owned(),
                Ok(found) => found.into_iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
            },
        };
        assert_eq!(shown, expect, "{path}");
    }

    #[test]
    fn paths_lead_where_they_lead_in_client_go() {
        check(".spec.n", "3");
        check("spec.n", "does not fit");
        check(".spec.missing.more", "");
        check(".spec.none", "null");
        check(".spec.none.more", "");
        check(r".metadata.labels.app\.kubernetes\.io/name", "\"web\"");
        check(r".metadata.labels['app\.kubernetes\.io/name']", "\"web\"");
        check(".metadata.labels['app.kubernetes.io/name']", "");
        check(".metadata.labels[\"a\"]", "malformed");
        check(".metadata.labels.*", "\"b\" \"web\"");
        check(".spec.ports[0].p", "1");
        check(".spec.ports[-1].p", "3");
        check(".spec.ports[*].p", "1 2 3");
        check(".spec.ports[0:2].p", "1 2");
        check(".spec.ports[::2].p", "1 3");
        check(".spec.ports[0,2].p", "1 3");
        check(".spec.ports[9].p", "does not fit");
        check(".spec.n[0]", "does not fit");
        check("..p", "1 2 3");
        check(".spec.ports[", "malformed");
        check(".spec.ports[9223372036854775807]", "");
    }

    #[test]
    fn filters_choose_among_the_items_of_a_list() {
        check(r#".status.conditions[?(@.type=="Ready")].status"#, "\"True\"");
        check(".status.conditions[?(@.type == 'Live')].status", "\"False\"");
        check(r#".status.conditions[?(@.type!="Ready")].type"#, "\"Live\"");
        check(".status.conditions[?(@.weight>6)].type", "\"Ready\"");
        check(".status.conditions[?(@.weight<=6)].type", "");
        check(".status.conditions[?(@.on==true)].type", "\"Live\"");
        check(".status.conditions[?(@.weight)].type", "\"Ready\"");
        check(".status.conditions[?(@.type==5)].type", "does not fit");
        check(r#".spec.missing[?(@.a=="b")].c"#, "");
        check(r#".spec.n[?(@.a=="b")]"#, "does not fit");
        check(r#".status.conditions[?(@.type=="Rea)dy")].type"#, "");
        check(r#".status.conditions[?(@.type=="Ready"].type"#, "malformed");
    }
}
