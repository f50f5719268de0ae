//! The rules that a definition itself is held to.

use serde_json::{Value, json};

use super::schema_rules;
use crate::cause::Cause;

/// What is wrong with a definition, in the real server's order.
pub(crate) fn check(definition: &Value, before: Option<&Value>) -> Vec<Cause> {
    let (spec, mut causes) = (&definition["spec"], Vec::new());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (name, group, plural) =
        (text(&definition["metadata"]["name"]), text(&spec["group"]), text(&spec["names"]["plural"]));
    if before.is_none() && name != format!("{plural}.{group}") {
        let why = "must be spec.names.plural+\".\"+spec.group";
        causes.push(Cause::invalid("metadata.name", format_args!("{name:?}"), why));
    }
    check_group(definition, &group, &mut causes);
    check_scope(spec, &mut causes);
    check_versions(spec, &mut causes);
    check_names(&spec["names"], &mut causes);
    Shape::of(spec).check(&mut causes);
    check_conversion(&spec["conversion"], &mut causes);
    check_stored(definition, &mut causes);
    if let Some(before) = before {
        check_update(definition, before, &mut causes);
    }
    causes
}

fn check_group(definition: &Value, group: &str, causes: &mut Vec<Cause>) {
    const APPROVAL: &str = "api-approved.kubernetes.io";
    if group.is_empty() {
        causes.push(Cause::required("spec.group", ""));
    } else if !group.contains('.') {
        let why = "should be a domain with at least one dot";
        causes.push(Cause::invalid("spec.group", format_args!("{group:?}"), why));
    }
    let protected = ["k8s.io", "kubernetes.io"];
    let protected = protected.iter().any(|own| group == *own || group.ends_with(&format!(".{own}")));
    if protected && definition["metadata"]["annotations"][APPROVAL].is_null() {
        let why = format!(
            "protected groups must have approval annotation \"{APPROVAL}\", see \
             https://github.com/kubernetes/enhancements/pull/1111"
        );
        causes.push(Cause::required(format!("metadata.annotations[{APPROVAL}]"), &why));
    }
}

fn check_scope(spec: &Value, causes: &mut Vec<Cause>) {
    match spec["scope"].as_str().unwrap_or_default() {
        "Cluster" | "Namespaced" => {}
        "" => causes.push(Cause::required("spec.scope", "")),
        other => {
            causes.push(Cause::unsupported("spec.scope", &format!("{other:?}"), "\"Cluster\", \"Namespaced\""));
        }
    }
    if spec["preserveUnknownFields"] == true {
        let why =
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        causes.push(Cause::invalid("spec.preserveUnknownFields", true, why));
    }
}

fn check_versions(spec: &Value, causes: &mut Vec<Cause>) {
    let versions: Vec<&Value> = spec["versions"].as_array().into_iter().flatten().collect();
    let names: Vec<&str> = versions.iter().filter_map(|version| version["name"].as_str()).collect();
    for (at, version) in versions.iter().enumerate() {
        let name = version["name"].as_str().unwrap_or_default();
        causes.extend(wrong_label(&format!("spec.versions[{at}].name"), name, name, ""));
        if version["schema"]["openAPIV3Schema"].is_null() {
            causes.push(Cause::required(format!("spec.versions[{at}].schema.openAPIV3Schema"), ""));
        }
    }
    let shown = || {
        let each: Vec<String> = versions.iter().map(|version| go_version(version)).collect();
        format!("[{}]", each.join(","))
    };
    if (1..names.len()).any(|at| names[..at].contains(&names[at])) {
        causes.push(Cause::invalid("spec.versions", shown(), "must contain unique version names"));
    }
    if versions.iter().filter(|version| version["storage"] == true).count() != 1 {
        let why = "must have exactly one version marked as storage version";
        causes.push(Cause::invalid("spec.versions", shown(), why));
    }
    if let Some(first) = names.first() {
        causes.extend(wrong_label("spec.version", first, first, ""));
    }
}

/// A version as Go shows it, without what all versions have in common.
fn go_version(version: &Value) -> String {
    let flag = |name: &str| version[name] == true;
    format!(
        "{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":{},\"Schema\":null,\
         \"Subresources\":null,\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}}",
        version["name"],
        flag("served"),
        flag("storage"),
        flag("deprecated"),
        version["deprecationWarning"],
    )
}

