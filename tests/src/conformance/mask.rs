//! Hides what no two servers, and no two runs, have in common.

use serde_json::{Map, Value};

use super::{
    numbering::Numbering,
    token::{Token, tokens},
};

/// Replaces uids, times, versions, generated names, addresses and ages by names that say what stood there.
///
/// Within one mask equal uids stay equal, and so do the versions of objects. The version of a list or a bookmark has no
/// number: whatever else goes on in the cluster moves it.
#[derive(Debug)]
pub(crate) struct Mask {
    uids: Numbering,
    versions: Numbering,
    /// What to replace wherever it stands: the namespace, and then each generated name.
    literals: Vec<(String, String)>,
}

impl Mask {
    pub(crate) fn new(namespace: &str) -> Mask {
        let literals = vec![(namespace.to_owned(), "${ns}".to_owned())];
        Mask { uids: Numbering::default(), versions: Numbering::default(), literals }
    }

    /// A text, such as a message or a header.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let literals = &self.literals;
        let text = literals.iter().fold(text.to_owned(), |text, (literal, mask)| text.replace(literal, mask));
        let text = self.versions_in(&text);
        let masked = tokens(&text).into_iter().map(|token| match token {
            Token::Uid(uid) => format!("<uid {}>", self.uids.of(uid)),
            Token::Time => "<time>".to_owned(),
            Token::MicroTime => "<microtime>".to_owned(),
            Token::Text(text) => text.to_owned(),
        });
        masked.collect()
    }

    /// A JSON value; members come in the order of their names.
    pub(crate) fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => self.object(members),
            plain => plain.clone(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>) -> Value {
        self.learn_generated_name(members);
        let mut names: Vec<&String> = members.keys().collect();
        names.sort();
        let mut masked = Map::new();
        for name in names {
            let value = self.member(name, &members[name], members);
            masked.insert(self.text(name), value);
        }
        Value::Object(masked)
    }

    fn member(&mut self, name: &str, value: &Value, siblings: &Map<String, Value>) -> Value {
        match (name, value) {
            ("resourceVersion", Value::String(version)) if !matches!(version.as_str(), "" | "0") => {
                let of_object = siblings.contains_key("uid");
                let version = if of_object { self.version(version) } else { "<version>".to_owned() };
                Value::String(version)
            }
            ("continue", Value::String(token)) if !token.is_empty() => "<continue>".into(),
            ("clusterIP", Value::String(address)) if address != "None" => "<ip>".into(),
            ("clusterIPs", Value::Array(addresses)) => {
                addresses.iter().map(|address| if address == "None" { "None" } else { "<ip>" }).collect()
            }
            // The server's own address, seen from the proxy.
            ("serverAddress", Value::String(_)) => "<address>".into(),
            // It depends on the group's name, and a script's own group has a new one in every run.
            ("storageVersionHash", Value::String(_)) => "<hash>".into(),
            ("nodePort", Value::Number(_)) => "<port>".into(),
            ("goVersion" | "gitCommit" | "gitTreeState" | "compiler" | "platform", Value::String(_)) => {
                "<build>".into()
            }
            ("cells", Value::Array(cells)) => cells.iter().map(|cell| self.cell(cell)).collect(),
            // Their order depends on whether a second passed between two writes.
            ("managedFields" | "resourceRules" | "nonResourceRules", Value::Array(items)) => {
                let mut masked: Vec<Value> = items.iter().map(|item| self.value(item)).collect();
                masked.sort_by_cached_key(Value::to_string);
                Value::Array(masked)
            }
            // The server tells the managers of a conflict in no order.
            ("causes", Value::Array(causes)) if causes.iter().all(|it| it["reason"] == "FieldManagerConflict") => {
                let mut masked: Vec<Value> = causes.iter().map(|cause| self.value(cause)).collect();
                masked.sort_by_cached_key(|cause| (cause["message"].to_string(), cause["field"].to_string()));
                Value::Array(masked)
            }
            _ => self.value(value),
        }
    }

    fn cell(&mut self, cell: &Value) -> Value {
        match cell {
            Value::String(text) => {
                let words = text.split(' ').map(|word| match word.strip_prefix('(') {
                    Some(word) if is_age(word) => "(<age>",
                    None if is_age(word) => "<age>",
                    _ => word,
                });
                self.text(&words.collect::<Vec<_>>().join(" ")).into()
            }
            other => self.value(other),
        }
    }

    fn version(&mut self, version: &str) -> String {
        format!("<version {}>", self.versions.of(version))
    }

    /// Masks the versions that messages tell.
    fn versions_in(&self, text: &str) -> String {
        const BEFORE: [&str; 4] = [
            ", current: ",
            "does not match the ResourceVersion in record (",
            "too old resource version: 1 (",
            r#"\"resourceVersion\":\""#,
        ];
        let mut text = text.to_owned();
        for before in BEFORE {
            let Some((head, tail)) = text.split_once(before) else { continue };
            let rest = tail.trim_start_matches(|c: char| c.is_ascii_digit());
            let version = &tail[..tail.len() - rest.len()];
            // The newest version there is belongs to an object by chance.
            let known = self.versions.known(version).filter(|_| before != ", current: ");
            let mask = known.map_or("<version>".to_owned(), |n| format!("<version {n}>"));
            text = format!("{head}{before}{mask}{rest}");
        }
        text
    }

    fn learn_generated_name(&mut self, metadata: &Map<String, Value>) {
        let text = |name: &str| metadata.get(name).and_then(Value::as_str);
        let (Some(prefix), Some(name)) = (text("generateName"), text("name")) else { return };
        let is_known = self.literals.iter().any(|(literal, _)| literal == name);
        if !is_known && name.len() == prefix.len() + SUFFIX && name.starts_with(prefix) {
            self.literals.push((name.to_owned(), format!("{prefix}<random>")));
        }
    }
}

