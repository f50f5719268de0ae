//! Watches in a page: which way they go, what they cost, and what a socket hides.
#![cfg(target_family = "wasm")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::{Either, FutureExt, join_all, select},
};
use masthead::{
    browser::{self, Browser, Carrier, WatchPolicy, timer::sleep},
    rest::{Config, RestClient, Transport, WatchEvent},
};
use serde_json::Value;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use crate::page::Served;

mod page;

wasm_bindgen_test_configure!(run_in_browser);

const EVENT: &str = r#"{"type":"ADDED","object":{"metadata":{"name":"a"}}}"#;
const LIST: &str = r#"{"metadata":{},"items":[]}"#;

fn browser() -> Browser {
    Browser::new(browser::runtime())
}

fn client(transport: Browser) -> RestClient {
    let runtime = browser::runtime();
    RestClient::new(Config { qps: -1.0, ..Config::new("", Rc::new(transport), runtime) }).unwrap()
}

async fn soon() {
    sleep(Duration::from_millis(50)).await;
}

#[wasm_bindgen_test]
async fn a_plain_watch_goes_over_a_socket() {
    let served = Served::never().sockets("finish", &[EVENT, EVENT]);
    let request = client(browser()).get().abs_path([served.path()]).param("watch", "1");
    let events: Vec<_> = request.watch::<Value>().await.unwrap().collect().await;
    assert!(matches!(events[..], [Ok(WatchEvent::Added(_)), Ok(WatchEvent::Added(_))]), "{events:?}");
    let [url] = &served.sockets_made()[..] else { panic!("{:?}", served.sockets_made()) };
    assert!(url.starts_with("ws://") && url.ends_with("?watch=1&pretty=false"), "{url}");
    assert!(served.requests().is_empty(), "nothing by fetch");
}

#[wasm_bindgen_test]
async fn sockets_may_have_a_place_of_their_own() {
    let other = Served::never().sockets("finish", &[EVENT]);
    let transport = browser().with_socket_base(other.path());
    let mut request = other.watch();
    request.url = "?watch=1".into();
    let answer = transport.watch(request).await.unwrap();
    assert_eq!((answer.code, answer.is_json()), (200, true));
    assert_eq!(answer.collect(1 << 10).await.unwrap().body, EVENT.as_bytes());
}

#[wasm_bindgen_test]
async fn a_cut_socket_is_a_network_error_after_its_events() {
    let served = Served::never().sockets("cut", &[EVENT]);
    let mut body = browser().watch(served.watch()).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), EVENT.as_bytes());
    let error = body.next().await.unwrap().unwrap_err();
    assert!(error.is_network() && error.to_string().contains("1006"), "{error}");
    assert!(body.next().await.is_none());
}

#[wasm_bindgen_test]
async fn dropping_a_watch_closes_its_socket() {
    let open = Served::never().sockets("stay", &[EVENT]);
    let mut body = browser().watch(open.watch()).await.unwrap().body;
    body.next().await.unwrap().unwrap();
    assert_eq!(open.sockets_closed(), 0);
    drop(body);
    assert_eq!(open.sockets_closed(), 1);

    let opening = Served::never().sockets("silent", &[]);
    let watch = browser().watch(opening.watch());
    match select(watch, sleep(Duration::from_millis(20))).await {
        Either::Left(_) => panic!("opened"),
        Either::Right((_, watch)) => drop(watch),
    }
    assert_eq!(opening.sockets_closed(), 1);
}

#[wasm_bindgen_test]
async fn leaving_the_page_closes_sockets_with_an_error_that_may_be_tried_again() {
    let served = Served::never().sockets("stay", &[]);
    let mut body = browser().watch(served.watch()).await.unwrap().body;
    page::leave();
    let error = body.next().await.unwrap().unwrap_err();
    assert!(error.is_network() && error.to_string().contains("the page was left"), "{error}");
    assert_eq!(served.sockets_closed(), 1);
}

