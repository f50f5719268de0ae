//! Strategic merge patch: a merge patch that knows which lists merge and by which of their fields.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::{
    managed::plain,
    refusal::Refusal,
    schema::{PatchRule, Schema},
};

const DIRECTIVE: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const ORDER: &str = "$setElementOrder";
const DELETIONS: &str = "$deleteFromPrimitiveList";

/// Why a patch does not fit.
enum Unfit {
    /// A directive is not written as it must be.
    Malformed(&'static str),
    /// It is about lists of lists.
    Nested,
    Other(String),
}

impl From<Unfit> for Refusal {
    fn from(unfit: Unfit) -> Refusal {
        match unfit {
            Unfit::Malformed(why) => Refusal::bad_request(why),
            Unfit::Nested => Refusal::unfit_patch(),
            Unfit::Other(why) => Refusal::internal(why),
        }
    }
}

/// An object of a type as the patch leaves it.
pub(super) fn merge(object: Value, patch: &Value, schema: &Schema) -> Result<Value, Refusal> {
    match (object, patch) {
        (Value::Object(original), Value::Object(patch)) => {
            Ok(Value::Object(merge_maps(original, patch.clone(), schema)?))
        }
        (_, other) => {
            let kind = if other.is_array() { "array" } else { "string" };
            Err(Refusal::bad_request(format!(
                "json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
            )))
        }
    }
}

fn merge_maps(
    mut original: Map<String, Value>,
    mut patch: Map<String, Value>,
    schema: &Schema,
) -> Result<Map<String, Value>, Unfit> {
    match patch.remove(DIRECTIVE) {
        None => {}
        Some(directive) if directive == "replace" => return Ok(patch),
        Some(directive) if directive == "delete" => return Ok(Map::new()),
        Some(directive) => {
            patch.insert(DIRECTIVE.to_owned(), directive.clone());
            return Err(unknown_directive(&directive, patch));
        }
    }
    retain_keys(&mut original, &mut patch)?;
    merge_ordered(&mut original, &mut patch, schema)?;
    for (key, change) in patch {
        let (key, deletes) = match key.starts_with(DELETIONS) {
            true => (key_of(&key, DELETIONS, "invalid patch format of primitive list")?.to_owned(), true),
            false => (key, false),
        };
        if change.is_null() {
            original.remove(&key);
            continue;
        }
        let (inner, rule) = field(schema, &key);
        let merged = match (original.remove(&key), change) {
            (Some(Value::Object(before)), Value::Object(change)) if rule.replaces => {
                drop(before);
                Some(Value::Object(change))
            }
            (Some(Value::Object(before)), Value::Object(change)) => {
                Some(Value::Object(merge_maps(before, change, &inner)?))
            }
            (Some(Value::Array(before)), Value::Array(change)) if rule.merges || deletes => {
                Some(Value::Array(merge_lists(before, change, &inner, &rule, deletes)?))
            }
            (Some(Value::Array(_)), Value::Array(change)) => Some(Value::Array(change)),
            (before, _) if deletes => before,
            (_, change) => without_directives(without_nulls(change)),
        };
        original.extend(merged.map(|merged| (key, merged)));
    }
    Ok(original)
}

/// The type of what lies under a key, items for a list, and what a patch does to it.
fn field(schema: &Schema, key: &str) -> (Rc<Schema>, PatchRule) {
    let rule = match schema {
        Schema::Struct(of) => of.fields.get(key).map(|field| field.patch.clone()).unwrap_or_default(),
        _ => PatchRule::default(),
    };
    let inner = schema.under(key).unwrap_or_else(|| Rc::new(Schema::Any));
    match &*inner {
        Schema::List(of) => (of.items.schema(), rule),
        _ => (inner, rule),
    }
}

fn retain_keys(original: &mut Map<String, Value>, patch: &mut Map<String, Value>) -> Result<(), Unfit> {
    let Some(keys) = patch.remove(RETAIN_KEYS) else { return Ok(()) };
    let malformed = || Unfit::Malformed("invalid patch format of retainKeys");
    let keys: Vec<&str> = keys.as_array().ok_or_else(malformed)?.iter().filter_map(Value::as_str).collect();
    let is_plain = |key: &str| !key.starts_with(DELETIONS) && !key.starts_with(ORDER);
    let mut named = patch.iter().filter(|(key, value)| !value.is_null() && is_plain(key));
    if named.any(|(key, _)| !keys.contains(&key.as_str())) {
        return Err(malformed());
    }
    original.retain(|key, _| keys.contains(&key.as_str()));
    Ok(())
}

/// Merges the lists whose order the patch gives.
fn merge_ordered(
    original: &mut Map<String, Value>,
    patch: &mut Map<String, Value>,
    schema: &Schema,
) -> Result<(), Unfit> {
    const MALFORMED: &str = "invalid patch format of setElementOrder list";
    let directives: Vec<String> = patch.keys().filter(|key| key.starts_with(ORDER)).cloned().collect();
    for directive in directives {
        let Some(Value::Array(order)) = patch.remove(&directive) else { return Err(Unfit::Malformed(MALFORMED)) };
        let key = key_of(&directive, ORDER, MALFORMED)?;
        let (inner, rule) = field(schema, key);
        let list = |value: Option<Value>| match value {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => Err(Unfit::Malformed(MALFORMED)),
        };
        let (before, change) = (list(original.get(key).cloned())?, list(patch.remove(key))?);
        check_order(change.as_deref().unwrap_or_default(), &order, &rule)?;
        let server_order = before.clone().unwrap_or_default();
        let merged = match (before, change) {
            (None, None) => continue,
            (Some(before), None) => before,
            (None, Some(change)) => match without_directives(Value::Array(change)) {
                Some(Value::Array(kept)) => kept,
                _ => continue,
            },
            (Some(before), Some(change)) if rule.merges => merge_lists(before, change, &inner, &rule, false)?,
            (Some(_), Some(change)) => change,
        };
        let sorted = in_order(merged, &order, &server_order, &rule);
        original.insert(key.to_owned(), Value::Array(sorted));
    }
    Ok(())
}

fn check_order(change: &[Value], order: &[Value], rule: &PatchRule) -> Result<(), Unfit> {
    if change.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut order_left = order.iter();
    let kept = change.iter().filter(|item| item.get(DIRECTIVE).is_none());
    for item in kept {
        if !order_left.any(|known| identity(known, rule) == identity(item, rule)) {
            let (change, order) = (plain(&change.into()), plain(&order.into()));
            return Err(Unfit::Other(format!(
                "The order in patch list:\n{change}\n doesn't match {ORDER} list:\n{order}\n"
            )));
        }
    }
    Ok(())
}

fn merge_lists(
    mut before: Vec<Value>,
    change: Vec<Value>,
    items: &Schema,
    rule: &PatchRule,
    deletes: bool,
) -> Result<Vec<Value>, Unfit> {
    let mut all = before.iter().chain(&change);
    if all.clone().any(Value::is_array) {
        return Err(Unfit::Nested);
    }
    if !all.any(Value::is_object) {
        if deletes {
            before.retain(|item| !change.contains(item));
            return Ok(before);
        }
        let server_order = before.clone();
        let mut merged: Vec<Value> = Vec::new();
        for item in before.into_iter().chain(change.iter().cloned()) {
            if !merged.contains(&item) {
                merged.push(item);
            }
        }
        return Ok(in_order(merged, &change, &server_order, rule));
    }
    let Some(key) = rule.merge_key.as_deref() else {
        return Err(Unfit::Other("cannot merge lists without merge key".to_owned()));
    };
    let (mut merged, change) = carry_out_directives(before, change, key)?;
    let server_order = merged.clone();
    for item in &change {
        let Value::Object(fields) = item else { return Err(mixed(&server_order, &change)) };
        let value = fields.get(key).ok_or_else(|| no_merge_key(fields, key))?;
        match merged.iter_mut().find(|known| known.get(key) == Some(value)) {
            Some(Value::Object(known)) => *known = merge_maps(std::mem::take(known), fields.clone(), items)?,
            _ => merged.push(item.clone()),
        }
    }
    Ok(in_order(merged, &change, &server_order, rule))
}

/// Deletes or replaces what the patch says, and gives back the rest of it.
fn carry_out_directives(
    mut before: Vec<Value>,
    change: Vec<Value>,
    key: &str,
) -> Result<(Vec<Value>, Vec<Value>), Unfit> {
    let (mut rest, mut replaces) = (Vec::new(), false);
    for item in change {
        let Value::Object(fields) = item else {
            rest.push(item);
            continue;
        };
        match fields.get(DIRECTIVE).cloned() {
            None => rest.push(Value::Object(fields)),
            Some(directive) if directive == "delete" => {
                let value = fields.get(key).ok_or_else(|| no_merge_key(&fields, key))?;
                before.retain(|known| known.get(key) != Some(value));
            }
            Some(directive) if directive == "replace" => replaces = true,
            Some(directive) if directive == "merge" => {
                return Err(Unfit::Other("merging lists cannot yet be specified in the patch".to_owned()));
            }
            Some(directive) => return Err(unknown_directive(&directive, fields)),
        }
    }
    Ok(if replaces { (rest, Vec::new()) } else { (before, rest) })
}

/// Items of the patch in its order, the others between them where the server had them.
fn in_order(merged: Vec<Value>, order: &[Value], server_order: &[Value], rule: &PatchRule) -> Vec<Value> {
    let place = |list: &[Value], item: &Value| list.iter().position(|it| identity(it, rule) == identity(item, rule));
    let (mut ours, theirs): (Vec<Value>, Vec<Value>) =
        merged.into_iter().partition(|item| place(order, item).is_some());
    ours.sort_by_key(|item| place(order, item));
    let mut sorted = Vec::with_capacity(ours.len() + theirs.len());
    let (mut ours, mut theirs) = (ours.into_iter().peekable(), theirs.into_iter().peekable());
    while let Some(next) = theirs.peek() {
        let Some(other) = ours.peek() else { break };
        let before = match (place(server_order, next), place(server_order, other)) {
            (Some(next), Some(other)) => next < other,
            _ => false,
        };
        sorted.extend(if before { theirs.next() } else { ours.next() });
    }
    sorted.extend(ours.chain(theirs));
    sorted
}

/// What tells an item of a list from others.
fn identity<'a>(item: &'a Value, rule: &PatchRule) -> Option<&'a Value> {
    match (item, rule.merge_key.as_deref()) {
        (Value::Object(fields), Some(key)) => fields.get(key),
        _ => Some(item),
    }
}

