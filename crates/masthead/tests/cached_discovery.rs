//! What the cache of discovery keeps, shares and forgets.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod catalogs;
mod replies;

use std::{cell::Cell, rc::Rc};

use catalogs::{aggregated, discovery, failing, legacy_list, names, slow};
use futures::future::join;
use kube_core::GroupVersion;
use masthead::{
    discovery::{CachedDiscovery, DiscoveryClient},
    runtime::VirtualTime,
};
use replies::{Reply, Script};

fn small() -> [Reply; 2] {
    [aggregated(&["core v1 pods:Pod"]), aggregated(&[])].map(slow)
}

#[test]
fn the_cache_asks_once_until_it_is_invalidated() {
    let time = VirtualTime::new();
    let script = Script::new(&time, small().into_iter().chain(small()));
    let cache = CachedDiscovery::new(discovery(&script));
    assert!(!cache.is_fresh());
    let (a, b) = time.run(join(cache.server_groups_and_resources(), cache.server_groups()));
    assert_eq!((names(&a.unwrap()).len(), b.unwrap().len()), (1, 1));
    assert_eq!(script.count(), 2, "questions at the same time share one answer");
    time.run(cache.clone().server_groups()).unwrap();
    assert!(cache.is_fresh());
    assert_eq!(script.count(), 2);
    cache.invalidate();
    assert!(!cache.is_fresh());
    time.run(cache.server_preferred_resources()).unwrap();
    assert_eq!(script.count(), 4);
    let unknown = time.run(cache.server_resources_for_group_version(&GroupVersion::gv("apps", "v1")));
    assert!(unknown.unwrap_err().is_no_match());
    assert_eq!(script.count(), 4, "what the cache does not have is not asked for");
}

#[test]
fn the_cache_forgets_an_error_and_an_answer_to_an_old_question() {
    let time = VirtualTime::new();
    let script = Script::new(&time, [failing(), failing()].into_iter().chain(small()).chain(small()));
    let cache = CachedDiscovery::new(discovery(&script));
    assert!(time.run(cache.server_groups()).is_err());
    assert!(!cache.is_fresh());

    let (asked, invalid) = (cache.server_groups(), cache.clone());
    let done = time.run(join(asked, async move { invalid.invalidate() })).0;
    assert!(done.is_ok(), "who waited gets the answer");
    assert!(!cache.is_fresh(), "but the cache was told that it is old");
    time.run(cache.server_groups()).unwrap();
    assert!(cache.is_fresh());
    assert_eq!(script.count(), 6);
}

#[test]
fn dropping_every_question_ends_the_requests() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::Silence);
    let cache = CachedDiscovery::new(DiscoveryClient::over(script.client()));
    let asked = Rc::new(Cell::new(0));
    let ask = || {
        let (cache, asked) = (cache.clone(), Rc::clone(&asked));
        time.runtime().spawn(async move {
            asked.set(asked.get() + 1);
            cache.server_groups().await.unwrap();
        })
    };
    let (first, second) = (ask(), ask());
    time.settle();
    assert_eq!((asked.get(), script.open()), (2, 2));
    drop(first);
    assert_eq!(script.open(), 2, "another waits for the same answer");
    drop(second);
    assert_eq!(script.open(), 0);
    let third = ask();
    time.settle();
    assert_eq!(script.open(), 2, "a new question asks anew");
    drop(third);
}

#[test]
fn passing_failures_are_asked_for_again_and_lasting_ones_are_kept() {
    let time = VirtualTime::new();
    let groups =
        r#"{"groups":[{"name":"a","versions":[{"version":"v1"}]},{"name":"b","versions":[{"version":"v1"}]}]}"#;
    let roots = [Reply::json(200, r#"{"versions":["v1"]}"#), Reply::json(200, groups)];
    let lists = [legacy_list("pods", "Pod"), failing(), Reply::text(403, "no")];
    let later = [failing(), legacy_list("as", "A")];
    let script = Script::new(&time, roots.into_iter().chain(lists).chain(later));
    let cache = CachedDiscovery::new(discovery(&script));
    let (a, b) = (GroupVersion::gv("a", "v1"), GroupVersion::gv("b", "v1"));

    let catalog = time.run(cache.server_groups_and_resources()).unwrap();
    assert_eq!((catalog.failed.len(), script.count()), (2, 5));
    assert!(time.run(cache.server_resources_for_group_version(&a)).unwrap_err().is_server_failure());
    assert!(time.run(cache.server_resources_for_group_version(&b)).unwrap_err().is_forbidden());
    assert_eq!(script.count(), 6, "only the failure that may pass is looked into");
    let catalog = time.run(cache.server_groups_and_resources()).unwrap();
    assert_eq!(names(&catalog), ["v1 pods", "a/v1 as"]);
    assert_eq!(catalog.failed.keys().collect::<Vec<_>>(), [&b]);
    assert_eq!(time.run(cache.server_resources_for_group_version(&a)).unwrap().resources[0].name, "as");
    assert_eq!(script.count(), 7);
}

#[test]
fn who_waits_gets_the_answer_although_the_first_to_ask_went_away() {
    let time = VirtualTime::new();
    let script = Script::new(&time, small());
    let cache = CachedDiscovery::new(discovery(&script));
    let answered = Rc::new(Cell::new(0));
    let ask = || {
        let (cache, answered) = (cache.clone(), Rc::clone(&answered));
        time.runtime().spawn(async move {
            cache.server_groups().await.unwrap();
            answered.set(answered.get() + 1);
        })
    };
    let (first, second) = (ask(), ask());
    time.settle();
    drop(first);
    time.advance(std::time::Duration::from_secs(2));
    assert!(second.is_finished() && cache.is_fresh());
    assert_eq!((answered.get(), script.count()), (1, 2));
}
