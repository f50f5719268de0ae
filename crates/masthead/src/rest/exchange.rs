//! Sending a request: limits, waits and retries, the same for every verb.

use std::{rc::Rc, time::Duration};

use futures::{StreamExt, stream};

use crate::{
    Error,
    rest::{
        Answer, Attempt, Body, Decoder, HttpRequest, Method, Request, Response, RetryAfter, WarningHandler, Watch,
        WatchEvent, url_template, warning, watching::Decode,
    },
};

impl Request {
    /// Sends it and reads the whole answer; an answer that is no success is an error.
    pub async fn send(&self) -> Result<Response, Error> {
        let operation = self.operation();
        let exchange = Exchange::new(self, Shape::Whole);
        let answer = exchange.run().await?;
        let collected = answer.collect(MAX_BODY);
        let response = match self.timeout {
            Some(limit) => {
                let within = self.client.config().runtime.within(limit, collected).await;
                within.unwrap_or_else(|| Err(Error::timed_out(&operation, limit)))?
            }
            None => collected.await?,
        };
        response.checked().map_err(|error| exchange.wrapped(error))
    }

    /// Sends it as [`send`](Self::send) does, and gives a success while its body is still to come.
    pub async fn open(&self) -> Result<Answer, Error> {
        let exchange = Exchange::new(self, Shape::Whole);
        let answer = exchange.run().await?;
        if !answer.is_success() {
            let refused = answer.collect(MAX_ERROR).await?.checked().map(drop);
            let wrong = refused.err().unwrap_or_else(|| Error::network(&self.operation(), "no success and no failure"));
            return Err(exchange.wrapped(wrong));
        }
        Ok(match self.timeout {
            Some(limit) => Answer { body: self.bounded(answer.body, limit), ..answer },
            None => answer,
        })
    }

    /// Sends it and gives the body as it comes, as for logs; an answer that is no success is an error.
    pub async fn stream(&self) -> Result<Body, Error> {
        let exchange = Exchange::new(self, Shape::Stream);
        let answer = exchange.run().await?;
        exchange.opened(answer).await
    }

    /// Sends it and gives the events as they come.
    ///
    /// When the connection fails before the answer, and again on every retry, the watch is empty and knows the error: its
    /// owner goes on from the version it has, as after any other end.
    pub async fn watch<K: serde::de::DeserializeOwned + 'static>(&self) -> Result<Watch<K>, Error> {
        self.watch_with(Box::new(WatchEvent::decode)).await
    }

    /// As [`watch`](Self::watch), with objects read by `decoder`.
    pub async fn watch_decoded<K: 'static>(&self, decoder: Rc<dyn Decoder<K>>) -> Result<Watch<K>, Error> {
        self.watch_with(Box::new(move |frame| WatchEvent::decode_with(frame, &*decoder))).await
    }

    /// As [`watch`](Self::watch), with events read in a way of their own.
    pub(crate) async fn watch_with<K>(&self, decode: Decode<K>) -> Result<Watch<K>, Error> {
        let exchange = Exchange::new(self, Shape::Watch);
        match exchange.run().await {
            Ok(answer) => exchange.opened(answer).await.map(|body| Watch::decoded_by(decode, &self.operation(), body)),
            Err(error) if error.is_network() => Ok(Watch::ended(decode, &self.operation(), error)),
            Err(error) => Err(error),
        }
    }

    /// The same body, which ends with a timeout when it takes longer than `limit`.
    fn bounded(&self, body: Body, limit: Duration) -> Body {
        let (runtime, operation) = (self.client.config().runtime.clone(), self.operation());
        let end = runtime.now() + limit;
        Body::new(stream::unfold(Some(body), move |body| {
            let (runtime, operation) = (runtime.clone(), operation.clone());
            async move {
                let mut body = body?;
                match runtime.within(end.since(runtime.now()), body.next()).await {
                    Some(chunk) => Some((chunk?, Some(body))),
                    None => Some((Err(Error::timed_out(&operation, limit)), None)),
                }
            }
        }))
    }
}

/// What is done with the answer decides what may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Whole,
    Stream,
    Watch,
}

/// One request and its attempts.
struct Exchange<'a> {
    request: &'a Request,
    shape: Shape,
    /// What the last retried attempt ended with.
    previous: std::cell::RefCell<Option<Error>>,
}

