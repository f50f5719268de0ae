//! Selectors and labels as a cell shows them.

use std::{borrow::Cow, collections::BTreeMap};

use masthead::lean::{Field, Found, Interned, Mismatch, Strings};
use serde::Deserialize;

use super::{
    cells::Cells,
    nested,
    words::{NONE, joined},
};

/// Labels with commas, in the order of their keys; empty where there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs(pub(super) Interned);

impl Field for Pairs {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        if let Found::Nested(json) = found {
            let labels: BTreeMap<Cow<'_, str>, Cow<'_, str>> = nested::read(json)?;
            let mut pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
            pairs.sort();
            self.0 = strings.intern(&joined(pairs, ","));
        }
        Ok(())
    }
}

/// A label selector in the words of a query.
#[derive(Clone, Debug)]
pub(super) enum Selector {
    /// Empty where it selects everything, or is not there.
    Written(Interned),
    /// It has an operator that nobody knows.
    Invalid,
}

impl Selector {
    /// Makes a cell of it.
    pub(super) fn show(&self, to: &mut Cells<'_>) {
        match self {
            Selector::Written(written) => to.known(written, NONE),
            Selector::Invalid => to.word("<error>"),
        }
    }
}

impl Default for Selector {
    fn default() -> Selector {
        Selector::Written(Interned::default())
    }
}

impl Field for Selector {
    fn take(&mut self, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        if let Found::Nested(json) = found {
            let selector: WrittenSelector = nested::read(json)?;
            *self = match selector.query() {
                Some(query) => Selector::Written(strings.intern(&query)),
                None => Selector::Invalid,
            };
        }
        Ok(())
    }
}

/// A label selector.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct WrittenSelector {
    pub(super) match_labels: BTreeMap<String, String>,
    pub(super) match_expressions: Vec<Requirement>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Requirement {
    pub(super) key: String,
    pub(super) operator: String,
    pub(super) values: Vec<String>,
}

impl WrittenSelector {
    fn query(&self) -> Option<String> {
        let mut parts: Vec<(&str, String)> =
            self.match_labels.iter().map(|(key, value)| (key.as_str(), format!("{key}={value}"))).collect();
        for Requirement { key, operator, values } in &self.match_expressions {
            let mut values = values.clone();
            values.sort();
            let values = values.join(",");
            let part = match operator.as_str() {
                "In" => format!("{key} in ({values})"),
                "NotIn" => format!("{key} notin ({values})"),
                "Exists" => key.clone(),
                "DoesNotExist" => format!("!{key}"),
                _ => return None,
            };
            parts.push((key, part));
        }
        parts.sort_by(|a, b| a.0.cmp(b.0));
        Some(joined(parts.into_iter().map(|(_, part)| part), ","))
    }
}
