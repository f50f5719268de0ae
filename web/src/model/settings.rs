//! What a person set, kept by the browser for this origin. Nothing of a cluster but names of kinds and columns is in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{table::layout::Choice, words::Language};

/// What a person set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// The language; the browser's when none was chosen.
    pub language: Option<Language>,
    /// Whether rows have more room.
    pub comfortable: bool,
    /// Whether the rail is folded.
    pub folded: bool,
    /// Sections of the rail that are closed, by name.
    pub closed: Vec<String>,
    /// The kinds on top of the rail, by id.
    pub pinned: Vec<String>,
    /// The width of the drawer, in pixels.
    pub drawer: u32,
    /// The columns of each kind that was changed, by its id.
    pub columns: BTreeMap<String, Choice>,
    /// Namespaces that were typed in, for who may not list them.
    pub namespaces: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            language: None,
            comfortable: false,
            folded: false,
            closed: Vec::new(),
            pinned: Vec::new(),
            drawer: 560,
            columns: BTreeMap::new(),
            namespaces: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads what was kept; what cannot be read is as if it had never been set.
    pub fn parse(text: &str) -> Settings {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// As [`parse`](Self::parse) reads it.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("settings are plain values")
    }

    /// The columns of a kind.
    pub fn choice(&self, kind: &str) -> Choice {
        self.columns.get(kind).cloned().unwrap_or_default()
    }

    /// Changes the columns of a kind.
    pub fn choose(&mut self, kind: &str, change: impl FnOnce(&mut Choice)) {
        let mut choice = self.choice(kind);
        change(&mut choice);
        if choice == Choice::default() {
            self.columns.remove(kind);
        } else {
            self.columns.insert(kind.to_owned(), choice);
        }
    }

    /// Pins a kind on top of the rail, or no longer.
    pub fn pin(&mut self, kind: &str) {
        toggle(&mut self.pinned, kind);
    }

    /// Closes a section of the rail, or opens it.
    pub fn close(&mut self, section: &str) {
        toggle(&mut self.closed, section);
    }

    /// Keeps a namespace that was typed in.
    pub fn keep_namespace(&mut self, name: &str) {
        if !self.namespaces.iter().any(|known| known == name) {
            self.namespaces.insert(0, name.to_owned());
            self.namespaces.truncate(NAMESPACES);
        }
    }
}

/// As many as a person types in before one of them is forgotten.
const NAMESPACES: usize = 50;

fn toggle(list: &mut Vec<String>, word: &str) {
    match list.iter().position(|known| known == word) {
        Some(at) => _ = list.remove(at),
        None => list.push(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::custom_column::CustomColumn;

    #[test]
    fn settings_survive_a_visit_and_a_later_version() {
        let mut settings = Settings { language: Some(Language::Chinese), comfortable: true, ..Settings::default() };
        settings.pin("pods");
        settings.close("config");
        settings.keep_namespace("shop");
        settings.keep_namespace("shop");
        let team = |key| CustomColumn::label("team", key).expect("a column");
        settings.choose("pods", |choice| ["old", "new"].iter().for_each(|key| choice.add(&team(key))));
        assert_eq!(settings.choice("pods").added(), [team("new")]);
        assert_eq!(Settings::parse(&settings.write()), settings);
        assert_eq!(settings.namespaces, ["shop"]);
        let later = r#"{"pinned":["nodes"],"somethingNew":{"x":1}}"#;
        assert_eq!(Settings::parse(later), Settings { pinned: vec!["nodes".into()], ..Settings::default() });
        assert_eq!(Settings::parse("{broken"), Settings::default());
    }

    #[test]
    fn what_is_back_to_normal_is_not_kept() {
        let mut settings = Settings::default();
        settings.choose("pods", |choice| choice.off.push("age".into()));
        settings.choose("pods", |choice| choice.off.clear());
        settings.pin("pods");
        settings.pin("pods");
        assert_eq!(settings, Settings::default());
    }
}