impl<'a> Exchange<'a> {
    fn new(request: &'a Request, shape: Shape) -> Exchange<'a> {
        Exchange { request, shape, previous: std::cell::RefCell::default() }
    }

    /// Sends until an answer is final. Codes that are no success are answers here.
    async fn run(&self) -> Result<Answer, Error> {
        let mut wire = self.request.build()?;
        let client = &self.request.client;
        let (mut retry, mut renewed) = (0, false);
        let mut throttled = match self.shape {
            Shape::Watch => Duration::ZERO,
            Shape::Whole | Shape::Stream => client.throttle().await,
        };
        self.wait(Duration::ZERO).await;
        loop {
            let token = self.authorize(&mut wire).await?;
            let started = client.config().runtime.now();
            let outcome = self.attempt(&wire).await;
            let latency = client.config().runtime.now() - started;
            let unauthorized = outcome.as_ref().is_ok_and(|answer| answer.code == 401);
            let renewable = unauthorized && token.is_some_and(|token| client.refuse_token(&token));
            let again = renewable && !renewed;
            let pause = self.pause(&outcome).filter(|_| retry < self.request.max_retries && !again);
            if let Some(observer) = &client.config().observer {
                observer(&Attempt {
                    method: wire.method.as_str(),
                    template: url_template::of(self.request),
                    code: outcome.as_ref().ok().map(|answer| answer.code),
                    latency,
                    throttled,
                    retry,
                    retry_after: pause.map(|pause| RetryAfter::new(retry + 1, pause, &outcome)),
                });
            }
            if again {
                renewed = true;
                throttled = client.throttle().await;
                continue;
            }
            let Some(pause) = pause else {
                return outcome.map_err(|error| self.wrapped(error));
            };
            self.note(outcome);
            self.wait(pause).await;
            throttled = client.throttle().await;
            retry += 1;
        }
    }

    async fn attempt(&self, wire: &HttpRequest) -> Result<Answer, Error> {
        let config = self.request.client.config();
        let sent = match self.shape {
            Shape::Watch => config.transport.watch(wire.clone()),
            Shape::Whole | Shape::Stream => config.transport.send(wire.clone()),
        };
        let outcome = match self.request.timeout.filter(|_| self.shape == Shape::Whole) {
            Some(limit) => {
                let within = config.runtime.within(limit, sent).await;
                within.unwrap_or_else(|| Err(Error::timed_out(&wire.operation, limit)))
            }
            None => sent.await,
        };
        self.update_backoff(&outcome);
        if let Ok(answer) = &outcome {
            let texts: Vec<String> = answer.headers.all("Warning").flat_map(warning::parse).collect();
            self.request.warnings.as_ref().map_or(&config.warnings, |own: &WarningHandler| own).handle(&texts);
        }
        outcome
    }

    /// How long to wait before the next attempt; `None` when the outcome is final.
    fn pause(&self, outcome: &Result<Answer, Error>) -> Option<Duration> {
        match outcome {
            Ok(answer) => {
                let may = answer.code == 429 || answer.code >= 500;
                let seconds = answer.headers.get("Retry-After")?.trim().parse().ok()?;
                may.then(|| Duration::from_secs(seconds))
            }
            Err(error) => {
                let may = match self.shape {
                    Shape::Whole => self.request.method == Method::Get && error.is_network() && !error.is_timeout(),
                    Shape::Watch => error.is_network(),
                    Shape::Stream => false,
                };
                may.then_some(LOST_CONNECTION)
            }
        }
    }

    /// Remembers what a retried attempt ended with, for the final error.
    fn note(&self, outcome: Result<Answer, Error>) {
        let error = match outcome {
            Ok(answer) => {
                let Answer { operation, method, code, headers, .. } = answer;
                Response { operation, method, code, headers, body: Vec::new() }.checked().err()
            }
            Err(error) => Some(error),
        };
        self.previous.replace(error);
    }

    fn wrapped(&self, error: Error) -> Error {
        match self.previous.take() {
            Some(previous) => error.after(&previous),
            None => error,
        }
    }

    /// The body of a success; anything else is read whole and becomes an error.
    async fn opened(&self, answer: Answer) -> Result<Body, Error> {
        let is_watch = self.shape == Shape::Watch;
        if answer.is_success() && (!is_watch || answer.is_json()) {
            return Ok(answer.body);
        }
        let response = answer.collect(MAX_ERROR).await?;
        let error =
            response.json().err().unwrap_or_else(|| Error::not_json(&response.operation, response.content_type()));
        Err(self.wrapped(error))
    }

    /// Says who asks, where the request does not say so itself; gives the client's token if it is in there.
    async fn authorize(&self, wire: &mut HttpRequest) -> Result<Option<String>, Error> {
        let (config, own) = (self.request.client.config(), &self.request.headers);
        if let Some(agent) = config.user_agent.as_ref().filter(|_| own.get("User-Agent").is_none()) {
            wire.headers.set("User-Agent", [agent.clone()]);
        }
        if let Some(other) = config.impersonate.as_ref().filter(|_| own.get("Impersonate-User").is_none()) {
            other.write(&mut wire.headers);
        }
        if own.get("Authorization").is_some() {
            return Ok(None);
        }
        let token = self.request.client.token().await?;
        if let Some(token) = &token {
            wire.headers.set("Authorization", [format!("Bearer {token}")]);
        }
        Ok(token)
    }

    /// Waits for what the host's backoff asks for, and no less than `pause`.
    async fn wait(&self, pause: Duration) {
        let shared = self.request.client.shared();
        let runtime = &shared.config.runtime;
        let delay = shared.backoff.as_ref().map(|backoff| backoff.borrow().delay(&shared.origin, runtime.now()));
        runtime.sleep(delay.unwrap_or_default().max(pause)).await;
    }

    fn update_backoff(&self, outcome: &Result<Answer, Error>) {
        let shared = self.request.client.shared();
        let Some(backoff) = &shared.backoff else { return };
        match outcome {
            Ok(answer) if answer.code == 429 || answer.code >= 500 => {
                backoff.borrow_mut().failed(&shared.origin, shared.config.runtime.now());
            }
            _ => backoff.borrow_mut().reset(&shared.origin),
        }
    }
}

/// A lost connection is tried again after this long, as client-go does.
const LOST_CONNECTION: Duration = Duration::from_secs(1);

/// More than any answer that is read whole: etcd's objects are under 2 MB, and lists come in pages.
const MAX_BODY: usize = 512 << 20;

const MAX_ERROR: usize = 1 << 20;
