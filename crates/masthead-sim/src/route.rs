//! What a path asks for.

use std::rc::Rc;

use percent_encoding::percent_decode_str;

use crate::{
    health::Health,
    kind::{Kind, Subresource},
    registry::Registry,
};

/// Where a request goes.
#[derive(Debug, PartialEq)]
pub(crate) enum Route {
    /// `/`.
    Paths,
    Version,
    Health(Health),
    /// `/metrics`.
    Metrics,
    /// `/openapi/v3` and what lies below it.
    OpenApi(String),
    /// `/api`.
    CoreVersions,
    /// `/apis`.
    Groups,
    /// `/apis/{group}`.
    Group(String),
    /// `/api/v1` or `/apis/{group}/{version}`.
    Resources {
        group: String,
        version: String,
    },
    Collection {
        kind: Rc<Kind>,
        namespace: Option<String>,
    },
    Object {
        kind: Rc<Kind>,
        namespace: String,
        name: String,
        part: Option<Subresource>,
    },
    /// `/watch` below a group-version, as clients once watched: a collection, or one object of it.
    Watch {
        kind: Rc<Kind>,
        namespace: Option<String>,
        name: Option<String>,
    },
    /// A part that the objects of a custom kind do not have.
    NoPart {
        kind: Rc<Kind>,
        name: String,
    },
    /// A path below a group-version that is served, with nothing there.
    UnknownResource,
    /// Any other path.
    NotFound,
}

impl Route {
    /// Reads the path of a URL, with or without its origin.
    pub(crate) fn parse(path: &str, kinds: &Registry) -> Route {
        let segments: Option<Vec<String>> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| percent_decode_str(segment).decode_utf8().ok().map(Into::into))
            .collect();
        let Some(segments) = segments else { return Route::NotFound };
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match segments.as_slice() {
            ["version"] => Route::Version,
            [] => Route::Paths,
            ["metrics"] => Route::Metrics,
            ["openapi", "v3", place @ ..] => Route::OpenApi(place.join("/")),
            ["api"] => Route::CoreVersions,
            ["apis"] => Route::Groups,
            ["api", version, rest @ ..] => below(kinds, "", version, rest),
            ["apis", group] if is_group(kinds, group) => Route::Group((*group).to_owned()),
            ["apis", group, version, rest @ ..] if is_group(kinds, group) => below(kinds, group, version, rest),
            [name, check @ ..] => health(name, check).unwrap_or(Route::NotFound),
        }
    }
}

fn health(name: &str, check: &[&str]) -> Option<Route> {
    let health = Health::ALL.into_iter().find(|health| health.name() == name)?;
    let check = check.join("/");
    let known = check.is_empty() || health.checks().any(|known| known == check);
    known.then_some(Route::Health(health))
}

/// The path and the query of an address.
pub(crate) fn split_url(url: &str) -> (&str, &str) {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => url,
    };
    path.split_once('?').unwrap_or((path, ""))
}

fn is_group(kinds: &Registry, group: &str) -> bool {
    !group.is_empty() && kinds.serves(group, None)
}

fn below(kinds: &Registry, group: &str, version: &str, rest: &[&str]) -> Route {
    // What serves custom resources knows nothing of a path that it does not serve.
    let unknown = if kinds.is_custom(group) { Route::NotFound } else { Route::UnknownResource };
    if !kinds.serves(group, Some(version)) {
        return unknown;
    }
    let found = |plural: &str| kinds.find(group, version, plural).cloned();
    if let ["watch", rest @ ..] = rest
        && !rest.is_empty()
    {
        return watch(below(kinds, group, version, rest));
    }
    let route = match rest {
        [] => Some(Route::Resources { group: group.to_owned(), version: version.to_owned() }),
        ["namespaces", namespace, plural] if found(plural).is_some_and(|kind| kind.is_namespaced()) => {
            found(plural).map(|kind| Route::Collection { kind, namespace: Some((*namespace).to_owned()) })
        }
        ["namespaces", namespace, plural, name, part @ ..] => {
            found(plural).filter(|kind| kind.is_namespaced()).and_then(|kind| object(kind, namespace, name, part))
        }
        [plural] => found(plural)
            .filter(|kind| !kind.is_namespaced() || kind.allows("list"))
            .map(|kind| Route::Collection { kind, namespace: None }),
        [plural, name, part @ ..] => {
            found(plural).filter(|kind| !kind.is_namespaced()).and_then(|kind| object(kind, "", name, part))
        }
    };
    route.unwrap_or(unknown)
}

