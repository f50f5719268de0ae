//! Takes rows and objects out of the table on screen.

use leptos::prelude::{GetUntracked, WithUntracked};
use masthead::cache::ObjectKey;

use crate::{
    live::{Session, clock::now, save::save},
    model::{
        export::csv,
        json::{Read, Unread},
        table::{layout, sort::Field},
        yaml::{ManagedFields, Yaml},
    },
};

impl Session {
    /// The names of the chosen rows, or of all that are shown, one in a line.
    pub(crate) fn names(self) -> String {
        let mut names = Vec::new();
        if let Some(table) = self.table.get_untracked() {
            table.visit(|row| names.push(row.name.to_string()));
        }
        names.join("\n")
    }

    /// Saves the columns on screen of the chosen rows, or of all that are shown.
    pub(crate) fn export_csv(self) {
        let Some(table) = self.table.get_untracked() else { return };
        let kind = table.feed().subject.kind.clone();
        let choice = self.settings.with_untracked(|settings| settings.choice(&kind.id()));
        let columns = self.columns.get_untracked();
        let places: Vec<usize> = layout::placed(&columns, &choice, false)
            .iter()
            .filter_map(|column| if let Field::Cell(at) = column.field { Some(at) } else { None })
            .collect();
        let mut rows = Vec::new();
        table.visit(|row| rows.push(row.clone()));
        save(&format!("{}.csv", kind.id()), "text/csv", &csv(&columns, &places, kind.namespaced, &rows, now()));
    }

    /// Saves the chosen objects, or all that are shown, as documents of one file.
    pub(crate) fn export_yaml(self) {
        let Some(table) = self.table.get_untracked() else { return };
        let feed = table.feed();
        let mut text = String::new();
        table.visit(|row| {
            let key = ObjectKey::new(&row.namespace, &row.name);
            match feed.object(&key) {
                Some(Ok(Read::Object(object))) => {
                    text.push_str("---\n");
                    text.push_str(Yaml::of(&object, ManagedFields::Folded).text());
                }
                // JSON is YAML too.
                Some(Ok(Read::Text(json, Unread::TooDeep))) => {
                    text.push_str("---\n");
                    text.push_str(&json);
                    text.push('\n');
                }
                _ => {}
            }
        });
        save(&format!("{}.yaml", feed.subject.kind.id()), "application/yaml", &text);
    }
}
