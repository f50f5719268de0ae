//! Two values in one: what was there, and what is applied over it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    field_set::Step,
    item::{Form, as_list, as_map, form, is_whole, items, keys, step_to, under},
};
use crate::schema::Schema;

/// The live value with the applied one over it; what is applied wins.
pub(super) fn merge(schema: &Schema, live: Option<&Value>, applied: Option<&Value>) -> Option<Value> {
    let kept = || applied.or(live).cloned();
    let form = form(schema, applied.or(live));
    let is_empty = |value: Option<&Value>| match form {
        Form::Scalar => false,
        Form::List => as_list(value).is_empty(),
        Form::Map => as_map(value).is_none_or(Map::is_empty),
    };
    if form == Form::Scalar || is_whole(schema, form) || (is_empty(live) && is_empty(applied)) {
        return kept();
    }
    if form == Form::List {
        return merge_lists(schema, as_list(live), as_list(applied));
    }
    let merged: Map<String, Value> = keys(live, applied)
        .into_iter()
        .filter_map(|key| {
            let live = as_map(live).and_then(|map| map.get(key));
            let applied = as_map(applied).and_then(|map| map.get(key));
            Some((key.clone(), merge(&under(schema, key), live, applied)?))
        })
        .collect();
    (!merged.is_empty()).then_some(Value::Object(merged))
}

/// Items of both lists, in an order that respects both where that is possible and the applied one's otherwise.
fn merge_lists(schema: &Schema, live: &[Value], applied: &[Value]) -> Option<Value> {
    let item_schema = items(schema);
    let step = |item: &Value| step_to(schema, item).ok();
    let ours: Vec<(Step, &Value)> = applied.iter().filter_map(|item| Some((step(item)?, item))).collect();
    let theirs: Vec<(Step, &Value)> = live.iter().filter_map(|item| Some((step(item)?, item))).collect();
    let mut known: BTreeMap<&Step, Option<&Value>> = BTreeMap::new();
    for (step, item) in &theirs {
        // Items that are there twice merge with nothing.
        known.entry(step).and_modify(|item| *item = None).or_insert(Some(item));
    }
    let applied_at: BTreeMap<&Step, &Value> = ours.iter().map(|(step, item)| (step, *item)).collect();
    let mut shared = ours.iter().map(|(step, _)| step).filter(|step| known.contains_key(step));
    let mut next_shared = shared.next();
    let (mut out, mut merged) = (Vec::new(), Vec::new());
    let (mut theirs, mut ours) = (theirs.iter().peekable(), ours.iter().peekable());
    loop {
        match (theirs.peek(), ours.peek()) {
            (None, None) => break,
            (Some((step, _)), Some((ours_step, _))) if step == ours_step => {
                let live = known.get(step).copied().flatten();
                out.extend(merge(&item_schema, live, applied_at.get(step).copied()));
                merged.push(step);
                theirs.next();
                ours.next();
                next_shared = shared.next();
                continue;
            }
            // It is in both lists, but its turn comes with another item.
            (Some((step, _)), Some(_)) if applied_at.contains_key(step) && next_shared.is_some_and(|it| it != step) => {
                theirs.next();
                continue;
            }
            (Some((step, item)), _) if !applied_at.contains_key(step) => {
                out.extend(merge(&item_schema, Some(item), None));
                theirs.next();
                continue;
            }
            (Some((step, _)), _) if merged.contains(&step) => drop(theirs.next()),
            _ => {}
        }
        if let Some((step, item)) = ours.next() {
            out.extend(merge(&item_schema, known.get(step).copied().flatten(), Some(item)));
            merged.push(step);
            if next_shared == Some(step) {
                next_shared = shared.next();
            }
        }
    }
    (!out.is_empty()).then_some(Value::Array(out))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge;
    use crate::schema::Schema;

    fn check(live: &[&str], applied: &[&str], expect: &[&str]) {
        let schema = Schema::from_openapi(&json!({
            "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" },
        }));
        let merged = merge(&schema, Some(&json!(live)), Some(&json!(applied)));
        assert_eq!(merged.unwrap_or(json!([])), Value::from(expect.to_vec()), "{live:?} {applied:?}");
    }

    #[test]
    fn lists_merge_in_an_order_that_fits_both() {
        check(&["a", "b"], &["b", "c"], &["a", "b", "c"]);
        check(&["a", "b", "c"], &["c", "a"], &["b", "c", "a"]);
        check(&["a", "b"], &["x", "b"], &["a", "x", "b"]);
        check(&[], &["x"], &["x"]);
        check(&["a"], &[], &["a"]);
        check(&["a", "b", "c", "d"], &["d", "x", "a"], &["b", "c", "d", "x", "a"]);
    }
}
