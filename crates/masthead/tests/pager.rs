//! Lists in pages: RQ-14, and what each page is asked with.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod dialogue;

use std::{cell::RefCell, rc::Rc};

use dialogue::{Reply, dialogue, failure, ok};
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use masthead::{
    Error,
    pager::Pager,
    rest::{List, ListOptions, ResourceVersionMatch, Status},
    runtime::VirtualTime,
    typed::Client,
};

/// A server of `total` numbers; the continue token expires on page `expires`.
struct Numbers {
    total: usize,
    expires: Option<usize>,
    asked: RefCell<Vec<ListOptions>>,
}

impl Numbers {
    fn pager(total: usize, expires: Option<usize>) -> (Pager<usize>, Rc<Numbers>) {
        let numbers = Rc::new(Numbers { total, expires, asked: RefCell::default() });
        let server = Rc::clone(&numbers);
        let mut pager = Pager::new(move |options| std::future::ready(server.page(options)));
        pager.page_size = 10;
        pager.full_list_if_expired = false;
        (pager, numbers)
    }

    fn page(&self, options: ListOptions) -> Result<List<usize>, Error> {
        let start: usize = if options.continue_token.is_empty() { 0 } else { options.continue_token.parse().unwrap() };
        let limit = options.limit.map_or(usize::MAX, |limit| limit as usize);
        self.asked.borrow_mut().push(options);
        let pages = self.asked.borrow().len();
        if self.expires == Some(pages) {
            let status = Status { code: 410, reason: "Expired".into(), ..Status::default() };
            return Err(Error::refused("list numbers", status));
        }
        let end = self.total.min(start.saturating_add(limit));
        Ok(List {
            types: None,
            resource_version: format!("rv:{pages}"),
            continue_token: (end < self.total).then(|| end.to_string()),
            remaining_item_count: Some((self.total - end) as u64),
            items: (start..end).collect(),
            skipped: Vec::new(),
        })
    }
}

#[track_caller]
fn check(total: usize, pages: usize, paginated: bool) {
    let (pager, numbers) = Numbers::pager(total, None);
    let listed = VirtualTime::new().run(pager.list(ListOptions::default())).unwrap();
    assert_eq!(listed.list.items, (0..total).collect::<Vec<_>>());
    assert_eq!((numbers.asked.borrow().len(), listed.paginated), (pages, paginated), "{total} items");
    assert_eq!(listed.list.resource_version, "rv:1", "the version of the first page is that of the list");
    assert_eq!(listed.list.continue_token, None);
}

#[test]
fn rq_14_a_list_is_whole_however_many_pages_it_has() {
    check(0, 1, false);
    check(9, 1, false);
    check(10, 1, false);
    check(11, 2, true);
    check(21, 3, true);
}

#[test]
fn rq_14_an_expired_second_page_is_an_error_or_a_full_list() {
    let (pager, _) = Numbers::pager(21, Some(2));
    assert!(VirtualTime::new().run(pager.list(ListOptions::default())).unwrap_err().is_gone());

    let (mut pager, numbers) = Numbers::pager(21, Some(2));
    pager.full_list_if_expired = true;
    let options = ListOptions {
        resource_version: "0".into(),
        resource_version_match: Some(ResourceVersionMatch::NotOlderThan),
        label_selector: "a=b".into(),
        ..Default::default()
    };
    let listed = VirtualTime::new().run(pager.list(options.clone())).unwrap();
    assert_eq!(listed.list.items.len(), 21);
    assert_eq!((listed.paginated, listed.list.resource_version.as_str()), (true, "rv:3"));
    assert_eq!(numbers.asked.borrow()[2], options, "without pages, at the version that was asked for");
}

#[test]
fn rq_14_an_expired_first_page_is_an_error_in_any_case() {
    let (mut pager, numbers) = Numbers::pager(21, Some(1));
    pager.full_list_if_expired = true;
    assert!(VirtualTime::new().run(pager.list(ListOptions::default())).unwrap_err().is_gone());
    assert_eq!(numbers.asked.borrow().len(), 1);
}

