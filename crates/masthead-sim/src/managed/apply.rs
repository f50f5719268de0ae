//! PATCH of an applied object: what it names is merged by type and owned, what it no longer names goes.

use serde_json::{Value, json};

use super::{
    FieldSet, Operation, Owned, Owner, Owners, Ownership,
    check::check,
    comparison::Comparison,
    field_set::{Step, show},
    footprint, give_up, merging, put_entries, removal, settle, take_entries, without_identity,
};

/// Why an object was not applied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unapplied {
    /// It is not of its type.
    Untyped(String),
    /// Others own fields that it would change.
    Conflicts(Vec<Conflict>),
}

/// A field that another manager owns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conflict {
    manager: Owner,
    path: Vec<Step>,
}

/// Whoever calls itself so takes over what was applied by the client before.
const KUBECTL: &str = "kubectl";
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

impl Ownership<'_> {
    /// The state that applying `applied` to `live` leads to, with its owners. `live` is empty for a new object.
    pub(crate) fn apply(&self, live: &Value, applied: &Value, force: bool) -> Result<Value, Unapplied> {
        if let Some(wrong) = check(&self.schema, applied) {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (name, namespace) = (text(&applied["metadata"]["name"]), text(&applied["metadata"]["namespace"]));
            let slash = if self.api_version.contains('/') { "" } else { "/" };
            let what = format!(
                "failed to create typed patch object ({namespace}/{name}; {slash}{}, Kind={}): {wrong}",
                self.api_version, self.kind
            );
            return Err(Unapplied::Untyped(what));
        }
        let mut managers = Owners::decode(&live["metadata"]["managedFields"]).unwrap_or_default();
        if managers.0.is_empty() {
            let before = Ownership { manager: "before-first-apply", ..self.clone() };
            before.track(&json!({}), live, &mut managers);
        }
        let mut next = match self.merged(live, applied, managers.clone(), force) {
            Err(conflicts) if self.manager == KUBECTL => {
                let allowed = self.last_applied(live).unwrap_or_default();
                let others = conflicts.into_iter().filter(|conflict| !allowed.has_path(&conflict.path)).collect();
                match others {
                    others if Vec::is_empty(&others) => self.merged(live, applied, managers, true),
                    others => Err(others),
                }
            }
            other => other,
        }
        .map_err(Unapplied::Conflicts)?;
        let has_last_applied = next["metadata"]["annotations"][LAST_APPLIED].as_str().is_some_and(|it| !it.is_empty());
        if self.manager == KUBECTL && has_last_applied {
            let mut config = applied.clone();
            if let Some(annotations) = config["metadata"]["annotations"].as_object_mut() {
                annotations.remove(LAST_APPLIED);
            }
            next["metadata"]["annotations"][LAST_APPLIED] = format!("{config}\n").into();
        }
        Ok(next)
    }

    fn merged(&self, live: &Value, applied: &Value, mut managers: Owners, force: bool) -> Result<Value, Vec<Conflict>> {
        let (schema, api_version) = (&*self.schema, self.api_version.clone());
        let manager = self.manager(Operation::Apply);
        let merged = merging::merge(schema, Some(live), Some(applied)).unwrap_or_else(|| json!({}));
        let fields = footprint::of(schema, applied).without_trees(&self.reset);
        let last = managers.0.remove(&manager);
        let time = last.as_ref().map_or_else(String::new, |last| last.time.clone());
        managers.0.insert(manager.clone(), Owned { fields, api_version, time });
        let mut next = match last.filter(|last| !last.fields.is_empty()) {
            Some(last) => self.pruned(merged, &managers, &last.fields),
            None => merged,
        };
        let comparison = Comparison::of(schema, live, &next).without(&self.reset);
        let lost = give_up(&managers, &manager, &comparison);
        if !force && !lost.is_empty() {
            return Err(conflicts(lost));
        }
        settle(&mut managers, &manager, &lost, &comparison.removed);
        if let Some(owned) = managers.0.get_mut(&manager) {
            owned.fields = without_identity(&owned.fields);
            // An apply that changes nothing does not tell when it was.
            if *live != next {
                owned.time = self.time.to_owned();
            }
        }
        managers.0.retain(|_, owned| !owned.fields.is_empty());
        take_entries(&mut next);
        put_entries(&mut next, &managers);
        Ok(next)
    }

    /// The merged object without what this manager applied last and nobody applies or owns now.
    fn pruned(&self, merged: Value, managers: &Owners, last: &FieldSet) -> Value {
        let schema = &*self.schema;
        let named = |set: &FieldSet| set.with_named_fields(schema);
        let all = footprint::of(schema, &merged);
        let last = named(last);
        let owned = managers.0.values().fold(FieldSet::default(), |all, owned| all.union(&owned.fields));
        let without_last = removal::remove(schema, merged.clone(), &last);
        let kept = named(&footprint::of(schema, &without_last)).union(&named(&owned));
        let with_owned = removal::remove(schema, merged.clone(), &named(&all).difference(&kept));
        let kept = named(&footprint::of(schema, &with_owned));
        removal::remove(schema, merged, &named(&all).difference(&kept).intersection(&last))
    }

    /// The fields that the client applied by itself and nobody changed since.
    fn last_applied(&self, live: &Value) -> Option<FieldSet> {
        let config = live["metadata"]["annotations"][LAST_APPLIED].as_str()?;
        let config: Value = serde_json::from_str(config).ok()?;
        let known = config["apiVersion"].as_str() == Some(&self.api_version);
        if !known || check(&self.schema, &config).is_some() {
            return None;
        }
        let comparison = Comparison::of(&self.schema, &config, live);
        let fields = footprint::of(&self.schema, &config);
        Some(fields.difference(&comparison.modified).difference(&comparison.added).difference(&comparison.removed))
    }
}

impl Unapplied {
    /// What to tell whoever applied it.
    pub(crate) fn message(&self) -> String {
        let conflicts = match self {
            Unapplied::Untyped(what) => return what.clone(),
            Unapplied::Conflicts(conflicts) => conflicts,
        };
        if let [one] = conflicts.as_slice() {
            return format!("Apply failed with 1 conflict: conflict with {}: {}", one.manager.show(), show(&one.path));
        }
        let mut lines = Vec::new();
        let mut last = None;
        for conflict in conflicts {
            if last != Some(&conflict.manager) {
                lines.push(format!("conflicts with {}:", conflict.manager.show()));
                last = Some(&conflict.manager);
            }
            lines.push(format!("- {}", show(&conflict.path)));
        }
        format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
    }

    /// Each conflict, as a status tells causes.
    pub(crate) fn causes(&self) -> Vec<Value> {
        let conflicts = match self {
            Unapplied::Untyped(_) => return Vec::new(),
            Unapplied::Conflicts(conflicts) => conflicts,
        };
        let cause = |conflict: &Conflict| {
            let message = format!("conflict with {}", conflict.manager.show());
            json!({ "reason": "FieldManagerConflict", "message": message, "field": show(&conflict.path) })
        };
        conflicts.iter().map(cause).collect()
    }
}

/// By manager, then by path.
fn conflicts(lost: Vec<(Owner, FieldSet)>) -> Vec<Conflict> {
    let each = lost.into_iter().flat_map(|(manager, fields)| {
        fields.paths().into_iter().map(move |path| Conflict { manager: manager.clone(), path })
    });
    each.collect()
}