#[wasm_bindgen_test]
async fn a_probe_finds_the_status_that_a_socket_hid() {
    let forbidden = r#"{"kind":"Status","code":403,"reason":"Forbidden","message":"no watch"}"#;
    let served = Served::never().sockets("refuse", &[]).list(403, forbidden);
    let request = client(browser()).get().abs_path([served.path()]);
    let request = request.param("watch", "1").param("resourceVersion", "7").param("labelSelector", "a=b");
    let error = request.watch::<Value>().await.unwrap_err();
    assert!(error.is_forbidden() && error.to_string().contains("no watch"), "{error}");
    assert_eq!(served.requests(), ["?labelSelector=a%3Db&limit=1&pretty=false"]);
}

#[wasm_bindgen_test]
async fn a_socket_that_never_opens_is_given_up() {
    let served = Served::never().sockets("silent", &[]).list(503, "{}");
    let policy = WatchPolicy { open_limit: Duration::from_millis(30), ..WatchPolicy::new() };
    let answer = browser().with_policy(policy).watch(served.watch()).await.unwrap();
    assert_eq!(answer.code, 503);
    assert_eq!(served.sockets_closed(), 1);
}

#[wasm_bindgen_test]
async fn where_sockets_do_not_work_watches_are_streams() {
    for behaviour in ["refuse", "cut"] {
        let served = Served::new(&[EVENT]).sockets(behaviour, &[]).list(200, LIST);
        let transport = browser();
        for _ in 0..5 {
            let mut body = transport.watch(served.watch()).await.unwrap().body;
            assert_eq!(body.next().await.unwrap().unwrap(), EVENT.as_bytes());
        }
        assert_eq!(served.sockets_made().len(), 2, "{behaviour}: not tried for ever");
    }
}

#[wasm_bindgen_test]
async fn a_proxy_that_agrees_to_sockets_and_drops_them_is_found_out() {
    let served = Served::new(&[EVENT]).sockets("drop", &[]);
    let transport = browser();
    for _ in 0..2 {
        let mut body = transport.watch(served.watch()).await.unwrap().body;
        assert!(body.next().await.unwrap().unwrap_err().is_network());
    }
    let mut body = transport.watch(served.watch()).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), EVENT.as_bytes());
    assert_eq!(served.sockets_made().len(), 2);
}

#[wasm_bindgen_test]
async fn whoever_may_list_but_not_watch_learns_so_and_sockets_keep_their_name() {
    let served = Served::bytes(403, b"{}", "application/json").sockets("refuse", &[]).list(200, LIST);
    let transport = browser();
    for _ in 0..3 {
        assert_eq!(transport.watch(served.watch()).await.unwrap().code, 403);
    }
    assert_eq!(served.sockets_made().len(), 3);
}

#[wasm_bindgen_test]
async fn one_failure_does_not_condemn_sockets_that_worked() {
    let good = Served::never().sockets("finish", &[EVENT]);
    let bad = Served::new(&[EVENT]).sockets("refuse", &[]).list(200, LIST);
    let transport = browser();
    transport.watch(good.watch()).await.unwrap().collect(1 << 10).await.unwrap();
    for _ in 0..4 {
        drop(transport.watch(bad.watch()).await.unwrap());
    }
    assert_eq!(bad.sockets_made().len(), 4);
}

/// Opens a watch and reads its first event, which it must have.
async fn first_event(transport: &Browser, served: &Served) {
    let mut body = transport.watch(served.watch()).await.unwrap().body;
    assert_eq!(body.next().await.unwrap().unwrap(), EVENT.as_bytes());
}

#[wasm_bindgen_test]
async fn a_failed_socket_does_not_move_the_next_ones() {
    for code in [200, 503] {
        let served = Served::new(&[EVENT]).list(code, LIST);
        served.sockets_below("", "refuse", &[]);
        served.sockets_below("/ws", "refuse", &[]);
        let transport = browser().with_fallback_socket_base("/ws");
        drop(transport.watch(served.watch()).await.unwrap());
        assert_eq!((served.sockets_made_below(""), served.sockets_made_below("/ws")), (1, 1));
        served.sockets_below("", "stay", &[EVENT]);
        for _ in 0..3 {
            first_event(&transport, &served).await;
        }
        assert_eq!((served.sockets_made_below(""), served.sockets_made_below("/ws")), (3, 1), "{code}");
    }
}

