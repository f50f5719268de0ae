//! A watch that goes on when its connection ends.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures::{
    Stream, StreamExt,
    stream::{self, LocalBoxStream},
};
use kube_core::Resource;
use serde::de::DeserializeOwned;

use crate::{
    Error,
    rest::{Status, Watch, WatchEvent},
    runtime::Instant,
    watch::Source,
};

/// The changes of a collection from a version on, over as many connections as it takes: each begins where the last event
/// or bookmark ended, so that none is lost and none comes twice.
///
/// A connection that ends, fails, is refused or falls silent is followed by the next one, at most one a second; a silent one
/// only once the server answers other requests. Gives objects alone: bookmarks end here. An object that cannot be decoded
/// is an error of its own ([`Error::is_undecodable`]) that names it ([`Error::undecodable_object`]); one that does not even say
/// its version may come again with the next connection. Any other error is the last item:
/// the version has expired ([`Error::is_gone`]), the server refuses who asks ([`Error::is_unauthorized`],
/// [`Error::is_forbidden`]), or an object came that is too large or has no version.
#[must_use = "the watch ends when dropped"]
pub struct RetryWatcher<K> {
    events: LocalBoxStream<'static, Result<WatchEvent<K>, Error>>,
}

impl<K: Resource + DeserializeOwned + 'static> RetryWatcher<K> {
    /// Watches `source` from `version`, which must be one that the server gave: neither empty nor `0`.
    pub fn new(source: Source<K>, version: &str) -> Result<RetryWatcher<K>, Error> {
        if matches!(version, "" | "0") {
            let why =
                format!("initial resource version {version:?} is not supported: a watch must begin at a known one");
            return Err(Error::invalid(&source.operation(), why));
        }
        let follower = Follower { source, version: version.to_owned(), opened: None, state: State::Closed(None) };
        let events = stream::unfold(follower, |mut follower| async move {
            let item = follower.next().await?;
            Some((item, follower))
        });
        Ok(RetryWatcher { events: events.boxed_local() })
    }
}

impl<K> Stream for RetryWatcher<K> {
    type Item = Result<WatchEvent<K>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_next_unpin(context)
    }
}

impl<K> fmt::Debug for RetryWatcher<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RetryWatcher")
    }
}

struct Follower<K> {
    source: Source<K>,
    /// Everything up to here was given out.
    version: String,
    /// When the last connection was begun.
    opened: Option<Instant>,
    state: State<K>,
}

enum State<K> {
    /// No connection; the next one may begin after this long, if the server said so.
    Closed(Option<Duration>),
    Watching(Box<Watch<K>>),
    /// The last connection fell silent: nothing is opened until the server answers.
    Silent,
    Stopped,
}

impl<K: Resource + DeserializeOwned + 'static> Follower<K> {
    async fn next(&mut self) -> Option<Result<WatchEvent<K>, Error>> {
        loop {
            let item = match &mut self.state {
                State::Stopped => return None,
                State::Watching(watch) => {
                    let item = watch.next().await;
                    self.received(item)
                }
                State::Closed(pause) => {
                    let pause = *pause;
                    self.open(pause).await
                }
                State::Silent => {
                    self.probe().await;
                    None
                }
            };
            if item.is_some() {
                return item;
            }
        }
    }

    /// What the open watch gave, if it is for the user; remembers how far it came.
    fn received(&mut self, item: Option<Result<WatchEvent<K>, Error>>) -> Option<Result<WatchEvent<K>, Error>> {
        let event = match item {
            Some(Ok(WatchEvent::Error(status))) => return self.told(status),
            Some(Ok(WatchEvent::Bookmark(mark))) if !mark.resource_version.is_empty() => {
                self.version = mark.resource_version;
                return None;
            }
            Some(Ok(event)) => event,
            Some(Err(error)) if error.is_undecodable() => {
                if let Some(object) = error.undecodable_object().filter(|object| !object.resource_version.is_empty()) {
                    object.resource_version.clone_into(&mut self.version);
                }
                return Some(Err(error));
            }
            Some(Err(error)) if error.is_timeout() => {
                self.state = State::Silent;
                return None;
            }
            Some(Err(error)) if error.is_too_large() => {
                // The next connection would begin with the same event.
                self.state = State::Stopped;
                return Some(Err(error));
            }
            Some(Err(_)) | None => {
                self.state = State::Closed(None);
                return None;
            }
        };
        let Some(version) = version(&event) else {
            // Going on would begin the next connection before events that were given out.
            self.state = State::Stopped;
            return Some(Err(Error::invalid(&self.source.operation(), "an object came without a resource version")));
        };
        self.version = version;
        Some(Ok(event))
    }

    /// An ERROR event: the end of this connection, and for some the end of all.
    fn told(&mut self, status: Status) -> Option<Result<WatchEvent<K>, Error>> {
        let error = Error::refused(&self.source.operation(), status);
        if error.is_gone() || is_no(&error) {
            self.state = State::Stopped;
            return Some(Err(error));
        }
        self.state = State::Closed(error.retry_after());
        None
    }

    /// Begins the next connection, not before `pause` is over nor within a second of the one before.
    async fn open(&mut self, pause: Option<Duration>) -> Option<Result<WatchEvent<K>, Error>> {
        let runtime = self.source.runtime().clone();
        let rest = self.opened.map_or(Duration::ZERO, |opened| MIN_RESTART.saturating_sub(runtime.now() - opened));
        runtime.sleep(rest.max(pause.unwrap_or_default())).await;
        self.opened = Some(runtime.now());
        match self.source.watch(&self.version).await {
            Ok(watch) => self.state = State::Watching(Box::new(watch)),
            Err(error) if is_no(&error) || error.is_invalid_request() => {
                self.state = State::Stopped;
                return Some(Err(error));
            }
            Err(error) if error.is_timeout() => self.state = State::Silent,
            Err(error) => self.state = State::Closed(error.retry_after()),
        }
        None
    }

    /// Asks whether the server is there. Any answer will do: whether it allows the watch is for the next one to find out.
    async fn probe(&mut self) {
        match self.source.probe().await {
            Err(error) if error.is_network() => self.source.runtime().sleep(MIN_RESTART).await,
            _ => self.state = State::Closed(None),
        }
    }
}

/// The server knows the request well and will not have it.
fn is_no(error: &Error) -> bool {
    error.is_unauthorized() || error.is_forbidden()
}

fn version<K: Resource>(event: &WatchEvent<K>) -> Option<String> {
    let (WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object)) = event else {
        return None;
    };
    object.meta().resource_version.clone().filter(|version| !version.is_empty())
}

/// The least time from one connection to the next, as in client-go: a server that ends every watch at once is not flooded.
const MIN_RESTART: Duration = Duration::from_secs(1);
