//! Any script of lists and changes, through any queue, in any pieces, against the simplest model there is.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{DeltaProcessor, PIECE};
use crate::{
    cache::{
        CompleteList, DeltaFifo, DeltaQueue, ListDeltas, ListScope, ListedAs, Notification, Object, ObjectKey,
        RealFifo, Store, Tombstone,
        fixture::{TestObject, test_object},
    },
    runtime::Chance,
};

/// What the server has, what a handler was told, and whether that was told by the rules.
#[derive(Default)]
struct Model {
    server: BTreeMap<&'static str, u32>,
    told: BTreeMap<ObjectKey, u32>,
    value: u32,
}

impl Model {
    fn hear(&mut self, notification: &Notification<TestObject>) -> Result<(), String> {
        match notification {
            Notification::Added { object, .. } => match self.told.insert(object.key(), object.value) {
                None => Ok(()),
                Some(before) => Err(format!("{} came at {} and was there at {before}", object.name, object.value)),
            },
            Notification::Updated { old, new } => match self.told.insert(new.key(), new.value) {
                Some(before) if before == old.value => Ok(()),
                before => Err(format!("{} changed from {} and was {before:?}", new.name, old.value)),
            },
            Notification::Deleted(tombstone) => match self.told.remove(&tombstone.key()) {
                Some(before) if tombstone.last().is_some_and(|last| last.value >= before) => Ok(()),
                before => Err(format!("{:?} went and was {before:?}", tombstone.key())),
            },
        }
    }
}

fn step(
    model: &mut Model,
    processor: &RefCell<DeltaProcessor<TestObject>>,
    store: &Store<TestObject>,
    chance: &Chance,
) -> String {
    let pick = |many: usize| (chance.next() * many as f64) as usize;
    let name = ["a", "b", "c", "d", "e"][pick(5)];
    model.value += 1;
    let value = model.value;
    match pick(8) {
        // A change that the watch tells.
        0..3 => {
            let known = model.server.insert(name, value).is_some();
            let object = test_object(name, value);
            if known {
                processor.borrow_mut().queue.update(object)
            } else {
                processor.borrow_mut().queue.add(object)
            }
            format!("put {name}{value}")
        }
        3 => {
            if model.server.remove(name).is_some() {
                processor.borrow_mut().queue.delete(Tombstone::Deleted(test_object(name, value)), &*store.read());
            }
            format!("delete {name}")
        }
        // Changes that nobody tells, which a list follows.
        4 => {
            for missed in ["a", "b", "c", "d", "e"] {
                match pick(3) {
                    0 => drop(model.server.remove(missed)),
                    1 => drop(model.server.insert(missed, value)),
                    _ => {}
                }
            }
            let objects = model.server.iter().map(|(name, value)| test_object(name, *value)).collect();
            processor.borrow_mut().replace(CompleteList::new(objects, &value.to_string()), &ListScope::All, store);
            format!("list {:?}", model.server)
        }
        5 => {
            processor.borrow_mut().queue.resync(&*store.read());
            "resync".to_owned()
        }
        6 => {
            processor.borrow_mut().queue.bookmark(&value.to_string());
            "bookmark".to_owned()
        }
        _ => {
            let pieces = pick(4);
            (0..pieces).for_each(|_| {
                for notification in
                    DeltaProcessor::step(processor, store).map(|outcome| outcome.notifications).unwrap_or_default()
                {
                    model.hear(&notification).unwrap_or_else(|broken| panic!("{broken}"));
                }
            });
            format!("{pieces} pieces")
        }
    }
}

