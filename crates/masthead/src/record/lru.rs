//! A map that forgets what was used least recently.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// At most `capacity` values by key; one more pushes out the one that was used longest ago.
#[derive(Debug)]
pub(crate) struct Lru<V> {
    capacity: usize,
    /// Where in `nodes` the value of a key is.
    places: FxHashMap<Rc<str>, usize>,
    /// A ring in the order of use; never has holes, since what is pushed out makes room for what pushed.
    nodes: Vec<Node<V>>,
    /// The node used last; its `older` chain ends at the one used longest ago, whose `older` is this again.
    newest: usize,
}

#[derive(Debug)]
struct Node<V> {
    key: Rc<str>,
    value: V,
    newer: usize,
    older: usize,
}

impl<V> Lru<V> {
    /// An empty map; a capacity of nothing is one.
    pub(crate) fn new(capacity: usize) -> Lru<V> {
        Lru { capacity: capacity.max(1), places: FxHashMap::default(), nodes: Vec::new(), newest: 0 }
    }

    /// The value of `key`, made by `make` if there is none, and the one that was pushed out for it. Counts as a use.
    pub(crate) fn entry(&mut self, key: &str, make: impl FnOnce() -> V) -> (&mut V, Option<V>) {
        let mut pushed_out = None;
        if let Some(place) = self.places.get(key).copied() {
            self.touch(place);
        } else {
            pushed_out = self.insert(Rc::from(key), make());
        }
        (&mut self.nodes[self.newest].value, pushed_out)
    }

    fn insert(&mut self, key: Rc<str>, value: V) -> Option<V> {
        let place = self.nodes.len();
        if place < self.capacity {
            self.places.insert(Rc::clone(&key), place);
            self.nodes.push(Node { key, value, newer: place, older: place });
            self.link(place);
            return None;
        }
        // The ring closes behind the newest with the oldest.
        let oldest = self.nodes[self.newest].newer;
        self.places.insert(Rc::clone(&key), oldest);
        let node = &mut self.nodes[oldest];
        self.places.remove(&std::mem::replace(&mut node.key, key));
        let pushed_out = std::mem::replace(&mut node.value, value);
        self.newest = oldest;
        Some(pushed_out)
    }

    /// Makes the node at `place` the newest.
    fn touch(&mut self, place: usize) {
        if place == self.newest {
            return;
        }
        let (newer, older) = (self.nodes[place].newer, self.nodes[place].older);
        self.nodes[newer].older = older;
        self.nodes[older].newer = newer;
        self.link(place);
    }

    /// Puts the node at `place`, which is in no ring, between the newest and the oldest.
    fn link(&mut self, place: usize) {
        let newest = self.newest;
        let oldest = self.nodes[newest].newer;
        self.nodes[place].older = newest;
        self.nodes[place].newer = oldest;
        self.nodes[newest].newer = place;
        self.nodes[oldest].older = place;
        self.newest = place;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::Lru;
    use crate::runtime::Chance;

    /// Every use of a random key gives what a list in the order of use gives.
    #[test]
    fn forgets_what_was_used_longest_ago_as_a_list_does() {
        for (capacity, keys) in [(0, 3), (1, 3), (2, 4), (7, 12), (50, 40)] {
            let chance = Chance::new(capacity as u64);
            let mut lru = Lru::new(capacity);
            let mut model: VecDeque<(String, usize)> = VecDeque::new();
            for turn in 0..2000 {
                let key = format!("k{}", (chance.next() * f64::from(keys)) as u32);
                let known = model.iter().position(|(other, _)| *other == key).and_then(|at| model.remove(at));
                let is_new = known.is_none();
                model.push_front(known.unwrap_or((key.clone(), turn)));
                let forgotten = (model.len() > capacity.max(1)).then(|| model.pop_back().unwrap().1);
                let (value, pushed_out) = lru.entry(&key, || turn);
                assert_eq!((*value == turn, *value, pushed_out), (is_new, model[0].1, forgotten), "turn {turn}");
            }
        }
    }
}
