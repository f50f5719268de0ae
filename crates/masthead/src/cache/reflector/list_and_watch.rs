//! Performs the actions of a reflector. All lists, watches and waits are awaited here.

use std::{collections::BTreeMap, pin::Pin, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::LocalBoxFuture,
    poll,
    stream::{LocalBoxStream, Peekable},
};

use super::{Action, Event, EventEffect, Reflector, stream_deadline::StreamDeadline};
use crate::{
    Error,
    cache::{CompleteList, Delta, ListPart, ListerWatcher, Object, ObjectKey, StaleObject, Tombstone},
    rest::{EventType, ListOptions, UndecodableObject, Watch, WatchEvent},
    runtime::{Instant, Runtime, Slice},
};

/// Receives what a reflector reads. An informer implements it with a queue.
pub trait DeltaSink<T> {
    /// Objects of a list that is still being read. They are part of the following [`replace`](Self::replace) as well.
    fn listing(&self, objects: &[Rc<T>]);

    /// A complete list.
    fn replace(&self, list: CompleteList<T>);

    /// One change from the watch, or a bookmark.
    fn change(&self, delta: Delta<T>);

    /// Changes an object before it is stored. On failure the object is stale.
    fn transform(&self, object: T) -> Result<Rc<T>, StaleObject>;

    /// An error. The reflector continues.
    fn watch_error(&self, error: &WatchError);

    /// Pauses the reflector: it awaits the future before it reads on. `None` if the sink can take more now.
    fn backpressure(&self) -> Option<LocalBoxFuture<'static, ()>>;
}

/// An error of a reflector or an informer. The reflector or informer continues after each of them.
#[derive(Clone, Debug)]
pub enum WatchError {
    /// A list failed. The reflector backs off and retries.
    List(Error),
    /// A watch failed, and the reflector relists.
    Watch(Error),
    /// An object exists, but its current state could not be decoded. The store keeps the last decoded state.
    Stale(Rc<StaleObject>),
    /// An object, or the last state of a deleted one, could not be decoded or stored. The store does not have it; the
    /// other objects are not affected.
    Skipped(Error),
    /// A handler returned an error. It still receives further notifications.
    Handler(Error),
    /// A stream has not sent the bookmark that ends its initial events in time. The text says for how long.
    BookmarkOverdue(String),
}

/// Lists and watches a collection and passes everything to `sink`, until dropped. Dropping it cancels all requests.
///
/// Calls `on_version` with the reflector's resource version after each step. Errors go to `sink`; the future never
/// ends.
pub async fn list_and_watch<T: Object>(
    lister_watcher: Rc<dyn ListerWatcher<T>>,
    mut reflector: Reflector,
    sink: Rc<dyn DeltaSink<T>>,
    on_version: impl Fn(&str),
) {
    let runtime = lister_watcher.runtime();
    let mut reader = Reader { lister_watcher, sink, slice: Slice::new(&runtime), runtime };
    loop {
        match reflector.poll(reader.runtime.now(), reader.runtime.random()) {
            Action::Wait(pause) => reader.runtime.sleep(pause).await,
            Action::List(options) => reader.list(&mut reflector, options).await,
            Action::Watch(options) => reader.watch(&mut reflector, options, &on_version).await,
            Action::Probe => {
                let probe = reader.lister_watcher.probe().await;
                let answered = !matches!(probe, Err(error) if error.is_network() || error.is_timeout());
                reflector.probed(answered, reader.runtime.now(), reader.runtime.random());
            }
        }
        on_version(reflector.version());
    }
}

/// How long a list may be silent. A connection through a frozen proxy would never fail otherwise.
const LIST_IDLE_LIMIT: Duration = Duration::from_secs(90);

/// Performs actions: what `list_and_watch` holds beside the reflector.
struct Reader<T> {
    lister_watcher: Rc<dyn ListerWatcher<T>>,
    sink: Rc<dyn DeltaSink<T>>,
    runtime: Runtime,
    slice: Slice,
}

/// A list, as far as it has been read.
struct Listing<T> {
    objects: Vec<Rc<T>>,
    stale: Vec<Rc<StaleObject>>,
    unidentified: Option<Error>,
    /// The resource version of the first page.
    version: Option<String>,
    paginated: bool,
}

