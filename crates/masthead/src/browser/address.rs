//! Addresses as a browser must ask for them.

use form_urlencoded::Serializer;

/// `url` with `pretty=false`, unless it says how it wants to be printed.
///
/// The server indents everything for whoever looks like a browser: twice the bytes.
pub(super) fn unindented(url: &str) -> String {
    let (path, query) = split(url);
    if params(query).any(|(name, _)| name == "pretty") {
        return url.to_owned();
    }
    match query {
        "" => format!("{path}?pretty=false"),
        query => format!("{path}?{query}&pretty=false"),
    }
}

/// The cheapest GET that fails as a watch of `url` would: its list, cut after one object.
pub(super) fn probe(url: &str) -> String {
    const OF_A_WATCH: [&str; 7] = [
        "watch",
        "allowWatchBookmarks",
        "sendInitialEvents",
        "timeoutSeconds",
        "resourceVersion",
        "resourceVersionMatch",
        "limit",
    ];
    let (path, query) = split(url);
    let kept = params(query).filter(|(name, _)| !OF_A_WATCH.contains(&name.as_ref()));
    let query = Serializer::new(String::new()).extend_pairs(kept).append_pair("limit", "1").finish();
    format!("{path}?{query}")
}

/// Where a WebSocket for `url` goes; `None` when that cannot be told.
///
/// `page` is the origin that relative addresses are meant for. `base` stands before the path in place of the origin of
/// `url`: a path as `/ws` on the same origin, or an address as `ws://127.0.0.1:8001`.
pub(super) fn socket(url: &str, page: &str, base: Option<&str>) -> Option<String> {
    let own = origin(url);
    let path = &url[own.len()..];
    let home = if own.is_empty() { page } else { own };
    let place = match base.map(|base| base.trim_end_matches('/')) {
        None | Some("") => home.to_owned(),
        Some(base) if base.starts_with('/') => format!("{home}{base}"),
        Some(base) => base.to_owned(),
    };
    let (scheme, rest) = place.split_once("://")?;
    let scheme = match scheme {
        "http" | "ws" => "ws",
        "https" | "wss" => "wss",
        _ => return None,
    };
    Some(format!("{scheme}://{rest}{path}"))
}

/// Scheme, host and port; empty for a relative address.
pub(super) fn origin(url: &str) -> &str {
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| !scheme.contains(['/', '?'])) else {
        return "";
    };
    let authority = rest.find(['/', '?']).unwrap_or(rest.len());
    &url[..scheme.len() + "://".len() + authority]
}

/// Whether the answer goes on until somebody ends it: a watch, or a log that is followed.
pub(super) fn stays_open(url: &str) -> bool {
    let truthy = |value: &str| !matches!(value, "0" | "false");
    params(split(url).1).any(|(name, value)| matches!(name.as_ref(), "watch" | "follow") && truthy(&value))
}

/// Whether the answer is worth keeping in the browser's cache: documents that the server lets one revalidate by their hash.
/// Objects are not: they change all the time, and lists are large.
pub(super) fn is_document(url: &str) -> bool {
    let path = split(&url[origin(url).len()..]).0;
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let after = |root: &str| segments.iter().position(|segment| *segment == root).map(|at| segments.len() - at - 1);
    let below = |root: &str, most: usize| after(root).is_some_and(|depth| depth <= most);
    below("openapi", usize::MAX) || below("apis", 2) || (after("apis").is_none() && below("api", 1))
}

fn split(url: &str) -> (&str, &str) {
    url.split_once('?').unwrap_or((url, ""))
}

fn params(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_for_plain_json_unless_told_otherwise() {
        for (url, expected) in [
            ("/version", "/version?pretty=false"),
            ("http://h:1/api/v1/pods?limit=5", "http://h:1/api/v1/pods?limit=5&pretty=false"),
            ("/api?pretty=true", "/api?pretty=true"),
            ("/api?a=pretty&prettyx=1", "/api?a=pretty&prettyx=1&pretty=false"),
        ] {
            assert_eq!(unindented(url), expected);
        }
    }

    #[test]
    fn probes_with_the_list_of_the_same_objects() {
        let watch = "http://h/api/v1/pods?allowWatchBookmarks=true&labelSelector=a%3Db%26c&limit=500&resourceVersion=7\
                     &resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=300&watch=1";
        assert_eq!(probe(watch), "http://h/api/v1/pods?labelSelector=a%3Db%26c&limit=1");
        assert_eq!(probe("/api/v1/pods"), "/api/v1/pods?limit=1");
    }

    #[test]
    fn a_socket_goes_where_the_request_goes() {
        let page = "https://page.example:8443";
        for (url, base, expected) in [
            ("http://127.0.0.1:8001/api/v1/pods?watch=1", None, Some("ws://127.0.0.1:8001/api/v1/pods?watch=1")),
            ("https://h/k-1/api", None, Some("wss://h/k-1/api")),
            ("/api/v1/pods?watch=1", None, Some("wss://page.example:8443/api/v1/pods?watch=1")),
            ("/api/v1/pods", Some("/ws"), Some("wss://page.example:8443/ws/api/v1/pods")),
            ("http://h:1/api", Some("/ws/"), Some("ws://h:1/ws/api")),
            ("/api", Some("ws://127.0.0.1:8001"), Some("ws://127.0.0.1:8001/api")),
            ("http://h:1/api", Some("https://other/x"), Some("wss://other/x/api")),
            ("/api", Some("ftp://other"), None),
        ] {
            assert_eq!(socket(url, page, base).as_deref(), expected, "{url} {base:?}");
        }
        assert_eq!(socket("/api", "", None), None, "Node has no page");
    }

    #[test]
    fn the_origin_ends_before_the_path() {
        for (url, expected) in [
            ("http://h:1/api?x=http://y/z", "http://h:1"),
            ("https://h?x", "https://h"),
            ("/api?x=http://y/z", ""),
            ("", ""),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
    }

    #[test]
    fn tells_what_stays_open_from_what_ends() {
        for (url, expected) in [
            ("/api/v1/pods?watch=1", true),
            ("/api/v1/pods?watch=true&limit=1", true),
            ("/api/v1/pods?watch=false", false),
            ("/api/v1/namespaces/n/pods/p/log?follow=true", true),
            ("/api/v1/namespaces/n/pods/p/log?tailLines=9", false),
            ("/api/v1/namespaces/watch/pods", false),
        ] {
            assert_eq!(stays_open(url), expected, "{url}");
        }
    }

    #[test]
    fn documents_are_cached_and_objects_are_not() {
        for (url, expected) in [
            ("/api", true),
            ("/apis", true),
            ("http://h/k-1/api/v1", true),
            ("/apis/apps/v1?x=1", true),
            ("/openapi/v3/apis/apps/v1?hash=1", true),
            ("/api/v1/pods", false),
            ("/apis/apps/v1/deployments", false),
            ("/apis/example.com/v1/api", false),
            ("/version", false),
        ] {
            assert_eq!(is_document(url), expected, "{url}");
        }
    }
}
