//! What the person may do, as far as the server tells.

use serde::Deserialize;

use crate::model::kind::Kind;

/// What somebody may do in a namespace, as `SelfSubjectRulesReview` tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Rules {
    resource_rules: Vec<Rule>,
    /// Whether somebody else than the server may allow more.
    incomplete: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Rule {
    verbs: Vec<String>,
    api_groups: Vec<String>,
    resources: Vec<String>,
    resource_names: Vec<String>,
}

impl Rules {
    /// Whether the objects of a kind may be listed; also when that is not known.
    pub fn may_list(&self, kind: &Kind) -> bool {
        let has = |list: &[String], word: &str| list.iter().any(|one| one == word || one == "*");
        self.incomplete
            || self.resource_rules.iter().any(|rule| {
                rule.resource_names.is_empty()
                    && has(&rule.verbs, "list")
                    && has(&rule.api_groups, &kind.group)
                    && has(&rule.resources, &kind.resource)
            })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(rules: serde_json::Value, kind: &str, expected: bool) {
        let rules: Rules = serde_json::from_value(rules).unwrap();
        assert_eq!(rules.may_list(&Kind::expected(kind).unwrap()), expected, "{rules:?} {kind}");
    }

    #[test]
    fn what_no_rule_allows_may_not_be_listed() {
        let rule = |verbs: &[&str], groups: &[&str], resources: &[&str]| json!({ "resourceRules": [{ "verbs": verbs, "apiGroups": groups, "resources": resources }], "incomplete": false });
        check(rule(&["*"], &["*"], &["*"]), "deployments.apps", true);
        check(rule(&["get", "list"], &[""], &["pods"]), "pods", true);
        check(rule(&["get", "list"], &[""], &["pods"]), "nodes", false);
        check(rule(&["get", "list"], &[""], &["deployments"]), "deployments.apps", false);
        check(rule(&["get"], &[""], &["pods"]), "pods", false);
        let named = json!({ "resourceRules": [
            { "verbs": ["list"], "apiGroups": [""], "resources": ["pods"], "resourceNames": ["one"] }
        ] });
        check(named, "pods", false);
        check(json!({ "incomplete": true }), "pods", true);
        check(json!({}), "pods", false);
    }
}
