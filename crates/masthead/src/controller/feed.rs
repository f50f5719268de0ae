//! What brings keys into a controller's queue.

use std::rc::Rc;

use futures::{FutureExt, future::LocalBoxFuture};

use super::priority;
use crate::{
    Error,
    cache::{Notification, Object, ObjectKey, Registration, SharedInformer},
    workqueue::{AddOptions, PriorityQueue},
};

/// Finds the keys that a change of some object leads to.
pub(super) struct Feed<T: Object> {
    informer: SharedInformer<T>,
    keys: Rc<Keys<T>>,
}

/// The keys that a change leads to.
type Keys<T> = dyn Fn(&Notification<T>) -> Vec<ObjectKey>;

/// A feed of whatever type.
pub(super) trait Connect {
    /// Starts the informer and adds to `queue` from here on.
    fn connect(&self, queue: &PriorityQueue<ObjectKey>) -> Result<Box<dyn Connected>, Error>;
}

/// A feed that adds to a queue for as long as this lives.
pub(super) trait Connected {
    /// Completes once everything that is there at the beginning is in the queue.
    fn synced(&self) -> LocalBoxFuture<'_, Result<(), Error>>;
}

struct Connection<T: Object> {
    informer: SharedInformer<T>,
    registration: Registration<T>,
}

impl<T: Object> Feed<T> {
    /// The objects of `informer` themselves.
    pub(super) fn own(informer: &SharedInformer<T>) -> Feed<T> {
        let keys = |notification: &Notification<T>| match notification {
            Notification::Added { object, .. } | Notification::Updated { new: object, .. } => vec![object.key()],
            // Of one that went unseen the key is known all the same.
            Notification::Deleted(tombstone) => vec![tombstone.key()],
        };
        Feed { informer: informer.clone(), keys: Rc::new(keys) }
    }

    /// What `keys` finds for the state before and the state now of the objects of `informer`.
    pub(super) fn mapped(informer: &SharedInformer<T>, keys: impl Fn(&T) -> Vec<ObjectKey> + 'static) -> Feed<T> {
        let keys = move |notification: &Notification<T>| states(notification).flat_map(|object| keys(object)).collect();
        Feed { informer: informer.clone(), keys: Rc::new(keys) }
    }
}

impl<T: Object> Connect for Feed<T> {
    fn connect(&self, queue: &PriorityQueue<ObjectKey>) -> Result<Box<dyn Connected>, Error> {
        let (queue, keys) = (queue.clone(), Rc::clone(&self.keys));
        let registration = self.informer.add_handler(move |notification: &Notification<T>| {
            let options = AddOptions { priority: priority(notification), ..AddOptions::default() };
            keys(notification).into_iter().for_each(|key| queue.add_with(options, key));
            Ok(())
        })?;
        self.informer.start();
        Ok(Box::new(Connection { informer: self.informer.clone(), registration }))
    }
}

impl<T: Object> Connected for Connection<T> {
    fn synced(&self) -> LocalBoxFuture<'_, Result<(), Error>> {
        async {
            self.informer.synced().await?;
            self.registration.synced().await;
            Ok(())
        }
        .boxed_local()
    }
}

/// The states that a notification knows: the old one first.
fn states<T>(notification: &Notification<T>) -> impl Iterator<Item = &Rc<T>> {
    let (old, new) = match notification {
        Notification::Added { object, .. } => (None, Some(object)),
        Notification::Updated { old, new } => (Some(old), Some(new)),
        Notification::Deleted(tombstone) => (None, tombstone.last()),
    };
    old.into_iter().chain(new)
}
