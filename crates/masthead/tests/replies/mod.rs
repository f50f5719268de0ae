//! A transport that answers from a script and remembers what it was asked.
#![allow(dead_code, reason = "each suite uses its part of it")]

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
    time::Duration,
};

use futures::{FutureExt, StreamExt, future::LocalBoxFuture, stream};
use masthead::{
    Error,
    rest::{Answer, Body, Config, Headers, HttpRequest, RestClient, Transport},
    runtime::{Runtime, VirtualTime},
};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// An answer; its body goes on until its parts are over.
    Answer { code: u16, headers: Vec<(&'static str, String)>, body: Vec<Part> },
    /// The connection fails.
    Lost,
    /// The transport's own limit is over.
    TimedOut,
    /// The caller's signal says to stop.
    Aborted,
    /// Nothing, for ever.
    Silence,
    /// Another, later.
    After(Duration, Box<Reply>),
}

/// One step of a streamed body.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Chunk(String),
    Pause(Duration),
    Lost,
    Silence,
}

impl Reply {
    pub(crate) fn json(code: u16, body: impl Into<String>) -> Reply {
        Reply::parts(code, [Part::Chunk(body.into())]).header("Content-Type", "application/json")
    }

    pub(crate) fn text(code: u16, body: impl Into<String>) -> Reply {
        Reply::parts(code, [Part::Chunk(body.into())]).header("Content-Type", "text/plain")
    }

    /// A watch of these parts.
    pub(crate) fn watch(parts: impl IntoIterator<Item = Part>) -> Reply {
        Reply::parts(200, parts).header("Content-Type", "application/json")
    }

    fn parts(code: u16, parts: impl IntoIterator<Item = Part>) -> Reply {
        Reply::Answer { code, headers: Vec::new(), body: parts.into_iter().collect() }
    }

    pub(crate) fn after(self, delay: Duration) -> Reply {
        Reply::After(delay, Box::new(self))
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        if let Reply::Answer { headers, .. } = &mut self {
            headers.push((name, value.into()));
        }
        self
    }
}

/// Answers requests in the order of its replies, the last of which may stay for all that follow.
pub(crate) struct Script {
    replies: RefCell<VecDeque<Reply>>,
    last: Option<Reply>,
    requests: RefCell<Vec<(Duration, HttpRequest)>>,
    /// How many answers are open at present.
    open: Rc<Cell<usize>>,
    runtime: Runtime,
}

impl Script {
    /// Replies to as many requests as there are replies; one more is a panic.
    pub(crate) fn new(time: &VirtualTime, replies: impl IntoIterator<Item = Reply>) -> Rc<Script> {
        Script::build(time, replies, None)
    }

    /// Replies with `last` once the others are over.
    pub(crate) fn then_always(time: &VirtualTime, replies: impl IntoIterator<Item = Reply>, last: Reply) -> Rc<Script> {
        Script::build(time, replies, Some(last))
    }

    fn build(time: &VirtualTime, replies: impl IntoIterator<Item = Reply>, last: Option<Reply>) -> Rc<Script> {
        let replies = RefCell::new(replies.into_iter().collect());
        Rc::new(Script { replies, last, requests: RefCell::default(), open: Rc::default(), runtime: time.runtime() })
    }

    /// A configuration without a rate limit.
    pub(crate) fn config(self: &Rc<Script>) -> Config {
        Config { qps: -1.0, ..Config::new("http://localhost:8001", Rc::clone(self) as _, self.runtime.clone()) }
    }

    pub(crate) fn client(self: &Rc<Script>) -> RestClient {
        RestClient::new(self.config()).unwrap()
    }

    pub(crate) fn requests(&self) -> Vec<HttpRequest> {
        self.requests.borrow().iter().map(|(_, request)| request.clone()).collect()
    }

    /// When each request came, in seconds.
    pub(crate) fn seconds(&self) -> Vec<f64> {
        self.requests.borrow().iter().map(|(at, _)| at.as_secs_f64()).collect()
    }

    pub(crate) fn count(&self) -> usize {
        self.requests.borrow().len()
    }

    pub(crate) fn open(&self) -> usize {
        self.open.get()
    }
}

/// Counts an answer as open while it lives.
struct Open(Rc<Cell<usize>>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Transport for Script {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        let reply = self.replies.borrow_mut().pop_front().or_else(|| self.last.clone());
        let reply = reply.unwrap_or_else(|| panic!("the script is over, but here comes {request:?}"));
        let (operation, method) = (Rc::clone(&request.operation), request.method);
        self.requests.borrow_mut().push((self.runtime.now() - masthead::runtime::Instant::ORIGIN, request));
        self.open.set(self.open.get() + 1);
        let (open, runtime) = (Open(Rc::clone(&self.open)), self.runtime.clone());
        async move {
            let reply = match reply {
                Reply::After(delay, reply) => {
                    runtime.sleep(delay).await;
                    *reply
                }
                reply => reply,
            };
            let (code, fields, parts) = match reply {
                Reply::Answer { code, headers, body } => (code, headers, body),
                Reply::Lost => return Err(Error::network(&operation, "Failed to fetch")),
                Reply::TimedOut => return Err(Error::timed_out(&operation, Duration::from_secs(1))),
                Reply::Aborted => return Err(Error::aborted(&operation)),
                Reply::Silence | Reply::After(..) => std::future::pending().await,
            };
            let mut headers = Headers::default();
            fields.into_iter().for_each(|(name, value)| headers.add(name, value));
            let what = Rc::clone(&operation);
            let chunks = stream::iter(parts).filter_map(move |part| {
                let (runtime, what, _open) = (runtime.clone(), Rc::clone(&what), &open);
                async move {
                    match part {
                        Part::Chunk(text) => Some(Ok(text.into_bytes())),
                        Part::Pause(duration) => {
                            runtime.sleep(duration).await;
                            None
                        }
                        Part::Lost => Some(Err(Error::network(&what, "network error"))),
                        Part::Silence => std::future::pending().await,
                    }
                }
            });
            Ok(Answer { operation, method, code, headers, body: Body::new(chunks) })
        }
        .boxed_local()
    }
}
