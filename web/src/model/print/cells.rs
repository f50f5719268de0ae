//! The cells of a row in the making.

use masthead::{
    lean::{Interned, Strings},
    quantity::Quantity,
};

use super::words::or;
use crate::model::{
    table::{
        cell::{Cell, Tone},
        load::Load,
    },
    timeline::life::Life,
};

/// Takes the cells of one object, from the first column to the last.
pub(super) struct Cells<'a> {
    strings: &'a Strings,
    name: &'a Interned,
    created: Option<i64>,
    cells: Vec<Cell>,
    tone: Tone,
    load: Load,
    life: Option<Life>,
}

impl<'a> Cells<'a> {
    /// For an object of this name that was created then, and so many columns.
    pub(super) fn new(strings: &'a Strings, name: &'a Interned, created: Option<i64>, columns: usize) -> Cells<'a> {
        let cells = Vec::with_capacity(columns);
        Cells { strings, name, created, cells, tone: Tone::Quiet, load: Load::default(), life: None }
    }

    /// The name of the object.
    pub(super) fn name(&mut self) {
        self.cells.push(Cell::Text(self.name.clone()));
    }

    /// The name of the object, which may be the default of its kind.
    pub(super) fn default_name(&mut self, is_default: bool) {
        match is_default {
            true => self.own(&format!("{} (default)", self.name), ""),
            false => self.name(),
        }
    }

    /// The age of the object.
    pub(super) fn age(&mut self) {
        self.cells.push(Cell::Age(self.created));
    }

    /// A text that other objects have too.
    pub(super) fn word(&mut self, word: &str) {
        self.cells.push(Cell::Text(self.strings.intern(word)));
    }

    /// A text that other objects have too and that was read as such; `otherwise` where it is empty.
    pub(super) fn known(&mut self, word: &Interned, otherwise: &str) {
        match word.is_empty() {
            true => self.word(otherwise),
            false => self.cells.push(Cell::Text(word.clone())),
        }
    }

    /// A text of this object alone; `otherwise` where it is empty.
    pub(super) fn own(&mut self, text: &str, otherwise: &str) {
        match text.is_empty() {
            true => self.word(otherwise),
            false => self.cells.push(Cell::Text(text.into())),
        }
    }

    /// One word that says how the object is.
    pub(super) fn status(&mut self, word: &str, tone: Tone) {
        self.raise(tone);
        self.cells.push(Cell::Status(self.strings.intern(word), tone));
    }

    /// A whole number.
    pub(super) fn count(&mut self, count: i64) {
        self.cells.push(Cell::Count(count));
    }

    /// The length of a list, or any number that is none too large.
    pub(super) fn length(&mut self, length: usize) {
        self.count(i64::try_from(length).unwrap_or(i64::MAX));
    }

    /// So many of so many.
    pub(super) fn ratio(&mut self, part: i64, of: i64) {
        match (u32::try_from(part), u32::try_from(of)) {
            (Ok(part), Ok(of)) => self.cells.push(Cell::Ratio { part, of }),
            _ => self.word(&format!("{part}/{of}")),
        }
    }

    /// How often something was restarted, and when last.
    pub(super) fn restarts(&mut self, count: u32, last: Option<i64>) {
        self.cells.push(Cell::Restarts { count, last: last.filter(|_| count != 0) });
    }

    /// How long ago something was.
    pub(super) fn since(&mut self, then: Option<i64>) {
        self.cells.push(Cell::Age(then));
    }

    /// How long something took, in milliseconds.
    pub(super) fn span(&mut self, millis: i64) {
        self.cells.push(Cell::Span(millis));
    }

    /// An amount, as it is written; none is zero.
    pub(super) fn quantity(&mut self, amount: &str) {
        let written = or(amount, "0");
        match Quantity::parse(written) {
            Some(amount) => self.cells.push(Cell::Quantity(self.strings.intern(written), amount.as_f64())),
            None => self.word(written),
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, flag: bool) {
        self.word(if flag { "true" } else { "false" });
    }

    /// Says that the object asks for this much attention, whatever its cells say.
    pub(super) fn raise(&mut self, tone: Tone) {
        self.tone = self.tone.max(tone);
    }

    /// What the object asks for, or has to give.
    pub(super) fn load(&mut self, load: Load) {
        self.load = load;
    }

    /// Where in its life a pod is.
    pub(super) fn life(&mut self, life: Life) {
        self.life = Some(life);
    }

    /// The cells, the worst of their tones, the load, and the life.
    pub(super) fn finish(self) -> (Box<[Cell]>, Tone, Load, Option<Life>) {
        (self.cells.into(), self.tone, self.load, self.life)
    }
}
