//! client-go's `ExpirationCache`: objects that expire some time after they were stored.

use std::{collections::HashMap, rc::Rc, time::Duration};

use super::{Object, ObjectKey};
use crate::runtime::Instant;

/// Stores objects by key, each for a fixed time after its last [`put`](Self::put).
///
/// Nothing runs in the background: an expired object is removed when [`get`](Self::get) or [`list`](Self::list) finds
/// it. The caller passes the current time, so the cache needs no clock.
///
/// ```
/// use std::{rc::Rc, time::Duration};
///
/// use k8s_openapi::api::core::v1::Pod;
/// use masthead::{cache::{ExpirationCache, Object}, runtime::Instant};
///
/// let mut cache = ExpirationCache::new(Duration::from_secs(10));
/// let pod = Rc::new(Pod::default());
/// cache.put(Rc::clone(&pod), Instant::ORIGIN);
/// assert!(cache.get(&pod.key(), Instant::ORIGIN + Duration::from_secs(9)).is_some());
/// assert!(cache.get(&pod.key(), Instant::ORIGIN + Duration::from_secs(10)).is_none());
/// ```
#[derive(Debug)]
pub struct ExpirationCache<T> {
    ttl: Duration,
    objects: HashMap<ObjectKey, (Rc<T>, Instant)>,
}

impl<T: Object> ExpirationCache<T> {
    /// Creates an empty cache whose objects expire after `ttl`.
    pub fn new(ttl: Duration) -> ExpirationCache<T> {
        ExpirationCache { ttl, objects: HashMap::new() }
    }

    /// Stores an object, or replaces it and restarts its time to live.
    pub fn put(&mut self, object: Rc<T>, now: Instant) {
        self.objects.insert(object.key(), (object, now + self.ttl));
    }

    /// Removes an object. Does nothing if it is not here.
    pub fn delete(&mut self, key: &ObjectKey) {
        self.objects.remove(key);
    }

    /// Returns the object with this key, unless it has expired. Removes it if it has.
    pub fn get(&mut self, key: &ObjectKey, now: Instant) -> Option<Rc<T>> {
        let (object, expires) = self.objects.get(key)?;
        if *expires > now {
            return Some(Rc::clone(object));
        }
        self.objects.remove(key);
        None
    }

    /// Returns every object that has not expired, in no order, and removes the others. O(n).
    pub fn list(&mut self, now: Instant) -> Vec<Rc<T>> {
        self.objects.retain(|_, (_, expires)| *expires > now);
        self.objects.values().map(|(object, _)| Rc::clone(object)).collect()
    }

    /// The number of objects, including expired ones that no call has removed yet.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether the cache holds no object, expired or not.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::ExpirationCache;
    use crate::{
        cache::{ObjectKey, fixture::test_object},
        runtime::Instant,
    };

    #[test]
    fn ts_08_an_expired_object_is_removed_on_access() {
        let at = |seconds| Instant::ORIGIN + Duration::from_secs(seconds);
        let (mut cache, key) = (ExpirationCache::new(Duration::from_secs(10)), ObjectKey::new("", "a"));
        cache.put(test_object("a", 1), at(0));
        cache.put(test_object("b", 1), at(5));
        assert!(cache.get(&key, at(9)).is_some());
        assert_eq!(cache.len(), 2);
        assert!(cache.get(&key, at(10)).is_none());
        assert_eq!(cache.len(), 1, "the access removed it");
        cache.put(test_object("a", 2), at(11));
        assert_eq!(cache.get(&key, at(12)).map(|object| object.value), Some(2), "put again, it is fresh again");
        assert_eq!(cache.list(at(16)).len(), 1);
        assert_eq!(cache.len(), 1);
    }
}
