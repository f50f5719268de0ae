//! What is read from definitions, what is made of it, and what is refused.

use std::path::Path;

use super::{definitions, layout};

/// A definition with this schema, and this beside it.
fn definition(schema: &str, beside: &str) -> String {
    format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{{"group":"x.io",
        "scope":"Namespaced","names":{{"kind":"Widget","plural":"widgets"}},"versions":[{{"name":"v1","served":true,
        "storage":true,"schema":{{"openAPIV3Schema":{schema}}}{beside}}}]}}}}"#
    )
}

/// A definition whose spec has these properties.
fn with(properties: &str) -> String {
    definition(
        &format!(r#"{{"type":"object","properties":{{"spec":{{"type":"object","properties":{{{properties}}}}}}}}}"#),
        "",
    )
}

fn read(text: &str) -> Result<String, String> {
    let found = definitions(&[("crd.yaml".to_owned(), text.to_owned())]).map_err(|mistakes| mistakes.to_string())?;
    Ok(layout::output(&found, Path::new("api")).files.into_values().collect())
}

/// The types have these lines, one after another, whatever lies between.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let types = read(text).unwrap();
    let mut rest = types.as_str();
    for line in expect {
        let at = rest.find(line).unwrap_or_else(|| panic!("{line} in\n{types}"));
        rest = &rest[at + line.len()..];
    }
}

#[track_caller]
fn check_refused(text: &str, expect: &[&str]) {
    let why = read(text).unwrap_err();
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines.len(), expect.len(), "{why}");
    for (line, expect) in lines.iter().zip(expect) {
        assert!(line.starts_with("crd.yaml: ") && line.contains(expect), "{expect} in {why}");
    }
}

const AT: &str = "document 1: spec.versions[0].schema.openAPIV3Schema";