#[wasm_bindgen_test]
async fn sockets_are_found_at_the_second_place_and_come_back_from_it() {
    let served = Served::never();
    served.sockets_below("", "refuse", &[]);
    served.sockets_below("/ws", "stay", &[EVENT]);
    let transport = browser().with_fallback_socket_base("/ws");
    for _ in 0..3 {
        first_event(&transport, &served).await;
    }
    assert_eq!((served.sockets_made_below(""), served.sockets_made_below("/ws")), (1, 3), "found out once");
    served.sockets_below("", "stay", &[EVENT]);
    served.sockets_below("/ws", "refuse", &[]);
    for _ in 0..3 {
        first_event(&transport, &served).await;
    }
    assert_eq!((served.sockets_made_below(""), served.sockets_made_below("/ws")), (3, 1));
}

#[wasm_bindgen_test]
async fn a_place_that_drops_sockets_is_left_if_there_is_one_that_does_not() {
    let served = Served::new(&[EVENT]).list(200, LIST);
    served.sockets_below("", "drop", &[]);
    served.sockets_below("/ws", "stay", &[EVENT]);
    let transport = browser().with_fallback_socket_base("/ws");
    let mut body = transport.watch(served.watch()).await.unwrap().body;
    assert!(body.next().await.unwrap().unwrap_err().is_network());
    first_event(&transport, &served).await;
    // The same with nothing at the second place: the first is used again, and found to be of no use.
    served.sockets_below("/ws", "refuse", &[]);
    let transport = browser().with_fallback_socket_base("/ws");
    for _ in 0..2 {
        let mut body = transport.watch(served.watch()).await.unwrap().body;
        assert!(body.next().await.unwrap().unwrap_err().is_network());
    }
    served.sockets_below("", "stay", &[EVENT]);
    first_event(&transport, &served).await;
    assert_eq!((served.sockets_made_below(""), served.sockets_made_below("/ws")), (1, 1));
}

#[wasm_bindgen_test]
async fn streams_are_few_and_the_others_wait_their_turn() {
    let served = Served::new(&[EVENT]);
    let transport = browser();
    let first = transport.watch(served.table_watch()).await.unwrap();
    let second = transport.watch(served.table_watch()).await.unwrap();
    let mut log = served.get();
    log.url.push_str("?follow=true");
    let mut third = transport.send(log);
    assert!((&mut third).now_or_never().is_none());
    soon().await;
    let streams = Browser::streams("/");
    assert_eq!((served.requests().len(), streams.held(), streams.waiting()), (2, 2, 1));
    let plain = Served::bytes(200, b"{}", "application/json");
    assert_eq!(transport.send(plain.get()).await.unwrap().code, 200, "others do not wait");
    drop(first);
    assert_eq!(third.await.unwrap().code, 200);
    drop(second);
    assert_eq!((streams.held(), streams.waiting()), (0, 0));
}

#[wasm_bindgen_test]
async fn no_more_than_eight_sockets_open_at_once() {
    let served = Served::never().sockets("stay", &[EVENT]);
    let transport = browser();
    let opened = join_all((0..30).map(|_| transport.watch(served.watch()))).await;
    assert!(opened.iter().all(|answer| answer.as_ref().is_ok_and(|answer| answer.code == 200)));
    assert_eq!((served.sockets_made().len(), served.most_sockets_opening()), (30, 8));
    drop(opened);
    assert_eq!(served.sockets_closed(), 30);
}

#[wasm_bindgen_test]
async fn the_policy_is_the_user_s() {
    let served = Served::new(&[EVENT]).sockets("stay", &[]);
    let policy = WatchPolicy { choose: Rc::new(|_| Carrier::Stream), max_streams: 3, ..WatchPolicy::new() };
    let transport = browser().with_policy(policy);
    let opened = join_all((0..3).map(|_| transport.watch(served.watch()))).await;
    assert_eq!((opened.len(), served.requests().len(), served.sockets_made().len()), (3, 3, 0));
}
