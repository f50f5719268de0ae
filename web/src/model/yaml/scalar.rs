//! Which texts need quotes, and which.

use std::fmt::Write;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    /// Line by line, below.
    Literal,
}

impl Style {
    /// That of a value.
    pub(super) fn of_value(text: &str) -> Style {
        match text.contains('\n') {
            true if is_readable(text) && !is_blank_somewhere(text) => Style::Literal,
            true => Style::Double,
            false => Style::of_key(text),
        }
    }

    /// That of the name of a member, which is on one line.
    pub(super) fn of_key(text: &str) -> Style {
        match () {
            () if text.is_empty() || text.contains(['\n', '\t']) || !is_readable(text) => Style::Double,
            () if is_something_else(text) => Style::Double,
            () if is_mistakable(text) => Style::Single,
            () => Style::Plain,
        }
    }
}

/// Whether every letter can be shown as it is.
fn is_readable(text: &str) -> bool {
    text.chars().all(|c| match c {
        '\n' | '\t' | ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => c >= '\u{a0}',
    })
}

/// Whether a line of it would be lost or mistaken: one of spaces only, or all of them empty.
fn is_blank_somewhere(text: &str) -> bool {
    let is_blank = |line: &str| !line.is_empty() && line.trim_matches([' ', '\t']).is_empty();
    text.trim_matches('\n').is_empty() || text.ends_with([' ', '\t']) || text.split('\n').any(is_blank)
}

/// Whether a plain text has a sign in it that would not be taken as text.
fn is_mistakable(text: &str) -> bool {
    let first = text.chars().next().unwrap_or_default();
    text.starts_with("---")
        || text.starts_with("...")
        || "#,[]{}&*!|>'\"%@`".contains(first)
        || text.starts_with("- ")
        || text.starts_with("? ")
        || matches!(text, "-" | "?")
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.ends_with(':')
        || text.contains(": ")
        || text.contains(" #")
}

/// Whether a reader takes a plain text for something else: a number, a time, a truth or nothing.
fn is_something_else(text: &str) -> bool {
    const WORDS: [&str; 15] =
        ["y", "yes", "true", "on", "n", "no", "false", "off", "~", "null", "<<", ".nan", ".inf", "+.inf", "-.inf"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        || text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && (is_number(text) || is_time(text) || is_sexagesimal(text))
}

fn is_number(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = unsigned.to_ascii_lowercase().strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).is_ok();
        }
    }
    let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && are_digits(exponent)
        && !exponent.is_empty()
}

/// Whether it is a date, with a time of day or without.
fn is_time(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let is = |part: Option<&str>, lengths: std::ops::RangeInclusive<usize>| {
        part.is_some_and(|part| lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut parts = date.split('-');
    let is_date =
        is(parts.next(), 4..=4) && is(parts.next(), 1..=2) && is(parts.next(), 1..=2) && parts.next().is_none();
    let is_clock =
        |time: &str| time.contains(':') && time.bytes().all(|byte| byte.is_ascii_digit() || b":.+-Zz".contains(&byte));
    is_date && time.is_none_or(is_clock)
}

/// Whether it is a number of the base 60, as old readers take `10:30` for.
fn is_sexagesimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let mut places = whole.split(':');
    let first = places.next().unwrap_or_default();
    let is_place = |place: &str| match place.as_bytes() {
        [one] => one.is_ascii_digit(),
        [ten, one] => (b'0'..=b'5').contains(ten) && one.is_ascii_digit(),
        _ => false,
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && are_digits(first)
        && are_digits(fraction)
        && whole.contains(':')
        && places.all(is_place)
}

/// Appends a text in double quotes.
pub(super) fn write_double(text: &str, to: &mut String) {
    to.push('"');
    for c in text.chars() {
        match c {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\n' => to.push_str("\\n"),
            '\t' => to.push_str("\\t"),
            '\r' => to.push_str("\\r"),
            c if is_readable(c.encode_utf8(&mut [0; 4])) => to.push(c),
            c if u32::from(c) <= 0xff => write!(to, "\\x{:02X}", u32::from(c)).unwrap_or_default(),
            c => write!(to, "\\u{:04X}", u32::from(c)).unwrap_or_default(),
        }
    }
    to.push('"');
}
