//! Objects in many states, for as long as a test looks at them.

use anyhow::{Context, Result};
use masthead_tests::{Api, Testbed};
use serde_json::{Value, json};

/// Objects on the real cluster; those outside the test's namespace go when this is dropped.
#[derive(Debug)]
pub(super) struct Objects {
    api: Api,
    /// The paths of those that no namespace takes along.
    own: Vec<String>,
}

impl Objects {
    /// Makes those of the list: each is created, has its status patched and is deleted, as it says.
    pub(super) fn create(bed: &Testbed) -> Result<Objects> {
        let list = include_str!("objects.json").replace("${ns}", bed.namespace());
        let list: Vec<Value> = serde_json::from_str(&list).context("the list of objects")?;
        let mut objects = Objects { api: bed.api().clone(), own: Vec::new() };
        for entry in &list {
            objects.add(entry).with_context(|| format!("cannot make {}", entry["object"]))?;
        }
        Ok(objects)
    }

    fn add(&mut self, entry: &Value) -> Result<()> {
        let collection = entry["path"].as_str().context("a path")?;
        let created = self.api.create(collection, &entry["object"])?;
        let path = format!("{collection}/{}", created["metadata"]["name"].as_str().unwrap_or_default());
        if created["metadata"]["namespace"].is_null() || !created["metadata"]["finalizers"].is_null() {
            self.own.push(path.clone());
        }
        if let Some(status) = entry.get("status") {
            self.api.patch(&format!("{path}/status"), &json!({ "status": status }))?;
        }
        if entry["delete"] == true {
            self.api.delete(&path)?;
        }
        Ok(())
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        for path in &self.own {
            let freed = self.api.patch(path, &json!({ "metadata": { "finalizers": null } }));
            if let Err(error) = freed.and_then(|_| self.api.delete(path)) {
                eprintln!("{path} is left behind: {error:#}");
            }
        }
    }
}
