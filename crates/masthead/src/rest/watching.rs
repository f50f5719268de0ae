//! An open watch: events as they come.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures::{FutureExt, Stream, StreamExt, future::LocalBoxFuture, stream};
use serde::de::DeserializeOwned;

use crate::{
    Error,
    rest::{Body, Framer, WatchEvent},
    runtime::{Instant, Runtime},
};

/// The events of one watch, in the server's order. Dropping it ends the request, and so does its last item.
///
/// An event that cannot be read is an error of its own ([`Error::is_undecodable`]) and the watch goes on; any other error is
/// the last item. A watch that ends without an error was closed by the server as agreed, after its `timeoutSeconds` or so.
/// Events are decoded one by one as they are asked for: whatever a chunk holds, the memory of a watch is that chunk, one
/// incomplete frame and one event.
#[must_use = "the watch ends when dropped"]
pub struct Watch<K> {
    operation: String,
    body: Body,
    framer: Framer,
    state: State,
    idle: Option<Idle>,
    decode: Decode<K>,
}

/// Reads one frame. A table's events need what an earlier one said, so it may remember.
pub(crate) type Decode<K> = Box<dyn FnMut(&[u8]) -> Result<WatchEvent<K>, Error>>;

#[derive(Debug)]
enum State {
    Open,
    /// Nothing more will be read; this is still to be given out.
    Ending(Error),
    Ended,
}

impl<K> Watch<K> {
    /// Reads events from a streamed body.
    pub fn new(operation: &str, body: Body) -> Watch<K>
    where
        K: DeserializeOwned + 'static,
    {
        Watch::decoded_by(Box::new(WatchEvent::decode), operation, body)
    }

    /// Reads events from a streamed body in a way of its own.
    pub(crate) fn decoded_by(decode: Decode<K>, operation: &str, body: Body) -> Watch<K> {
        Watch {
            operation: operation.to_owned(),
            body,
            framer: Framer::default(),
            state: State::Open,
            idle: None,
            decode,
        }
    }

    /// Ends with a timeout ([`Error::is_timeout`]) once no byte has come for `limit`.
    ///
    /// Servers send a bookmark a minute on most resources; a connection through a proxy that froze sends nothing and never
    /// fails by itself. What arrived before the limit is noticed, however late the watch is asked.
    pub fn idle_limit(mut self, runtime: Runtime, limit: Duration) -> Watch<K> {
        self.idle = Some(Idle::new(runtime, limit));
        self
    }

    /// A watch that ended with `error` before its first event.
    pub(crate) fn ended(decode: Decode<K>, operation: &str, error: Error) -> Watch<K> {
        let mut watch = Watch::decoded_by(decode, operation, Body::new(stream::empty()));
        watch.end(Some(error));
        watch
    }

    /// The next event among the bytes that are there.
    fn decoded(&mut self) -> Option<Result<WatchEvent<K>, Error>> {
        match self.framer.next_frame() {
            Ok(frame) => frame.map(|frame| (self.decode)(frame).map_err(|error| error.during(&self.operation))),
            Err(error) => {
                self.end(Some(error.into()));
                None
            }
        }
    }

    /// What the end of the body leaves: a bare value that only the end completes, or a cut one.
    fn finish(&mut self) -> Option<Result<WatchEvent<K>, Error>> {
        let (last, error) = match self.framer.finish() {
            Ok(frame) => (frame.map(&mut self.decode), None),
            Err(error) => (None, Some(error.into())),
        };
        self.end(error);
        last.map(|event| event.map_err(|error| error.during(&self.operation)))
    }

    fn end(&mut self, error: Option<Error>) {
        self.state = match error {
            Some(error) => State::Ending(error.during(&self.operation)),
            None => State::Ended,
        };
        self.body = Body::new(stream::empty());
        self.idle = None;
    }
}

impl<K> Stream for Watch<K> {
    type Item = Result<WatchEvent<K>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if !matches!(self.state, State::Open) {
                let last = std::mem::replace(&mut self.state, State::Ended);
                return Poll::Ready(if let State::Ending(error) = last { Some(Err(error)) } else { None });
            }
            if let Some(event) = self.decoded() {
                return Poll::Ready(Some(event));
            }
            if !matches!(self.state, State::Open) {
                continue;
            }
            match self.body.poll_next_unpin(context) {
                Poll::Ready(Some(Ok(chunk))) => {
                    self.framer.push(&chunk);
                    if let Some(idle) = &mut self.idle {
                        idle.alive();
                    }
                }
                Poll::Ready(Some(Err(error))) => self.end(Some(error)),
                Poll::Ready(None) => {
                    if let Some(last) = self.finish() {
                        return Poll::Ready(Some(last));
                    }
                }
                Poll::Pending => {
                    let Some(idle) = &mut self.idle else { return Poll::Pending };
                    let limit = ready!(idle.poll_over(context));
                    let error = Error::timed_out(&self.operation, limit);
                    self.end(Some(error));
                }
            }
        }
    }
}

impl<K> Unpin for Watch<K> {}

impl<K> fmt::Debug for Watch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("operation", &self.operation).field("state", &self.state).finish_non_exhaustive()
    }
}

/// How long a watch may be silent.
struct Idle {
    runtime: Runtime,
    limit: Duration,
    alive: Instant,
    /// Fires at `alive + limit` or before: it is set again when it fires, not by every chunk.
    timer: LocalBoxFuture<'static, ()>,
}

impl Idle {
    fn new(runtime: Runtime, limit: Duration) -> Idle {
        let (alive, timer) = (runtime.now(), timer(&runtime, limit));
        Idle { runtime, limit, alive, timer }
    }

    fn alive(&mut self) {
        self.alive = self.runtime.now();
    }

    /// Ready, with the limit, once it has passed.
    fn poll_over(&mut self, context: &mut Context<'_>) -> Poll<Duration> {
        loop {
            ready!(self.timer.poll_unpin(context));
            let silent = self.runtime.now() - self.alive;
            if silent >= self.limit {
                return Poll::Ready(self.limit);
            }
            self.timer = timer(&self.runtime, self.limit - silent);
        }
    }
}

fn timer(runtime: &Runtime, duration: Duration) -> LocalBoxFuture<'static, ()> {
    let runtime = runtime.clone();
    async move { runtime.sleep(duration).await }.boxed_local()
}

#[cfg(test)]
mod tests;
