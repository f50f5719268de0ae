//! Label selectors: kubectl's grammar, parsed from a string and matched locally.
//!
//! `app=web,tier in (a, b),!canary,version>3`. Every requirement must hold. The empty selector matches everything.

mod lexer;
mod parser;
mod validate;

use std::{collections::BTreeSet, fmt, str::FromStr};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

pub(crate) use validate::is_subdomain;

/// A conjunction of requirements on an object's labels, sorted by key.
///
/// [`Display`](fmt::Display) writes what the server reads; parsing that again gives an equal selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

/// One term of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    key: String,
    operator: Operator,
}

/// What a requirement asks of the value of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Present, with one of these values.
    In(BTreeSet<String>),
    /// Absent, or with none of these values.
    NotIn(BTreeSet<String>),
    /// Present with this value; written `=`.
    Equals(String),
    /// Absent, or with another value; written `!=`.
    NotEquals(String),
    /// Present.
    Exists,
    /// Absent.
    DoesNotExist,
    /// Present, and an integer greater than this.
    GreaterThan(i64),
    /// Present, and an integer less than this.
    LessThan(i64),
}

/// Why a selector was refused, in the words kubectl uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl Selector {
    /// The selector that matches every object.
    pub fn everything() -> Selector {
        Selector::default()
    }

    /// A selector of these requirements.
    pub fn new(requirements: impl IntoIterator<Item = Requirement>) -> Selector {
        let mut requirements: Vec<Requirement> = requirements.into_iter().collect();
        requirements.sort_by(|a, b| a.key.cmp(&b.key));
        Selector { requirements }
    }

    /// Whether labels, looked up by `label`, satisfy every requirement.
    ///
    /// Costs one look-up per requirement and no allocation.
    pub fn matches<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements.iter().all(|requirement| requirement.operator.holds(label(&requirement.key)))
    }

    /// Whether every object matches.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The one value that the label `key` must have, if there is only one.
    pub fn required(&self, key: &str) -> Option<&str> {
        let requirement = self.requirements.iter().find(|requirement| requirement.key == key)?;
        match &requirement.operator {
            Operator::Equals(value) => Some(value),
            Operator::In(values) if values.len() == 1 => values.first().map(String::as_str),
            _ => None,
        }
    }

    /// The requirements, sorted by key.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }
}

impl Requirement {
    /// A requirement, after the checks that the server makes on keys and values.
    pub fn new(key: impl Into<String>, operator: Operator) -> Result<Requirement, ParseError> {
        let key = key.into();
        validate::key(&key)?;
        match &operator {
            Operator::In(values) | Operator::NotIn(values) => {
                if values.is_empty() {
                    let why = "for 'in', 'notin' operators, values set can't be empty";
                    return Err(ParseError(format!("values: Invalid value: []: {why}")));
                }
                values.iter().enumerate().try_for_each(|(index, value)| validate::value(&key, index, value))?;
            }
            Operator::Equals(value) | Operator::NotEquals(value) => validate::value(&key, 0, value)?,
            Operator::GreaterThan(bound) | Operator::LessThan(bound) => validate::value(&key, 0, &bound.to_string())?,
            Operator::Exists | Operator::DoesNotExist => {}
        }
        Ok(Requirement { key, operator })
    }

    /// The label's key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is asked of it.
    pub fn operator(&self) -> &Operator {
        &self.operator
    }
}

impl Operator {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match self {
            Operator::In(values) => value.is_some_and(|value| values.contains(value)),
            Operator::NotIn(values) => !value.is_some_and(|value| values.contains(value)),
            Operator::Equals(wanted) => value == Some(wanted),
            Operator::NotEquals(unwanted) => value != Some(unwanted),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan(bound) => number().is_some_and(|number| number > *bound),
            Operator::LessThan(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

/// The selector of a workload or a policy. An empty one matches everything; that an absent one matches nothing is up to the
/// caller.
impl TryFrom<&LabelSelector> for Selector {
    type Error = ParseError;

    fn try_from(selector: &LabelSelector) -> Result<Selector, ParseError> {
        let labels = selector.match_labels.iter().flatten();
        let equal = labels.map(|(key, value)| Requirement::new(key, Operator::Equals(value.clone())));
        let expressions = selector.match_expressions.iter().flatten().map(|expression| {
            let values = || expression.values.iter().flatten().cloned().collect();
            let operator = match expression.operator.as_str() {
                "In" => Operator::In(values()),
                "NotIn" => Operator::NotIn(values()),
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                other => return Err(ParseError(format!("{other:?} is not a valid label selector operator"))),
            };
            Requirement::new(&expression.key, operator)
        });
        Ok(Selector::new(equal.chain(expressions).collect::<Result<Vec<_>, _>>()?))
    }
}

impl FromStr for Selector {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Selector, ParseError> {
        parser::parse(text).map(Selector::new)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.requirements.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            requirement.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let listed = |values: &BTreeSet<String>| values.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        match &self.operator {
            Operator::In(values) => write!(f, "{key} in ({})", listed(values)),
            Operator::NotIn(values) => write!(f, "{key} notin ({})", listed(values)),
            Operator::Equals(value) => write!(f, "{key}={value}"),
            Operator::NotEquals(value) => write!(f, "{key}!={value}"),
            Operator::Exists => f.write_str(key),
            Operator::DoesNotExist => write!(f, "!{key}"),
            Operator::GreaterThan(bound) => write!(f, "{key}>{bound}"),
            Operator::LessThan(bound) => write!(f, "{key}<{bound}"),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

#[cfg(test)]
mod tests;
