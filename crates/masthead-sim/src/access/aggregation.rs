//! Cluster roles whose rules are those of others.

use std::rc::Rc;

use serde_json::{Value, json};

use crate::{
    kind::Kind,
    label_selector::selects,
    object::Object,
    registry::Registry,
    store::{Change, Store},
};

/// Sees to it that every aggregated role has the rules of those it selects; `since` is the version it was last seen to.
pub(crate) fn aggregate(kinds: &Registry, store: &mut Store, since: u64) {
    let Some(kind) = kinds.find("rbac.authorization.k8s.io", "v1", "clusterroles").cloned() else { return };
    let is_role = |change: &Change| change.object().kind.resource == kind.resource;
    if since >= store.oldest() && !store.changes_since(since).any(is_role) {
        return;
    }
    // A role that is aggregated may itself be selected: as many rounds as there are roles settle every chain.
    let rounds = store.all(&kind).map_or(0, |roles| roles.len());
    for _ in 0..rounds {
        let outdated = outdated(&kind, store);
        if outdated.is_empty() {
            return;
        }
        for role in outdated {
            store.put(&kind, role);
        }
    }
}

/// The aggregated roles that have other rules than they should, as they should be.
fn outdated(kind: &Rc<Kind>, store: &Store) -> Vec<Value> {
    let roles: Vec<&Rc<Object>> = store.all(kind).into_iter().flat_map(|roles| roles.values()).collect();
    let values: Vec<(&Rc<Object>, Value)> = roles.into_iter().map(|role| (role, role.value())).collect();
    let aggregated = values.iter().filter(|(_, role)| role["aggregationRule"].is_object());
    let next = aggregated.filter_map(|(_, role)| {
        let selectors = role["aggregationRule"]["clusterRoleSelectors"].as_array();
        let mut rules: Vec<&Value> = Vec::new();
        for selector in selectors.into_iter().flatten() {
            let chosen = values.iter().filter(|(role, _)| selects(selector, &role.labels));
            for rule in chosen.flat_map(|(_, role)| role["rules"].as_array().into_iter().flatten()) {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        let rules = json!(rules);
        (role["rules"] != rules).then(|| {
            let mut next = role.clone();
            next["rules"] = rules;
            next
        })
    });
    next.collect()
}