/// How much the server adds to a `generateName`.
const SUFFIX: usize = 5;

/// Whether a word of a cell is an age as kubectl prints it, such as `3m20s`.
fn is_age(word: &str) -> bool {
    let ends = word.ends_with(['s', 'm', 'h', 'd', 'y']) && word.starts_with(|c: char| c.is_ascii_digit());
    ends && word.chars().all(|c| c.is_ascii_digit() || "smhdy".contains(c))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(given: Value, expected: Value) {
        assert_eq!(Mask::new("test-1").value(&given), expected);
    }

    #[test]
    fn equal_uids_and_versions_stay_equal() {
        let uid = "152f5b39-ea32-41ac-89f2-792fa309c775";
        check(
            json!([{ "uid": uid, "resourceVersion": "7" }, { "uid": uid, "resourceVersion": "7" }, { "resourceVersion": "7" }]),
            json!([
                { "uid": "<uid 1>", "resourceVersion": "<version 1>" },
                { "uid": "<uid 1>", "resourceVersion": "<version 1>" },
                { "resourceVersion": "<version>" },
            ]),
        );
    }

    #[test]
    fn a_generated_name_is_hidden_wherever_it_stands_later() {
        check(
            json!([{ "generateName": "a-", "name": "a-x7k2p" }, "a-x7k2p is in test-1"]),
            json!([{ "generateName": "a-", "name": "a-<random>" }, "a-<random> is in ${ns}"]),
        );
    }

    #[test]
    fn messages_that_tell_the_newest_version_are_masked() {
        check(
            json!("Too large resource version: 99, current: 431"),
            json!("Too large resource version: 99, current: <version>"),
        );
        check(json!("too old resource version: 1 (431)"), json!("too old resource version: 1 (<version>)"));
    }

    #[test]
    fn ages_are_cells_only() {
        check(
            json!({ "cells": ["web", "3m20s", "sd", "2 (6y3d ago)"], "limit": "5s" }),
            json!({ "cells": ["web", "<age>", "sd", "2 (<age> ago)"], "limit": "5s" }),
        );
    }
}
