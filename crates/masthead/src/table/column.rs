//! What a cell is.

use serde::Deserialize;

/// A column of a table.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct Column {
    /// What a person reads at its head.
    pub name: String,
    /// The OpenAPI type of its cells: `string`, `integer`, `number`, `boolean`, `date`. A cell may be something else, such
    /// as a string that says that a number is not known.
    #[serde(rename = "type")]
    pub kind: String,
    /// More about the type; `name` marks the column that names the object.
    pub format: String,
    /// A sentence for a person.
    pub description: String,
    /// 0 for columns that are always worth their space; the higher, the sooner to leave out.
    pub priority: i32,
}

impl Column {
    /// Whether its cells name the objects.
    pub fn is_name(&self) -> bool {
        self.format == "name"
    }
}