#[test]
fn a_property_is_of_the_type_that_holds_its_values() {
    for (schema, expect) in [
        (r#"{"type":"boolean"}"#, "bool"),
        (r#"{"type":"integer","format":"int32"}"#, "i32"),
        (r#"{"type":"integer","format":"int64"}"#, "i64"),
        (r#"{"type":"integer"}"#, "i64"),
        (r#"{"type":"number","format":"float"}"#, "f64"),
        (r#"{"type":"string","format":"uuid"}"#, "String"),
        (r#"{"type":"string","format":"date-time"}"#, "Timestamp"),
        (r#"{"type":"string","format":"byte"}"#, "ByteString"),
        (r#"{"x-kubernetes-int-or-string":true}"#, "IntOrString"),
        (r#"{"x-kubernetes-preserve-unknown-fields":true}"#, "Value"),
        (r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#, "Map<String, Value>"),
        (r#"{"type":"object","additionalProperties":true}"#, "Map<String, Value>"),
        (r#"{"type":"object","additionalProperties":{"type":"string"}}"#, "BTreeMap<String, String>"),
        (r#"{"type":"array","items":{"type":"array","items":{"type":"boolean"}}}"#, "Vec<Vec<bool>>"),
        (r#"{"type":"array","items":{"type":"string","nullable":true}}"#, "Vec<Option<String>>"),
        (r#"{"type":"string","nullable":true}"#, "Option<String>"),
        (r#"{"x-kubernetes-preserve-unknown-fields":true,"nullable":true}"#, "Value"),
        (r#"{"type":"integer","enum":[1,2]}"#, "i64"),
        (r#"{"type":"object"}"#, "WidgetSpecA"),
        (r#"{"type":"array","items":{"type":"string","enum":["b"]}}"#, "Vec<WidgetSpecA>"),
    ] {
        check(&with(&format!(r#""a":{schema}"#)), &[&format!("    pub a: Option<{expect}>,")]);
    }
}

#[test]
fn only_what_must_be_there_is_no_option() {
    let schema = r#"{"type":"object","required":["spec"],"properties":{"spec":{"type":"object","required":["a","b","c"],
        "properties":{"a":{"type":"string"},"b":{"type":"string","nullable":true},"c":{"type":"string","default":"x"},
        "d":{"type":"string"}}}}}"#;
    check(
        &definition(schema, ""),
        &[
            "pub spec: WidgetSpec,",
            "pub a: String,",
            "pub b: Option<String>,",
            "pub c: Option<String>,",
            "pub d: Option<",
        ],
    );
}

#[test]
fn names_are_those_of_rust_and_no_two_are_the_same() {
    let names = r#""type":{"type":"string"},"fooBar":{"type":"string"},"foo_bar":{"type":"string"},
        "a.b/c":{"type":"string"},"podIPs":{"type":"string"}"#;
    check(
        &with(names),
        &[
            "#[serde(rename = \"a.b/c\")]",
            "pub a_b_c:",
            "pub foo_bar:",
            "#[serde(rename = \"foo_bar\")]",
            "pub foo_bar_2:",
            "#[serde(rename = \"podIPs\")]",
            "pub pod_ips:",
            "pub type_:",
        ],
    );
    let values = r#""a":{"type":"string","enum":["b","B","*","+","","3","Other","b"]}"#;
    check(
        &with(values),
        &[
            "    B,",
            "    B2,",
            "    Symbol,",
            "    Symbol2,",
            "    Empty,",
            "    V3,",
            "    Other,",
            "    Other2(String),",
        ],
    );
    let empty = r#"{"type":"object","properties":{"c":{"type":"boolean"}}}"#;
    let full = r#"{"type":"object","properties":{"c":{"type":"string"}}}"#;
    let paths = format!(r#""ab":{empty},"a":{{"type":"object","properties":{{"b":{full}}}}},"aB":{{"type":"object"}}"#);
    check(&with(&paths), &["pub struct WidgetSpecA ", "pub struct WidgetSpecAB ", "pub struct WidgetSpecAB2 "]);
}

#[test]
fn equal_types_below_properties_of_one_name_are_one() {
    let secret = r#""ref":{"type":"object","description":"ONE","properties":{"name":{"type":"string"}}}"#;
    let other = r#""ref":{"type":"object","properties":{"name":{"type":"boolean"}}}"#;
    let under = |name: &str, property: &str| format!(r#""{name}":{{"type":"object","properties":{{{property}}}}}"#);
    let properties = [under("a", &secret.replace("ONE", "TWO")), under("b", secret), under("c", other)].join(",");
    let types = read(&with(&properties)).unwrap();
    assert_eq!(types.matches("pub ref_: Option<WidgetRef>,").count(), 2, "{types}");
    assert_eq!(types.matches("pub struct WidgetRef {").count(), 1, "{types}");
    assert!(types.contains("pub ref_: Option<WidgetSpecCRef>,"), "{types}");
}

#[test]
fn subresources_and_names_become_tags() {
    let schema = r#"{"type":"object","properties":{"status":{"type":"object"}}}"#;
    let widget = definition(schema, r#","subresources":{"status":{}}"#);
    check(&widget, &["// +groupName=x.io\n", "// +genclient\n/// A Widget of x.io/v1."]);
    check(&definition(schema, ""), &["// +genclient\n// +genclient:noStatus\n///"]);
    check(&definition(r#"{"type":"object"}"#, ""), &["// +genclient\n///"]);
    let unknown = r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#;
    check(&definition(unknown, r#","subresources":{"status":{}}"#), &["+genclient\n///", "pub status: Option<Value>,"]);
    let scale = r#","subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas"}}"#;
    check(&definition(schema, scale), &["=GetScale,verb=get,", "=UpdateScale,verb=update,", "=ApplyScale,verb=apply,"]);
    let cluster = widget.replace("Namespaced", "Cluster").replace("widgets", "widgetries");
    check(&cluster, &["+genclient:nonNamespaced\n// +resourceName=widgetries\n", "k8s_openapi::ClusterResourceScope"]);
}

#[test]
fn a_kind_may_be_called_like_something_of_rust() {
    let text = with(r#""a":{"x-kubernetes-preserve-unknown-fields":true}"#);
    let types = read(&text.replace("\"Widget\"", "\"Value\"")).unwrap();
    assert!(types.contains("pub struct Value2 {") && types.contains("KIND: &'static str = \"Value\";"), "{types}");
    assert!(types.contains("Option<Value>"), "{types}");
}

#[test]
fn groups_of_one_first_label_are_told_apart() {
    let named = |group: &str| with("").replace("x.io", group);
    let files = ["gate.a.io", "gate.b.io", "other.io"].map(|group| (format!("{group}.json"), named(group)));
    let output = layout::output(&definitions(&files).unwrap(), Path::new("api"));
    let paths: Vec<String> = output.files.keys().map(|path| path.display().to_string()).collect();
    let expect = "api/gate_a/mod.rs api/gate_a/v1.rs api/gate_b/mod.rs api/gate_b/v1.rs api/mod.rs api/other/mod.rs api/other/v1.rs";
    assert_eq!(paths.join(" "), expect);
    assert!(output.files[Path::new("api/gate_a/v1.rs")].contains("// +groupGoName=gate_a\n"));
    assert!(!output.files[Path::new("api/other/v1.rs")].contains("groupGoName"));
}

#[test]
fn definitions_are_found_in_lists_and_among_other_objects() {
    let one = with("");
    let other = one.replace("Widget", "Gadget").replace("widgets", "gadgets");
    let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{one},{{"apiVersion":"v1","kind":"Secret"}}]}}"#);
    let text = format!("---\n---\n# nothing\n---\n{}\n---\n{other}\n", list.replace('\n', " "));
    check(&text, &["pub struct Gadget {", "pub struct Widget {"]);
    check(&format!("{list}{other}"), &["pub struct Gadget {", "pub struct Widget {"]);
    check_refused(&format!("{one}{one}"), &["document 2: widgets.x.io is defined twice"]);
    check_refused(&list.replace("CustomResourceDefinition", "Pod"), &["no CustomResourceDefinition is in it"]);
    check_refused("", &["no CustomResourceDefinition is in it"]);
    check_refused("a: [1\n", &["neither YAML nor JSON: unclosed bracket '[' at line 1, column 4"]);
    check_refused("- 1", &["document 1: kind: missing", "document 1: apiVersion: missing"]);
}

#[test]
fn an_older_definition_is_refused_with_a_way_out() {
    let why = "document 1: apiVersion: `apiextensions.k8s.io/v1beta1` is not read";
    check_refused(&with("").replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"), &[why]);
}

#[test]
fn every_mistake_in_a_schema_is_told_with_its_path() {
    let spec = format!("{AT}.properties.spec.properties");
    let properties = r##""a":{},"b":{"type":"map"},"c":{"type":"array"},"d":{"$ref":"#/x"},"e":3,
        "f":{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":{"type":"string"}},
        "g":{"type":"object","additionalProperties":false},"h.i":{"type":"string","enum":[1]},
        "j":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"map"},
        "k":{"type":"string","nullable":"yes"},"l":{"type":["string"]}"##;
    check_refused(
        &with(properties),
        &[
            &format!("{spec}.a: no `type`: write one of array, boolean"),
            &format!("{spec}.b: `type: map` is none of array, boolean"),
            &format!("{spec}.c.items: missing; it would be the schema of the items"),
            &format!("{spec}.d: `$ref` cannot be in a definition: write the schema in its place"),
            &format!("{spec}.e: `3`, where a map is right"),
            &format!("{spec}.f: `properties` and `additionalProperties` exclude each other"),
            &format!("{spec}.g.additionalProperties: cannot be false"),
            &format!("{spec}[\"h.i\"].enum[0]: `1`, where a string is right"),
            &format!("{spec}.j: `x-kubernetes-list-type: map` needs"),
            &format!("{spec}.k.nullable: \"yes\", where true or false is right"),
            &format!("{spec}.l.type: a list, where a string is right"),
        ],
    );
}

#[test]
fn every_part_of_a_definition_is_looked_at() {
    let text = with("");
    for (part, instead, expect) in [
        (r#""group":"x.io","#, "", "document 1: spec.group: missing; it would be an API group"),
        (r#""x.io""#, r#""X_io""#, "spec.group: no API group"),
        (r#""scope":"Namespaced""#, r#""scope":"namespaced""#, "spec.scope: `namespaced` is neither"),
        (r#""Widget""#, "7", "spec.names.kind: `7`, where a string is right"),
        (r#""widgets""#, r#""wid/gets""#, "spec.names.plural: no resource"),
        (r#""name":"v1""#, r#""name":"1""#, "spec.versions[0].name: no version"),
        (r#""served":true"#, r#""served":false"#, "spec.versions: no version is served"),
        (r#""served":true"#, r#""served":"true""#, "spec.versions[0].served: \"true\", where true or false"),
        (r#""openAPIV3Schema""#, r#""openApiSchema""#, "spec.versions[0].schema.openAPIV3Schema: missing"),
        (r#""schema""#, r#""Schema""#, "spec.versions[0].schema: missing"),
        (r#""versions":["#, r#""versions":["v1","#, "spec.versions[0].name: missing"),
        (
            r#""schema":{"openAPIV3Schema":{"type":"object""#,
            r#""schema":{"openAPIV3Schema":{"type":"array""#,
            "the root",
        ),
    ] {
        assert!(text.contains(part), "{part}");
        check_refused(&text.replacen(part, instead, 1), &[expect]);
    }
}

#[test]
fn a_definition_without_pruning_keeps_everything() {
    let text = with(r#""a":{"type":"object"}"#).replace(r#""scope""#, r#""preserveUnknownFields":true,"scope""#);
    check(&text, &["#[serde(flatten, deserialize_with", "pub a: Option<Map<String, Value>>,", "#[serde(flatten)]"]);
}
