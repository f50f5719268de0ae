//! An object as an informer keeps it.

use std::rc::Rc;

use masthead::{
    cache::{Object, ObjectKey},
    lean::{Cell, Cells},
    packed::Packed,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::thrown::thrown;

/// A packed object, with the values that functions of the page's gave of it.
pub(crate) struct Entry {
    packed: Packed<Cells>,
    /// For each index by a function, in the order of the functions.
    values: Box<[Box<[String]>]>,
}

impl Entry {
    pub(crate) fn new(packed: Packed<Cells>, values: Box<[Box<[String]>]>) -> Entry {
        Entry { packed, values }
    }

    /// The complete object.
    pub(crate) fn json(&self) -> Result<Vec<u8>, masthead::Error> {
        self.packed.json()
    }

    /// The values in the index of the function at this place.
    pub(crate) fn values(&self, function: usize) -> Vec<String> {
        self.values.get(function).map(|values| values.to_vec()).unwrap_or_default()
    }

    /// What lies at the path of this place, as the values of an index.
    pub(crate) fn texts(&self, slot: usize) -> Vec<String> {
        fn collect(cell: &Cell, into: &mut Vec<String>) {
            match cell {
                Cell::Empty => {}
                Cell::Many(cells) => cells.iter().for_each(|cell| collect(cell, into)),
                one => into.push(one.to_string()),
            }
        }
        let mut texts = Vec::new();
        collect(self.packed.fields().get(slot), &mut texts);
        texts
    }
}

impl Object for Entry {
    fn key(&self) -> ObjectKey {
        self.packed.key()
    }

    fn resource_version(&self) -> &str {
        self.packed.resource_version()
    }

    fn uid(&self) -> &str {
        self.packed.uid()
    }
}

/// The names of the fields that rows have, each as the JSON that stands before its value.
pub(crate) struct Columns(Box<[String]>);

impl Columns {
    pub(crate) fn new(names: &[String]) -> Columns {
        Columns(names.iter().map(|name| format!(",{}:", quoted(name))).collect())
    }

    /// Writes the row of an object: where it lies and its fields.
    pub(crate) fn write(&self, entry: &Entry, into: &mut String) {
        let key = entry.key();
        let identity = [
            ("{\"key\":", key.as_str()),
            (",\"namespace\":", key.namespace()),
            (",\"name\":", key.name()),
            (",\"uid\":", entry.uid()),
        ];
        for (before, value) in identity {
            into.push_str(before);
            into.push_str(&quoted(value));
        }
        for (slot, before) in self.0.iter().enumerate() {
            into.push_str(before);
            write(entry.packed.fields().get(slot), into);
        }
        into.push('}');
    }
}

fn write(cell: &Cell, into: &mut String) {
    match cell {
        Cell::Empty => into.push_str("null"),
        Cell::Bool(value) => into.push_str(if *value { "true" } else { "false" }),
        Cell::Number(_) => into.push_str(&cell.to_string()),
        Cell::Text(text) => into.push_str(&quoted(text.as_str())),
        Cell::Many(cells) => {
            for (place, cell) in cells.iter().enumerate() {
                into.push(if place == 0 { '[' } else { ',' });
                write(cell, into);
            }
            into.push(']');
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What a change led from and to, for who wants to see it. One handle for both: each costs the collector of garbage more than
/// the change costs.
#[wasm_bindgen]
pub struct Moment {
    now: Option<Rc<Entry>>,
    before: Option<Rc<Entry>>,
    columns: Rc<Columns>,
}

impl Moment {
    pub(crate) fn new(now: Option<&Rc<Entry>>, before: Option<&Rc<Entry>>, columns: &Rc<Columns>) -> Moment {
        Moment { now: now.cloned(), before: before.cloned(), columns: Rc::clone(columns) }
    }

    fn entry(&self, before: bool) -> Option<&Entry> {
        if before { self.before.as_deref() } else { self.now.as_deref() }
    }
}

#[wasm_bindgen]
impl Moment {
    /// The complete object as JSON, now or before; nothing where there is none.
    pub fn json(&self, before: bool) -> Result<Option<String>, JsValue> {
        self.entry(before).map(text).transpose()
    }

    /// Its row as JSON, now or before; nothing where there is none.
    pub fn row(&self, before: bool) -> Option<String> {
        self.entry(before).map(|entry| {
            let mut row = String::new();
            self.columns.write(entry, &mut row);
            row
        })
    }
}

/// The JSON of an object, for JavaScript.
pub(crate) fn text(entry: &Entry) -> Result<String, JsValue> {
    let json = entry.json().map_err(|error| thrown(&error))?;
    Ok(String::from_utf8(json).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
