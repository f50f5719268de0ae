//! The timeline, kept true by the page's feeds and by what was kept at earlier visits.

mod following;

use std::{
    cell::RefCell,
    rc::{Rc, Weak},
};

use leptos::prelude::{
    ArcRwSignal, Effect, Get, GetValue, LocalStorage, Memo, RwSignal, Set, Signal, StoredValue, Update, With,
};

use crate::{
    live::{History, Session, clock, frame::Frame},
    model::{
        supply::{Hindrance, Supply},
        timeline::{
            chronicle::News,
            timeline::{Question, Timeline},
        },
    },
};
use following::Following;
pub(crate) use following::Scope;

/// A timeline that views read: the model, and signals that say when it changed. Copies are the same one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimelineLive {
    shared: StoredValue<Rc<Shared>, LocalStorage>,
    /// Counts changes of the model; at most one per frame.
    pub(crate) revision: RwSignal<u64>,
    /// Whether all events that the server has were read, or are refused.
    pub(crate) complete: Memo<bool>,
    /// What the server does not let this person see.
    pub(crate) refused: Memo<Vec<Refused>>,
    /// What is kept between visits.
    pub(crate) history: History,
}

/// A kind that cannot be followed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    pub(crate) resource: String,
    pub(crate) why: String,
}

struct Shared {
    model: RefCell<Timeline>,
    /// What was told since the last frame. At most [`INBOX`]: beyond that it is taken in at once.
    inbox: RefCell<Vec<News>>,
    frame: RefCell<Option<Frame>>,
    following: RefCell<Option<Following>>,
}

impl TimelineLive {
    /// Follows what happens in `scope` for as long as its owner in the page lives. `keep` says whether points may be kept
    /// between visits.
    pub(crate) fn start(session: Session, scope: Signal<Scope>, keep: bool) -> TimelineLive {
        let shared = Rc::new(Shared {
            model: RefCell::default(),
            inbox: RefCell::default(),
            frame: RefCell::default(),
            following: RefCell::default(),
        });
        let supplies = RwSignal::new(Vec::new());
        let live = TimelineLive {
            shared: StoredValue::new_local(Rc::clone(&shared)),
            revision: RwSignal::new(0),
            complete: Memo::new(move |_| supplies.with(|all| is_complete(all))),
            refused: Memo::new(move |_| supplies.with(|all| refused(all))),
            history: History::new(keep),
        };
        let weak = Rc::downgrade(&shared);
        shared.frame.replace(Some(Frame::new(move || live.take_in(&weak))));
        let inbox = live.inbox(&shared);
        live.history.recall(session.client(), Rc::new(move |records| inbox(News::Remembered(records))));
        let followed = Memo::new(move |_| scope.with(|scope| (scope.clone(), scope.subjects(session))));
        let weak = Rc::downgrade(&shared);
        Effect::new(move || {
            let Some(shared) = weak.upgrade() else { return };
            let (scope, subjects) = followed.get();
            let inbox: following::Inbox = Rc::new(live.inbox(&shared));
            let following = Following::begin(session, &scope, &subjects, &inbox);
            supplies.set(following.supplies.clone());
            // Those of before end now: what goes on has been taken over.
            drop(shared.following.replace(Some(following)));
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
}

/// How a kind is supplied, by its plural name; events first.
type Supplies = [(String, ArcRwSignal<Supply>)];

fn is_complete(supplies: &Supplies) -> bool {
    let read = |supply: &Supply| supply.complete || supply.hindrance.as_ref().is_some_and(|it| it.why().is_some());
    supplies.first().is_some_and(|(_, events)| events.with(read))
}

fn refused(supplies: &Supplies) -> Vec<Refused> {
    let why = |supply: &Supply| supply.hindrance.as_ref().and_then(Hindrance::why);
    let refused = supplies.iter().filter_map(|(resource, supply)| Some((resource, supply.with(why)?)));
    refused.map(|(resource, why)| Refused { resource: resource.clone(), why }).collect()
}

/// A few seconds of the busiest cluster.
const INBOX: usize = 10_000;

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("inbox", &self.inbox.borrow().len()).finish_non_exhaustive()
    }
}
