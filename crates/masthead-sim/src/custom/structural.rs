//! What a structural schema makes of an object before it is looked at: what is unknown goes, what is missing comes.

use std::rc::Rc;

use serde_json::{Map, Number, Value};

use crate::{
    kind::Kind,
    schema::{Schema, Unknown},
};

/// Drops what the schema of a custom kind does not know, and fills in its defaults.
pub(crate) fn complete_object(kind: &Kind, object: &mut Value) {
    let Some(custom) = &kind.custom else { return };
    prune(&kind.schema, object, "", &mut Vec::new());
    fill(&custom.schema, object);
    as_go_counts(object);
}

/// Makes an object of a version of a custom kind one of another: defaults come with the version that is stored.
pub(crate) fn convert(to: &Kind, object: &mut Value) {
    if to.hub.is_none() {
        complete_object(to, object);
    } else if to.is_custom() {
        prune(&to.schema, object, "", &mut Vec::new());
    }
}

/// What the schema of a custom kind does not know of an object, in the order that the real server tells it.
pub(crate) fn unknown_fields(kind: &Kind, object: &Value) -> Vec<String> {
    let mut dropped = Vec::new();
    prune(&kind.schema, &mut object.clone(), "", &mut dropped);
    dropped.sort();
    dropped.into_iter().map(|(_, path)| format!("unknown field {path:?}")).collect()
}

/// Who knows nothing of a field: metadata are looked at after everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Custom,
    Metadata,
}

/// Drops what a schema does not know, and notes the paths of that.
fn prune(schema: &Rc<Schema>, value: &mut Value, path: &str, dropped: &mut Vec<(Whose, String)>) {
    let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (&**schema, value) {
        (Schema::Struct(of), Value::Object(fields)) => {
            fields.retain(|name, _| {
                let keeps = of.unknown == Unknown::Kept || of.fields.contains_key(name.as_str());
                if !keeps {
                    let whose = if of.name.is_empty() { Whose::Custom } else { Whose::Metadata };
                    dropped.push((whose, under(name)));
                }
                keeps
            });
            for (name, field) in &of.fields {
                if let Some(value) = fields.get_mut(&**name) {
                    prune(&field.of.schema(), value, &under(name), dropped);
                }
            }
        }
        (Schema::Map(of), Value::Object(fields)) => {
            let values = of.values.schema();
            for (name, value) in fields {
                prune(&values, value, &under(name), dropped);
            }
        }
        (Schema::List(of), Value::Array(all)) => {
            let items = of.items.schema();
            for (at, item) in all.iter_mut().enumerate() {
                prune(&items, item, &format!("{path}[{at}]"), dropped);
            }
        }
        (Schema::Scalar(_), Value::Object(fields)) => {
            dropped.extend(fields.keys().map(|name| (Whose::Custom, under(name))));
            fields.clear();
        }
        _ => {}
    }
}

/// Fills in defaults; `null` where none may be counts as nothing.
fn fill(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                fill_member(property, name, fields);
            }
            if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
                fields.retain(|_, value| !value.is_null() || is_nullable(values));
                fields.values_mut().for_each(|value| fill(values, value));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(&schema["items"], item)),
        _ => {}
    }
}

fn fill_member(property: &Value, name: &str, fields: &mut Map<String, Value>) {
    if fields.get(name).is_some_and(|value| value.is_null() && !is_nullable(property)) {
        fields.remove(name);
    }
    if !fields.contains_key(name)
        && let Some(default) = property.get("default")
    {
        fields.insert(name.to_owned(), default.clone());
    }
    if let Some(value) = fields.get_mut(name) {
        fill(property, value);
    }
}

fn is_nullable(schema: &Value) -> bool {
    schema["nullable"] == true || (schema["type"].is_null() && schema["x-kubernetes-preserve-unknown-fields"] == true)
}

/// Numbers without a fraction are written without one, however they were given.
fn as_go_counts(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) = number.as_f64().filter(|given| given.fract() == 0.0 && given.abs() < EXACT) {
                *number = Number::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_go_counts),
        Value::Object(fields) => fields.values_mut().for_each(as_go_counts),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{as_go_counts, fill, prune};
    use crate::schema::Schema;

    fn check(schema: &Value, given: Value, expect: &Value) {
        let mut value = given;
        prune(&Schema::from_openapi(schema).into(), &mut value, "", &mut Vec::new());
        fill(schema, &mut value);
        as_go_counts(&mut value);
        assert_eq!(value, *expect);
    }

    #[test]
    fn what_is_unknown_goes_except_where_it_may_stay() {
        let free = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
            "known": { "type": "object", "properties": { "q": { "type": "string" } } },
        } });
        let schema = json!({ "type": "object", "properties": {
            "list": { "type": "array", "items": { "type": "object", "properties": { "n": { "type": "string" } } } },
            "map": { "type": "object", "additionalProperties": { "type": "object", "properties": {} } },
            "free": free, "raw": { "x-kubernetes-preserve-unknown-fields": true },
        } });
        let given = json!({
            "a": 1, "list": [{ "n": "x", "m": 1 }], "map": { "k": { "v": 1 } },
            "free": { "any": 1, "known": { "q": "x", "w": 2 } }, "raw": { "b": [null, { "c": 1.0 }] },
        });
        let expect = json!({
            "list": [{ "n": "x" }], "map": { "k": {} }, "free": { "any": 1, "known": { "q": "x" } },
            "raw": { "b": [null, { "c": 1 }] },
        });
        check(&schema, given, &expect);
    }

    #[test]
    fn defaults_come_where_nothing_is_and_null_may_not_be() {
        let schema = json!({ "type": "object", "properties": {
            "d": { "type": "object", "default": {}, "properties": {
                "p": { "type": "string", "default": "deep" }, "z": { "type": "integer" },
            } },
            "l": { "type": "array", "items": { "type": "object", "properties": { "v": { "type": "integer", "default": 5 } } } },
            "n": { "type": "string", "nullable": true, "default": "x" }, "o": { "type": "string" },
        } });
        check(&schema, json!({}), &json!({ "d": { "p": "deep" }, "n": "x" }));
        check(&schema, json!({ "d": null, "n": null, "o": null }), &json!({ "d": { "p": "deep" }, "n": null }));
        check(
            &schema,
            json!({ "d": { "p": null, "z": 1 }, "l": [{}, { "v": 6 }], "n": "y" }),
            &json!({
                "d": { "p": "deep", "z": 1 }, "l": [{ "v": 5 }, { "v": 6 }], "n": "y",
            }),
        );
    }
}
