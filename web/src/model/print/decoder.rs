//! Reads objects as rows.

use std::{cell::RefCell, collections::HashSet, rc::Rc};

use masthead::{
    Error,
    cache::Object,
    lean::{self, Interned, Lean, Projector, Strings},
    packed::{Packed, Packer},
    rest::{Decoder, First, MediaType},
};

use super::{cells::Cells, subject::Subject};
use crate::model::table::row::Row;

/// Reads the objects of kind `K` and makes rows of them.
pub(super) struct Rows<K: Lean> {
    packer: Packer<Subject<K>>,
    strings: Strings,
    labels: RefCell<LabelSets>,
    columns: usize,
    print: Print<K>,
}

/// Makes the cells of an object, one for each column.
pub(super) type Print<K> = fn(&Subject<K>, &mut Cells<'_>);

impl<K: Lean> Rows<K> {
    /// Makes rows of so many columns by `print`.
    pub(super) fn new(columns: usize, print: Print<K>, strings: &Strings) -> Rows<K> {
        let packer = Packer::with(Projector::new().strings(strings));
        Rows { packer, strings: strings.clone(), labels: RefCell::default(), columns, print }
    }

    fn row(&self, object: &lean::Row<Subject<K>>) -> Row {
        let (key, meta) = (object.key(), &object.meta);
        let name = Interned::from(key.name());
        let mut cells = Cells::new(&self.strings, &name, meta.created.0, self.columns);
        (self.print)(object.fields(), &mut cells);
        let (cells, tone, load, life) = cells.finish();
        Row {
            uid: object.uid().into(),
            version: object.resource_version().into(),
            namespace: self.strings.intern(key.namespace()),
            name,
            labels: self.labels.borrow_mut().one(&meta.labels.0),
            owner: meta.owner.owner.clone(),
            created: meta.created.0,
            tone,
            load,
            life,
            cells,
        }
    }
}

impl<K: Lean> Decoder<Packed<Row>> for Rows<K> {
    fn decode(&self, media_type: MediaType, object: &[u8]) -> Result<Packed<Row>, Error> {
        Ok(self.packer.decode(media_type, object)?.map(|object| self.row(object)))
    }

    fn decode_first(&self, media_type: MediaType, bytes: &[u8]) -> First<Packed<Row>> {
        match self.packer.decode_first(media_type, bytes) {
            First::Whole { object, length } => First::Whole { object: object.map(|object| self.row(object)), length },
            First::Cut => First::Cut,
            First::Unknown => First::Unknown,
        }
    }
}

/// Sets of labels that many objects have. Holds at most [`LabelSets::MOST`]; when there are more, those that no row has any
/// longer are let go, and if all are in use, further ones are not shared.
#[derive(Default)]
struct LabelSets {
    known: HashSet<Labels>,
    /// How many sets to pass by before those out of use are looked for again.
    credit: usize,
}

type Labels = Rc<[(Interned, Interned)]>;

impl LabelSets {
    const MOST: usize = 1 << 13;

    /// The one set of these labels.
    fn one(&mut self, labels: &[(Interned, Interned)]) -> Labels {
        if let Some(known) = self.known.get(labels) {
            return Rc::clone(known);
        }
        let new = Labels::from(labels);
        if self.known.len() < LabelSets::MOST || self.sweep() {
            self.known.insert(Rc::clone(&new));
        }
        new
    }

    /// Lets go what is out of use, unless that was in vain a moment ago; whether there is room.
    fn sweep(&mut self) -> bool {
        if self.credit > 0 {
            self.credit -= 1;
            return false;
        }
        self.known.retain(|labels| Rc::strong_count(labels) > 1);
        let room = self.known.len() < LabelSets::MOST;
        if !room {
            self.credit = LabelSets::MOST;
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::LabelSets;

    #[test]
    fn equal_labels_are_in_memory_once_and_sets_out_of_use_make_room() {
        let mut sets = LabelSets::default();
        let labels = |value: usize| [("app".into(), value.to_string().as_str().into())];
        let kept = sets.one(&labels(7));
        assert!(Rc::ptr_eq(&kept, &sets.one(&labels(7))));
        for value in 0..3 * LabelSets::MOST {
            sets.one(&labels(value));
        }
        assert!(Rc::ptr_eq(&kept, &sets.one(&labels(7))));
        assert!(sets.known.len() <= LabelSets::MOST);
        let all: Vec<_> = (0..LabelSets::MOST + 9).map(|value| sets.one(&labels(value))).collect();
        assert_eq!(all[LabelSets::MOST + 8][..], labels(LabelSets::MOST + 8));
    }
}
