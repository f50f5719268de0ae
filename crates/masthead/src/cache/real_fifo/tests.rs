//! Cases of client-go's `the_real_fifo_test.go`.

use super::{ListDeltas, RealFifo};
use crate::cache::{
    CompleteList, DeltaQueue, ListScope,
    fixture::{FixedStore, TestObject, drain, test_object, tombstone},
};

/// Lists `initial`, then updates `updates`, and checks the batches, one per line.
fn batches<const N: usize, const M: usize>(
    initial: [&'static str; N],
    updates: [&'static str; M],
    limit: usize,
    expect: &[&str],
) {
    let mut queue = RealFifo::new(ListDeltas::PerObject);
    if N > 0 {
        queue.replace(CompleteList::new(initial.map(|name| test_object(name, 0)).into(), ""), &ListScope::All, &());
    }
    for name in updates {
        queue.update(test_object(name, 1));
    }
    assert_eq!(drain(&mut queue, limit), expect);
}

#[test]
fn rf_01_deltas_are_not_merged() {
    let mut queue = RealFifo::new(ListDeltas::PerObject);
    queue.add(test_object("foo", 10));
    queue.update(test_object("foo", 12));
    queue.delete(tombstone("foo", 15), &());
    assert_eq!(drain(&mut queue, 1), ["Added foo10", "Updated foo12", "Deleted foo15"]);
}

#[test]
fn rf_03_deletions_precede_the_listed_objects() {
    let (mut queue, known) =
        (RealFifo::new(ListDeltas::PerObject), FixedStore::of([("foo", 5), ("bar", 6), ("baz", 7)]));
    queue.delete(tombstone("baz", 10), &known);
    queue.replace(CompleteList::new(vec![test_object("foo", 5)], ""), &ListScope::All, &known);
    assert_eq!(drain(&mut queue, 1), ["Deleted baz10", "Unknown bar6", "Replaced foo5"]);
}

#[test]
fn a_queued_object_that_a_list_does_not_contain_is_deleted_once() {
    let mut queue = RealFifo::new(ListDeltas::PerObject);
    queue.add(test_object("a", 1));
    queue.replace(CompleteList::new(vec![], ""), &ListScope::All, &());
    queue.replace(CompleteList::new(vec![], ""), &ListScope::All, &());
    assert_eq!(drain(&mut queue, 1), ["Added a1", "Unknown a1"]);
}

#[test]
fn rf_05_each_entry_of_the_first_list_counts() {
    let mut queue: RealFifo<TestObject> = RealFifo::new(ListDeltas::PerObject);
    queue.replace(CompleteList::new(vec![test_object("a", 1), test_object("a", 2)], ""), &ListScope::All, &());
    assert!(queue.pop(1).expect("the first").initial);
    assert!(!queue.has_synced());
    assert!(queue.pop(1).expect("the second").initial);
    assert!(queue.has_synced());
}

// RF-06, RF-07, RF-08, RF-09, RF-10, RF-11, RF-12, in their order.
#[test]
fn rf_06_to_12_batches_hold_each_object_once_and_end_with_the_first_list() {
    batches(["1", "2", "3"], [], 1000, &["Replaced 10, Replaced 20, Replaced 30"]);
    batches(["1", "2"], ["3", "4"], 2, &["Replaced 10, Replaced 20", "Updated 31, Updated 41"]);
    batches(["1"], ["1", "1"], 1000, &["Replaced 10", "Updated 11", "Updated 11"]);
    batches(["1", "2"], ["2", "3"], 1000, &["Replaced 10, Replaced 20", "Updated 21, Updated 31"]);
    batches(["1", "2", "3"], ["2"], 1000, &["Replaced 10, Replaced 20, Replaced 30", "Updated 21"]);
    batches(["1", "2", "3"], [], 2, &["Replaced 10, Replaced 20", "Replaced 30"]);
    batches([], ["1", "2", "3"], 2, &["Updated 11, Updated 21", "Updated 31"]);
}

// RF-15, RF-16.
#[test]
fn rf_15_16_an_atomic_list_and_a_resync_are_one_delta_each() {
    let mut queue = RealFifo::new(ListDeltas::Whole);
    queue.add(test_object("a", 1));
    queue.replace(CompleteList::new(vec![], "123"), &ListScope::All, &());
    queue.resync(&());
    queue.bookmark("124");
    assert_eq!(drain(&mut queue, 1000), ["Added a1", "ReplacedAll @123 []", "SyncAll", "Bookmark 124"]);
}

#[test]
fn an_atomic_first_list_has_synced_once_popped() {
    let mut queue = RealFifo::new(ListDeltas::Whole);
    queue.replace(CompleteList::new(vec![test_object("a", 1), test_object("b", 1)], "5"), &ListScope::All, &());
    queue.update(test_object("a", 2));
    assert!(!queue.has_synced());
    assert!(queue.pop(1000).expect("the list").initial);
    assert!(queue.has_synced());
    assert!(!queue.pop(1000).expect("the update").initial);
}

#[test]
fn a_resync_per_object_skips_queued_objects() {
    let (mut queue, known) = (RealFifo::new(ListDeltas::PerObject), FixedStore::of([("a", 1), ("b", 2)]));
    queue.update(test_object("a", 3));
    queue.resync(&known);
    assert_eq!(drain(&mut queue, 1), ["Updated a3", "Sync b2"]);
}
