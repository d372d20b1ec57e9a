//! A map that is cheap to copy while it grows: searches with guessed answers share it with the real one.
//!
//! Entries are never removed one by one. [`Layered::fork`] turns recent entries into a layer that both copies share; layers
//! double in size, so that n entries are in O(log n) layers and are copied O(log n) times in all. A map that is never forked
//! is a plain hash map.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Up to this many recent entries are copied by a fork instead of becoming a layer.
const MAX_TOP: usize = 32;

/// A map with shared layers.
pub(crate) struct Layered<K, V> {
    layers: Vec<Rc<FxHashMap<K, V>>>,
    top: FxHashMap<K, V>,
}

impl<K, V> Default for Layered<K, V> {
    fn default() -> Layered<K, V> {
        Layered { layers: Vec::new(), top: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Layered<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let older = || self.layers.iter().rev().find_map(|layer| layer.get(key));
        self.top.get(key).or_else(older).copied()
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.top.insert(key, value);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.top.is_empty() && self.layers.is_empty()
    }

    /// Number of entries; those replaced after a fork count twice.
    pub(crate) fn len(&self) -> usize {
        self.top.len() + self.layers.iter().map(|layer| layer.len()).sum::<usize>()
    }

    pub(crate) fn clear(&mut self) {
        *self = Layered::default();
    }

    /// A copy.
    pub(crate) fn fork(&mut self) -> Layered<K, V> {
        if self.top.len() > MAX_TOP {
            let mut layer = std::mem::take(&mut self.top);
            while let Some(older) = self.layers.pop_if(|older| older.len() <= 2 * layer.len()) {
                let mut merged = Rc::unwrap_or_clone(older);
                merged.extend(layer);
                layer = merged;
            }
            self.layers.push(Rc::new(layer));
        }
        Layered { layers: self.layers.clone(), top: self.top.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn copies_share_the_past_and_not_the_future() {
        let mut map = Layered::default();
        let mut model = BTreeMap::new();
        let mut forks = Vec::new();
        for step in 0..2_000u32 {
            for key in [step, step / 2] {
                map.insert(key, step);
                model.insert(key, step);
            }
            if step % 70 == 0 {
                let mut fork = map.fork();
                fork.insert(5_000, step);
                forks.push((fork, model.clone()));
            }
        }
        assert!(map.layers.len() <= 8, "{} layers", map.layers.len());
        forks.push((map, model));
        for (fork, model) in &forks {
            for key in 0..2_000 {
                assert_eq!(fork.get(&key), model.get(&key).copied(), "{key}");
            }
        }
        let (map, _) = forks.pop().unwrap();
        assert_eq!(map.get(&5_000), None);
        assert_eq!(forks[3].0.get(&5_000), Some(210));
    }
}
