//! Waiting until the objects of a collection are as somebody wants them.

use std::{collections::BTreeMap, pin::pin, time::Duration};

use futures::{Stream, StreamExt};
use kube_core::Resource;
use serde::de::DeserializeOwned;

use crate::{
    Error,
    cache::{Object, ObjectKey},
    rest::{EventType, List, WatchEvent},
    runtime::Runtime,
    watch::{RetryWatcher, Source},
};

/// Waits for the first change after `version` that satisfies `condition`, and gives it.
///
/// The watch survives its connections ([`RetryWatcher`]). Fails with what the condition fails with, when the version has
/// expired, when the server refuses who asks, and with a timeout when `limit` is over. Changes that cannot be read are passed
/// over; if the wait then fails, the error names the last of them.
pub async fn until<K: Resource + DeserializeOwned + 'static>(
    source: &Source<K>,
    version: &str,
    limit: Duration,
    condition: impl FnMut(&WatchEvent<K>) -> Result<bool, Error>,
) -> Result<WatchEvent<K>, Error> {
    let events = RetryWatcher::new(source.clone(), version)?;
    until_without_retry(events, source.runtime(), limit, condition).await
}

/// Waits for the first of `events` that satisfies `condition`, and gives it. The condition sees objects alone, no bookmarks.
///
/// Fails as [`until`] does, and with [`Error::is_closed`] when the events end before.
pub async fn until_without_retry<K>(
    events: impl Stream<Item = Result<WatchEvent<K>, Error>>,
    runtime: &Runtime,
    limit: Duration,
    mut condition: impl FnMut(&WatchEvent<K>) -> Result<bool, Error>,
) -> Result<WatchEvent<K>, Error> {
    let (mut events, mut unread) = (pin!(events), None);
    let outcome = runtime.within(limit, async {
        loop {
            let event = match events.next().await {
                None => return Err(Error::closed(OPERATION, "the watch ended before the condition was met")),
                Some(Ok(WatchEvent::Error(status))) => return Err(Error::refused(OPERATION, status)),
                Some(Ok(WatchEvent::Bookmark(_))) => continue,
                Some(Err(error)) if error.is_undecodable() => {
                    unread = Some(error);
                    continue;
                }
                Some(event) => event?,
            };
            if condition(&event)? {
                return Ok(event);
            }
        }
    });
    let outcome = outcome.await.unwrap_or_else(|| Err(Error::timed_out(OPERATION, limit)));
    outcome.map_err(|error| match &unread {
        Some(unread) => error.after(unread),
        None => error,
    })
}

/// Lists the collection, then waits as [`until`] does, with every object of the list as an added one before the changes.
///
/// `precondition` sees the objects of the first list; if it holds, the wait is over before it began and the result is
/// `None`. When the version of the list expires, the collection is listed again and `condition` sees what differs: an object
/// that went in the meantime is a deleted one in its last known state. Holds the objects of the collection until it is over.
pub async fn until_with_sync<K: Resource + DeserializeOwned + 'static>(
    source: &Source<K>,
    limit: Duration,
    precondition: impl FnOnce(&[K]) -> Result<bool, Error>,
    mut condition: impl FnMut(&WatchEvent<K>) -> Result<bool, Error>,
) -> Result<Option<WatchEvent<K>>, Error> {
    let mut known = Known(BTreeMap::new());
    let outcome = source.runtime().within(limit, async {
        let mut list = source.list().await?;
        if precondition(&list.items)? {
            return Ok(None);
        }
        loop {
            let version = std::mem::take(&mut list.resource_version);
            for event in known.difference(list) {
                if condition(&event)? {
                    return Ok(Some(event));
                }
                known.apply(event);
            }
            let mut events = RetryWatcher::new(source.clone(), &version)?;
            loop {
                match events.next().await {
                    Some(Ok(event)) if condition(&event)? => return Ok(Some(event)),
                    Some(Ok(event)) => known.apply(event),
                    Some(Err(error)) if error.is_undecodable() => {
                        if let Some(event) = known.deletion(&error)
                            && condition(&event)?
                        {
                            return Ok(Some(event));
                        }
                    }
                    Some(Err(error)) if !error.is_gone() => return Err(error),
                    Some(Err(_)) | None => break,
                }
            }
            // A server that forgets every version at once is not flooded with lists.
            source.runtime().sleep(RELIST).await;
            list = source.list().await?;
        }
    });
    outcome.await.unwrap_or_else(|| Err(Error::timed_out(OPERATION, limit)))
}

/// The objects that the condition was told of, by namespace and name.
struct Known<K>(BTreeMap<ObjectKey, K>);

impl<K: Resource + 'static> Known<K> {
    /// What happened between the last event and a list of everything. An item that cannot be decoded is there all the same;
    /// one that cannot be identified may be any.
    fn difference(&mut self, list: List<K>) -> Vec<WatchEvent<K>> {
        let mut gone = std::mem::take(&mut self.0);
        let mut events = Vec::new();
        for item in list.items {
            match gone.remove(&item.key()) {
                None => events.push(WatchEvent::Added(item)),
                Some(last) if last.meta().resource_version != item.meta().resource_version => {
                    events.push(WatchEvent::Modified(item));
                }
                Some(last) => {
                    self.0.insert(last.key(), last);
                }
            }
        }
        for error in &list.skipped {
            match error.undecodable_object() {
                Some(object) => self.0.extend(gone.remove_entry(&object.key())),
                None => self.0.append(&mut gone),
            }
        }
        events.extend(gone.into_values().map(WatchEvent::Deleted));
        events
    }

    /// The deletion of an object that cannot be decoded, in its last known state.
    fn deletion(&mut self, error: &Error) -> Option<WatchEvent<K>> {
        let object = error.undecodable_object().filter(|object| object.event == Some(EventType::Deleted))?;
        self.0.remove(&object.key()).map(WatchEvent::Deleted)
    }

    fn apply(&mut self, event: WatchEvent<K>) {
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                self.0.insert(object.key(), object);
            }
            WatchEvent::Deleted(object) => {
                self.0.remove(&object.key());
            }
            WatchEvent::Bookmark(_) | WatchEvent::Error(_) => {}
        }
    }
}

const RELIST: Duration = Duration::from_secs(1);

const OPERATION: &str = "wait for a condition";
