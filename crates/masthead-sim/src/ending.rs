//! The end of namespaces: somebody looks after them, a while after each was deleted or something in it went.

use std::{
    collections::VecDeque,
    rc::{Rc, Weak},
    time::Duration,
};

use masthead::runtime::{Instant, Runtime};

use crate::{caller::Caller, sim::Shared};

/// How long the real controller waits, so that whatever was under way is there to be deleted.
const PAUSE: Duration = Duration::from_secs(5);

/// The namespaces to look after and when, soonest first. None is here twice.
#[derive(Debug, Default)]
pub(crate) struct Endings {
    queue: VecDeque<(Instant, Rc<str>)>,
}

impl Endings {
    /// Notes namespaces that something happened to.
    pub(crate) fn extend(&mut self, namespaces: impl IntoIterator<Item = Rc<str>>, now: Instant) {
        for namespace in namespaces {
            if !self.queue.iter().any(|(_, known)| *known == namespace) {
                self.queue.push_back((now + PAUSE, namespace));
            }
        }
    }

    /// When the next one is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.queue.front().map(|(at, _)| *at)
    }

    /// One that is due.
    pub(crate) fn take_due(&mut self, now: Instant) -> Option<Rc<str>> {
        self.queue.pop_front_if(|(at, _)| *at <= now).map(|(_, namespace)| namespace)
    }
}

/// Empties namespaces as long as there are any that end and the server is there.
pub(crate) async fn run(shared: Weak<Shared>, runtime: Runtime) {
    let controller = Caller::component("kube-controller-manager");
    loop {
        let next = shared.upgrade().and_then(|shared| shared.world.borrow().endings.next());
        let Some(next) = next else { return };
        runtime.sleep(next.since(runtime.now())).await;
        let Some(shared) = shared.upgrade() else { return };
        let due = shared.world.borrow_mut().endings.take_due(runtime.now());
        if let Some(namespace) = due {
            let emptied = shared.write(&controller, false, &mut Vec::new(), |write| write.empty_namespace(&namespace));
            debug_assert!(emptied.is_ok(), "the server may write what it says of a namespace");
        }
        shared.settle();
    }
}
