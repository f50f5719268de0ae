//! The rules that make the schema of a custom kind structural.

use serde_json::{Value, json};

use super::validation::{check_value, pattern};
use crate::cause::Cause;

/// What is wrong with the schema of a version.
pub(crate) fn check(schema: &Value, path: &str, has_status: bool, causes: &mut Vec<Cause>) {
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {}
        "" => causes.push(Cause::required(format!("{path}.type"), "must not be empty at the root")),
        other => {
            let (field, shown) = (format!("{path}.type"), format!("{other:?}"));
            if has_status {
                let why = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
                causes.push(Cause::invalid(field.as_str(), &shown, why));
            }
            causes.push(Cause::invalid(field, shown, "must be object at the root"));
        }
    }
    check_identity(schema, path, causes);
    check_parts(schema, path, causes);
}

/// Metadata are what they are: only names may be told more of.
fn check_identity(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    let metadata = schema["properties"]["metadata"]["properties"].as_object();
    let others = metadata.into_iter().flat_map(|fields| fields.keys());
    if others.into_iter().any(|name| !matches!(name.as_str(), "name" | "generateName")) {
        let why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
        causes.push(Cause::forbidden(format!("{path}.properties[metadata]"), why));
    }
}

/// Looks at a schema whose own type is known to be there, and at all below it.
fn check_parts(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    check_own(schema, path, causes);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        check_nested(
            property,
            &format!("{path}.properties[{name}]"),
            "must not be empty for specified object fields",
            causes,
        );
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        let path = format!("{path}.additionalProperties");
        check_nested(values, &path, "must not be empty for specified object fields", causes);
    }
    if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        check_nested(items, &format!("{path}.items"), "must not be empty for specified array items", causes);
    }
    for junctor in ["allOf", "anyOf", "oneOf"] {
        if junctor == "anyOf" && is_int_or_string(&schema[junctor]) {
            continue;
        }
        for (at, part) in schema[junctor].as_array().into_iter().flatten().enumerate() {
            check_junctor(part, &format!("{path}.{junctor}[{at}]"), causes);
        }
    }
    if schema["not"].is_object() {
        check_junctor(&schema["not"], &format!("{path}.not"), causes);
    }
}

/// The one `anyOf` that may name types; generators of definitions write it beside `x-kubernetes-int-or-string`.
fn is_int_or_string(junctor: &Value) -> bool {
    *junctor == json!([{ "type": "integer" }, { "type": "string" }])
}

fn check_nested(schema: &Value, path: &str, untyped: &str, causes: &mut Vec<Cause>) {
    let free = schema["x-kubernetes-preserve-unknown-fields"] == true || schema["x-kubernetes-int-or-string"] == true;
    if schema["type"].as_str().is_none_or(str::is_empty) && !free && schema["$ref"].is_null() {
        causes.push(Cause::required(format!("{path}.type"), untyped));
    }
    check_parts(schema, path, causes);
}

/// What stands within `allOf` and the like only limits what is known already.
fn check_junctor(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    let forbidden = [
        "description",
        "type",
        "default",
        "additionalProperties",
        "nullable",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-embedded-resource",
    ];
    for field in forbidden.into_iter().filter(|field| !schema[*field].is_null()) {
        causes.push(Cause::forbidden(format!("{path}.{field}"), "must be empty to be structural"));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        check_junctor(property, &format!("{path}.properties[{name}]"), causes);
    }
    if schema["items"].is_object() {
        check_junctor(&schema["items"], &format!("{path}.items"), causes);
    }
}

fn check_own(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
    if let Some(other) = schema["type"].as_str().filter(|name| !name.is_empty() && !TYPES.contains(name)) {
        let supported: Vec<String> = TYPES.iter().map(|name| format!("{name:?}")).collect();
        causes.push(Cause::unsupported(format!("{path}.type"), &format!("{other:?}"), &supported.join(", ")));
    }
    if !schema["$ref"].is_null() {
        causes.push(Cause::forbidden(format!("{path}.$ref"), "$ref is not supported"));
    }
    if schema["uniqueItems"] == true {
        let why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        causes.push(Cause::forbidden(format!("{path}.uniqueItems"), why));
    }
    if schema["properties"].is_object() && !schema["additionalProperties"].is_null() {
        let why = "additionalProperties and properties are mutual exclusive";
        causes.push(Cause::forbidden(format!("{path}.additionalProperties"), why));
    }
    if schema["type"] == "array" && !schema["items"].is_object() {
        causes.push(Cause::required(format!("{path}.items"), "must be specified"));
    }
    if let Some(given) = schema["pattern"].as_str()
        && let Err(error) = pattern(given)
    {
        let why = format!("must be a valid regular expression, but isn't: error parsing regexp: {error}");
        causes.push(Cause::invalid(format!("{path}.pattern"), format_args!("{given:?}"), why));
    }
    if let Some(default) = schema.get("default") {
        causes.extend(wrong_default(schema, default, path));
    }
    check_list(schema, path, causes);
}

/// A default must be what it stands for; its faults are told of the default itself.
fn wrong_default(schema: &Value, default: &Value, path: &str) -> Vec<Cause> {
    let at = format!("{path}.default");
    let faults = check_value(schema, default, "").into_iter();
    faults
        .map(|cause| {
            let field = if cause.field.is_empty() { at.clone() } else { format!("{at}.{}", cause.field) };
            Cause { field, ..cause }
        })
        .collect()
}

fn check_list(schema: &Value, path: &str, causes: &mut Vec<Cause>) {
    if schema["x-kubernetes-list-type"] != "map" {
        return;
    }
    let (field, items) = (format!("{path}.x-kubernetes-list-map-keys"), &schema["items"]);
    let keys = &schema["x-kubernetes-list-map-keys"];
    let names: Vec<&str> = keys.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if names.is_empty() {
        causes.push(Cause::required(field, "must not be empty if x-kubernetes-list-type is map"));
        return;
    }
    if names.iter().any(|name| items["properties"].get(name).is_none()) {
        causes.push(Cause::invalid(field, keys, "entries must all be names of item properties"));
        return;
    }
    let required: Vec<&Value> = items["required"].as_array().into_iter().flatten().collect();
    for name in names {
        if items["properties"][name]["default"].is_null() && !required.iter().any(|known| **known == name) {
            let why =
                "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            causes.push(Cause::required(format!("{path}.items.properties[{name}].default"), why));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::check;

    #[test]
    fn only_the_any_of_of_int_or_string_may_name_types() {
        let causes = |property: Value| {
            let mut causes = Vec::new();
            check(&json!({ "type": "object", "properties": { "p": property } }), "s", false, &mut causes);
            causes.iter().map(|cause| cause.field.clone()).collect::<Vec<_>>()
        };
        let either = json!([{ "type": "integer" }, { "type": "string" }]);
        assert!(causes(json!({ "x-kubernetes-int-or-string": true, "anyOf": either })).is_empty());
        let allowed = json!({ "x-kubernetes-int-or-string": true, "allOf": [{ "anyOf": either }, { "maxLength": 3 }] });
        assert!(causes(allowed).is_empty());
        let other = json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "string" }, { "minimum": 1 }] });
        assert_eq!(causes(other), ["s.properties[p].anyOf[0].type"]);
        let one = json!({ "x-kubernetes-int-or-string": true, "oneOf": either });
        assert_eq!(causes(one), ["s.properties[p].oneOf[0].type", "s.properties[p].oneOf[1].type"]);
    }
}
