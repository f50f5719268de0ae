//! Carries out what a reflector wants: the only place where lists, watches and pauses are awaited.

use std::{collections::BTreeMap, pin::Pin, rc::Rc, time::Duration};

use futures::{
    StreamExt,
    future::LocalBoxFuture,
    poll,
    stream::{LocalBoxStream, Peekable},
};

use super::{Action, Event, Meaning, Reflector, overdue::Overdue};
use crate::{
    Error,
    cache::{ListerWatcher, Object, ObjectKey, Part},
    rest::{ListOptions, Watch, WatchEvent},
    runtime::{Instant, Runtime, Slice},
};

/// Where a reflector puts what it read.
pub trait Feed<T> {
    /// Objects of a list that is not complete yet; they come again in [`replace`](Self::replace).
    fn listing(&self, objects: &[Rc<T>]);

    /// These are all objects there are, at this version.
    fn replace(&self, objects: Vec<Rc<T>>, resource_version: &str);

    /// An object came or changed or went.
    fn change(&self, event: WatchEvent<Rc<T>>);

    /// Makes an object into what is kept of it.
    fn transform(&self, object: T) -> Result<T, Error>;

    /// Something went wrong, and the reflector goes on.
    fn trouble(&self, trouble: &Trouble);

    /// Until there is room for more; `None` when there is room now.
    fn room(&self) -> Option<LocalBoxFuture<'static, ()>>;
}

/// What a reflector or an informer ran into. It goes on in each case.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The list failed, and will be tried again.
    List(Error),
    /// The watch failed in a way that needs a new list.
    Watch(Error),
    /// An object cannot be read or stored; the others can.
    Skipped(Error),
    /// A handler failed; it is told the next change all the same.
    Handler(Error),
    /// A stream does not say that the state it begins with is complete.
    Overdue(String),
}

/// Feeds the state of a collection and all its changes for as long as it is polled; dropping it ends every request.
pub async fn follow<T: Object>(
    origin: Rc<dyn ListerWatcher<T>>,
    mut reflector: Reflector,
    feed: Rc<dyn Feed<T>>,
    note: impl Fn(&str),
) {
    let runtime = origin.runtime();
    let mut reader = Reader { origin, feed, slice: Slice::new(&runtime), runtime };
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
    feed: Rc<dyn Feed<T>>,
    runtime: Runtime,
    slice: Slice,
}

/// A whole list, read.
struct Listed<T> {
    objects: Vec<Rc<T>>,
    version: String,
    paginated: bool,
}

/// The parts of a page.
type Parts<T> = Peekable<LocalBoxStream<'static, Result<Part<T>, Error>>>;

/// A page, read.
struct Read<T> {
    version: String,
    /// The next one, and what it is asked for by.
    next: Option<(ListOptions, Parts<T>)>,
}

impl<T: Object> Reader<T> {
    async fn list(&mut self, reflector: &mut Reflector, options: ListOptions) {
        match self.pages(options).await {
            Ok(listed) => {
                reflector.listed(&listed.version, listed.paginated);
                self.feed.replace(listed.objects, &listed.version);
            }
            Err(error) => {
                if reflector.list_failed(&error, self.runtime.now(), self.runtime.random()) {
                    let what = format!("list {}", self.origin.description());
                    self.feed.trouble(&Trouble::List(error.during(&what)));
                }
            }
        }
    }