/// The watch of what a path is about.
fn watch(route: Route) -> Route {
    match route {
        Route::Collection { kind, namespace } if kind.allows("watch") => Route::Watch { kind, namespace, name: None },
        Route::Object { kind, namespace, name, part: None } if kind.allows("watch") => {
            let namespace = kind.is_namespaced().then_some(namespace);
            Route::Watch { kind, namespace, name: Some(name) }
        }
        _ => Route::UnknownResource,
    }
}

fn object(kind: Rc<Kind>, namespace: &str, name: &str, part: &[&str]) -> Option<Route> {
    if !kind.allows("get") {
        return None;
    }
    let part = match part {
        [] => None,
        [part, rest @ ..] if rest.is_empty() || kind.is_custom() => {
            let known = kind.subresources.iter().find(|known| known.name() == *part);
            if known.is_none() && kind.is_custom() {
                return Some(Route::NoPart { kind, name: name.to_owned() });
            }
            Some(*known?)
        }
        // What follows is the path behind the proxy.
        ["proxy", ..] if kind.has(Subresource::Proxy) => Some(Subresource::Proxy),
        _ => return None,
    };
    Some(Route::Object { kind, namespace: namespace.to_owned(), name: name.to_owned(), part })
}

#[cfg(test)]
mod tests {
    use super::{Registry, Route, split_url};

    #[test]
    fn paths_find_their_kind_and_nothing_else() {
        let check = |path: &str, expect: &str| {
            let shown = match Route::parse(path, &Registry::new()) {
                Route::Collection { kind, namespace } => format!("{} in {namespace:?}", kind.plural),
                Route::Object { kind, namespace, name, part } => {
                    format!("{} {namespace}/{name} {part:?}", kind.plural)
                }
                Route::Watch { kind, namespace, name } => format!("watch {} {namespace:?} {name:?}", kind.plural),
                other => format!("{other:?}"),
            };
            assert_eq!(shown, expect, "{path}");
        };
        check("/api/v1/pods", "pods in None");
        check("/api/v1/namespaces/a/pods", "pods in Some(\"a\")");
        check("/api/v1/namespaces/a/pods/b%2Ec/status", "pods a/b.c Some(Status)");
        check("/api/v1/namespaces/a", "namespaces /a None");
        check("/api/v1/namespaces/a/status", "namespaces /a Some(Status)");
        check("/apis/apps/v1/namespaces/a/deployments/d/scale", "deployments a/d Some(Scale)");
        check("/api/v1/nodes/n", "nodes /n None");
        check("/api/v1/pods/n", "UnknownResource");
        check("/api/v1/namespaces/a/nodes", "UnknownResource");
        check("/api/v1/namespaces/a/configmaps/c/status", "UnknownResource");
        check("/apis/apps/v9", "UnknownResource");
        check("/apis/nope/v1", "NotFound");
        check("/nope", "NotFound");
        check("/api/v1/watch/pods", "watch pods None None");
        check("/api/v1/watch/namespaces/a/pods/b", "watch pods Some(\"a\") Some(\"b\")");
        check("/api/v1/watch/namespaces/a", "watch namespaces None Some(\"a\")");
        check("/api/v1/watch/namespaces/a/pods/b/status", "UnknownResource");
        check("/api/v1/watch/namespaces/a/bindings", "UnknownResource");
        check("/", "Paths");
        check("/livez/poststarthook/rbac/bootstrap-roles", "Health(Live)");
        check("/livez/shutdown", "NotFound");
        check("/api/v1/namespaces/a/bindings", "bindings in Some(\"a\")");
        check("/api/v1/bindings", "UnknownResource");
        check("/api/v1/namespaces/a/bindings/b", "UnknownResource");
    }

    #[test]
    fn an_address_may_name_its_origin() {
        assert_eq!(split_url("http://sim/api/v1/pods?watch=1"), ("/api/v1/pods", "watch=1"));
        assert_eq!(split_url("/api/v1/pods"), ("/api/v1/pods", ""));
        assert_eq!(split_url("http://sim"), ("/", ""));
    }
}
