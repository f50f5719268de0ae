//! Random scripts of lists and changes, through every queue, compared with a simple model.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{DeltaProcessor, MAX_BATCH};
use crate::{
    cache::{
        CompleteList, DeltaFifo, DeltaQueue, ListDeltas, ListScope, ListedAs, Notification, Object, ObjectKey,
        RealFifo, Store, Tombstone,
        fixture::{TestObject, test_object},
    },
    runtime::Chance,
};

/// The objects on the server and those that a handler has observed. Checks each notification against the latter.
#[derive(Default)]
struct Model {
    server: BTreeMap<&'static str, u32>,
    observed: BTreeMap<ObjectKey, u32>,
    value: u32,
}

impl Model {
    fn observe(&mut self, notification: &Notification<TestObject>) -> Result<(), String> {
        match notification {
            Notification::Added { object, .. } => match self.observed.insert(object.key(), object.value) {
                None => Ok(()),
                Some(before) => Err(format!("{} was added at {} but exists at {before}", object.name, object.value)),
            },
            Notification::Updated { old, new } => match self.observed.insert(new.key(), new.value) {
                Some(before) if before == old.value => Ok(()),
                before => Err(format!("{} changed from {} but was {before:?}", new.name, old.value)),
            },
            Notification::Deleted(tombstone) => match self.observed.remove(&tombstone.key()) {
                Some(before) if tombstone.last().is_some_and(|last| last.value >= before) => Ok(()),
                before => Err(format!("{:?} was deleted but was {before:?}", tombstone.key())),
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
    let pick = |count: usize| (chance.next() * count as f64) as usize;
    let name = ["a", "b", "c", "d", "e"][pick(5)];
    model.value += 1;
    let value = model.value;
    match pick(8) {
        // A change that the watch reports.
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
        // Changes that no watch reports, followed by a list.
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
            let steps = pick(4);
            (0..steps).for_each(|_| {
                for notification in
                    DeltaProcessor::step(processor, store).map(|outcome| outcome.notifications).unwrap_or_default()
                {
                    model.observe(&notification).unwrap_or_else(|violation| panic!("{violation}"));
                }
            });
            format!("{steps} steps")
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
            if let Err(violation) = model.observe(&notification) {
                panic!("seed {seed}: {violation}\n{}", script.join("\n"));
            }
        }
    }
    let server: BTreeMap<ObjectKey, u32> =
        model.server.iter().map(|(name, value)| (ObjectKey::new("", name), *value)).collect();
    let mut held = BTreeMap::new();
    store.for_each(|object: &Rc<TestObject>| {
        held.insert(object.key(), object.value);
    });
    assert_eq!(held, server, "seed {seed}\n{}", script.join("\n"));
    assert_eq!(model.observed, server, "seed {seed}\n{}", script.join("\n"));
}

#[test]
fn the_store_converges_to_the_server_for_any_script() {
    for seed in 0..2000 {
        run(seed, Box::new(RealFifo::new(ListDeltas::Whole)));
        run(seed, Box::new(RealFifo::new(ListDeltas::PerObject)));
        run(seed, Box::new(DeltaFifo::new(ListedAs::Replaced)));
    }
}

/// An object that counts dropped objects.
struct DropCounted {
    number: usize,
    dropped: Rc<Cell<usize>>,
}

impl Object for DropCounted {
    fn key(&self) -> ObjectKey {
        ObjectKey::new("", &format!("object{}", self.number))
    }

    fn resource_version(&self) -> &str {
        "1"
    }

    fn uid(&self) -> &str {
        ""
    }
}

impl Drop for DropCounted {
    fn drop(&mut self) {
        self.dropped.set(self.dropped.get() + 1);
    }
}

/// A store with `count` objects, and the number of dropped ones.
fn store_of_drop_counted(count: usize) -> (RefCell<DeltaProcessor<DropCounted>>, Store<DropCounted>, Rc<Cell<usize>>) {
    let (dropped, store) = (Rc::new(Cell::new(0)), Store::new());
    let processor = RefCell::new(DeltaProcessor::new(Box::new(RealFifo::new(ListDeltas::Whole)), [ListScope::All]));
    let objects = (0..count).map(|number| Rc::new(DropCounted { number, dropped: Rc::clone(&dropped) })).collect();
    processor.borrow_mut().replace(CompleteList::new(objects, "1"), &ListScope::All, &store);
    while DeltaProcessor::step(&processor, &store).is_some() {}
    assert_eq!((store.len(), dropped.get()), (count, 0));
    (processor, store, dropped)
}

#[test]
fn an_empty_list_drops_at_most_one_batch_per_step() {
    let (processor, store, dropped) = store_of_drop_counted(10 * MAX_BATCH);
    processor.borrow_mut().replace(CompleteList::new(Vec::new(), "2"), &ListScope::All, &store);
    let (mut notified, mut gone) = (0, 0);
    while let Some(outcome) = DeltaProcessor::step(&processor, &store) {
        assert!(outcome.notifications.len() <= MAX_BATCH);
        notified += outcome.notifications.len();
        drop(outcome);
        assert!(dropped.get() - gone <= MAX_BATCH, "{} objects were dropped in one step", dropped.get() - gone);
        gone = dropped.get();
    }
    assert_eq!((notified, gone, store.len()), (10 * MAX_BATCH, 10 * MAX_BATCH, 0));
}

#[test]
fn deletions_of_a_stored_list_survive_a_restart() {
    for steps in 0..30 {
        let (processor, store, _) = store_of_drop_counted(10 * MAX_BATCH);
        processor.borrow_mut().replace(CompleteList::new(Vec::new(), "2"), &ListScope::All, &store);
        let mut notified = 0;
        let mut step =
            || DeltaProcessor::step(&processor, &store).map(|outcome| notified += outcome.notifications.len());
        (0..steps).for_each(|_| step().unwrap_or_default());
        let left = processor.borrow_mut().restart(Box::new(RealFifo::new(ListDeltas::Whole)));
        drop(left);
        processor.borrow_mut().replace(CompleteList::new(Vec::new(), "3"), &ListScope::All, &store);
        while step().is_some() {}
        assert_eq!(notified, 10 * MAX_BATCH, "restarted after {steps} steps");
    }
}

#[test]
fn rf_19_what_cannot_be_stored_is_reported_and_the_rest_is_stored() {
    let store = Store::new();
    let processor = RefCell::new(DeltaProcessor::new(Box::new(RealFifo::new(ListDeltas::Whole)), [ListScope::All]));
    for name in ["cm1", "", "cm3"] {
        processor.borrow_mut().queue.add(test_object(name, 1));
    }
    let outcome = DeltaProcessor::step(&processor, &store).expect("there is work");
    let refused = outcome.rejected.expect("one has no name").to_string();
    assert!(refused.contains("failed to execute (1/3)"), "{refused}");
    assert_eq!(store.len(), 2);
}
