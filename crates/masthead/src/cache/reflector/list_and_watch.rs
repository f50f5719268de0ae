//! Carries out what a reflector wants: the only place where lists, watches and pauses are awaited.

use std::{collections::BTreeMap, pin::Pin, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::LocalBoxFuture,
    poll,
    stream::{LocalBoxStream, Peekable},
};

use super::{Action, Event, Meaning, Reflector, stream_deadline::StreamDeadline};
use crate::{
    Error,
    cache::{CompleteList, Delta, ListPart, ListerWatcher, Object, ObjectKey, StaleObject, Tombstone},
    rest::{EventType, ListOptions, UndecodableObject, Watch, WatchEvent},
    runtime::{Instant, Runtime, Slice},
};

/// Where a reflector puts what it read.
pub trait DeltaSink<T> {
    /// Objects of a list that is not complete yet; they come again in [`replace`](Self::replace).
    fn listing(&self, objects: &[Rc<T>]);

    /// These are all objects there are.
    fn replace(&self, list: CompleteList<T>);

    /// An object came or changed or went or became stale, or nothing happened up to a version.
    fn change(&self, delta: Delta<T>);

    /// Makes an object into what is kept of it; one of which nothing can be made is stale.
    fn transform(&self, object: T) -> Result<Rc<T>, StaleObject>;

    /// Something went wrong, and the reflector goes on.
    fn watch_error(&self, error: &WatchError);

    /// Until there is room for more; `None` when there is room now.
    fn room(&self) -> Option<LocalBoxFuture<'static, ()>>;
}

/// What a reflector or an informer ran into. It goes on in each case.
#[derive(Clone, Debug)]
pub enum WatchError {
    /// The list failed, and will be tried again.
    List(Error),
    /// The watch failed in a way that needs a new list.
    Watch(Error),
    /// An object exists, and its present state cannot be decoded; the store keeps the last one that could.
    Stale(Rc<StaleObject>),
    /// An object cannot be read or stored, and is not in the store; the others are. Also the last state of one that is gone.
    Skipped(Error),
    /// A handler failed; it is told the next change all the same.
    Handler(Error),
    /// A stream does not say that the state it begins with is complete.
    BookmarkOverdue(String),
}

/// Feeds the state of a collection and all its changes for as long as it is polled; dropping it ends every request.
pub async fn list_and_watch<T: Object>(
    origin: Rc<dyn ListerWatcher<T>>,
    mut reflector: Reflector,
    sink: Rc<dyn DeltaSink<T>>,
    note: impl Fn(&str),
) {
    let runtime = origin.runtime();
    let mut reader = Reader { origin, sink, slice: Slice::new(&runtime), runtime };
    loop {
        match reflector.poll(reader.runtime.now(), reader.runtime.random()) {
            Action::Wait(pause) => reader.runtime.sleep(pause).await,
            Action::List(options) => reader.list(&mut reflector, options).await,
            Action::Watch(options) => reader.watch(&mut reflector, options, &note).await,
            Action::Probe => {
                let answered =
                    !matches!(reader.origin.probe().await, Err(error) if error.is_network() || error.is_timeout());
                reflector.probed(answered, reader.runtime.now(), reader.runtime.random());
            }
        }
        note(reflector.version());
    }
}

/// How long a list may be silent. A connection through a proxy that froze never fails by itself.
const SILENCE: Duration = Duration::from_secs(90);

struct Reader<T> {
    origin: Rc<dyn ListerWatcher<T>>,
    sink: Rc<dyn DeltaSink<T>>,
    runtime: Runtime,
    slice: Slice,
}

/// What was read of a list so far.
struct Listing<T> {
    objects: Vec<Rc<T>>,
    stale: Vec<Rc<StaleObject>>,
    unidentified: Option<Error>,
    /// Of the first page.
    version: Option<String>,
    paginated: bool,
}

/// The parts of a page.
type Parts<T> = Peekable<LocalBoxStream<'static, Result<ListPart<T>, Error>>>;

/// A page, read.
struct Read<T> {
    version: String,
    /// The next one, and what it is asked for by.
    next: Option<(ListOptions, Parts<T>)>,
}

impl<T: Object> Reader<T> {
    async fn list(&mut self, reflector: &mut Reflector, options: ListOptions) {
        match self.pages(options).await {
            Ok(Listing { objects, stale, unidentified, version, paginated }) => {
                let resource_version = version.unwrap_or_default();
                if unidentified.is_none() {
                    reflector.listed(&resource_version, paginated);
                } else {
                    let (now, draw) = (self.runtime.now(), self.runtime.random());
                    reflector.listed_without_all(&resource_version, paginated, now, draw);
                }
                self.sink.replace(CompleteList { resource_version, objects, stale, unidentified });
            }
            Err(error) => {
                if reflector.list_failed(&error, self.runtime.now(), self.runtime.random()) {
                    let what = format!("list {}", self.origin.description());
                    self.sink.watch_error(&WatchError::List(error.during(&what)));
                }
            }
        }
    }

