//! The feeds that run: of the kind on screen, and of the few before it.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use masthead::rest::RestClient;

use crate::live::feed::{Feed, Subject};

/// Feeds by what they are of, the latest first.
///
/// The policy: the kind on screen has a feed, and so have the [`KEPT`] kinds that were there before it, so that going back
/// shows rows at once; older ones end. A feed of the server's own tables ends as soon as it leaves the screen, since its
/// watch takes one of the two streams that a page may hold.
#[derive(Default)]
pub(crate) struct Feeds {
    recent: RefCell<Vec<Rc<Feed>>>,
}

/// A kind of fifty thousand pods takes some sixty megabytes.
const KEPT: usize = 4;

impl Feeds {
    /// The feed of this subject, which is on screen from now on.
    pub(crate) fn show(&self, client: &RestClient, subject: &Subject) -> Rc<Feed> {
        self.show_all(client, std::slice::from_ref(subject)).remove(0)
    }

    /// The feeds of these subjects, which are on screen together from now on.
    pub(crate) fn show_all(&self, client: &RestClient, subjects: &[Subject]) -> Vec<Rc<Feed>> {
        let mut recent = self.recent.borrow_mut();
        let mut feed = |subject: &Subject| {
            let known = recent.iter().position(|feed| feed.subject == *subject).map(|at| recent.remove(at));
            known.unwrap_or_else(|| Rc::new(Feed::open(client, subject.clone())))
        };
        let shown: Vec<Rc<Feed>> = subjects.iter().map(&mut feed).collect();
        let mut ended: Vec<Rc<Feed>> = recent.extract_if(.., |feed| feed.is_served()).collect();
        let kept = recent.len().min(KEPT);
        ended.extend(recent.drain(kept..));
        recent.splice(0..0, shown.iter().cloned());
        drop(recent);
        // What ends calls whoever waits for it, so nothing is borrowed here.
        drop(ended);
        shown
    }

    /// Forgets all of them: the server is another one.
    pub(crate) fn clear(&self) {
        let ended = std::mem::take(&mut *self.recent.borrow_mut());
        drop(ended);
    }

    /// Those that run.
    pub(crate) fn all(&self) -> Vec<Rc<Feed>> {
        self.recent.borrow().clone()
    }

    /// How many objects there are of each kind in these namespaces, by the kind's id.
    pub(crate) fn counts(&self, namespaces: &[String]) -> BTreeMap<String, usize> {
        let recent = self.recent.borrow();
        let fits = recent.iter().filter(|feed| Subject::new(&feed.subject.kind, namespaces) == feed.subject);
        fits.map(|feed| (feed.subject.kind.id(), feed.len())).collect()
    }
}

impl std::fmt::Debug for Feeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feeds").field("recent", &self.recent.borrow().len()).finish()
    }
}
