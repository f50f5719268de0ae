//! The columns of kinds that this page prints itself.

use std::rc::Rc;

use masthead::{
    lean::{Found, Interned, Lean, Mismatch, Strings},
    packed::{Packed, Packer},
    rest::Decoder,
};

use crate::model::{
    table::{
        cell::{Cell, Tone},
        column::Column,
        row::Row,
    },
    timestamp,
};

/// How a kind is printed.
pub struct Printer {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Makes rows of objects.
    pub decoder: Rc<dyn Decoder<Packed<Row>>>,
}

/// The printer of a kind, if it has one.
pub fn printer(group: &str, _version: &str, resource: &str) -> Option<Printer> {
    if !matches!((group, resource), ("", "pods" | "nodes" | "namespaces" | "services") | ("apps", "deployments")) {
        return None;
    }
    let column = |title: &str| Column { title: title.into(), wide: false, numeric: false };
    let columns = vec![column("NAME"), column("STATUS"), column("AGE")];
    Some(Printer { columns, decoder: Rc::new(Packer::<Row>::new()) })
}

impl Lean for Row {
    const PATHS: &'static [&'static str] = &[
        "metadata.uid",
        "metadata.resourceVersion",
        "metadata.namespace",
        "metadata.name",
        "metadata.labels",
        "metadata.creationTimestamp",
        "status.phase",
    ];

    fn blank(_slots: usize) -> Row {
        let text = || Cell::Text(Interned::default());
        Row {
            uid: "".into(),
            version: "".into(),
            namespace: Interned::default(),
            name: "".into(),
            labels: Rc::from([]),
            owner: None,
            created: None,
            tone: Tone::Quiet,
            cells: Box::new([text(), text(), Cell::Age(None)]),
        }
    }

    fn set(&mut self, slot: usize, found: Found<'_>, strings: &Strings) -> Result<(), Mismatch> {
        match (slot, found) {
            (4, Found::Nested(json)) => {
                let labels: std::collections::BTreeMap<String, String> =
                    serde_json::from_slice(json).map_err(|_| Mismatch { expected: "labels" })?;
                self.labels = labels.iter().map(|(k, v)| (strings.intern(k), strings.intern(v))).collect();
            }
            (0, Found::Text(text)) => self.uid = text.into(),
            (1, Found::Text(text)) => self.version = text.into(),
            (2, Found::Text(text)) => self.namespace = strings.intern(&text),
            (3, Found::Text(text)) => {
                self.cells[0] = Cell::Text(text.as_ref().into());
                self.name = text.into();
            }
            (5, Found::Text(text)) => {
                self.created = timestamp::parse(&text);
                self.cells[2] = Cell::Age(self.created);
            }
            (6, Found::Text(text)) => {
                let tone = if text == "Running" || text == "Active" { Tone::Quiet } else { Tone::Warning };
                self.tone = tone;
                self.cells[1] = Cell::Status(strings.intern(&text), tone);
            }
            _ => {}
        }
        Ok(())
    }

    fn heap(&self) -> usize {
        0
    }
}
