//! The timeline, kept true by informers and by what was kept at earlier visits.

mod informers;

use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
};

use leptos::prelude::{Effect, Get, GetValue, LocalStorage, RwSignal, Set, Signal, StoredValue, Update};
use masthead::rest::RestClient;

use crate::{
    live::{History, clock, frame::Frame},
    model::timeline::{
        chronicle::News,
        timeline::{Question, Timeline},
    },
};
use informers::Informers;

/// A timeline that views read: the model, and signals that say when it changed. Copies are the same one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimelineLive {
    shared: StoredValue<Rc<Shared>, LocalStorage>,
    /// Counts changes of the model; at most one per frame.
    pub(crate) revision: RwSignal<u64>,
    /// Whether all events that the server has were read.
    pub(crate) complete: RwSignal<bool>,
    /// What the server does not let this person see.
    pub(crate) refused: RwSignal<Vec<Refused>>,
    /// What is kept between visits.
    pub(crate) history: History,
}

/// A kind that cannot be followed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) resource: &'static str,
    pub(crate) why: String,
}

struct Shared {
    model: RefCell<Timeline>,
    /// What was told since the last frame. At most [`INBOX`]: beyond that it is taken in at once.
    inbox: RefCell<Vec<News>>,
    frame: RefCell<Option<Frame>>,
    informers: RefCell<Option<Informers>>,
    /// Tells informers of one server from those of the next.
    round: Cell<u32>,
}

impl TimelineLive {
    /// Follows the events of `namespaces`, all where there is none, for as long as its owner in the page lives. `keep` says
    /// whether points may be kept between visits.
    pub(crate) fn start(client: RestClient, namespaces: Signal<Vec<String>>, keep: bool) -> TimelineLive {
        let shared = Rc::new(Shared {
            model: RefCell::default(),
            inbox: RefCell::default(),
            frame: RefCell::default(),
            informers: RefCell::default(),
            round: Cell::new(0),
        });
        let live = TimelineLive {
            shared: StoredValue::new_local(Rc::clone(&shared)),
            revision: RwSignal::new(0),
            complete: RwSignal::new(false),
            refused: RwSignal::new(Vec::new()),
            history: History::new(keep),
        };
        let weak = Rc::downgrade(&shared);
        shared.frame.replace(Some(Frame::new(move || live.take_in(&weak))));
        let inbox = live.inbox(&shared);
        live.history.recall(client.clone(), Rc::new(move |records| inbox(News::Remembered(records))));
        let client = StoredValue::new_local(client);
        let weak = Rc::downgrade(&shared);
        Effect::new(move || {
            let namespaces = namespaces.get();
            if let Some(shared) = weak.upgrade() {
                live.follow(&shared, &client.get_value(), &namespaces);
            }
        });
        live
    }

    /// Reads the model.
    pub(crate) fn with<R>(self, read: impl FnOnce(&Timeline) -> R) -> R {
        read(&self.shared.get_value().model.borrow())
    }

    /// Lays the model out, or otherwise changes what is made of it; nothing that other views would have to know.
    pub(crate) fn lay<R>(self, lay: impl FnOnce(&mut Timeline) -> R) -> R {
        lay(&mut self.shared.get_value().model.borrow_mut())
    }

    /// Changes the model, and says so.
    pub(crate) fn update<R>(self, change: impl FnOnce(&mut Timeline) -> R) -> R {
        let result = self.lay(change);
        self.revision.update(|revision| *revision += 1);
        result
    }

    /// Asks for something else.
    pub(crate) fn ask(self, question: Question) {
        self.update(|model| model.ask(question));
    }

    /// Tells news that did not come from a server.
    pub(crate) fn tell(self, news: News) {
        self.inbox(&self.shared.get_value())(news);
    }

    /// Where news go, for as long as the timeline lives.
    fn inbox(self, shared: &Rc<Shared>) -> impl Fn(News) + Clone + 'static {
        let weak = Rc::downgrade(shared);
        move |news| {
            let Some(shared) = weak.upgrade() else { return };
            shared.inbox.borrow_mut().push(news);
            // A page that nobody sees has no frames.
            if shared.inbox.borrow().len() >= INBOX {
                self.take_in(&weak);
            } else if let Some(frame) = shared.frame.borrow().as_ref() {
                frame.ask();
            }
        }
    }

    fn take_in(self, shared: &Weak<Shared>) {
        let Some(shared) = shared.upgrade() else { return };
        let news = std::mem::take(&mut *shared.inbox.borrow_mut());
        if news.is_empty() {
            return;
        }
        let fresh = shared.model.borrow_mut().hear(news, clock::now());
        self.history.keep(fresh);
        self.revision.update(|revision| *revision += 1);
    }

    fn follow(self, shared: &Rc<Shared>, client: &RestClient, namespaces: &[String]) {
        // Those of before end first: a browser opens only so many connections.
        drop(shared.informers.take());
        let round = shared.round.get() + 1;
        shared.round.set(round);
        self.complete.set(false);
        self.refused.set(Vec::new());
        let weak = Rc::downgrade(shared);
        let current = move || weak.upgrade().is_some_and(|shared| shared.round.get() == round);
        let synced = Rc::new(move |resource: &'static str, result: Result<(), String>| {
            if !current() {
                return;
            }
            if let Err(why) = result {
                self.refused.update(|refused| refused.push(Refused { resource, why }));
            }
            if resource == "events" {
                self.complete.set(true);
            }
        });
        let informers = Informers::start(client, namespaces, Rc::new(self.inbox(shared)), synced);
        shared.informers.replace(Some(informers));
    }
}

/// A few seconds of the busiest cluster.
const INBOX: usize = 10_000;

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("inbox", &self.inbox.borrow().len()).finish_non_exhaustive()
    }
}
