//! One rule of a role.

use serde_json::{Value, json};

use super::attempt::{Attempt, Resource};

/// What a rule allows: verbs on resources, or on paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) verbs: Vec<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) resources: Vec<String>,
    /// Empty for whatever the name is.
    pub(crate) names: Vec<String>,
    /// Only these make it a rule about paths.
    pub(crate) urls: Vec<String>,
}

impl Rule {
    /// Reads one of the `rules` of a role.
    pub(crate) fn read(rule: &Value) -> Rule {
        let texts = |field: &str| {
            let texts = rule[field].as_array().into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        Rule {
            verbs: texts("verbs"),
            groups: texts("apiGroups"),
            resources: texts("resources"),
            names: texts("resourceNames"),
            urls: texts("nonResourceURLs"),
        }
    }

    pub(crate) fn allows(&self, attempt: &Attempt) -> bool {
        match attempt {
            Attempt::Resource(attempt) => {
                has(&self.verbs, &attempt.verb)
                    && has(&self.groups, &attempt.group)
                    && self.resources.iter().any(|resource| means(resource, attempt))
                    && (self.names.is_empty() || self.names.contains(&attempt.name))
            }
            Attempt::Path { verb, path } => has(&self.verbs, verb) && self.urls.iter().any(|url| covers(url, path)),
        }
    }

    /// As the review of a user's rules tells it.
    pub(crate) fn shown(&self) -> Value {
        if !self.urls.is_empty() {
            return json!({ "verbs": self.verbs, "nonResourceURLs": self.urls });
        }
        let mut shown = json!({ "verbs": self.verbs, "apiGroups": self.groups, "resources": self.resources });
        if !self.names.is_empty() {
            shown["resourceNames"] = self.names.as_slice().into();
        }
        shown
    }
}

fn has(known: &[String], asked: &str) -> bool {
    known.iter().any(|known| known == "*" || known == asked)
}

fn means(resource: &str, attempt: &Resource) -> bool {
    resource == "*"
        || resource == attempt.combined()
        || (!attempt.subresource.is_empty() && resource.strip_prefix("*/") == Some(&attempt.subresource))
}

fn covers(url: &str, path: &str) -> bool {
    url == path || url.strip_suffix('*').is_some_and(|start| path.starts_with(start.trim_end_matches('*')))
}

#[cfg(test)]
mod tests {
    use masthead::rest::Method;
    use serde_json::json;

    use super::{Attempt, Rule};
    use crate::query::Query;

    fn check(rule: serde_json::Value, method: Method, url: &str, expect: bool) {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let attempt = Attempt::of(method, path, &Query::parse(query));
        assert_eq!(Rule::read(&rule).allows(&attempt), expect, "{rule} {method:?} {url}");
    }

    #[test]
    fn a_rule_allows_what_it_names() {
        let pods = json!({ "verbs": ["get", "watch"], "apiGroups": [""], "resources": ["pods"] });
        check(pods.clone(), Method::Get, "/api/v1/namespaces/a/pods/b", true);
        check(pods.clone(), Method::Get, "/api/v1/namespaces/a/pods", false);
        check(pods.clone(), Method::Get, "/api/v1/namespaces/a/pods?watch=1", true);
        check(pods.clone(), Method::Get, "/api/v1/watch/namespaces/a/pods", true);
        check(pods.clone(), Method::Get, "/api/v1/namespaces/a/pods/b/log", false);
        check(pods.clone(), Method::Get, "/apis/metrics.k8s.io/v1/namespaces/a/pods/b", false);
        check(pods, Method::Delete, "/api/v1/namespaces/a/pods/b", false);
    }

    #[test]
    fn names_and_subresources_and_stars() {
        let one = json!({ "verbs": ["*"], "apiGroups": ["*"], "resources": ["pods"], "resourceNames": ["b"] });
        check(one.clone(), Method::Delete, "/api/v1/namespaces/a/pods/b", true);
        check(one.clone(), Method::Delete, "/api/v1/namespaces/a/pods/c", false);
        check(one.clone(), Method::Delete, "/api/v1/namespaces/a/pods", false);
        check(one, Method::Get, "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Db", true);
        let scale = json!({ "verbs": ["update"], "apiGroups": ["apps"], "resources": ["*/scale"] });
        check(scale.clone(), Method::Put, "/apis/apps/v1/namespaces/a/deployments/d/scale", true);
        check(scale, Method::Put, "/apis/apps/v1/namespaces/a/deployments/d", false);
        let namespaces =
            json!({ "verbs": ["get"], "apiGroups": [""], "resources": ["namespaces", "namespaces/status"] });
        check(namespaces.clone(), Method::Get, "/api/v1/namespaces/a", true);
        check(namespaces, Method::Get, "/api/v1/namespaces/a/status", true);
    }

    #[test]
    fn paths_are_told_from_resources() {
        let paths = json!({ "verbs": ["get"], "nonResourceURLs": ["/healthz", "/apis/*"] });
        check(paths.clone(), Method::Get, "/healthz", true);
        check(paths.clone(), Method::Get, "/healthz/ping", false);
        check(paths.clone(), Method::Get, "/apis/apps/v1", true);
        check(paths.clone(), Method::Get, "/apis/apps/v1/deployments", false);
        check(paths, Method::Post, "/healthz", false);
    }
}