    /// Reads page after page, asking for each as soon as the one before says where it begins. When the server has forgotten
    /// the version of the first one before it gave the last, all is read again in one piece.
    async fn pages(&mut self, options: ListOptions) -> Result<Listing<T>, Error> {
        let (mut asked, mut listing) = (options.clone(), Listing::new());
        let mut page = self.origin.list(asked.clone()).peekable();
        loop {
            match self.page(&asked, page, &mut listing).await {
                Ok(Read { version, next }) => {
                    listing.version.get_or_insert(version);
                    let Some(next) = next else { return Ok(listing) };
                    listing.paginated = true;
                    (asked, page) = next;
                }
                Err(error) if error.is_gone() && !asked.continue_token.is_empty() => {
                    asked = ListOptions { limit: None, continue_token: String::new(), ..options.clone() };
                    listing = Listing::new();
                    page = self.origin.list(asked.clone()).peekable();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads one page.
    async fn page(
        &mut self,
        asked: &ListOptions,
        mut parts: Parts<T>,
        listing: &mut Listing<T>,
    ) -> Result<Read<T>, Error> {
        let what = format!("list {}", self.origin.description());
        let mut ahead = None;
        loop {
            let part = self.slice.wait(self.runtime.within(SILENCE, parts.next())).await;
            let Some(part) = part.ok_or_else(|| Error::timed_out(&what, SILENCE))? else { break };
            match part? {
                ListPart::Objects(more) => {
                    let known = listing.objects.len();
                    for object in more {
                        match self.sink.transform(object) {
                            Ok(object) => listing.objects.push(object),
                            Err(stale) => listing.stale.push(Rc::new(stale)),
                        }
                    }
                    self.sink.listing(&listing.objects[known..]);
                }
                ListPart::Skipped(error) => match StaleObject::of(error) {
                    Ok(stale) => listing.stale.push(Rc::new(stale)),
                    Err(error) => {
                        self.sink.watch_error(&WatchError::Skipped(error.clone()));
                        listing.unidentified = Some(error);
                    }
                },
                ListPart::Next(token) => {
                    let mut next = self.following(asked, token);
                    // What begins a request; whatever comes of it is kept until that page is read.
                    let _begun = poll!(Pin::new(&mut next.1).peek());
                    ahead = Some(next);
                }
                ListPart::End { resource_version, continue_token, .. } => {
                    let next = continue_token.map(|token| {
                        let known = ahead.filter(|(asked, _)| asked.continue_token == token);
                        known.unwrap_or_else(|| self.following(asked, token))
                    });
                    return Ok(Read { version: resource_version, next });
                }
            }
            self.pace().await;
        }
        Err(Error::network(&what, "the list ended before its end"))
    }

    /// The page that begins at `token`.
    fn following(&self, asked: &ListOptions, token: String) -> (ListOptions, Parts<T>) {
        let options = ListOptions {
            continue_token: token,
            resource_version: String::new(),
            resource_version_match: None,
            ..asked.clone()
        };
        (options.clone(), self.origin.list(options).peekable())
    }

    async fn watch(&mut self, reflector: &mut Reflector, options: ListOptions, note: &impl Fn(&str)) {
        let opened = self.origin.watch(options).await;
        let (now, draw) = (self.runtime.now(), self.runtime.random());
        let mut watch = match opened {
            Ok(watch) => watch,
            Err(error) => return self.not_opened(reflector, error, now, draw),
        };
        reflector.opened(now);
        if let Some(end) = self.events(reflector, &mut watch, note).await {
            let (now, draw) = (self.runtime.now(), self.runtime.random());
            if let Some(error) = reflector.closed(end.as_ref(), now, draw) {
                self.sink
                    .watch_error(&WatchError::Watch(error.during(&format!("watch {}", self.origin.description()))));
            }
        }
    }

    fn not_opened(&self, reflector: &mut Reflector, error: Error, now: Instant, draw: f64) {
        reflector.open_failed(&error, now, draw);
        self.sink.watch_error(&WatchError::Watch(error));
    }

    /// Reads events to the end of the watch; gives back how it ended, unless the reflector knows already.
    async fn events(
        &mut self,
        reflector: &mut Reflector,
        watch: &mut Watch<T>,
        note: &impl Fn(&str),
    ) -> Option<Option<Error>> {
        let mut initial = Collected::new();
        let mut deadline =
            reflector.is_collecting().then(|| StreamDeadline::new(StreamDeadline::PERIOD, self.runtime.now()));
        while let Some(event) = self.next_event(watch, deadline.as_mut()).await {
            if let Err(error) = &event
                && !error.is_undecodable()
                && error.undecodable_object().is_none()
            {
                return Some(event.err());
            }
            match self.meaning(reflector, &event) {
                Meaning::Over => return None,
                Meaning::Nothing => {}
                Meaning::Progress | Meaning::Change => {
                    if let Some(delta) = self.delta(event) {
                        self.sink.change(delta);
                    }
                }
                Meaning::Initial => {
                    if let Some(delta) = self.delta(event) {
                        collect(delta, &mut initial);
                    }
                }
                Meaning::Complete => {
                    self.sink.replace(complete(std::mem::take(&mut initial), reflector.version()));
                    deadline = None;
                }
            }
            note(reflector.version());
            self.pace().await;
        }
        Some(None)
    }

    /// The next event; tells meanwhile what is deadline.
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
            if let Some(told) = deadline.told(&self.origin.description(), self.runtime.now()) {
                self.sink.watch_error(&WatchError::BookmarkOverdue(told));
            }
        }
    }

    fn meaning(&self, reflector: &mut Reflector, event: &Result<WatchEvent<T>, Error>) -> Meaning {
        let (now, draw) = (self.runtime.now(), self.runtime.random());
        match event {
            Ok(WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object)) => {
                reflector.event(&Event::Object(object.resource_version()), now, draw)
            }
            Ok(WatchEvent::Bookmark(mark)) => reflector.event(&Event::Bookmark(mark), now, draw),
            Ok(WatchEvent::Error(status)) => {
                let operation = format!("watch {}", self.origin.description());
                let error = Error::refused(&operation, status.clone());
                let meaning = reflector.event(&Event::Error(&error), now, draw);
                self.sink.watch_error(&WatchError::Watch(error));
                meaning
            }
            Err(error) => match error.undecodable_object() {
                Some(object) => reflector.event(&Event::Object(&object.resource_version), now, draw),
                None => {
                    let meaning = reflector.event(&Event::Undecodable(error), now, draw);
                    self.sink.watch_error(&WatchError::Watch(error.clone()));
                    meaning
                }
            },
        }
    }

    /// What an event is to a store.
    fn delta(&self, event: Result<WatchEvent<T>, Error>) -> Option<Delta<T>> {
        let stale = |stale| Delta::Stale(Rc::new(stale));
        Some(match event {
            Ok(WatchEvent::Added(object)) => self.sink.transform(object).map_or_else(stale, Delta::Added),
            Ok(WatchEvent::Modified(object)) => self.sink.transform(object).map_or_else(stale, Delta::Updated),
            Ok(WatchEvent::Deleted(object)) => match self.sink.transform(object) {
                Ok(object) => Delta::Deleted(Tombstone::Deleted(object)),
                Err(stale) => self.deleted(stale),
            },
            Ok(WatchEvent::Bookmark(mark)) => Delta::Bookmark(mark.resource_version),
            Ok(WatchEvent::Error(_)) => return None,
            Err(error) => {
                let deleted = matches!(
                    error.undecodable_object(),
                    Some(UndecodableObject { event: Some(EventType::Deleted), .. })
                );
                let object = StaleObject::of(error).ok()?;
                if deleted { self.deleted(object) } else { stale(object) }
            }
        })
    }

    /// The deletion of an object whose last state nobody can read.
    fn deleted(&self, object: StaleObject) -> Delta<T> {
        self.sink.watch_error(&WatchError::Skipped(object.error));
        Delta::Deleted(Tombstone::FinalStateUnknown { key: object.key, last: None })
    }

    /// Lets others run when this has run for long, and waits while there is no room.
    async fn pace(&mut self) {
        self.slice.pause().await;
        while let Some(room) = self.sink.room() {
            room.await;
        }
    }
}

impl<T> Listing<T> {
    fn new() -> Listing<T> {
        Listing { objects: Vec::new(), stale: Vec::new(), unidentified: None, version: None, paginated: false }
    }
}

/// The state that a stream begins with, as far as it came.
type Collected<T> = BTreeMap<ObjectKey, Result<Rc<T>, Rc<StaleObject>>>;

fn collect<T: Object>(delta: Delta<T>, collected: &mut Collected<T>) {
    match delta {
        Delta::Added(object) | Delta::Updated(object) => drop(collected.insert(object.key(), Ok(object))),
        Delta::Stale(stale) => drop(collected.insert(stale.key.clone(), Err(stale))),
        Delta::Deleted(tombstone) => drop(collected.remove(&tombstone.key())),
        Delta::Replaced(_) | Delta::Sync(_) | Delta::ReplacedAll { .. } | Delta::SyncAll | Delta::Bookmark(_) => {}
    }
}

fn complete<T>(collected: Collected<T>, resource_version: &str) -> CompleteList<T> {
    let mut list = CompleteList::new(Vec::new(), resource_version);
    for object in collected.into_values() {
        match object {
            Ok(object) => list.objects.push(object),
            Err(stale) => list.stale.push(stale),
        }
    }
    list
}