#[test]
fn a_list_that_goes_on_from_an_expired_token_begins_again() {
    let (mut pager, numbers) = Numbers::pager(21, Some(1));
    pager.full_list_if_expired = true;
    let options = ListOptions { continue_token: "10".into(), ..Default::default() };
    let listed = VirtualTime::new().run(pager.list(options)).unwrap();
    assert_eq!((listed.list.items.len(), listed.paginated), (21, false));
    assert_eq!(numbers.asked.borrow()[1], ListOptions::default());
}

#[test]
fn pages_come_one_at_a_time_and_end_with_the_first_error() {
    let (pager, numbers) = Numbers::pager(25, Some(3));
    VirtualTime::new().run(async {
        let mut pages = pager.pages(ListOptions::default());
        assert_eq!(numbers.asked.borrow().len(), 0, "nothing is asked before somebody wants it");
        assert_eq!(pages.next().await.unwrap().unwrap().items.len(), 10);
        assert_eq!(numbers.asked.borrow().len(), 1);
        assert_eq!(pages.next().await.unwrap().unwrap().items[0], 10);
        assert!(pages.next().await.unwrap().unwrap_err().is_gone());
        assert!(pages.next().await.is_none());
    });
}

#[test]
fn items_come_page_by_page() {
    let (pager, numbers) = Numbers::pager(25, None);
    VirtualTime::new().run(async {
        let mut items = Box::pin(pager.items(ListOptions { limit: Some(4), ..Default::default() }));
        for expected in 0..5 {
            assert_eq!(items.next().await.unwrap().unwrap(), expected);
        }
        assert_eq!(numbers.asked.borrow().len(), 2);
        let rest: Vec<usize> = items.try_collect().await.unwrap();
        assert_eq!(rest, (5..25).collect::<Vec<_>>());
    });
}

#[test]
fn a_client_s_pager_clears_the_version_on_later_pages_and_reports_what_it_skipped() {
    let page = |token: &str, items: &str| {
        Reply::json(200, format!(r#"{{"metadata":{{"resourceVersion":"5","continue":"{token}"}},"items":[{items}]}}"#))
    };
    let first = "GET /api/v1/configmaps?limit=500&resourceVersion=3&resourceVersionMatch=Exact";
    let second = "GET /api/v1/configmaps?continue=t&limit=500";
    let options = ListOptions {
        resource_version: "3".into(),
        resource_version_match: Some(ResourceVersionMatch::Exact),
        ..Default::default()
    };
    let good = r#"{"metadata":{"name":"a"}}"#;
    let ((), _) = dialogue(
        [
            (first, page("t", good)),
            (second, page("", r#"{"metadata":7}"#)),
            (first, page("t", good)),
            (second, failure(410, "Expired", "")),
            ("GET /api/v1/configmaps?resourceVersion=3&resourceVersionMatch=Exact", page("", good)),
            (first, page("", good)),
            ("GET /api/v1/configmaps?limit=500", ok(r#"{"metadata":{},"items":[{"metadata":7},{"metadata":{}}]}"#)),
        ],
        async |client| {
            let pager = Client::<ConfigMap>::all_namespaces(&client).pager();
            let listed = pager.list(options.clone()).await.unwrap();
            assert_eq!((listed.list.items.len(), listed.list.skipped.len()), (1, 1));
            assert!(pager.list(options.clone()).await.unwrap().paginated);
            assert!(!pager.list(options.clone()).await.unwrap().paginated);
            let items: Vec<Result<ConfigMap, Error>> = pager.items(ListOptions::default()).collect().await;
            assert_eq!(items.iter().filter(|item| item.is_ok()).count(), 1);
            assert_eq!(items.len(), 2, "the one that cannot be read is reported beside the other");
        },
    );
}
