//! Objects of an informer at one moment.

use std::{cell::Cell, rc::Rc};

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    entry::{Columns, Entry, text},
    thrown::refused,
};

/// Objects of one moment, handed out as JSON in pieces: one text of all of them could be longer than a string may be.
#[wasm_bindgen]
pub struct Snapshot {
    entries: Vec<Rc<Entry>>,
    columns: Rc<Columns>,
    next: Cell<usize>,
}

impl Snapshot {
    pub(crate) fn new(entries: Vec<Rc<Entry>>, columns: &Rc<Columns>) -> Snapshot {
        Snapshot { entries, columns: Rc::clone(columns), next: Cell::new(0) }
    }

    /// An array of what `write` writes of the next objects; nothing behind the last.
    fn piece(
        &self,
        mut write: impl FnMut(&Entry, &mut String) -> Result<(), JsValue>,
    ) -> Result<Option<String>, JsValue> {
        let start = self.next.get();
        let rest = self.entries.get(start..).ok_or_else(|| refused("list", "the snapshot is used up"))?;
        if rest.is_empty() {
            return Ok(None);
        }
        let mut piece = String::from("[");
        let mut taken = 0;
        for entry in rest {
            if taken > 0 {
                piece.push(',');
            }
            write(entry, &mut piece)?;
            taken += 1;
            if piece.len() >= PIECE {
                break;
            }
        }
        piece.push(']');
        self.next.set(start + taken);
        Ok(Some(piece))
    }
}

#[wasm_bindgen]
impl Snapshot {
    /// The next complete objects.
    pub fn objects(&self) -> Result<Option<String>, JsValue> {
        self.piece(|entry, piece| {
            piece.push_str(&text(entry)?);
            Ok(())
        })
    }

    /// The next rows.
    pub fn rows(&self) -> Result<Option<String>, JsValue> {
        self.piece(|entry, piece| {
            self.columns.write(entry, piece);
            Ok(())
        })
    }
}

/// Parsing is fast from here on, and a piece is gone as soon as it is parsed.
const PIECE: usize = 1 << 18;
