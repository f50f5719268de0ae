//! An event sink that keeps every call and answers as a test says.
#![allow(dead_code, reason = "each suite uses its part of it")]

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use futures::future::LocalBoxFuture;
use k8s_openapi::api::core::v1::ObjectReference;
use masthead::{
    Error,
    record::{EventKind, EventSink},
    rest::Status,
    runtime::{Instant, Runtime, VirtualTime},
};
use serde_json::Value;

/// The answer to one call.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Done,
    Fails(Error),
    /// Never answers.
    Silence,
    After(Duration, Box<Reply>),
}

impl Reply {
    pub(crate) fn lost() -> Reply {
        Reply::Fails(Error::network("write event", "Failed to fetch"))
    }

    pub(crate) fn refused(code: u16, reason: &str) -> Reply {
        Reply::Fails(Error::refused("write event", Status { code, reason: reason.into(), ..Status::default() }))
    }

    pub(crate) fn after(seconds: u64, reply: Reply) -> Reply {
        Reply::After(Duration::from_secs(seconds), Box::new(reply))
    }
}

/// A call of the sink.
#[derive(Clone, Debug)]
pub(crate) struct Call<K> {
    pub(crate) at: Duration,
    pub(crate) verb: &'static str,
    pub(crate) event: K,
    pub(crate) patch: Option<Value>,
}

type Answer<K> = Box<dyn Fn(usize, &Call<K>) -> Reply>;

pub(crate) struct FakeSink<K> {
    runtime: Runtime,
    calls: RefCell<Vec<Call<K>>>,
    /// Is given the number of calls before, and the call.
    answer: Answer<K>,
    /// Calls without an answer yet.
    open: Rc<Cell<usize>>,
    most_open: Cell<usize>,
}

impl<K: EventKind> FakeSink<K> {
    pub(crate) fn new(time: &VirtualTime, answer: impl Fn(usize, &Call<K>) -> Reply + 'static) -> Rc<FakeSink<K>> {
        Rc::new(FakeSink {
            runtime: time.runtime(),
            calls: RefCell::default(),
            answer: Box::new(answer),
            open: Rc::default(),
            most_open: Cell::new(0),
        })
    }

    pub(crate) fn accepting(time: &VirtualTime) -> Rc<FakeSink<K>> {
        FakeSink::new(time, |_, _| Reply::Done)
    }

    pub(crate) fn calls(&self) -> Vec<Call<K>> {
        self.calls.borrow().clone()
    }

    pub(crate) fn verbs(&self) -> Vec<&'static str> {
        self.calls.borrow().iter().map(|call| call.verb).collect()
    }

    pub(crate) fn open(&self) -> usize {
        self.open.get()
    }

    pub(crate) fn most_open(&self) -> usize {
        self.most_open.get()
    }

    fn respond(&self, verb: &'static str, event: &K, patch: Option<Value>) -> LocalBoxFuture<'_, Result<(), Error>> {
        let call = Call { at: self.runtime.now() - Instant::ORIGIN, verb, event: event.clone(), patch };
        let mut reply = (self.answer)(self.calls.borrow().len(), &call);
        self.calls.borrow_mut().push(call);
        self.open.set(self.open.get() + 1);
        self.most_open.set(self.most_open.get().max(self.open.get()));
        let open = Open(Rc::clone(&self.open));
        Box::pin(async move {
            let _open = open;
            loop {
                match reply {
                    Reply::Done => return Ok(()),
                    Reply::Fails(error) => return Err(error),
                    Reply::Silence => std::future::pending().await,
                    Reply::After(wait, then) => {
                        self.runtime.sleep(wait).await;
                        reply = *then;
                    }
                }
            }
        })
    }
}

struct Open(Rc<Cell<usize>>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl<K: EventKind> EventSink<K> for FakeSink<K> {
    fn create<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.respond("create", event, None)
    }

    fn update<'a>(&'a self, event: &'a K) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.respond("update", event, None)
    }

    fn patch<'a>(&'a self, event: &'a K, patch: Value) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.respond("patch", event, Some(patch))
    }
}

/// The pod of client-go's tests, with another name.
pub(crate) fn pod(name: &str) -> ObjectReference {
    let owned = |text: &str| Some(text.to_owned());
    ObjectReference {
        kind: owned("Pod"),
        namespace: owned("baz"),
        name: owned(name),
        uid: owned("bar"),
        api_version: owned("v1"),
        field_path: owned("spec.containers[2]"),
        ..ObjectReference::default()
    }
}