fn key_of<'a>(key: &'a str, prefix: &str, why: &'static str) -> Result<&'a str, Unfit> {
    key.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('/')).ok_or(Unfit::Malformed(why))
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

fn without_directives(value: Value) -> Option<Value> {
    match value {
        Value::Object(fields) if fields.contains_key(DIRECTIVE) => None,
        Value::Object(fields) => {
            let kept = fields.into_iter().filter_map(|(key, value)| Some((key, without_directives(value)?)));
            Some(Value::Object(kept.collect()))
        }
        Value::Array(items) => Some(items.into_iter().filter_map(without_directives).collect()),
        other => Some(other),
    }
}

fn unknown_directive(directive: &Value, patch: Map<String, Value>) -> Unfit {
    Unfit::Other(format!("unknown patch type: {} in map: {}", plain(directive), plain(&Value::Object(patch))))
}

fn no_merge_key(fields: &Map<String, Value>, key: &str) -> Unfit {
    let shown = plain(&Value::Object(fields.clone()));
    Unfit::Other(format!("map: {shown} does not contain declared merge key: {key}"))
}

fn mixed(before: &[Value], change: &[Value]) -> Unfit {
    let shown = format!("[{} {}]", plain(&before.into()), plain(&change.into()));
    Unfit::Other(format!("list element types are not identical: {shown}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge;
    use crate::schema::Schema;

    fn check(before: Value, patch: &Value, expect: &Value) {
        let pod = Schema::recorded("core.v1.PodSpec").unwrap();
        assert_eq!(merge(before, patch, &pod).as_ref(), Ok(expect), "{patch}");
    }

    fn containers(names: &[&str]) -> Value {
        names.iter().map(|name| json!({ "name": name, "image": "old" })).collect()
    }

    #[test]
    fn items_merge_by_their_key() {
        let before = json!({ "containers": containers(&["a", "b"]) });
        let patch = json!({ "containers": [{ "name": "b", "image": "new" }, { "name": "c" }] });
        let b = json!({ "name": "b", "image": "new" });
        let expect = json!({ "containers": [{ "name": "a", "image": "old" }, b, { "name": "c" }] });
        check(before, &patch, &expect);
    }

    #[test]
    fn directives_delete_and_replace() {
        let before = || json!({ "containers": containers(&["a", "b"]), "securityContext": { "runAsUser": 1 } });
        let delete = json!({ "containers": [{ "name": "a", "$patch": "delete" }], "securityContext": null });
        check(before(), &delete, &json!({ "containers": containers(&["b"]) }));
        let replace = json!({
            "containers": [{ "name": "x" }, { "$patch": "replace" }],
            "securityContext": { "$patch": "replace", "runAsGroup": 2 },
        });
        let expect = json!({ "containers": [{ "name": "x" }], "securityContext": { "runAsGroup": 2 } });
        check(before(), &replace, &expect);
    }

    #[test]
    fn an_order_can_be_given() {
        let before = json!({ "containers": containers(&["a", "b", "c"]) });
        let patch = json!({ "$setElementOrder/containers": [{ "name": "c" }, { "name": "a" }] });
        check(before, &patch, &json!({ "containers": containers(&["b", "c", "a"]) }));
    }

    #[test]
    fn keys_can_be_retained_and_other_lists_are_replaced() {
        let before = json!({
            "volumes": [{ "name": "v", "emptyDir": {}, "hostPath": { "path": "/" } }],
            "tolerations": [{ "key": "a" }],
        });
        let patch = json!({
            "volumes": [{ "name": "v", "$retainKeys": ["name", "configMap"], "configMap": { "name": "c" } }],
            "tolerations": [{ "key": "b" }],
        });
        let volumes = json!([{ "name": "v", "configMap": { "name": "c" } }]);
        check(before, &patch, &json!({ "volumes": volumes, "tolerations": [{ "key": "b" }] }));
    }

    #[test]
    fn values_can_be_deleted_from_a_list() {
        let schema = Schema::recorded("meta.v1.ObjectMeta").unwrap();
        let patch = json!({ "$deleteFromPrimitiveList/finalizers": ["a"], "finalizers": ["c"] });
        let merged = merge(json!({ "finalizers": ["a", "b"] }), &patch, &schema);
        assert_eq!(merged, Ok(json!({ "finalizers": ["c", "b"] })));
    }
}
