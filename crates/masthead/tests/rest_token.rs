//! The token provider: who asks it, and how often.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{cell::Cell, rc::Rc, time::Duration};

use futures::{FutureExt, future::join_all};
use masthead::{
    Error,
    rest::{Auth, Config, RestClient},
    runtime::VirtualTime,
};

mod replies;

use replies::{Reply, Script};

/// A provider that takes a second for each token and numbers them; the first `failures` fail.
fn provider(time: &VirtualTime, failures: u32) -> (Auth, Rc<Cell<u32>>) {
    let (asked, runtime) = (Rc::new(Cell::new(0)), time.runtime());
    let count = Rc::clone(&asked);
    let auth = Auth::Provider(Rc::new(move || {
        let (number, runtime) = (count.get() + 1, runtime.clone());
        count.set(number);
        async move {
            runtime.sleep(Duration::from_secs(1)).await;
            if number <= failures { Err(Error::invalid("get token", "no luck")) } else { Ok(format!("token-{number}")) }
        }
        .boxed_local()
    }));
    (auth, asked)
}

#[test]
fn requests_at_the_same_time_ask_once() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::json(200, "{}"));
    let (auth, asked) = provider(&time, 0);
    let client = RestClient::new(Config { auth, qps: -1.0, ..script.config() }).unwrap();
    let requests = (0..30).map(|_| async { client.get().abs_path(["/version"]).send().await });
    assert!(time.run(join_all(requests)).iter().all(Result::is_ok));
    assert_eq!(asked.get(), 1);
    let tokens = script.requests();
    assert_eq!(tokens.len(), 30);
    assert!(tokens.iter().all(|request| request.headers.get("Authorization") == Some("Bearer token-1")));
}

#[test]
fn a_request_that_is_dropped_while_it_asks_leaves_the_question_to_the_next() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::json(200, "{}"));
    let (auth, asked) = provider(&time, 0);
    let client = RestClient::new(Config { auth, qps: -1.0, ..script.config() }).unwrap();
    let request = client.get().abs_path(["/version"]);
    assert!(time.run(time.runtime().within(Duration::from_millis(500), request.send())).is_none());
    time.run(request.send()).unwrap();
    assert_eq!(asked.get(), 1);
}

#[test]
fn a_provider_that_fails_is_asked_again() {
    let time = VirtualTime::new();
    let script = Script::then_always(&time, [], Reply::json(200, "{}"));
    let (auth, asked) = provider(&time, 1);
    let client = RestClient::new(Config { auth, qps: -1.0, ..script.config() }).unwrap();
    let request = client.get().abs_path(["/version"]);
    assert!(time.run(request.send()).unwrap_err().is_invalid_request());
    time.run(request.send()).unwrap();
    assert_eq!(asked.get(), 2);
}
