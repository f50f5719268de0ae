//! A map of few entries.

use std::{borrow::Borrow, fmt};

/// A map of few entries, in the order of their keys. As a `BTreeMap`, with a tenth of its code in a page: adding and taking out
/// move whatever stands behind.
#[derive(Clone)]
pub(crate) struct Ordered<K, V>(Vec<(K, V)>);

impl<K: Ord, V> Ordered<K, V> {
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.place(&key) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (key, value)),
        }
    }

    /// The value of this key; an empty one where there was none.
    pub(crate) fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let place = self.place(&key).unwrap_or_else(|place| {
            self.0.insert(place, (key, V::default()));
            place
        });
        &mut self.0[place].1
    }

    pub(crate) fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    pub(crate) fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    pub(crate) fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }
}

impl<K, V> Ordered<K, V> {
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Ordered<K, V> {
        Ordered(Vec::new())
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Ordered<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Ordered<K, V> {
        let mut map = Ordered::default();
        entries.into_iter().for_each(|(key, value)| map.insert(key, value));
        map
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Ordered<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Ordered;
    use crate::runtime::Chance;

    #[test]
    fn is_as_a_b_tree_map() {
        let chance = Chance::new(3);
        let (mut map, mut model) = (Ordered::default(), BTreeMap::new());
        for turn in 0..2000 {
            let key = (chance.next() * 20.0) as u32;
            match (chance.next() * 8.0) as u32 {
                0..4 => {
                    map.insert(key, turn);
                    model.insert(key, turn);
                }
                4..6 => assert_eq!(map.remove(&key), model.remove(&key)),
                6 => assert_eq!(map.pop_first(), model.pop_first()),
                _ => assert_eq!(map.get_mut(&key), model.get_mut(&key)),
            }
            assert_eq!(map.get(&key), model.get(&key));
            assert!(map.iter().eq(model.iter()) && map.keys().eq(model.keys()) && map.values().eq(model.values()));
            assert_eq!((map.len(), map.is_empty()), (model.len(), model.is_empty()));
        }
    }
}
