//! The server's rules for label keys and values.

use super::ParseError;

/// `name`, or `prefix/name` with a DNS subdomain as its prefix.
pub(super) fn key(key: &str) -> Result<(), ParseError> {
    let (prefix, name) = match key.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    // The server names a field here, and has none to name.
    let refuse = |why: &str| Err(ParseError(format!("<nil>: Invalid value: {key:?}: {why}")));
    if prefix.is_some_and(str::is_empty) {
        return refuse("prefix part must be non-empty");
    }
    if prefix.is_some_and(|prefix| !is_subdomain(prefix)) {
        return refuse(
            "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        );
    }
    if name.contains('/') {
        return refuse("a qualified name must consist of a name and an optional DNS subdomain prefix and '/'");
    }
    if name.is_empty() {
        return refuse("name part must be non-empty");
    }
    if name.len() > MAX_NAME {
        return refuse("name part must be no more than 63 characters");
    }
    if !is_name(name) {
        return refuse(
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        );
    }
    Ok(())
}

/// Empty, or like the name part of a key. `index` is the value's place in its set.
pub(super) fn value(key: &str, index: usize, value: &str) -> Result<(), ParseError> {
    let refuse = |why: &str| Err(ParseError(format!("values[{index}][{key}]: Invalid value: {value:?}: {why}")));
    if value.len() > MAX_NAME {
        return refuse("must be no more than 63 characters");
    }
    if !value.is_empty() && !is_name(value) {
        return refuse(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        );
    }
    Ok(())
}

const MAX_NAME: usize = 63;
const MAX_SUBDOMAIN: usize = 253;

fn is_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    text.bytes().all(inner) && has_ends(text, |byte| byte.is_ascii_alphanumeric())
}

pub(crate) fn is_subdomain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| label.bytes().all(|byte| plain(byte) || byte == b'-') && has_ends(label, plain);
    text.len() <= MAX_SUBDOMAIN && text.split('.').all(is_label)
}

fn has_ends(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|byte| allowed(*byte)) && bytes.last().is_some_and(|byte| allowed(*byte))
}
