//! Whether an object is what the schema of its kind says, in the words of the real server.

mod format;
mod logic;
mod number;

use serde_json::Value;

use crate::cause::Cause;

pub(crate) use format::pattern;

/// What is wrong with an object of a custom kind. What an update leaves as it was is not asked about.
pub(crate) fn check(schema: &Value, object: &Value, before: Option<&Value>) -> Vec<Cause> {
    let mut causes = check_value(schema, object, "");
    if let Some(before) = before {
        causes.retain(|cause| !is_unchanged(&cause.field, object, before));
    }
    if causes.iter().any(is_blocking) && has_rules(schema) {
        let why = "some validation rules were not checked because the object was invalid; correct the existing errors to \
                   complete validation";
        causes.push(Cause::invalid("<nil>", "null", why));
    }
    check_lists(schema, object, "", &mut causes);
    causes
}

/// What is wrong with a value at a path.
pub(crate) fn check_value(schema: &Value, value: &Value, path: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    if value.is_null() && schema["nullable"] == true {
        return causes;
    }
    causes.extend(wrong_type(schema, value, path));
    logic::check(schema, value, path, &mut causes);
    match value {
        Value::String(text) => causes.extend(format::wrong_text(schema, text, path)),
        Value::Number(number) => number::check(schema, number, path, &mut causes),
        Value::Array(items) => check_items(schema, items, path, &mut causes),
        _ => {}
    }
    check_enum(schema, value, path, &mut causes);
    if let Value::Object(_) = value {
        check_members(schema, value, path, &mut causes);
    }
    causes
}

fn wrong_type(schema: &Value, value: &Value, path: &str) -> Option<Cause> {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number::is_whole(number) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let asked =
        if schema["x-kubernetes-int-or-string"] == true { "integer,string" } else { schema["type"].as_str()? };
    let fits = asked.split(',').any(|asked| asked == found || (asked == "number" && found == "integer"));
    (!fits).then(|| {
        Cause::ill_typed(path, &format!("{found:?}"), &format!("{path} in body must be of type {asked}: {found:?}"))
    })
}

fn check_items(schema: &Value, items: &[Value], path: &str, causes: &mut Vec<Cause>) {
    if let Some(of) = schema.get("items").filter(|of| of.is_object()) {
        for (at, item) in items.iter().enumerate() {
            causes.extend(check_value(of, item, &format!("{path}[{at}]")));
        }
    }
    let (count, limit) = (items.len() as u64, |name: &str| schema[name].as_u64());
    if let Some(least) = limit("minItems").filter(|least| count < *least) {
        causes.push(Cause::invalid(path, count, format!("{path} in body should have at least {least} items")));
    }
    if let Some(most) = limit("maxItems").filter(|most| count > *most) {
        causes.push(Cause::too_many(path, count, most));
    }
}

fn check_members(schema: &Value, value: &Value, path: &str, causes: &mut Vec<Cause>) {
    let Some(fields) = value.as_object() else { return };
    let (count, limit) = (fields.len() as u64, |name: &str| schema[name].as_u64());
    if let Some(least) = limit("minProperties").filter(|least| count < *least) {
        causes.push(Cause::invalid(path, count, format!("{path} in body should have at least {least} properties")));
        return;
    }
    if let Some(most) = limit("maxProperties").filter(|most| count > *most) {
        causes.push(Cause::too_many(path, count, most));
        return;
    }
    let properties = schema["properties"].as_object();
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    for (name, value) in fields {
        if let Some(of) = properties.and_then(|properties| properties.get(name)).or(others) {
            causes.extend(check_value(of, value, &under(path, name)));
        }
    }
    let embedded: &[&str] =
        if schema["x-kubernetes-embedded-resource"] == true { &["apiVersion", "kind"] } else { &[] };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for name in embedded.iter().copied().chain(required).filter(|name| !fields.contains_key(*name)) {
        causes.push(Cause::required(under(path, name), ""));
    }
}

fn check_enum(schema: &Value, value: &Value, path: &str, causes: &mut Vec<Cause>) {
    if let Some(allowed) = schema["enum"].as_array().filter(|allowed| !allowed.contains(value)) {
        let shown: Vec<String> = allowed.iter().map(Value::to_string).collect();
        causes.push(Cause::unsupported(path, &value.to_string(), &shown.join(", ")));
    }
}

/// Items of sets are there once, and those of maps have keys of their own.
fn check_lists(schema: &Value, value: &Value, path: &str, causes: &mut Vec<Cause>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let of = schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]);
                check_lists(of, value, &under(path, name), causes);
            }
        }
        Value::Array(items) => {
            let keys: Vec<&str> = schema["x-kubernetes-list-map-keys"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let identity = |item: &Value| match schema["x-kubernetes-list-type"].as_str() {
                Some("set") => Some(item.clone()),
                Some("map") => {
                    Some(keys.iter().filter_map(|key| Some(((*key).to_owned(), item.get(key)?.clone()))).collect())
                }
                _ => None,
            };
            let known: Vec<Option<Value>> = items.iter().map(identity).collect();
            for (at, item) in items.iter().enumerate() {
                let path = format!("{path}[{at}]");
                if let Some(own) = known[at].as_ref().filter(|_| known[..at].contains(&known[at])) {
                    causes.push(Cause::duplicate(&path, own.to_string()));
                }
                check_lists(&schema["items"], item, &path, causes);
            }
        }
        _ => {}
    }
}

/// The path of a member.
fn under(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Whether a field is as it was; one that is missing is, where nothing around it changed.
fn is_unchanged(field: &str, object: &Value, before: &Value) -> bool {
    let find = |value: &Value, path: &str| value.pointer(&format!("/{}", path.replace('.', "/"))).cloned();
    match (find(object, field), find(before, field)) {
        (None, None) => {
            let parent = field.rsplit_once('.').map_or("", |(parent, _)| parent);
            !parent.is_empty() && find(object, parent).is_some() && find(object, parent) == find(before, parent)
        }
        (after, before) => after == before,
    }
}

/// Whether the rules cannot be asked about an object with this fault.
fn is_blocking(cause: &Cause) -> bool {
    let blocking = [
        "FieldValueNotSupported",
        "FieldValueRequired",
        "FieldValueTooLong",
        "FieldValueTooMany",
        "FieldValueTypeInvalid",
    ];
    blocking.contains(&cause.reason)
}

/// Whether there are rules in CEL anywhere in a schema.
fn has_rules(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => fields.contains_key("x-kubernetes-validations") || fields.values().any(has_rules),
        Value::Array(items) => items.iter().any(has_rules),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
