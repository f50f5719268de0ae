//! Where complaints are collected, and the rules that many fields share.

use serde_json::Value;

use crate::{cause::Cause, quantity::Quantity, tree::entries};

use super::format;

/// Collects what is wrong with an object.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub(crate) causes: Vec<Cause>,
}

impl Checker {
    pub(crate) fn invalid(&mut self, field: &str, value: &Value, why: &str) {
        self.causes.push(Cause::invalid(field, value, why));
    }

    pub(crate) fn required(&mut self, field: &str, why: &str) {
        self.causes.push(Cause::required(field, why));
    }

    pub(crate) fn forbidden(&mut self, field: &str, why: &str) {
        self.causes.push(Cause::forbidden(field, why));
    }

    pub(crate) fn duplicate(&mut self, field: &str, value: &Value) {
        self.causes.push(Cause::duplicate(field, value));
    }

    pub(crate) fn not_found(&mut self, field: &str, value: &Value) {
        self.causes.push(Cause::not_found(field, value));
    }

    /// Every complaint about a text.
    pub(crate) fn text(&mut self, field: &str, text: &str, complaints: Vec<String>) {
        for complaint in complaints {
            self.invalid(field, &text.into(), &complaint);
        }
    }

    /// A text that must be one of these.
    pub(crate) fn one_of(&mut self, field: &str, value: &Value, known: &[&str]) {
        let text = value.as_str().unwrap_or_default();
        if known.contains(&text) {
            return;
        }
        self.unsupported(field, value, known);
    }

    /// A value that is none of these.
    pub(crate) fn unsupported(&mut self, field: &str, value: &Value, known: &[&str]) {
        let known: Vec<String> = known.iter().map(|one| format!("\"{one}\"")).collect();
        let shown = if value.is_null() { "\"\"".to_owned() } else { value.to_string() };
        self.causes.push(Cause::unsupported(field, &shown, &known.join(", ")));
    }

    /// A number that may not be negative, if it is there.
    pub(crate) fn not_negative(&mut self, parent: &Value, path: &str, name: &str) {
        if parent[name].as_i64().is_some_and(|number| number < 0) {
            self.invalid(&format!("{path}.{name}"), &parent[name], NOT_NEGATIVE);
        }
    }

    /// A number of a port.
    pub(crate) fn port(&mut self, field: &str, number: i64) {
        for complaint in format::port_number(number) {
            self.invalid(field, &number.into(), &complaint);
        }
    }

    /// The number or the name of a port.
    pub(crate) fn port_or_name(&mut self, field: &str, port: &Value) {
        match port {
            Value::String(name) => self.text(field, name, format::port_name(name)),
            number => self.port(field, number.as_i64().unwrap_or_default()),
        }
    }

    /// A count or a percentage, neither negative.
    pub(crate) fn count_or_percent(&mut self, field: &str, value: &Value) {
        match value {
            Value::String(text) => {
                for complaint in format::percent(text) {
                    self.invalid(field, value, &complaint);
                }
            }
            number if number.as_i64().is_some_and(|number| number < 0) => self.invalid(field, value, NOT_NEGATIVE),
            _ => {}
        }
    }

    /// A percentage of no more than everything.
    pub(crate) fn at_most_everything(&mut self, field: &str, value: &Value) {
        let percent = value.as_str().and_then(|text| text.strip_suffix('%')).and_then(|number| number.parse().ok());
        if percent.is_some_and(|percent: i64| percent > 100) {
            self.invalid(field, value, "must not be greater than 100%");
        }
    }

    /// Labels, wherever they stand.
    pub(crate) fn labels(&mut self, parent: &Value, path: &str, name: &str) {
        let field = format!("{path}.{name}");
        for (key, value) in entries(parent, name) {
            self.text(&field, key, format::qualified_name(key));
            let value = value.as_str().unwrap_or_default();
            self.text(&field, value, format::label_value(value));
        }
    }

    /// A field that an update may not change.
    pub(crate) fn unchanged(&mut self, field: &str, before: &Value, next: &Value) {
        if before != next {
            self.invalid(field, next, IMMUTABLE);
        }
    }

    /// The amount of a resource.
    pub(crate) fn amount(&mut self, field: &str, resource: &str, value: &Value) {
        let Some(amount) = value.as_str().and_then(Quantity::parse) else { return };
        if amount.is_negative() {
            self.invalid(field, value, NOT_NEGATIVE);
        }
        let counted = matches!(resource, "pods" | "services" | "secrets" | "configmaps")
            || resource.starts_with("count/")
            || (resource.contains('/') && !resource.contains("kubernetes.io/"));
        if counted && !amount.is_whole() {
            self.invalid(field, value, "must be an integer");
        }
    }
}

/// How much a count or percentage is; for telling nothing from something.
pub(super) fn number_of(value: &Value) -> i64 {
    match value {
        Value::String(text) => text.trim_end_matches('%').parse().unwrap_or_default(),
        other => other.as_i64().unwrap_or_default(),
    }
}

pub(super) const NOT_NEGATIVE: &str = "must be greater than or equal to 0";
pub(super) const IMMUTABLE: &str = "field is immutable";
