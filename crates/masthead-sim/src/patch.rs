//! PATCH: JSON patch (RFC 6902), merge patch (RFC 7386) and Kubernetes' own strategic merge patch.

mod strategic;

use serde_json::{Map, Value};

use crate::{refusal::Refusal, schema::Schema};

/// A patch that can be applied, again and again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Patch {
    Json(Vec<Step>),
    Merge(Value),
    /// Merges by type; there is no such patch for custom kinds.
    Strategic(Value),
    /// What somebody wants an object to be.
    Apply(Value),
}

/// One operation of a JSON patch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    operation: Operation,
    path: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Operation {
    Add(Value),
    Remove,
    Replace(Value),
    Test(Value),
    Move(Vec<String>),
    Copy(Vec<String>),
}

impl Patch {
    /// Reads a body as its content type says.
    pub(crate) fn decode(content_type: &str, body: &[u8]) -> Result<Patch, Refusal> {
        let media = content_type.split(';').next().unwrap_or_default().trim();
        let parsed = || serde_json::from_slice::<Value>(body);
        match media {
            "application/merge-patch+json" => {
                let patch = parsed().map_err(|error| Refusal::bad_request(format!("error decoding patch: {error}")))?;
                Ok(Patch::Merge(patch))
            }
            "application/json-patch+json" => {
                let patch = parsed().map_err(|error| Refusal::bad_request(format!("error decoding patch: {error}")))?;
                let Value::Array(steps) = patch else {
                    let why = "json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp";
                    return Err(Refusal::bad_request(format!("error decoding patch: {why}")));
                };
                steps
                    .into_iter()
                    .map(Step::decode)
                    .collect::<Option<_>>()
                    .map(Patch::Json)
                    .ok_or_else(Refusal::unfit_patch)
            }
            "application/strategic-merge-patch+json" => {
                parsed().map(Patch::Strategic).map_err(|error| Refusal::bad_request(error.to_string()))
            }
            "application/apply-patch+yaml" => {
                let applied =
                    parsed().map_err(|error| Refusal::bad_request(format!("error decoding YAML: {error}")))?;
                Ok(Patch::Apply(applied))
            }
            _ => Err(Refusal::unsupported_media_type()),
        }
    }

    /// An object of a type as the patch leaves it.
    pub(crate) fn apply(&self, mut object: Value, schema: &Schema) -> Result<Value, Refusal> {
        match self {
            Patch::Strategic(patch) => return strategic::merge(object, patch, schema),
            Patch::Merge(patch) | Patch::Apply(patch) => merge(&mut object, patch),
            Patch::Json(steps) => {
                for step in steps {
                    step.apply(&mut object).ok_or_else(Refusal::unfit_patch)?;
                }
            }
        }
        Ok(object)
    }
}

impl Step {
    fn decode(mut step: Value) -> Option<Step> {
        let path = pointer(step["path"].as_str()?)?;
        let from = step["from"].as_str().and_then(pointer);
        let value = step.get_mut("value").map(Value::take);
        let operation = match step["op"].as_str()? {
            "add" => Operation::Add(value?),
            "remove" => Operation::Remove,
            "replace" => Operation::Replace(value?),
            "test" => Operation::Test(value.unwrap_or_default()),
            "move" => Operation::Move(from?),
            "copy" => Operation::Copy(from?),
            _ => return None,
        };
        Some(Step { operation, path })
    }

    fn apply(&self, object: &mut Value) -> Option<()> {
        match &self.operation {
            Operation::Add(value) => add(object, &self.path, value.clone()),
            Operation::Remove => remove(object, &self.path).map(drop),
            Operation::Replace(value) => {
                *find(object, &self.path)? = value.clone();
                Some(())
            }
            Operation::Test(value) => (find(object, &self.path)? == value).then_some(()),
            Operation::Move(from) => {
                let value = remove(object, from)?;
                add(object, &self.path, value)
            }
            Operation::Copy(from) => {
                let value = find(object, from)?.clone();
                add(object, &self.path, value)
            }
        }
    }
}

fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(fields) = target else { return };
    for (key, change) in changes {
        if change.is_null() {
            fields.remove(key);
        } else {
            merge(fields.entry(key.as_str()).or_insert(Value::Null), change);
        }
    }
}

fn pointer(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let steps = text.strip_prefix('/')?.split('/');
    Some(steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

fn find<'a>(value: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, step| match value {
        Value::Object(fields) => fields.get_mut(step),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn add(value: &mut Value, path: &[String], new: Value) -> Option<()> {
    let Some((last, parents)) = path.split_last() else {
        *value = new;
        return Some(());
    };
    match find(value, parents)? {
        Value::Object(fields) => drop(fields.insert(last.clone(), new)),
        Value::Array(items) if last == "-" => items.push(new),
        Value::Array(items) => {
            let at = last.parse().ok().filter(|at| *at <= items.len())?;
            items.insert(at, new);
        }
        _ => return None,
    }
    Some(())
}

fn remove(value: &mut Value, path: &[String]) -> Option<Value> {
    let (last, parents) = path.split_last()?;
    match find(value, parents)? {
        Value::Object(fields) => fields.remove(last),
        Value::Array(items) => {
            let at = last.parse().ok().filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Patch;
    use crate::schema::Schema;

    fn check(media: &str, before: Value, patch: &Value, expect: Option<Value>) {
        let patch = Patch::decode(&format!("application/{media}+json"), patch.to_string().as_bytes());
        let after = patch.and_then(|patch| patch.apply(before, &Schema::Any)).ok();
        assert_eq!(after, expect);
    }

    #[test]
    fn a_merge_patch_replaces_lists_and_drops_nulls() {
        let before = json!({ "a": [1, 2], "b": { "c": 1, "d": 2 } });
        let patch = json!({ "a": [3], "b": { "c": null, "e": { "f": null, "g": 1 } } });
        check("merge-patch", before, &patch, Some(json!({ "a": [3], "b": { "d": 2, "e": { "g": 1 } } })));
    }

    #[test]
    fn a_json_patch_fits_whole_or_not_at_all() {
        let before = || json!({ "a": [1, 2], "b/c": 1 });
        let one = |step: Value| json!([step]);
        let add = one(json!({ "op": "add", "path": "/a/1", "value": 9 }));
        check("json-patch", before(), &add, Some(json!({ "a": [1, 9, 2], "b/c": 1 })));
        let push = one(json!({ "op": "add", "path": "/a/-", "value": 9 }));
        check("json-patch", before(), &push, Some(json!({ "a": [1, 2, 9], "b/c": 1 })));
        let escaped = one(json!({ "op": "remove", "path": "/b~1c" }));
        check("json-patch", before(), &escaped, Some(json!({ "a": [1, 2] })));
        let moved = one(json!({ "op": "move", "from": "/b~1c", "path": "/d" }));
        check("json-patch", before(), &moved, Some(json!({ "a": [1, 2], "d": 1 })));
        check("json-patch", before(), &one(json!({ "op": "test", "path": "/a/0", "value": 2 })), None);
        check("json-patch", before(), &one(json!({ "op": "remove", "path": "/zz" })), None);
        check("json-patch", before(), &one(json!({ "op": "add", "path": "/a/7", "value": 2 })), None);
        check("json-patch", before(), &json!({ "op": "remove" }), None);
    }
}
