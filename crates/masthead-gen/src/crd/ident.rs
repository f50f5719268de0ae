//! Rust names for names of a schema.

use std::collections::BTreeSet;

use crate::case::snake;

/// Names of one scope: whoever comes second with a name gets it with a number.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Names {
        Names(taken.into_iter().map(str::to_owned).collect())
    }

    /// The name, or the first numbered one that is free; it is taken from now on.
    pub(super) fn take(&mut self, name: &str, joint: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{joint}{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.expect("there is always another number");
        self.0.insert(free.clone());
        free
    }
}

/// A property as a field is called: `matchLabels` is `match_labels`, `type` is `type_`.
pub(super) fn field(property: &str) -> String {
    let words: String = property.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let words = words.trim_matches('_').to_owned();
    let mut name = String::new();
    for letter in snake(&words).chars().filter(char::is_ascii) {
        if letter != '_' || !name.ends_with('_') {
            name.push(letter);
        }
    }
    match name.chars().next() {
        None => "field".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        Some(_) if KEYWORDS.contains(&name.as_str()) => format!("{name}_"),
        Some(_) => name,
    }
}

/// A property or a value as a part of a type is called: `matchLabels` is `MatchLabels`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    words.map(upper).collect()
}

/// A value as a variant is called: `Always`, `V100`, `Empty`.
pub(super) fn variant(value: &str) -> String {
    let name = pascal(value);
    match name.chars().next() {
        None if value.is_empty() => "Empty".to_owned(),
        None => "Symbol".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("V{name}"),
        Some(_) if name == "Self" => "SelfValue".to_owned(),
        Some(_) => name,
    }
}

/// What serde makes of a field under `rename_all = "camelCase"`.
pub(super) fn camel(field: &str) -> String {
    let mut camel = String::new();
    let mut upper = false;
    for letter in field.chars() {
        match letter {
            '_' => upper = !camel.is_empty(),
            letter if upper => {
                camel.push(letter.to_ascii_uppercase());
                upper = false;
            }
            letter => camel.push(letter),
        }
    }
    camel
}

/// The words of Rust that no field can be called.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "union",
];

#[cfg(test)]
mod tests {
    use super::{Names, field, pascal, variant};

    #[test]
    fn names_are_made_for_rust() {
        for (property, expect) in [
            ("matchLabels", "match_labels"),
            ("type", "type_"),
            ("podIPs", "pod_ips"),
            ("x-forwarded.for", "x_forwarded_for"),
            ("3scale", "_3scale"),
            ("$", "field"),
            ("größe", "gr_e"),
            ("HTTPRoute", "http_route"),
            ("_a__b_", "a_b"),
            ("self", "self_"),
        ] {
            assert_eq!(field(property), expect);
            assert!(syn::parse_str::<syn::Ident>(&field(property)).is_ok(), "{property}");
        }
        for (value, expect) in
            [("", "Empty"), ("*", "Symbol"), ("100", "V100"), ("Self", "SelfValue"), ("key agreement", "KeyAgreement")]
        {
            assert_eq!(variant(value), expect);
        }
        assert_eq!(pascal("caBundle.pem"), "CaBundlePem");
    }

    #[test]
    fn whoever_comes_second_gets_a_number() {
        let mut names = Names::new(["Option"]);
        assert_eq!(["A", "A", "Option", "A"].map(|name| names.take(name, "")), ["A", "A2", "Option2", "A3"]);
        assert_eq!(["a", "a"].map(|name| names.take(name, "_")), ["a", "a_2"]);
    }
}
