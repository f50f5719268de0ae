//! Cases of client-go's `delta_fifo_test.go`.

use super::{DeltaFifo, ListedAs};
use crate::cache::{
    CompleteList, DeltaQueue, ListScope,
    fixture::{FixedStore, TestObject, drain, format_batch, test_object, tombstone},
};

fn queue() -> DeltaFifo<TestObject> {
    DeltaFifo::new(ListedAs::Sync)
}

/// Checks what `script` leaves in a queue in front of a store with `known` objects.
fn check<const N: usize>(
    listed: ListedAs,
    known: [(&'static str, u32); N],
    script: impl FnOnce(&mut DeltaFifo<TestObject>, &FixedStore),
    expect: &[&str],
) {
    let (mut queue, known) = (DeltaFifo::new(listed), FixedStore::of(known));
    script(&mut queue, &known);
    assert_eq!(drain(&mut queue, 1), expect);
}

#[test]
fn df_01_a_list_after_a_deletion_restores_the_object() {
    let script = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.delete(tombstone("foo", 1), known);
        queue.replace(CompleteList::new(vec![test_object("foo", 2)], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, [("foo", 1)], script, &["Deleted foo1, Sync foo2"]);
}

// DF-02, DF-03, DF-04, DF-05, DF-06, in their order.
#[test]
fn df_02_to_06_a_list_deletes_objects_that_are_only_queued() {
    let a = || test_object("a", 1);
    let df_02 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(a());
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, [], df_02, &["Added a1, Unknown a1"]);
    let df_03 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(a());
        queue.replace(CompleteList::new(vec![a()], ""), &ListScope::All, known);
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
    };
    check(ListedAs::Replaced, [], df_03, &["Added a1, Replaced a1, Unknown a1"]);
    let df_04 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(a());
        queue.delete(tombstone("a", 1), known);
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, [], df_04, &["Added a1, Deleted a1"]);
    let df_05 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(a());
        queue.replace(CompleteList::new(vec![a()], ""), &ListScope::All, known);
        queue.replace(CompleteList::new(vec![a()], ""), &ListScope::All, known);
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, [], df_05, &["Added a1, Sync a1, Sync a1, Unknown a1"]);
    let df_06 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(a());
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
        queue.replace(CompleteList::new(vec![], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, [], df_06, &["Added a1, Unknown a1"]);
}

#[test]
fn df_08_an_object_is_popped_once_with_all_its_deltas() {
    let script = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(test_object("foo", 10));
        queue.update(test_object("foo", 12));
        queue.delete(tombstone("foo", 15), known);
    };
    check(ListedAs::Sync, [], script, &["Added foo10, Updated foo12, Deleted foo15"]);
}

#[test]
fn df_09_the_deletion_of_an_unknown_object_is_ignored() {
    let script = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(test_object("foo", 10));
        queue.update(test_object("bar", 15));
        queue.add(test_object("qux", 17));
        queue.delete(tombstone("qux", 18), known);
        queue.delete(tombstone("baz", 20), known);
    };
    check(ListedAs::Sync, [], script, &["Added foo10", "Updated bar15", "Added qux17, Deleted qux18"]);
}

#[test]
fn df_10_the_deletion_of_a_known_object_is_queued() {
    let script = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(test_object("foo", 10));
        queue.update(test_object("bar", 15));
        queue.delete(tombstone("baz", 20), known);
    };
    let known = [("foo", 5), ("bar", 6), ("baz", 7)];
    check(ListedAs::Sync, known, script, &["Added foo10", "Updated bar15", "Deleted baz20"]);
}

#[test]
fn df_11_a_queued_object_in_a_list_is_popped_once() {
    let mut queue = queue();
    queue.add(test_object("foo", 10));
    queue.replace(CompleteList::new(vec![test_object("foo", 15)], ""), &ListScope::All, &());
    assert_eq!(drain(&mut queue, 1), ["Added foo10, Sync foo15"]);
    assert!(queue.is_empty());
}

// DF-12, DF-13, DF-20.
#[test]
fn df_12_13_20_a_resync_skips_queued_objects() {
    let df_12 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.delete(tombstone("foo", 10), known);
        queue.resync(known);
    };
    check(ListedAs::Sync, [("foo", 5)], df_12, &["Deleted foo10"]);
    let df_13 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| queue.resync(known);
    check(ListedAs::Sync, [("foo", 5)], df_13, &["Sync foo5"]);
    let df_20 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.update(test_object("foo", 6));
        queue.resync(known);
    };
    check(ListedAs::Sync, [("foo", 5)], df_20, &["Updated foo6"]);
}

#[test]
fn df_14_a_deletion_follows_earlier_deltas() {
    let script = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(test_object("foo", 5));
        queue.delete(tombstone("foo", 6), known);
    };
    check(ListedAs::Sync, [], script, &["Added foo5, Deleted foo6"]);
}

// DF-15, DF-16, DF-19.
#[test]
fn df_15_16_19_a_list_deletes_known_objects_that_it_does_not_contain() {
    let known = [("foo", 5), ("bar", 6), ("baz", 7)];
    let df_15 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.delete(tombstone("baz", 10), known);
        queue.replace(CompleteList::new(vec![test_object("foo", 5)], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, known, df_15, &["Deleted baz10", "Sync foo5", "Unknown bar6"]);
    let df_16 = |queue: &mut DeltaFifo<TestObject>, known: &FixedStore| {
        queue.add(test_object("baz", 10));
        queue.replace(CompleteList::new(vec![test_object("foo", 5)], ""), &ListScope::All, known);
    };
    check(ListedAs::Sync, known, df_16, &["Added baz10, Unknown baz10", "Sync foo5", "Unknown bar6"]);
    check(ListedAs::Sync, [], df_16, &["Added baz10, Unknown baz10", "Sync foo5"]); // DF-19
}

#[test]
fn df_21_deletions_count_as_part_of_the_first_list() {
    let (mut queue, known) = (queue(), FixedStore::of([("foo", 5), ("bar", 6), ("baz", 7)]));
    queue.replace(CompleteList::new(vec![test_object("foo", 5)], ""), &ListScope::All, &known);
    for _ in 0..3 {
        assert!(!queue.has_synced());
        assert!(queue.pop(1).expect("three objects").initial);
    }
    assert!(queue.has_synced());
}

#[test]
fn df_23_the_queue_has_synced_once_the_first_list_is_popped() {
    let check = |script: fn(&mut DeltaFifo<TestObject>), pops: usize, expect: bool| {
        let mut queue = queue();
        script(&mut queue);
        for _ in 0..pops {
            format_batch(&queue.pop(1).expect("enough objects"));
        }
        assert_eq!(queue.has_synced(), expect);
    };
    let two = |queue: &mut DeltaFifo<TestObject>| {
        queue.replace(CompleteList::new(vec![test_object("a", 1), test_object("b", 1)], ""), &ListScope::All, &())
    };
    check(|_| {}, 0, false);
    check(|queue| queue.add(test_object("a", 1)), 0, true);
    check(|queue| queue.replace(CompleteList::new(vec![], ""), &ListScope::All, &()), 0, true);
    check(two, 0, false);
    check(two, 1, false);
    check(two, 2, true);
    check(
        |queue| {
            queue.replace(CompleteList::new(vec![test_object("a", 1), test_object("a", 2)], ""), &ListScope::All, &())
        },
        1,
        true,
    );
}
