//! The words are those that a real server answered with.

use serde_json::{Value, json};

use super::check;

fn faults(schema: &Value, value: Value) -> Vec<String> {
    let schema = json!({ "type": "object", "properties": { "v": schema } });
    check(&schema, &json!({ "v": value }), None)
        .iter()
        .map(|cause| format!("{}: {}", cause.field, cause.message))
        .collect()
}

#[test]
fn every_limit_has_its_words() {
    let one = |schema: Value, value: Value, expect: &str| assert_eq!(faults(&schema, value), [expect]);
    let text = json!({ "type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$" });
    one(text.clone(), json!("x"), "v: Invalid value: \"x\": v in body should be at least 2 chars long");
    one(text.clone(), json!("abcde"), "v: Too long: may not be more than 4 bytes");
    one(text.clone(), json!("AB"), "v: Invalid value: \"AB\": v in body should match '^[a-z]+$'");
    one(text.clone(), json!(3), "v: Invalid value: \"integer\": v in body must be of type string: \"integer\"");
    one(
        json!({ "type": "number", "maximum": 1.5 }),
        json!(2),
        "v: Invalid value: 2: v in body should be less than or equal to 1",
    );
    one(
        json!({ "type": "number", "minimum": 0, "exclusiveMinimum": true }),
        json!(0),
        "v: Invalid value: 0: v in body should be greater than 0",
    );
    one(json!({ "type": "array", "maxItems": 2 }), json!([1, 2, 3]), "v: Too many: 3: must have at most 2 items");
    one(
        json!({ "type": "array", "minItems": 1 }),
        json!([]),
        "v: Invalid value: 0: v in body should have at least 1 items",
    );
    one(
        json!({ "type": "object", "maxProperties": 1 }),
        json!({ "a": 1, "b": 2 }),
        "v: Too many: 2: must have at most 1 item",
    );
    one(json!({ "enum": ["x", "y"] }), json!("z"), "v: Unsupported value: \"z\": supported values: \"x\", \"y\"");
    one(
        json!({ "x-kubernetes-int-or-string": true }),
        json!(true),
        "v: Invalid value: \"boolean\": v in body must be of type integer,string: \"boolean\"",
    );
    one(
        json!({ "type": "string", "format": "date-time" }),
        json!("x"),
        "v: Invalid value: \"x\": v in body must be of type date-time: \"x\"",
    );
    one(
        json!({ "type": "integer", "format": "int32" }),
        json!(3_000_000_000_u64),
        "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in v",
    );
    let item = json!({ "type": "object", "required": ["n"] });
    let map =
        json!({ "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"], "items": item });
    one(map.clone(), json!([{}]), "v[0].n: Required value");
    one(map, json!([{ "n": "a" }, { "n": "a" }]), "v[1]: Duplicate value: {\"n\":\"a\"}");
    let set = json!({ "type": "array", "x-kubernetes-list-type": "set" });
    one(set, json!(["a", "a"]), "v[1]: Duplicate value: \"a\"");
    let not = json!({ "type": "object", "not": { "required": ["f"] } });
    one(not, json!({ "f": 1 }), "<nil>: Invalid value: \"\": \"v\" must not validate the schema (not)");
}

#[test]
fn schemas_of_schemas_tell_what_the_first_would_have_taken() {
    let either = |name: &str| json!({ "type": "object", name: [{ "required": ["f"] }, { "required": ["g"] }] });
    let none = "<nil>: Invalid value: \"\": \"v\" must validate one and only one schema (oneOf). Found none valid";
    assert_eq!(faults(&either("oneOf"), json!({})), [none, "v.f: Required value"]);
    let two =
        "<nil>: Invalid value: \"\": \"v\" must validate one and only one schema (oneOf). Found 2 valid alternatives";
    assert_eq!(faults(&either("oneOf"), json!({ "f": 1, "g": 1 })), [two]);
    let any = "<nil>: Invalid value: \"\": \"v\" must validate at least one schema (anyOf)";
    assert_eq!(faults(&either("anyOf"), json!({})), [any, "v.f: Required value"]);
    assert!(faults(&either("anyOf"), json!({ "g": 1 })).is_empty());
}

#[test]
fn formats_take_what_they_should() {
    let fits =
        |format: &str, text: &str| faults(&json!({ "type": "string", "format": format }), json!(text)).is_empty();
    let good = [
        ("date-time", "2020-01-01T00:00:00Z"),
        ("date-time", "2020-02-29T23:59:59.5+02:00"),
        ("date", "2024-02-29"),
        ("duration", "5m"),
        ("duration", "1h30m"),
        ("byte", "aGk="),
        ("ipv4", "1.2.3.4"),
        ("ipv6", "::1"),
        ("cidr", "10.0.0.0/8"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
        ("email", "a@b.c"),
        ("uri", "https://x.io/a"),
        ("hostname", "a.b"),
        ("whatever", "x"),
    ];
    let bad = [
        ("date-time", "2020-01-01"),
        ("date-time", "2020-01-01T25:00:00Z"),
        ("date", "2023-02-29"),
        ("duration", "5 x"),
        ("duration", ""),
        ("byte", "x!"),
        ("ipv4", "1.2.3"),
        ("ipv6", "x"),
        ("cidr", "10.0.0.0/40"),
        ("uuid", "x"),
        ("email", "x"),
        ("uri", "::"),
        ("uri", "x"),
        ("hostname", "-a"),
    ];
    good.iter().for_each(|(format, text)| assert!(fits(format, text), "{format} {text}"));
    bad.iter().for_each(|(format, text)| assert!(!fits(format, text), "{format} {text}"));
}

#[test]
fn an_update_is_not_asked_about_what_it_leaves() {
    let schema =
        json!({ "type": "object", "properties": { "a": { "type": "string", "enum": ["x"] }, "b": { "minimum": 3 } } });
    let before = json!({ "a": "old", "b": 1 });
    assert!(check(&schema, &json!({ "a": "old", "b": 4 }), Some(&before)).is_empty());
    assert_eq!(check(&schema, &json!({ "a": "new", "b": 1 }), Some(&before)).len(), 1);
}
