//! Rows for tests.

use std::rc::Rc;

use crate::model::table::{
    cell::{Cell, Tone},
    load::Load,
    row::Row,
};

/// A row of `namespace/name` with the cells NAME and STATUS.
pub(crate) fn row(key: &str, status: &str, tone: Tone) -> Row {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    Row {
        uid: format!("uid-{key}").into(),
        version: "1".into(),
        namespace: namespace.into(),
        name: name.into(),
        labels: Rc::from([]),
        owner: None,
        created: None,
        tone,
        load: Load::default(),
        life: None,
        cells: Box::new([Cell::Text(name.into()), Cell::Status(status.into(), tone)]),
    }
}
