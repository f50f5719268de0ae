//! The browser's transport: requests by fetch, watches by whatever the policy says.

use std::{rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::LocalBoxFuture,
    stream::{self, Stream},
};

use crate::{
    Error,
    browser::{
        Budget, Carrier, Fetch, Permit, WatchPolicy, address,
        health::Health,
        page,
        places::{Place, Places},
        websocket,
        websocket::Socket,
    },
    rest::{Answer, Body, Headers, HttpRequest, Method, Transport},
    runtime::{Instant, Runtime},
};

/// Carries requests by [`Fetch`], and watches by fetch or WebSocket as a [`WatchPolicy`] decides. Clones share what was
/// learnt about the server.
///
/// A socket that does not open hides why, so that the same question is then asked by a GET: its answer, if it is no success,
/// is the answer of the watch. If the server does answer, sockets do not get through: after two such failures, and none that
/// worked, watches are streams for the next minutes.
///
/// What stays open is closed by dropping it and by leaving the page.
#[derive(Clone, Debug)]
pub struct Browser {
    runtime: Runtime,
    policy: WatchPolicy,
    places: Rc<Places>,
    health: Rc<Health>,
}

impl Browser {
    /// With the policy for this platform: connections are scarce in pages and workers, and plenty in Node.
    pub fn new(runtime: Runtime) -> Browser {
        let policy = if page::origin().is_some() { WatchPolicy::new() } else { WatchPolicy::unlimited() };
        Browser { runtime, policy, places: Rc::default(), health: Rc::new(Health::new(websocket::is_available())) }
    }

    /// With another policy.
    #[must_use]
    pub fn with_policy(self, policy: WatchPolicy) -> Browser {
        Browser { policy, ..self }
    }

    /// With another place for WebSockets: a path that stands before the others, as `/ws` under `trunk serve`, or an address
    /// as `ws://127.0.0.1:8001` in place of the server's own.
    #[must_use]
    pub fn with_socket_base(self, base: &str) -> Browser {
        Browser { places: Rc::new(Places::at(base)), ..self }
    }

    /// With a second place for WebSockets, tried when one fails at the server's own before any worked there, and used from then
    /// on if it works: a page that is served by `trunk serve` finds its sockets below `/ws`, and needs no other build for that.
    #[must_use]
    pub fn with_fallback_socket_base(self, base: &str) -> Browser {
        Browser { places: Rc::new(Places::with_fallback(base)), ..self }
    }

    /// The streams that this page has open to the origin of `url`, and those that wait.
    pub fn streams(url: &str) -> Budget {
        page::streams(url)
    }

    async fn open(self, request: HttpRequest) -> Result<Answer, Error> {
        if !self.may_use_sockets() || (self.policy.choose)(&request) == Carrier::Stream {
            return self.stream(request).await;
        }
        match self.socket(&request).await {
            Err(error) if error.is_network() => self.ask(request, error).await,
            outcome => outcome,
        }
    }

    /// Opens a socket, at the other place if the first does not answer.
    async fn socket(&self, request: &HttpRequest) -> Result<Answer, Error> {
        let (first, second) = self.places.order(self.runtime.now());
        match (self.socket_at(request, first).await, second) {
            (Err(error), Some(second)) if error.is_network() => {
                let opened = self.socket_at(request, second).await?;
                // One that only took too long says nothing of its place: some proxies agree to every socket and drop it,
                // and the second place may be such a one.
                if !error.is_timeout() {
                    self.places.failed(first, self.runtime.now());
                }
                Ok(opened)
            }
            (outcome, _) => outcome,
        }
    }