/// The parts of one page. Peekable, so that the request can start before the page is read.
type Parts<T> = Peekable<LocalBoxStream<'static, Result<ListPart<T>, Error>>>;

/// The result of reading one page.
struct Page<T> {
    version: String,
    /// The next page, with the options that request it.
    next: Option<(ListOptions, Parts<T>)>,
}

impl<T: Object> Reader<T> {
    /// Lists the collection and reports the result.
    async fn list(&mut self, reflector: &mut Reflector, options: ListOptions) {
        match self.read_pages(options).await {
            Ok(Listing { objects, stale, unidentified, version, paginated }) => {
                let resource_version = version.unwrap_or_default();
                if unidentified.is_none() {
                    reflector.listed(&resource_version, paginated);
                } else {
                    let (now, draw) = (self.runtime.now(), self.runtime.random());
                    reflector.listed_incomplete(&resource_version, paginated, now, draw);
                }
                self.sink.replace(CompleteList { resource_version, objects, stale, unidentified });
            }
            Err(error) => {
                if reflector.list_failed(&error, self.runtime.now(), self.runtime.random()) {
                    let operation = format!("list {}", self.lister_watcher.description());
                    self.sink.watch_error(&WatchError::List(error.during(&operation)));
                }
            }
        }
    }

    /// Reads all pages, requesting each as soon as the previous one sends its continue token. If the continue token
    /// expires, lists again without pages.
    async fn read_pages(&mut self, first: ListOptions) -> Result<Listing<T>, Error> {
        let (mut options, mut listing) = (first.clone(), Listing::new());
        let mut page = self.lister_watcher.list(options.clone()).peekable();
        loop {
            match self.read_page(&options, page, &mut listing).await {
                Ok(Page { version, next }) => {
                    listing.version.get_or_insert(version);
                    let Some(next) = next else { return Ok(listing) };
                    listing.paginated = true;
                    (options, page) = next;
                }
                Err(error) if error.is_gone() && !options.continue_token.is_empty() => {
                    options = ListOptions { limit: None, continue_token: String::new(), ..first.clone() };
                    listing = Listing::new();
                    page = self.lister_watcher.list(options.clone()).peekable();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads one page into `listing`.
    async fn read_page(
        &mut self,
        options: &ListOptions,
        mut parts: Parts<T>,
        listing: &mut Listing<T>,
    ) -> Result<Page<T>, Error> {
        let operation = format!("list {}", self.lister_watcher.description());
        let mut prefetched = None;
        loop {
            let part = self.slice.wait(self.runtime.within(LIST_IDLE_LIMIT, parts.next())).await;
            let Some(part) = part.ok_or_else(|| Error::timed_out(&operation, LIST_IDLE_LIMIT))? else { break };
            match part? {
                ListPart::Objects(more) => {
                    let start = listing.objects.len();
                    for object in more {
                        if object.key().name().is_empty() {
                            let error = nameless(&operation);
                            self.sink.watch_error(&WatchError::Skipped(error.clone()));
                            listing.unidentified = Some(error);
                            continue;
                        }
                        match self.sink.transform(object) {
                            Ok(object) => listing.objects.push(object),
                            Err(stale) => listing.stale.push(Rc::new(stale)),
                        }
                    }
                    self.sink.listing(&listing.objects[start..]);
                }
                ListPart::Skipped(error) => match StaleObject::from_error(error) {
                    Ok(stale) => listing.stale.push(Rc::new(stale)),
                    Err(error) => {
                        self.sink.watch_error(&WatchError::Skipped(error.clone()));
                        listing.unidentified = Some(error);
                    }
                },
                ListPart::Next(token) => {
                    let mut next = self.request_page(options, token);
                    // Polling once sends the request; the stream keeps the response until the page is read.
                    let _begun = poll!(Pin::new(&mut next.1).peek());
                    prefetched = Some(next);
                }
                ListPart::End { resource_version, continue_token, .. } => {
                    let next = continue_token.map(|token| {
                        let known = prefetched.filter(|(options, _)| options.continue_token == token);
                        known.unwrap_or_else(|| self.request_page(options, token))
                    });
                    return Ok(Page { version: resource_version, next });
                }
            }
            self.wait_for_sink().await;
        }
        Err(Error::network(&operation, "connection closed before the end of the list"))
    }

    /// Creates the request for the page at `token`. It is sent when first polled.
    fn request_page(&self, options: &ListOptions, token: String) -> (ListOptions, Parts<T>) {
        let options = ListOptions {
            continue_token: token,
            resource_version: String::new(),
            resource_version_match: None,
            ..options.clone()
        };
        (options.clone(), self.lister_watcher.list(options).peekable())
    }

    /// Opens a watch and reads it to its end.
    async fn watch(&mut self, reflector: &mut Reflector, options: ListOptions, on_version: &impl Fn(&str)) {
        let opened = self.lister_watcher.watch(options).await;
        let (now, draw) = (self.runtime.now(), self.runtime.random());
        let mut watch = match opened {
            Ok(watch) => watch,
            Err(error) => return self.open_failed(reflector, error, now, draw),
        };
        reflector.opened(now);
        if let Some(end) = self.read_events(reflector, &mut watch, on_version).await {
            let (now, draw) = (self.runtime.now(), self.runtime.random());
            if let Some(error) = reflector.closed(end.as_ref(), now, draw) {
                self.sink.watch_error(&WatchError::Watch(
                    error.during(&format!("watch {}", self.lister_watcher.description())),
                ));
            }
        }
    }

    fn open_failed(&self, reflector: &mut Reflector, error: Error, now: Instant, draw: f64) {
        reflector.open_failed(&error, now, draw);
        self.sink.watch_error(&WatchError::Watch(error));
    }

    /// Reads events until the watch ends. Returns how it ended, or `None` if the reflector knows already.
    async fn read_events(
        &mut self,
        reflector: &mut Reflector,
        watch: &mut Watch<T>,
        on_version: &impl Fn(&str),
    ) -> Option<Option<Error>> {
        let mut initial = InitialObjects::new();
        let mut deadline =
            reflector.is_collecting().then(|| StreamDeadline::new(StreamDeadline::PERIOD, self.runtime.now()));
        while let Some(event) = self.next_event(watch, deadline.as_mut()).await {
            if let Err(error) = &event
                && !error.is_undecodable()
                && error.undecodable_object().is_none()
            {
                return Some(event.err());
            }
            match self.report_event(reflector, &event) {
                EventEffect::WatchEnded => return None,
                EventEffect::Ignore => {}
                EventEffect::Bookmark | EventEffect::Change => {
                    if let Some(delta) = self.delta(event) {
                        self.sink.change(delta);
                    }
                }
                EventEffect::InitialEvent => {
                    if let Some(delta) = self.delta(event) {
                        collect_initial(delta, &mut initial);
                    }
                }
                EventEffect::InitialEventsEnd => {
                    self.sink.replace(into_list(std::mem::take(&mut initial), reflector.version()));
                    deadline = None;
                }
            }
            on_version(reflector.version());
            self.wait_for_sink().await;
        }
        Some(None)
    }

    /// Returns the next event. Reports an overdue bookmark while it waits.
    async fn next_event(
        &mut self,
        watch: &mut Watch<T>,
        deadline: Option<&mut StreamDeadline>,
    ) -> Option<Result<WatchEvent<T>, Error>> {
        let Some(deadline) = deadline else { return self.slice.wait(watch.next()).await };
        loop {
            let wait = deadline.wait(self.runtime.now());
            if let Some(event) = self.slice.wait(self.runtime.within(wait, watch.next())).await {
                deadline.event(self.runtime.now());
                return event;
            }
            if let Some(message) = deadline.overdue_message(&self.lister_watcher.description(), self.runtime.now()) {
                self.sink.watch_error(&WatchError::BookmarkOverdue(message));
            }
        }
    }

    /// Reports an event to the reflector, and an error to the sink.
    fn report_event(&self, reflector: &mut Reflector, event: &Result<WatchEvent<T>, Error>) -> EventEffect {
        let (now, draw) = (self.runtime.now(), self.runtime.random());
        match event {
            Ok(WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object))
                if object.key().name().is_empty() =>
            {
                let error = nameless(&format!("watch {}", self.lister_watcher.description()));
                let effect = reflector.event(&Event::Undecodable(&error), now, draw);
                self.sink.watch_error(&WatchError::Watch(error));
                effect
            }
            Ok(WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object)) => {
                reflector.event(&Event::Object(object.resource_version()), now, draw)
            }
            Ok(WatchEvent::Bookmark(mark)) => reflector.event(&Event::Bookmark(mark), now, draw),
            Ok(WatchEvent::Error(status)) => {
                let operation = format!("watch {}", self.lister_watcher.description());
                let error = Error::refused(&operation, status.clone());
                let effect = reflector.event(&Event::Error(&error), now, draw);
                self.sink.watch_error(&WatchError::Watch(error));
                effect
            }
            Err(error) => match error.undecodable_object() {
                Some(object) => reflector.event(&Event::Object(&object.resource_version), now, draw),
                None => {
                    let effect = reflector.event(&Event::Undecodable(error), now, draw);
                    self.sink.watch_error(&WatchError::Watch(error.clone()));
                    effect
                }
            },
        }
    }

    /// Converts an event into a delta; `None` if there is nothing to apply.
    fn delta(&self, event: Result<WatchEvent<T>, Error>) -> Option<Delta<T>> {
        let stale = |stale| Delta::Stale(Rc::new(stale));
        Some(match event {
            Ok(WatchEvent::Added(object)) => self.sink.transform(object).map_or_else(stale, Delta::Added),
            Ok(WatchEvent::Modified(object)) => self.sink.transform(object).map_or_else(stale, Delta::Updated),
            Ok(WatchEvent::Deleted(object)) => match self.sink.transform(object) {
                Ok(object) => Delta::Deleted(Tombstone::Deleted(object)),
                Err(stale) => self.deleted_undecodable(stale),
            },
            Ok(WatchEvent::Bookmark(mark)) => Delta::Bookmark(mark.resource_version),
            Ok(WatchEvent::Error(_)) => return None,
            Err(error) => {
                let deleted = matches!(
                    error.undecodable_object(),
                    Some(UndecodableObject { event: Some(EventType::Deleted), .. })
                );
                let object = StaleObject::from_error(error).ok()?;
                if deleted { self.deleted_undecodable(object) } else { stale(object) }
            }
        })
    }

    /// The deletion of an object whose last state could not be decoded.
    fn deleted_undecodable(&self, object: StaleObject) -> Delta<T> {
        self.sink.watch_error(&WatchError::Skipped(object.error));
        Delta::Deleted(Tombstone::FinalStateUnknown { key: object.key, last: None })
    }

    /// Yields if the time slice is used up, then waits while the sink is full.
    async fn wait_for_sink(&mut self) {
        self.slice.pause().await;
        while let Some(ready) = self.sink.backpressure() {
            ready.await;
        }
    }
}

/// An object that could be decoded and has no name may be any.
fn nameless(operation: &str) -> Error {
    Error::undecodable(operation, serde::de::Error::custom("metadata.name is missing"))
}

impl<T> Listing<T> {
    fn new() -> Listing<T> {
        Listing { objects: Vec::new(), stale: Vec::new(), unidentified: None, version: None, paginated: false }
    }
}

/// The initial events of a stream so far, by key: a decoded object or a stale one.
type InitialObjects<T> = BTreeMap<ObjectKey, Result<Rc<T>, Rc<StaleObject>>>;

/// Applies a change to the initial objects: a stream may change or delete an object that it has sent.
fn collect_initial<T: Object>(delta: Delta<T>, initial: &mut InitialObjects<T>) {
    match delta {
        Delta::Added(object) | Delta::Updated(object) => drop(initial.insert(object.key(), Ok(object))),
        Delta::Stale(stale) => drop(initial.insert(stale.key.clone(), Err(stale))),
        Delta::Deleted(tombstone) => drop(initial.remove(&tombstone.key())),
        Delta::Replaced(_) | Delta::Sync(_) | Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => {}
    }
}

/// Converts the initial objects into a list.
fn into_list<T>(initial: InitialObjects<T>, resource_version: &str) -> CompleteList<T> {
    let mut list = CompleteList::new(Vec::new(), resource_version);
    for object in initial.into_values() {
        match object {
            Ok(object) => list.objects.push(object),
            Err(stale) => list.stale.push(stale),
        }
    }
    list
}
