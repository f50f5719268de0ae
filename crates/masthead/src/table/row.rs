//! What a table says of one object.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::Error;

/// One object's cells.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Row {
    /// One for each column.
    pub cells: Vec<Value>,
    /// What the server remarks about the row, such as that its object has completed.
    #[serde(default)]
    pub conditions: Vec<RowCondition>,
    /// The object: its metadata alone unless all or nothing of it was asked for. Untyped, as most rows are only printed.
    #[serde(default)]
    pub object: Option<Value>,
}

impl Row {
    /// The metadata of the row's object.
    pub fn metadata(&self) -> Option<&Value> {
        self.object.as_ref()?.get("metadata")
    }

    /// The row's object as a type, such as `PartialObjectMeta`.
    pub fn read<K: DeserializeOwned>(&self) -> Option<Result<K, Error>> {
        let read = K::deserialize(self.object.as_ref()?);
        Some(read.map_err(|source| Error::undecodable("read object of a row", source)))
    }

    /// A cell as it is printed; empty when there is none.
    pub fn text(&self, column: usize) -> String {
        match self.cells.get(column) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }
    }

    /// Whether the object has run to its end and is only of interest to those who ask for it.
    pub fn is_completed(&self) -> bool {
        self.conditions.iter().any(|condition| condition.kind == "Completed" && condition.status == "True")
    }
}

/// Something the server remarks about a row.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct RowCondition {
    /// What it is about; `Completed` is all there is so far.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// One word for a program.
    pub reason: String,
    /// A sentence for a person.
    pub message: String,
}
