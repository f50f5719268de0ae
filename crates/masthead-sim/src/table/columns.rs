//! The columns of built-in kinds, as the real server tells them.
//!
//! The record has a paragraph for each resource: its name, then a line for each column with name, type, format, priority
//! and description. A description that is `^` is that of the last column of the same name.

use std::collections::HashMap;

use serde_json::{Value, json};

const RECORD: &str = include_str!("columns.txt");

/// The definitions of the columns of a resource, such as `pods` or `deployments.apps`.
pub(super) fn of(resource: &str) -> Option<Value> {
    let mut descriptions = HashMap::new();
    for paragraph in RECORD.split("\n\n") {
        let mut lines = paragraph.lines();
        let is_it = lines.next() == Some(resource);
        let mut columns = Vec::new();
        for line in lines {
            let mut parts = line.splitn(5, '|');
            let mut part = || parts.next().unwrap_or_default();
            let (name, kind, format, priority, description) = (part(), part(), part(), part(), part());
            if description != "^" {
                descriptions.insert(name, description);
            }
            if is_it {
                let description = descriptions.get(name).copied().unwrap_or_default().replace("\\n", "\n");
                let priority: i32 = priority.parse().unwrap_or_default();
                columns.push(json!({
                    "name": name, "type": kind, "format": format, "description": description, "priority": priority
                }));
            }
        }
        if is_it {
            return Some(columns.into());
        }
    }
    None
}

/// The description of a column, wherever it was first told.
pub(super) fn description(column: &str) -> String {
    let start = format!("\n{column}|");
    let line = RECORD.split_once(&start).and_then(|(_, rest)| rest.lines().next()).unwrap_or_default();
    line.splitn(4, '|').last().unwrap_or_default().replace("\\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::{description, of};

    #[test]
    fn a_description_is_told_once_and_meant_often() {
        let pods = of("pods").unwrap();
        assert_eq!(pods[0]["name"], "Name");
        assert_eq!(pods[0]["format"], "name");
        assert_eq!(pods[0]["description"], description("Name"));
        assert!(pods[0]["description"].as_str().unwrap().starts_with("Name must be unique within a namespace."));
        assert_eq!(pods[4]["description"], description("Age"));
        assert!(description("Age").contains("UTC.\n\nPopulated"));
        assert_eq!(pods[5]["priority"], 1);
        assert_eq!(of("deployments"), None);
    }
}
