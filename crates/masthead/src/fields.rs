//! Field selectors: kubectl's grammar, parsed from a string and matched locally.
//!
//! `status.phase=Running,spec.nodeName!=n1`. Every requirement must hold. A backslash stands before each `\`, `,` and `=`
//! of a value; fields know no escapes. Which fields an object has is its server's affair: here they are looked up.

use std::{fmt, str::FromStr};

/// A conjunction of requirements on an object's fields, sorted as they are written.
///
/// [`Display`](fmt::Display) writes what the server reads; parsing that again gives an equal selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

/// One term of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The path of the field, as in `metadata.name`.
    pub field: String,
    /// What is asked of it.
    pub operator: Operator,
    /// The value it is compared with, without escapes.
    pub value: String,
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The same value; written `=`.
    Equals,
    /// Another value; written `!=`.
    NotEquals,
}

/// Why a selector was refused, in the words kubectl uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl Selector {
    /// The selector that matches every object.
    pub fn everything() -> Selector {
        Selector::default()
    }

    /// A selector of these requirements. One without field and value asks for nothing and is left out.
    pub fn new(requirements: impl IntoIterator<Item = Requirement>) -> Selector {
        let asks = |requirement: &Requirement| !(requirement.field.is_empty() && requirement.value.is_empty());
        let mut requirements: Vec<Requirement> = requirements.into_iter().filter(asks).collect();
        requirements.sort_by_key(Requirement::to_string);
        Selector { requirements }
    }

    /// Whether fields, looked up by `field`, satisfy every requirement; a field that is absent is empty.
    ///
    /// Costs one look-up per requirement and no allocation.
    pub fn matches<'a>(&self, field: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements.iter().all(|requirement| {
            let same = field(&requirement.field).unwrap_or_default() == requirement.value;
            same == (requirement.operator == Operator::Equals)
        })
    }

    /// Whether every object matches.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The requirements, sorted as they are written.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// The value that `field` must have, if one is asked for.
    pub fn required(&self, field: &str) -> Option<&str> {
        let exact = |requirement: &&Requirement| requirement.operator == Operator::Equals && requirement.field == field;
        self.requirements.iter().find(exact).map(|requirement| requirement.value.as_str())
    }
}

impl FromStr for Selector {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Selector, ParseError> {
        let refuse = |term: &str| ParseError(format!("invalid selector: '{text}'; can't understand '{term}'"));
        let terms = split_terms(text).into_iter().filter(|term| !term.is_empty());
        let requirements = terms.map(|term| {
            let (field, operator, value) = split_term(term).ok_or_else(|| refuse(term))?;
            Ok(Requirement { field: field.to_owned(), operator, value: unescape(value)? })
        });
        Ok(Selector::new(requirements.collect::<Result<Vec<_>, _>>()?))
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
        let operator = match self.operator {
            Operator::Equals => "=",
            Operator::NotEquals => "!=",
        };
        write!(f, "{}{operator}{}", self.field, escape(&self.value))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// A literal value as it may stand in a selector.
pub fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '\\' | ',' | '=') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The text between commas that no backslash precedes; escapes are kept.
fn split_terms(text: &str) -> Vec<&str> {
    let (mut terms, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        if !escaped && c == ',' {
            terms.push(&text[start..at]);
            start = at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    terms.push(&text[start..]);
    terms
}

/// Cuts a term at its first operator.
fn split_term(term: &str) -> Option<(&str, Operator, &str)> {
    // The doubled sign comes before the single one, which would leave its second half to the value.
    const OPERATORS: [(&str, Operator); 3] =
        [("!=", Operator::NotEquals), ("==", Operator::Equals), ("=", Operator::Equals)];
    term.char_indices().find_map(|(at, _)| {
        let (field, rest) = term.split_at(at);
        OPERATORS.iter().find_map(|(text, operator)| Some((field, *operator, rest.strip_prefix(text)?)))
    })
}

/// The literal value that an escaped one stands for.
fn unescape(text: &str) -> Result<String, ParseError> {
    let (mut value, mut rest) = (String::with_capacity(text.len()), text.chars());
    while let Some(c) = rest.next() {
        match (c, c == '\\') {
            (_, true) => match rest.next() {
                Some(c @ ('\\' | ',' | '=')) => value.push(c),
                other => {
                    let sequence: String = [Some('\\'), other].into_iter().flatten().collect();
                    return Err(ParseError(format!("invalid field selector: invalid escape sequence: {sequence}")));
                }
            },
            (',' | '=', _) => {
                // Go prints the character as its number.
                let number = u32::from(c);
                return Err(ParseError(format!("invalid field selector: unescaped character in value: {number}")));
            }
            (c, _) => value.push(c),
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests;
