//! PATCH: JSON patch (RFC 6902), merge patch (RFC 7386) and Kubernetes' own strategic merge patch.

mod strategic;

use serde_json::{Map, Value};

use crate::{json::Json, refusal::Refusal, schema::Schema};

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
    /// Reads a body as its content type says. What is unknown or there twice in it is told in `strict`.
    pub(crate) fn decode(content_type: &str, body: &[u8], strict: &mut Vec<String>) -> Result<Patch, Refusal> {
        let refuse = |why: &str| Refusal::bad_request(format!("error decoding patch: {why}"));
        match content_type.split(';').next().unwrap_or_default().trim() {
            "application/merge-patch+json" => object(body, strict).map(Patch::Merge).map_err(|why| refuse(&why)),
            "application/strategic-merge-patch+json" => {
                object(body, strict).map(Patch::Strategic).map_err(Refusal::bad_request)
            }
            "application/json-patch+json" => {
                let steps = steps(body, strict).map_err(|why| refuse(&why))?;
                let steps = steps.into_iter().map(Step::decode).collect::<Option<_>>();
                steps.map(Patch::Json).ok_or_else(Refusal::unfit_patch)
            }
            "application/apply-patch+yaml" => {
                let yaml = |why: &str| Refusal::bad_request(format!("error decoding YAML: {why}"));
                let applied = Json::parse(body).map_err(|why| yaml(&why))?.to_value();
                Ok(Patch::Apply(applied))
            }
            _ => Err(Refusal::unsupported_media_type()),
        }
    }

    /// What of an object the patch looked into, as a tree of keys.
    pub(crate) fn touched(&self) -> Value {
        let Patch::Json(steps) = self else {
            return match self {
                Patch::Merge(patch) | Patch::Strategic(patch) | Patch::Apply(patch) => patch.clone(),
                Patch::Json(_) => Value::Null,
            };
        };
        let mut tree = Value::Object(Map::new());
        for step in steps {
            let parents = step.path.split_last().map_or(&[][..], |(_, parents)| parents);
            let _deepest = parents.iter().fold(&mut tree, |tree, key| {
                if !tree.is_object() {
                    *tree = Value::Object(Map::new());
                }
                &mut tree[key.as_str()]
            });
        }
        tree
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
            "add" => Operation::Add(value.unwrap_or_default()),
            "remove" => Operation::Remove,
            "replace" => Operation::Replace(value.unwrap_or_default()),
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

/// Reads a body that is an object.
fn object(body: &[u8], strict: &mut Vec<String>) -> Result<Value, String> {
    let json = Json::parse(body)?;
    if !matches!(json, Json::Object(_)) {
        return Err(format!("json: cannot unmarshal {} into Go value of type map[string]interface {{}}", json.kind()));
    }
    let decoded = Schema::Any.decode(&json)?;
    strict.extend(decoded.strict);
    Ok(decoded.value)
}

/// Reads a body that is a list of operations.
fn steps(body: &[u8], strict: &mut Vec<String>) -> Result<Vec<Value>, String> {
    const KNOWN: [&str; 4] = ["op", "path", "from", "value"];
    let mismatch =
        |found: &Json, go: &str| Err(format!("json: cannot unmarshal {} into Go value of type {go}", found.kind()));
    let json = Json::parse(body)?;
    let Json::Array(steps) = &json else { return mismatch(&json, "[]handlers.jsonPatchOp") };
    for (index, step) in steps.iter().enumerate() {
        let Json::Object(fields) = step else { return mismatch(step, "handlers.jsonPatchOp") };
        let unknown = fields.iter().filter(|(key, _)| !KNOWN.contains(&key.as_str()));
        strict.extend(unknown.map(|(key, _)| format!("json patch unknown field \"[{index}].{key}\"")));
    }
    Ok(steps.iter().map(Json::to_value).collect())
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
        let media = format!("application/{media}+json");
        let patch = Patch::decode(&media, patch.to_string().as_bytes(), &mut Vec::new());
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