fn check_names(names: &Value, causes: &mut Vec<Cause>) {
    let text = |field: &str| names[field].as_str().unwrap_or_default();
    for field in ["plural", "singular", "kind", "listKind"].into_iter().filter(|field| text(field).is_empty()) {
        causes.push(Cause::required(format!("spec.names.{field}"), ""));
    }
    let mixed = "may have mixed case, but should otherwise match: ";
    for (field, prefix) in [("plural", ""), ("singular", ""), ("kind", mixed), ("listKind", mixed)] {
        let name = text(field);
        let checked = if prefix.is_empty() { name.to_owned() } else { name.to_lowercase() };
        causes.extend(wrong_label(&format!("spec.names.{field}"), name, &checked, prefix));
    }
    for list in ["shortNames", "categories"] {
        for (at, name) in names[list].as_array().into_iter().flatten().filter_map(Value::as_str).enumerate() {
            causes.extend(wrong_label(&format!("spec.names.{list}[{at}]"), name, name, ""));
        }
        if list == "shortNames" && !text("kind").is_empty() && text("kind") == text("listKind") {
            let (shown, why) = (format!("{:?}", text("listKind")), "kind and listKind may not be the same");
            causes.push(Cause::invalid("spec.names.listKind", shown, why));
        }
    }
}

/// What is wrong with a name that must be a DNS-1035 label; `checked` is how it is looked at.
fn wrong_label(field: &str, name: &str, checked: &str, prefix: &str) -> Option<Cause> {
    const LABEL: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
                         alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', \
                         regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = checked.starts_with(|c: char| c.is_ascii_lowercase()) && checked.chars().all(inside);
    let why = match checked {
        "" => return None,
        _ if checked.len() > 63 => "must be no more than 63 characters",
        _ if fits && !checked.ends_with('-') => return None,
        _ => LABEL,
    };
    Some(Cause::invalid(field, format_args!("{name:?}"), format!("{prefix}{why}")))
}

/// The parts of versions, which are told of the definition as a whole where all versions have the same.
struct Shape<'a> {
    versions: Vec<&'a Value>,
}

