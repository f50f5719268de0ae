//! Cases of client-go's `thread_safe_store_test.go` and `index_test.go`.

use std::rc::Rc;

use super::Indexer;
use crate::cache::{Object, ObjectKey, Tombstone};

/// A pod with the users that client-go's test puts into an annotation.
struct Pod {
    name: &'static str,
    users: Vec<&'static str>,
    version: &'static str,
}

impl Object for Pod {
    fn key(&self) -> ObjectKey {
        ObjectKey::new("", self.name)
    }

    fn resource_version(&self) -> &str {
        self.version
    }

    fn uid(&self) -> &str {
        ""
    }
}

fn pod<const N: usize>(name: &'static str, users: [&'static str; N]) -> Rc<Pod> {
    Rc::new(Pod { name, users: users.into(), version: "" })
}

fn at(name: &'static str, version: &'static str) -> Rc<Pod> {
    Rc::new(Pod { name, users: vec![], version })
}

fn by_user() -> Indexer<Pod> {
    let mut indexer = Indexer::new();
    indexer.add_index("byUser", |pod: &Pod| pod.users.clone()).expect("the first index");
    indexer
}

fn users(indexer: &Indexer<Pod>) -> String {
    let values = indexer.index_values("byUser").expect("an index");
    let shown = values.iter().map(|user| format!("{user}:{:?}", indexer.index_keys("byUser", user).expect("an index")));
    shown.collect::<Vec<_>>().join(" ")
}

// TS-01, TS-02.
#[test]
fn ts_01_02_an_index_has_no_value_without_an_object() {
    let mut indexer = by_user();
    indexer.put(pod("one", ["ernie"]));
    indexer.put(pod("two", ["ernie"]));
    assert_eq!(users(&indexer), "ernie:[one, two]");
    indexer.delete(&ObjectKey::new("", "one"));
    assert_eq!(users(&indexer), "ernie:[two]");
    indexer.delete(&ObjectKey::new("", "two"));
    assert_eq!(users(&indexer), "");
}

#[test]
fn ts_04_an_object_may_have_several_values() {
    let mut indexer = by_user();
    indexer.put(pod("one", ["ernie", "bert"]));
    indexer.put(pod("two", ["bert", "oscar"]));
    indexer.put(pod("tre", ["ernie", "elmo"]));
    assert_eq!(users(&indexer), "bert:[one, two] elmo:[tre] ernie:[one, tre] oscar:[two]");
    assert_eq!(indexer.by_index("byUser", "elmo1").expect("an index").count(), 0);
    indexer.delete(&ObjectKey::new("", "tre"));
    assert_eq!(users(&indexer), "bert:[one, two] ernie:[one] oscar:[two]");
    indexer.put(pod("two", ["oscar"]));
    assert_eq!(users(&indexer), "bert:[one] ernie:[one] oscar:[two]");
    let alike = indexer.index("byUser", &pod("none", ["bert", "oscar"])).expect("an index");
    assert_eq!(alike.len(), 2);
}

#[test]
fn ts_05_the_version_is_that_of_the_last_write() {
    let mut indexer = Indexer::new();
    let mut check = |change: &dyn Fn(&mut Indexer<Pod>), expect: &str| {
        change(&mut indexer);
        assert_eq!(indexer.resource_version(), expect);
    };
    check(&|_| {}, "");
    check(&|it| drop(it.put(at("a", "10"))), "10");
    check(&|it| drop(it.put(at("b", "10"))), "10");
    check(&|it| drop(it.put(at("a", "20"))), "20");
    check(&|it| drop(it.delete_tombstone(&Tombstone::Deleted(at("a", "30")))), "30");
    check(&|it| drop(it.put(at("a", ""))), "30");
    check(&|it| drop(it.put(at("a", "40"))), "40");
    check(&|it| drop(it.delete(&ObjectKey::new("", "a"))), "40");
    check(&|it| ["40", "30", "50"].into_iter().for_each(|version| drop(it.put(at("a", version)))), "50");
    // The last version, not the largest: versions are opaque.
    check(&|it| ["50", "30"].into_iter().for_each(|version| drop(it.put(at("a", version)))), "30");
    check(&|it| drop(it.replace(vec![at("a", "40"), at("b", "30")], "50")), "50");
    check(&|it| it.bookmark("60"), "60");
}

#[test]
fn ts_06_index_values_are_unique() {
    let mut indexer = by_user();
    indexer.put(pod("one", ["bar"]));
    indexer.put(pod("two", ["bar"]));
    indexer.put(pod("tre", ["biz"]));
    let values = indexer.index_values("byUser").expect("an index");
    assert_eq!(values.iter().map(|value| &**value).collect::<Vec<_>>(), ["bar", "biz"]);
}

#[test]
fn ts_07_an_unknown_index_and_a_duplicate_name_are_errors() {
    let mut indexer = by_user();
    let unknown = indexer.index_keys("byNode", "a").expect_err("no such index").to_string();
    assert!(unknown.ends_with("Index with name byNode does not exist"), "{unknown}");
    let taken = indexer.add_index("byUser", |pod: &Pod| [pod.name]).expect_err("taken").to_string();
    assert!(taken.contains("indexer conflict"), "{taken}");
}

#[test]
fn a_late_index_contains_existing_objects() {
    let mut indexer = Indexer::new();
    indexer.put(pod("one", ["ernie"]));
    indexer.put(pod("two", []));
    indexer.delete(&ObjectKey::new("", "two"));
    indexer.add_index("byUser", |pod: &Pod| pod.users.clone()).expect("the first index");
    assert_eq!(users(&indexer), "ernie:[one]");
}

#[test]
fn replace_returns_what_changed() {
    let mut indexer = by_user();
    for name in ["b", "a", "c"] {
        indexer.put(pod(name, ["ernie"]));
    }
    let replaced = indexer.replace(vec![pod("c", ["bert"]), pod("d", [])], "7");
    let deleted: Vec<String> = replaced.deleted.iter().map(|tombstone| tombstone.key().to_string()).collect();
    assert_eq!(deleted, ["a", "b"]);
    let listed: Vec<_> = replaced.listed.iter().map(|(before, after)| (before.is_some(), after.name)).collect();
    assert_eq!(listed, [(true, "c"), (false, "d")]);
    assert_eq!(users(&indexer), "bert:[c]");
    assert_eq!((indexer.len(), indexer.list().count()), (2, 2));
}

#[test]
fn free_slots_are_reused() {
    let mut indexer = Indexer::new();
    for _ in 0..10 {
        indexer.put(pod("a", []));
        indexer.delete(&ObjectKey::new("", "a"));
    }
    assert_eq!(indexer.entries.len(), 1);
    assert!(indexer.get(&ObjectKey::new("", "a")).is_none());
}
