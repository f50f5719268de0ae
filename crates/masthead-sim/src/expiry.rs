//! The end of events: an hour after they were last written they are gone.

use std::{
    collections::VecDeque,
    rc::{Rc, Weak},
    time::Duration,
};

use masthead::runtime::{Instant, Runtime};

use crate::{object::Object, sim::Shared, store::Store};

/// How long an event lives, as on a server that was not told otherwise.
const LIFE: Duration = Duration::from_secs(3600);

/// What will expire and when, soonest first. Holds no more than was written within one life.
#[derive(Debug, Default)]
pub(crate) struct Expiry {
    queue: VecDeque<(Instant, Rc<Object>)>,
}

impl Expiry {
    /// Begins the lives of objects that were just stored.
    pub(crate) fn extend(&mut self, objects: Vec<Rc<Object>>, now: Instant) {
        self.queue.extend(objects.into_iter().map(|object| (now + LIFE, object)));
    }

    /// When the next object is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.queue.front().map(|(at, _)| *at)
    }

    /// Takes out of the store what is due and was not written again.
    pub(crate) fn expire(&mut self, now: Instant, store: &mut Store) {
        while let Some((_, object)) = self.queue.pop_front_if(|(at, _)| *at <= now) {
            let same = store.get(&object.kind, &object.key).is_some_and(|found| found.version == object.version);
            if same {
                store.remove(&object.kind, &object.key);
            }
        }
    }
}

/// Sees to the end of events as long as there are any and the server is there.
pub(crate) async fn run(shared: Weak<Shared>, runtime: Runtime) {
    loop {
        let next = shared.upgrade().and_then(|shared| shared.world.borrow().expiry.next());
        let Some(next) = next else { return };
        runtime.sleep(next.since(runtime.now())).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.world.borrow_mut().expire(runtime.now());
        shared.wake();
    }
}