    /// Reads page after page, asking for each as soon as the one before says where it begins. When the server has forgotten
    /// the version of the first one before it gave the last, all is read again in one piece.
    async fn pages(&mut self, options: ListOptions) -> Result<Listed<T>, Error> {
        let (mut asked, mut objects, mut first) = (options.clone(), Vec::new(), None::<String>);
        let mut page = self.origin.list(asked.clone()).peekable();
        loop {
            match self.page(&asked, page, &mut objects).await {
                Ok(Read { version, next }) => {
                    let paginated = first.is_some() || next.is_some();
                    let version = first.get_or_insert(version).clone();
                    let Some(next) = next else { return Ok(Listed { objects, version, paginated }) };
                    (asked, page) = next;
                }
                Err(error) if error.is_gone() && !asked.continue_token.is_empty() => {
                    asked = ListOptions { limit: None, continue_token: String::new(), ..options.clone() };
                    (objects, first) = (Vec::new(), None);
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
        objects: &mut Vec<Rc<T>>,
    ) -> Result<Read<T>, Error> {
        let what = format!("list {}", self.origin.description());
        let mut ahead = None;
        loop {
            let part = self.slice.wait(self.runtime.within(SILENCE, parts.next())).await;
            let Some(part) = part.ok_or_else(|| Error::timed_out(&what, SILENCE))? else { break };
            match part? {
                Part::Objects(more) => {
                    let known = objects.len();
                    for object in more {
                        objects.extend(self.transformed(object));
                    }
                    self.feed.listing(&objects[known..]);
                }
                Part::Skipped(error) => self.feed.trouble(&Trouble::Skipped(error)),
                Part::Next(token) => {
                    let mut next = self.following(asked, token);
                    // What begins a request; whatever comes of it is kept until that page is read.
                    let _begun = poll!(Pin::new(&mut next.1).peek());
                    ahead = Some(next);
                }
                Part::End { resource_version, continue_token, .. } => {
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
                self.feed.trouble(&Trouble::Watch(error.during(&format!("watch {}", self.origin.description()))));
            }
        }
    }

    fn not_opened(&self, reflector: &mut Reflector, error: Error, now: Instant, draw: f64) {
        reflector.open_failed(&error, now, draw);
        self.feed.trouble(&Trouble::Watch(error));
    }

    /// Reads events to the end of the watch; gives back how it ended, unless the reflector knows already.
    async fn events(
        &mut self,
        reflector: &mut Reflector,
        watch: &mut Watch<T>,
        note: &impl Fn(&str),
    ) -> Option<Option<Error>> {
        let mut initial = BTreeMap::new();
        let mut overdue = reflector.is_collecting().then(|| Overdue::new(Overdue::PERIOD, self.runtime.now()));
        while let Some(event) = self.next_event(watch, overdue.as_mut()).await {
            let event = match event {
                Ok(event) => event,
                Err(error) if error.is_undecodable() => {
                    self.feed.trouble(&Trouble::Skipped(error));
                    continue;
                }
                Err(error) => return Some(Some(error)),
            };
            let meaning = self.meaning(reflector, &event);
            match meaning {
                Meaning::Over => return None,
                Meaning::Nothing => {}
                Meaning::Progress => self.pass(event),
                Meaning::Initial => self.collect(event, &mut initial),
                Meaning::Complete => {
                    let objects = std::mem::take(&mut initial).into_values().collect();
                    self.feed.replace(objects, reflector.version());
                    overdue = None;
                }
                Meaning::Change => self.pass(event),
            }
            note(reflector.version());
            self.pace().await;
        }
        Some(None)
    }

    /// The next event; tells meanwhile what is overdue.
    async fn next_event(
        &mut self,
        watch: &mut Watch<T>,
        overdue: Option<&mut Overdue>,
    ) -> Option<Result<WatchEvent<T>, Error>> {
        let Some(overdue) = overdue else { return self.slice.wait(watch.next()).await };
        loop {
            let wait = overdue.wait(self.runtime.now());
            if let Some(event) = self.slice.wait(self.runtime.within(wait, watch.next())).await {
                overdue.event(self.runtime.now());
                return event;
            }
            if let Some(told) = overdue.told(&self.origin.description(), self.runtime.now()) {
                self.feed.trouble(&Trouble::Overdue(told));
            }
        }
    }

    fn meaning(&self, reflector: &mut Reflector, event: &WatchEvent<T>) -> Meaning {
        let (now, draw) = (self.runtime.now(), self.runtime.random());
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object) => {
                reflector.event(&Event::Object(object.resource_version()), now, draw)
            }
            WatchEvent::Bookmark(mark) => reflector.event(&Event::Bookmark(mark), now, draw),
            WatchEvent::Error(status) => {
                let operation = format!("watch {}", self.origin.description());
                let error = Error::refused(&operation, status.clone());
                let meaning = reflector.event(&Event::Error(&error), now, draw);
                self.feed.trouble(&Trouble::Watch(error));
                meaning
            }
        }
    }

    fn pass(&self, event: WatchEvent<T>) {
        let event = match event {
            WatchEvent::Added(object) => self.transformed(object).map(WatchEvent::Added),
            WatchEvent::Modified(object) => self.transformed(object).map(WatchEvent::Modified),
            WatchEvent::Deleted(object) => self.transformed(object).map(WatchEvent::Deleted),
            WatchEvent::Bookmark(mark) => Some(WatchEvent::Bookmark(mark)),
            WatchEvent::Error(_) => None,
        };
        if let Some(event) = event {
            self.feed.change(event);
        }
    }

    fn collect(&self, event: WatchEvent<T>, initial: &mut BTreeMap<ObjectKey, Rc<T>>) {
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                if let Some(object) = self.transformed(object) {
                    initial.insert(object.key(), object);
                }
            }
            WatchEvent::Deleted(object) => drop(initial.remove(&object.key())),
            WatchEvent::Bookmark(_) | WatchEvent::Error(_) => {}
        }
    }

    fn transformed(&self, object: T) -> Option<Rc<T>> {
        match self.feed.transform(object) {
            Ok(object) => Some(Rc::new(object)),
            Err(error) => {
                self.feed.trouble(&Trouble::Skipped(error));
                None
            }
        }
    }

    /// Lets others run when this has run for long, and waits while there is no room.
    async fn pace(&mut self) {
        self.slice.pause().await;
        while let Some(room) = self.feed.room() {
            room.await;
        }
    }
}
