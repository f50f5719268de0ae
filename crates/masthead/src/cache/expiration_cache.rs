//! Objects that are forgotten after a while.

use std::{collections::HashMap, rc::Rc, time::Duration};

use super::{Object, ObjectKey};
use crate::runtime::Instant;

/// Objects by key, each for a limited time after it was last put.
///
/// Nothing runs in the background: what is over is found when somebody looks, and is taken out then.
#[derive(Debug)]
pub struct ExpirationCache<T> {
    ttl: Duration,
    objects: HashMap<ObjectKey, (Rc<T>, Instant)>,
}

impl<T: Object> ExpirationCache<T> {
    /// An empty cache of objects that live for `ttl`.
    pub fn new(ttl: Duration) -> ExpirationCache<T> {
        ExpirationCache { ttl, objects: HashMap::new() }
    }

    /// Puts an object in, or begins its time anew.
    pub fn put(&mut self, object: Rc<T>, now: Instant) {
        self.objects.insert(object.key(), (object, now + self.ttl));
    }

    /// Takes an object out.
    pub fn delete(&mut self, key: &ObjectKey) {
        self.objects.remove(key);
    }

    /// The object of this key, unless its time is over.
    pub fn get(&mut self, key: &ObjectKey, now: Instant) -> Option<Rc<T>> {
        let (object, expires) = self.objects.get(key)?;
        if *expires > now {
            return Some(Rc::clone(object));
        }
        self.objects.remove(key);
        None
    }

    /// Every object whose time is not over.
    pub fn list(&mut self, now: Instant) -> Vec<Rc<T>> {
        self.objects.retain(|_, (_, expires)| *expires > now);
        self.objects.values().map(|(object, _)| Rc::clone(object)).collect()
    }

    /// How many objects are held, those included whose end nobody noticed yet.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether none is held.
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
