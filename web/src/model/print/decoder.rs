//! Reads objects as rows.

use std::{cell::RefCell, collections::HashSet, rc::Rc};

use masthead::{
    cache::{Object, ObjectKey},
    lean::{Interned, Lean, Projector, Strings},
    packed::{Packed, Packer},
    rest::Decoder,
};

use super::{
    cells::Cells,
    subject::{Meta, Subject},
};
use crate::model::table::row::Row;

/// Makes the cells of an object, one for each column.
pub(super) type Print<K> = fn(&Subject<K>, &mut Cells<'_>);

/// Reads the objects of kind `K` and makes rows of so many columns by `print`.
pub(super) fn decoder<K: Lean>(columns: usize, print: Print<K>, strings: &Strings) -> Rc<dyn Decoder<Packed<Row>>> {
    let rows = Rows { strings: strings.clone(), labels: RefCell::default(), columns };
    let packer = Packer::with(Projector::<Subject<K>>::new().strings(strings));
    Rc::new(packer.keeping(move |object| {
        let identity = (object.key(), object.uid(), object.resource_version());
        rows.row(identity, &object.meta, &mut |cells| print(object.fields(), cells))
    }))
}

/// Makes rows of one kind.
struct Rows {
    strings: Strings,
    labels: RefCell<LabelSets>,
    columns: usize,
}

impl Rows {
    /// Not generic: fifty kinds share it.
    fn row(
        &self,
        (key, uid, version): (ObjectKey, &str, &str),
        meta: &Meta,
        print: &mut dyn FnMut(&mut Cells<'_>),
    ) -> Row {
        let name = Interned::from(key.name());
        let mut cells = Cells::new(&self.strings, &name, meta.created.0, self.columns);
        print(&mut cells);
        let (cells, tone, load, life) = cells.finish();
        Row {
            uid: uid.into(),
            version: version.into(),
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
