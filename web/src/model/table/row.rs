//! A row of a table.

use std::rc::Rc;

use masthead::lean::Interned;

use crate::model::{
    table::{
        cell::{Cell, Tone},
        load::Load,
    },
    timeline::life::Life,
};

/// What a table knows of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The uid: a name that was given again is another row.
    pub uid: Box<str>,
    /// The resource version that the row shows. Opaque.
    pub version: Box<str>,
    /// The namespace; empty for what has none.
    pub namespace: Interned,
    /// The name, which the first cell mostly shares.
    pub name: Interned,
    /// The labels, by key. Objects of one template share them.
    pub labels: Rc<[(Interned, Interned)]>,
    /// Who made it, if that is an object too.
    pub owner: Option<Owner>,
    /// When it was created, in milliseconds since 1970.
    pub created: Option<i64>,
    /// The worst of its cells.
    pub tone: Tone,
    /// What a pod asks for until it is over, or what a node has for pods; nothing of other kinds.
    pub load: Load,
    /// Where in its life a pod is; nothing of other kinds.
    pub life: Option<Life>,
    /// A cell for each column of its kind.
    pub cells: Box<[Cell]>,
}

/// The controller of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its kind.
    pub kind: Interned,
    /// Its name.
    pub name: Interned,
    /// Its uid.
    pub uid: Interned,
}

impl Row {
    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.labels.iter().find(|(name, _)| name.as_str() == key).map(|(_, value)| value.as_str())
    }
}