impl<'a> Shape<'a> {
    fn of(spec: &'a Value) -> Shape<'a> {
        Shape { versions: spec["versions"].as_array().into_iter().flatten().collect() }
    }

    /// A part of each version with the path under which it is told.
    fn parts(&self, field: &str, alone: &str) -> Vec<(String, &'a Value, &'a Value)> {
        let same = self.versions.windows(2).all(|pair| pair[0][field] == pair[1][field]);
        let told = if same { 1 } else { self.versions.len() };
        let each = self.versions.iter().take(told).enumerate();
        each.map(|(at, version)| {
            let path = if same { format!("spec.{alone}") } else { format!("spec.versions[{at}].{field}") };
            (path, *version, &version[field])
        })
        .filter(|(_, _, part)| !part.is_null())
        .collect()
    }

    fn check(&self, causes: &mut Vec<Cause>) {
        for (path, _, columns) in self.parts("additionalPrinterColumns", "additionalPrinterColumns") {
            for (at, column) in columns.as_array().into_iter().flatten().enumerate() {
                check_column(&format!("{path}[{at}]"), column, causes);
            }
        }
        for (path, version, fields) in self.parts("selectableFields", "selectableFields") {
            for (at, field) in fields.as_array().into_iter().flatten().enumerate() {
                check_selectable(&format!("{path}[{at}].jsonPath"), field, version, causes);
            }
        }
        for (path, version, schema) in self.parts("schema", "validation") {
            let has_status = version["subresources"]["status"].is_object();
            let schema = &schema["openAPIV3Schema"];
            if !schema.is_null() {
                schema_rules::check(schema, &format!("{path}.openAPIV3Schema"), has_status, causes);
            }
        }
        for (path, _, parts) in self.parts("subresources", "subresources") {
            check_scale(&format!("{path}.scale"), &parts["scale"], causes);
        }
    }
}

fn check_column(path: &str, column: &Value, causes: &mut Vec<Cause>) {
    const TYPES: &str = "boolean,date,integer,number,string";
    let text = |field: &str| column[field].as_str().unwrap_or_default();
    if text("name").is_empty() {
        causes.push(Cause::required(format!("{path}.name"), ""));
    }
    if text("type").is_empty() {
        causes.push(Cause::required(format!("{path}.type"), &format!("must be one of {TYPES}")));
    } else if !TYPES.split(',').any(|known| known == text("type")) {
        let shown = format!("{:?}", text("type"));
        causes.push(Cause::invalid(format!("{path}.type"), shown, format!("must be one of {TYPES}")));
    }
    if text("jsonPath").is_empty() {
        causes.push(Cause::required(format!("{path}.JSONPath"), ""));
    } else {
        causes.extend(wrong_path(&format!("{path}.JSONPath"), text("jsonPath"), ""));
    }
}

fn check_selectable(path: &str, field: &Value, version: &Value, causes: &mut Vec<Cause>) {
    let given = field["jsonPath"].as_str().unwrap_or_default();
    let mut schema = Some(&version["schema"]["openAPIV3Schema"]);
    for step in given.trim_start_matches('.').split('.') {
        schema = schema.and_then(|schema| schema["properties"].get(step));
    }
    let scalar = |schema: &&Value| matches!(schema["type"].as_str(), Some("string" | "boolean" | "integer"));
    if schema.filter(scalar).is_none() {
        let why = "is an invalid path: does not refer to a valid field";
        causes.push(Cause::invalid(path, format_args!("{given:?}"), why));
    }
}

fn check_scale(path: &str, scale: &Value, causes: &mut Vec<Cause>) {
    if scale.is_null() {
        return;
    }
    for (field, root) in [("specReplicasPath", ".spec"), ("statusReplicasPath", ".status")] {
        match scale[field].as_str().unwrap_or_default() {
            "" => causes.push(Cause::required(format!("{path}.{field}"), "")),
            given => causes.extend(wrong_path(&format!("{path}.{field}"), given, root)),
        }
    }
    if let Some(given) = scale["labelSelectorPath"].as_str().filter(|given| !given.is_empty()) {
        let root = if given.starts_with(".spec.") { ".spec" } else { ".status" };
        causes.extend(wrong_path(&format!("{path}.labelSelectorPath"), given, root));
    }
}

fn wrong_path(field: &str, path: &str, root: &str) -> Option<Cause> {
    let why = if !path.starts_with('.') {
        "must be a simple json path starting with .".to_owned()
    } else if !root.is_empty() && !path.starts_with(&format!("{root}.")) {
        format!("should be a json path under {root}")
    } else {
        return None;
    };
    Some(Cause::invalid(field, format_args!("{path:?}"), why))
}

fn check_conversion(conversion: &Value, causes: &mut Vec<Cause>) {
    const FIELD: &str = "spec.conversion";
    match conversion["strategy"].as_str().unwrap_or_default() {
        "None" => {}
        "Webhook" => {
            let webhook = &conversion["webhook"];
            if webhook["clientConfig"].is_null() {
                let why = "required when strategy is set to Webhook";
                causes.push(Cause::required(format!("{FIELD}.webhookClientConfig"), why));
            }
            if webhook["conversionReviewVersions"].as_array().is_none_or(Vec::is_empty) {
                causes.push(Cause::required(format!("{FIELD}.conversionReviewVersions"), ""));
            }
        }
        "" => causes.push(Cause::required(format!("{FIELD}.strategy"), "")),
        other => {
            let supported = "\"None\", \"Webhook\"";
            causes.push(Cause::unsupported(format!("{FIELD}.strategy"), &format!("{other:?}"), supported));
        }
    }
}

fn check_stored(definition: &Value, causes: &mut Vec<Cause>) {
    const FIELD: &str = "status.storedVersions";
    let stored = &definition["status"]["storedVersions"];
    let versions: Vec<&Value> = definition["spec"]["versions"].as_array().into_iter().flatten().collect();
    let known: Vec<&str> = stored.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if known.is_empty() {
        causes.push(Cause::invalid(FIELD, Value::Null, "must have at least one stored version"));
    } else {
        let storage = versions.iter().filter(|version| version["storage"] == true);
        for name in storage.filter_map(|version| version["name"].as_str()).filter(|name| !known.contains(name)) {
            causes.push(Cause::invalid(FIELD, json!(known), format!("must have the storage version {name}")));
        }
    }
    for (at, name) in known.iter().enumerate() {
        if !versions.iter().any(|version| version["name"] == *name) {
            let why = format!(
                "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions \
                 until a storage migration ensures no data remains persisted in {name} and removes {name} from \
                 status.storedVersions"
            );
            causes.push(Cause::invalid(format!("{FIELD}[{at}]"), format_args!("{name:?}"), why));
        }
    }
}

/// What is fixed once a definition was established.
fn check_update(definition: &Value, before: &Value, causes: &mut Vec<Cause>) {
    let conditions = before["status"]["conditions"].as_array().into_iter().flatten();
    let established = conditions.into_iter().any(|known| known["type"] == "Established" && known["status"] == "True");
    let fixed: &[&str] = if established { &["/scope", "/names/kind"] } else { &[] };
    for path in fixed.iter().chain(&["/group", "/names/plural"]) {
        let find = |of: &Value| of["spec"].pointer(path).cloned().unwrap_or_default();
        let (after, known) = (find(definition), find(before));
        if after != known {
            causes.push(Cause::invalid(format!("spec{}", path.replace('/', ".")), after, "field is immutable"));
        }
    }
}
