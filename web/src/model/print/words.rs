//! Words that stand for nothing, and lists of words.

pub(super) const NONE: &str = "<none>";
pub(super) const UNSET: &str = "<unset>";
pub(super) const UNKNOWN: &str = "<unknown>";

/// How many of a list are shown before the rest is only counted.
const SHOWN: usize = 3;

/// The text, or what stands for an empty one.
pub(super) fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// All of them with something between.
pub(super) fn joined<S: AsRef<str>>(all: impl IntoIterator<Item = S>, between: &str) -> String {
    let mut text = String::new();
    for (place, one) in all.into_iter().enumerate() {
        if place > 0 {
            text.push_str(between);
        }
        text.push_str(one.as_ref());
    }
    text
}

/// A list with commas, only its beginning where it is long.
pub(super) fn shortened<S: AsRef<str>>(items: impl Iterator<Item = S> + Clone, otherwise: &str) -> String {
    let shown = joined(items.clone().take(SHOWN), ",");
    match items.count().saturating_sub(SHOWN) {
        0 => or(&shown, otherwise).to_owned(),
        more => format!("{shown} + {more} more..."),
    }
}