fn run(seed: u64, queue: Box<dyn DeltaQueue<TestObject>>) {
    let (chance, store, mut model) = (Chance::new(seed), Store::new(), Model::default());
    let processor = RefCell::new(DeltaProcessor::new(queue, [ListScope::All]));
    let mut script = Vec::new();
    for _ in 0..40 {
        script.push(step(&mut model, &processor, &store, &chance));
    }
    while let Some(outcome) = DeltaProcessor::step(&processor, &store) {
        for notification in outcome.notifications {
            if let Err(broken) = model.hear(&notification) {
                panic!("seed {seed}: {broken}\n{}", script.join("\n"));
            }
        }
    }
    let server: BTreeMap<ObjectKey, u32> =
        model.server.iter().map(|(name, value)| (ObjectKey::new("", name), *value)).collect();
    let mut held = BTreeMap::new();
    store.for_each(|thing: &Rc<TestObject>| {
        held.insert(thing.key(), thing.value);
    });
    assert_eq!(held, server, "seed {seed}\n{}", script.join("\n"));
    assert_eq!(model.told, server, "seed {seed}\n{}", script.join("\n"));
}

#[test]
fn whatever_is_listed_and_changed_the_store_ends_as_the_server_is() {
    for seed in 0..2000 {
        run(seed, Box::new(RealFifo::new(ListDeltas::Atomic)));
        run(seed, Box::new(RealFifo::new(ListDeltas::PerObject)));
        run(seed, Box::new(DeltaFifo::new(ListedAs::Replaced)));
    }
}

/// An object that counts how many of its kind were dropped.
struct Mortal {
    number: usize,
    dropped: Rc<Cell<usize>>,
}

impl Object for Mortal {
    fn key(&self) -> ObjectKey {
        ObjectKey::new("", &format!("mortal{}", self.number))
    }

    fn resource_version(&self) -> &str {
        "1"
    }

    fn uid(&self) -> &str {
        ""
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        self.dropped.set(self.dropped.get() + 1);
    }
}

/// A store of so many objects, and how many of them were dropped.
fn mortals(many: usize) -> (RefCell<DeltaProcessor<Mortal>>, Store<Mortal>, Rc<Cell<usize>>) {
    let (dropped, store) = (Rc::new(Cell::new(0)), Store::new());
    let processor = RefCell::new(DeltaProcessor::new(Box::new(RealFifo::new(ListDeltas::Atomic)), [ListScope::All]));
    let objects = (0..many).map(|number| Rc::new(Mortal { number, dropped: Rc::clone(&dropped) })).collect();
    processor.borrow_mut().replace(CompleteList::new(objects, "1"), &ListScope::All, &store);
    while DeltaProcessor::step(&processor, &store).is_some() {}
    assert_eq!((store.len(), dropped.get()), (many, 0));
    (processor, store, dropped)
}

#[test]
fn a_list_that_ends_everything_ends_a_few_objects_in_each_piece() {
    let (processor, store, dropped) = mortals(10 * PIECE);
    processor.borrow_mut().replace(CompleteList::new(Vec::new(), "2"), &ListScope::All, &store);
    let (mut told, mut gone) = (0, 0);
    while let Some(outcome) = DeltaProcessor::step(&processor, &store) {
        assert!(outcome.notifications.len() <= PIECE);
        told += outcome.notifications.len();
        drop(outcome);
        assert!(dropped.get() - gone <= PIECE, "{} objects are dropped in one piece", dropped.get() - gone);
        gone = dropped.get();
    }
    assert_eq!((told, gone, store.len()), (10 * PIECE, 10 * PIECE, 0));
}

#[test]
fn what_a_list_ended_is_told_even_if_the_reflector_begins_anew() {
    for pieces in 0..30 {
        let (processor, store, _) = mortals(10 * PIECE);
        processor.borrow_mut().replace(CompleteList::new(Vec::new(), "2"), &ListScope::All, &store);
        let mut told = 0;
        let mut step = || DeltaProcessor::step(&processor, &store).map(|outcome| told += outcome.notifications.len());
        (0..pieces).for_each(|_| step().unwrap_or_default());
        let left = processor.borrow_mut().restart(Box::new(RealFifo::new(ListDeltas::Atomic)));
        drop(left);
        processor.borrow_mut().replace(CompleteList::new(Vec::new(), "3"), &ListScope::All, &store);
        while step().is_some() {}
        assert_eq!(told, 10 * PIECE, "begun anew after {pieces} pieces");
    }
}
