//! Which texts can be what, and the words in which the server says so.
//!
//! Each function gives back every complaint about a text; none when it is right.

/// A DNS label: no dots.
pub(crate) fn label(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 63);
    if !is_label(text) {
        let dotted = text.split('.').all(is_label);
        complaints.push(if dotted { "must not contain dots".to_owned() } else { LABEL.to_owned() });
    }
    complaints
}

/// A DNS subdomain: labels between dots.
pub(crate) fn subdomain(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 253);
    if !text.split('.').all(is_label) {
        complaints.push(SUBDOMAIN.to_owned());
    }
    complaints
}

/// A subdomain under a star.
pub(crate) fn wildcard_subdomain(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 253);
    if !text.strip_prefix("*.").is_some_and(|rest| rest.split('.').all(is_label)) {
        complaints.push(WILDCARD.to_owned());
    }
    complaints
}

/// Anything that can stand in a path.
pub(crate) fn path_segment(text: &str) -> Vec<String> {
    if matches!(text, "." | "..") {
        return vec![format!("may not be '{text}'")];
    }
    let bad = ['/', '%'].into_iter().filter(|letter| text.contains(*letter));
    bad.map(|letter| format!("may not contain '{letter}'")).collect()
}

/// A name with an optional subdomain before a slash, as labels and resources have.
pub(crate) fn qualified_name(text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let parts: Vec<&str> = text.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                complaints.push("prefix part must be non-empty".to_owned());
            } else {
                complaints.extend(subdomain(prefix).into_iter().map(|complaint| format!("prefix part {complaint}")));
            }
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        complaints.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        complaints.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_word(name) {
        complaints.push(format!("name part {QUALIFIED}"));
    }
    complaints
}

/// The value of a label.
pub(crate) fn label_value(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 63);
    if !text.is_empty() && !is_word(text) {
        complaints.push(LABEL_VALUE.to_owned());
    }
    complaints
}

/// The number of a port.
pub(crate) fn port_number(number: i64) -> Vec<String> {
    if (1..=65_535).contains(&number) { Vec::new() } else { vec![RANGE_OF_PORTS.to_owned()] }
}

/// The name of a port.
pub(crate) fn port_name(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 15);
    let mut refuse = |why: &str| complaints.push(why.to_owned());
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if text.is_empty() || !text.chars().all(known) {
        refuse("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if !text.chars().any(|c| c.is_ascii_lowercase()) {
        refuse("must contain at least one letter (a-z)");
    }
    if text.contains("--") {
        refuse("must not contain consecutive hyphens");
    }
    if text.starts_with('-') || text.ends_with('-') {
        refuse("must not begin or end with a hyphen");
    }
    complaints
}

/// The name of an environment variable.
pub(crate) fn variable(text: &str) -> Vec<String> {
    if text.chars().any(|c| !(' '..='~').contains(&c) || c == '=') { vec![VARIABLE.to_owned()] } else { Vec::new() }
}

/// A key of a config map or a secret.
pub(crate) fn key(text: &str) -> Vec<String> {
    let mut complaints = too_long(text, 253);
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) {
        complaints.push(KEY.to_owned());
    }
    match text {
        "." => complaints.push("must not be '.'".to_owned()),
        ".." => complaints.push("must not be '..'".to_owned()),
        _ if text.starts_with("..") => complaints.push("must not start with '..'".to_owned()),
        _ => {}
    }
    complaints
}

/// A number of percent.
pub(crate) fn percent(text: &str) -> Vec<String> {
    let number = text.strip_suffix('%').filter(|number| !number.is_empty());
    if number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit())) {
        return Vec::new();
    }
    vec![PERCENT.to_owned()]
}

/// The name of an HTTP header.
pub(crate) fn header(text: &str) -> Vec<String> {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Vec::new();
    }
    vec![HEADER.to_owned()]
}

fn too_long(text: &str, most: usize) -> Vec<String> {
    if text.len() > most { vec![format!("must be no more than {most} bytes")] } else { Vec::new() }
}

fn is_label(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && text.chars().all(inside) && !text.starts_with('-') && !text.ends_with('-')
}

fn is_word(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.chars().all(inside) && end(text.chars().next()) && end(text.chars().last())
}

const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                     and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
                         and must start and end with an alphanumeric character (e.g. 'example.com', regex used for \
                         validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const WILDCARD: &str = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must \
                        consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character \
                        (e.g. '*.example.com', regex used for validation is \
                        '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const QUALIFIED: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                         alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation \
                         is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
                           and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or \
                           '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const VARIABLE: &str =
    "a valid environment variable name must consist only of printable ASCII characters other than '='";
const KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or \
                   'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', \
                       regex used for validation is '[0-9]+%')";
const HEADER: &str = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex \
                      used for validation is '[-A-Za-z0-9]+')";
const RANGE_OF_PORTS: &str = "must be between 1 and 65535, inclusive";
