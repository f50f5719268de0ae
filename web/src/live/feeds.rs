//! The feeds that run: of the kind on screen, of the few before it, and of what somebody else on the page looks at.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::{Rc, Weak},
};

use leptos::prelude::WithUntracked;
use masthead::rest::RestClient;

use crate::live::feed::{Feed, Subject};

/// Feeds by what they are of.
///
/// The policy: of a subject there is one feed, which everybody shares who needs it, and it runs for as long as somebody holds
/// it. The page holds those on screen and the [`KEPT`] that were there before them, so that going back shows rows at once. Of
/// those on screen the first is listed before any other. A feed of the server's own tables is not kept, since its watch takes
/// one of the two streams that a page may hold.
#[derive(Default)]
pub(crate) struct Feeds {
    /// Those on screen, and behind them those that were, the latest first.
    recent: RefCell<Vec<Rc<Feed>>>,
    /// All that somebody may still hold; none of them twice.
    known: RefCell<Vec<Weak<Feed>>>,
}

/// All that the timeline shows besides the kind that is opened from it. Fifty thousand pods take some sixty megabytes.
const KEPT: usize = 6;

impl Feeds {
    /// The feed of this subject, which is on screen from now on.
    pub(crate) fn show(&self, client: &RestClient, subject: &Subject) -> Rc<Feed> {
        self.show_all(client, std::slice::from_ref(subject)).remove(0)
    }

    /// The feeds of these subjects, which are on screen together from now on.
    pub(crate) fn show_all(&self, client: &RestClient, subjects: &[Subject]) -> Vec<Rc<Feed>> {
        let mut shown: Vec<Rc<Feed>> = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let known = self.find(|feed| feed.subject == *subject);
            let feed = known.unwrap_or_else(|| self.open(client, subject, shown.first()));
            shown.push(feed);
        }
        let mut recent = self.recent.borrow_mut();
        recent.retain(|feed| !shown.iter().any(|one| Rc::ptr_eq(one, feed)));
        let mut ended: Vec<Rc<Feed>> = recent.extract_if(.., |feed| feed.is_served()).collect();
        let kept = recent.len().min(KEPT);
        ended.extend(recent.drain(kept..));
        recent.splice(0..0, shown.iter().cloned());
        drop(recent);
        // What ends calls whoever waits for it, so nothing is borrowed here.
        drop(ended);
        shown
    }

    /// A feed that tells all of this subject, and perhaps more: one that runs, or a new one for as long as it is held.
    pub(crate) fn share(&self, client: &RestClient, subject: &Subject) -> Rc<Feed> {
        self.running(subject).unwrap_or_else(|| self.open(client, subject, None))
    }

    /// A feed that runs and tells all of this subject, and perhaps more.
    pub(crate) fn running(&self, subject: &Subject) -> Option<Rc<Feed>> {
        self.find(|feed| feed.subject.covers(subject))
    }

    /// Forgets all of them: the server is another one.
    pub(crate) fn clear(&self) {
        self.known.take();
        let ended = self.recent.take();
        drop(ended);
    }

    /// Those that run.
    pub(crate) fn all(&self) -> Vec<Rc<Feed>> {
        self.known.borrow().iter().filter_map(Weak::upgrade).collect()
    }

    /// How many objects there are of each kind in these namespaces, by the kind's id.
    pub(crate) fn counts(&self, namespaces: &[String]) -> BTreeMap<String, usize> {
        let all = self.all().into_iter();
        // Of what cannot be listed it is not known that there is none.
        let is_read = |feed: &Feed| feed.len() > 0 || feed.supply.with_untracked(|supply| supply.complete);
        let fits = all.filter(|feed| is_read(feed) && Subject::new(&feed.subject.kind, namespaces) == feed.subject);
        fits.map(|feed| (feed.subject.kind.id(), feed.len())).collect()
    }

    fn find(&self, is: impl Fn(&Feed) -> bool) -> Option<Rc<Feed>> {
        self.all().into_iter().find(|feed| is(feed))
    }

    /// A new feed, which lists once `first` did.
    fn open(&self, client: &RestClient, subject: &Subject, first: Option<&Rc<Feed>>) -> Rc<Feed> {
        let feed = Rc::new(Feed::new(client, subject.clone()));
        match first {
            Some(first) => feed.start_after(first, &client.config().runtime),
            None => feed.start(),
        }
        let mut known = self.known.borrow_mut();
        known.retain(|feed| feed.strong_count() > 0);
        known.push(Rc::downgrade(&feed));
        feed
    }
}

impl std::fmt::Debug for Feeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feeds").field("recent", &self.recent.borrow().len()).finish_non_exhaustive()
    }
}
