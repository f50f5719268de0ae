//! Paths and queries, put together as client-go puts them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::ordered::Ordered;

/// Joins segments by single slashes and resolves `.` and `..`; a slash at the end is lost, an absolute start is kept.
pub(crate) fn join<'a>(segments: impl IntoIterator<Item = &'a str>) -> String {
    let (mut absolute, mut first, mut parts) = (false, true, Vec::new());
    for segment in segments.into_iter().filter(|segment| !segment.is_empty()) {
        absolute |= first && segment.starts_with('/');
        first = false;
        for part in segment.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

/// Why `segment` cannot stand between two slashes of a path, if it cannot.
pub(crate) fn refusal(segment: &str) -> Option<String> {
    if matches!(segment, "." | "..") {
        return Some(format!("may not be '{segment}'"));
    }
    let forbidden = ['/', '%'].into_iter().find(|character| segment.contains(*character))?;
    Some(format!("may not contain '{forbidden}'"))
}

/// The path with everything escaped that a path cannot hold.
pub(crate) fn escape(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Parameters by name, each with its values.
pub(crate) type Params = Ordered<String, Vec<String>>;

/// `key=value` pairs sorted by key, without the question mark; empty for none.
pub(crate) fn query(params: &Params) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (key, values) in params.iter() {
        query.extend_pairs(values.iter().map(|value| (key, value)));
    }
    query.finish()
}

/// The pairs of a query.
pub(crate) fn parse_query(query: &str) -> Params {
    let mut params = Params::default();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        params.get_or_default(key.into_owned()).push(value.into_owned());
    }
    params
}

/// What RFC 3986 lets stand in a path, slashes included.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b',')
    .remove(b'/')
    .remove(b':')
    .remove(b';')
    .remove(b'=')
    .remove(b'@');

#[cfg(test)]
mod tests {
    use super::{escape, join};

    #[test]
    fn joins_as_go_does() {
        for (segments, expected) in [
            (&["/", "", ""][..], "/"),
            (&["", "/bar/foo"], "/bar/foo"),
            (&["/p1/", "/apis/"], "/p1/apis"),
            (&["a", "b//c", "./d", "../e"], "a/b/c/e"),
            (&[], ""),
        ] {
            assert_eq!(join(segments.iter().copied()), expected, "{segments:?}");
        }
    }

    #[test]
    fn escapes_what_a_path_cannot_hold() {
        assert_eq!(escape("/api/system:node é?"), "/api/system:node%20%C3%A9%3F");
    }
}