    /// Opens a socket and gives it out as the answer that a fetch would have got.
    async fn socket_at(&self, request: &HttpRequest, place: Place) -> Result<Answer, Error> {
        let operation = &request.operation;
        let page = page::origin().unwrap_or_default();
        let url = address::socket(&address::unindented(&request.url), &page, self.places.base(place))
            .ok_or_else(|| Error::invalid(operation, "no WebSocket to this address: it has no origin"))?;
        let opening = page::openings().acquire(self.policy.max_opening).await;
        let socket = Socket::connect(operation, &url)?;
        let limit = self.policy.open_limit;
        let opened = self.runtime.within(limit, socket.opened()).await;
        opened.unwrap_or_else(|| Err(Error::timed_out(operation, limit)))?;
        drop(opening);
        let mut headers = Headers::default();
        headers.add("Content-Type", "application/json");
        let body = Body::new(self.clone().observed(socket, place));
        Ok(Answer { operation: Rc::clone(operation), method: request.method, code: 200, headers, body })
    }

    /// Finds out what a socket that did not open has hidden.
    async fn ask(self, request: HttpRequest, hidden: Error) -> Result<Answer, Error> {
        let probe = HttpRequest { url: address::probe(&request.url), body: None, ..request.clone() };
        debug_assert_eq!(probe.method, Method::Get, "only a GET is a watch");
        let answer = Fetch.send(probe).await?;
        if !answer.is_success() {
            return Ok(answer);
        }
        drop(answer);
        let Some(permit) = page::streams(&request.url).try_acquire(self.policy.max_streams) else {
            self.sockets_failed();
            // Sockets may well work the next time: a stream is used if one is free, not waited for.
            return if self.may_use_sockets() { Err(hidden) } else { self.stream(request).await };
        };
        let answer = held(request, permit).await?;
        // Whoever may list and not watch is refused here: that says nothing of sockets.
        if answer.is_success() {
            self.sockets_failed();
        }
        Ok(answer)
    }

    /// Sockets opened at no place although the server answers.
    fn sockets_failed(&self) {
        let now = self.runtime.now();
        for place in [Place::Own, Place::Fallback] {
            self.places.failed(place, now);
        }
        self.health.failed(now);
    }

    fn may_use_sockets(&self) -> bool {
        self.health.may_work(self.runtime.now())
    }

    /// Sends a request whose answer holds a connection, once there is one to hold.
    async fn stream(self, request: HttpRequest) -> Result<Answer, Error> {
        let WatchPolicy { max_streams, max_streams_without_sockets, .. } = self.policy;
        let most = if self.may_use_sockets() { max_streams } else { max_streams_without_sockets };
        let permit = page::streams(&request.url).acquire(most).await;
        held(request, permit).await
    }

    /// The messages of a socket; learns from the first what sockets are worth here.
    fn observed(self, socket: Socket, place: Place) -> impl Stream<Item = Result<Vec<u8>, Error>> {
        let opened = self.runtime.now();
        stream::unfold((socket, Some(self)), move |(mut socket, new)| async move {
            let message = socket.next().await;
            if let Some(browser) = new {
                browser.learn(message.as_ref(), opened, place);
            }
            Some((message?, (socket, None)))
        })
    }

    /// Some proxies agree to a socket and then drop it.
    fn learn(&self, first: Option<&Result<Vec<u8>, Error>>, opened: Instant, place: Place) {
        let now = self.runtime.now();
        match first {
            Some(Err(_)) if now - opened < CUT_AT_ONCE => {
                if !self.places.failed(place, now) {
                    self.health.failed(now);
                }
            }
            _ => {
                self.places.works(place);
                self.health.proved();
            }
        }
    }
}

impl Transport for Browser {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        if address::stays_open(&request.url) { Box::pin(self.clone().stream(request)) } else { Fetch.send(request) }
    }

    fn watch(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<Answer, Error>> {
        Box::pin(self.clone().open(request))
    }
}

/// An answer whose body gives its permit back when it ends or is dropped.
async fn held(request: HttpRequest, permit: Permit) -> Result<Answer, Error> {
    let answer = Fetch.send(request).await?;
    let chunks = stream::unfold((answer.body, permit), |(mut body, permit)| async {
        let chunk = body.next().await?;
        Some((chunk, (body, permit)))
    });
    Ok(Answer { body: Body::new(chunks), ..answer })
}

const CUT_AT_ONCE: Duration = Duration::from_secs(2);
