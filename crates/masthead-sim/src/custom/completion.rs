//! What the server adds to a definition that it is given.

use serde_json::{Value, json};

/// Fills in the names that follow from others, and the status that a new definition begins with.
pub(crate) fn complete(definition: &mut Value) {
    let names = &definition["spec"]["names"];
    let kind = names["kind"].as_str().unwrap_or_default().to_owned();
    for (field, name) in [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))] {
        let given = definition["spec"]["names"][field].as_str().is_some_and(|name| !name.is_empty());
        if !given && !kind.is_empty() {
            definition["spec"]["names"][field] = name.into();
        }
    }
    if definition["spec"]["conversion"].is_null() {
        definition["spec"]["conversion"] = json!({ "strategy": "None" });
    }
    if definition["status"].is_null() {
        let stored: Vec<&str> = storage_version(definition).into_iter().collect();
        definition["status"] = json!({
            "conditions": null, "acceptedNames": { "plural": "", "kind": "" }, "storedVersions": stored,
        });
    }
}

/// Notes the version that objects are stored as from now on.
pub(crate) fn keep_stored_versions(definition: &mut Value) {
    let Some(version) = storage_version(definition).map(str::to_owned) else { return };
    if let Some(stored) = definition["status"]["storedVersions"].as_array_mut()
        && !stored.iter().any(|known| *known == version)
    {
        stored.push(version.into());
    }
}

fn storage_version(definition: &Value) -> Option<&str> {
    let mut versions = definition["spec"]["versions"].as_array()?.iter();
    versions.find(|version| version["storage"] == true)?["name"].as_str()
}
