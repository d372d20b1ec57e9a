//! Candidates for children: per sort, all nodes and those that have no parent yet, with choice and removal in O(1).
//!
//! Scanning the nodes for each child would make generation quadratic (48 ms instead of a fraction of one for a thousand
//! nodes, measured with a prototype).

use nub_btor::{BtorNodeId, Sort};
use nub_random::Rng;

/// Marks a node that has a parent.
const HAS_PARENT: u32 = u32::MAX;
/// Marks a node that has no parent and cannot be chosen yet.
const HIDDEN: u32 = u32::MAX - 1;

/// The number of nodes of a sort that count as early: leaves, and nodes directly above them.
const N_EARLY: usize = 4;

/// How often, in percent, a child is by default chosen among all nodes, and not among those without a parent.
const FREE: u32 = 50;

/// From which nodes to choose a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Only nodes without a parent: the child of a tree.
    Lonely,
    /// At random, either nodes without a parent or all nodes.
    Any,
    /// Nodes with one parent if there are any, so that they get a second one; otherwise nodes without a parent.
    Shared,
}

/// How to choose a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// From which nodes to choose.
    pub wish: Wish,
    /// How often, in percent, to choose among the first nodes of the sort.
    pub early: u32,
}

/// The index of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SortIdx(usize);

#[derive(Clone, Default, Debug)]
struct Pool {
    members: Vec<BtorNodeId>,
    parentless: Vec<BtorNodeId>,
    /// Members with one parent.
    single: Vec<BtorNodeId>,
}

/// The nodes of one sort. Slices and extensions are kept apart: they are chosen only if nothing else has the sort.
#[derive(Clone, Default, Debug)]
struct Pools {
    plain: Pool,
    extensions: Pool,
    /// True if it has members and must be cleared.
    is_used: bool,
}

/// All candidates for children. Cleared and reused for each file, so that memory is allocated once.
#[derive(Clone, Default, Debug)]
pub struct Candidates {
    /// By sort: bit-vectors by width, then arrays in the order of their appearance.
    pools: Vec<Pools>,
    /// Sorts with members; only these are cleared.
    used: Vec<SortIdx>,
    n_widths: usize,
    /// Sorted by sort; with the index in `pools`.
    array_sorts: Vec<(Sort, SortIdx)>,
    vectors: Vec<BtorNodeId>,
    arrays: Vec<BtorNodeId>,
    /// By node: its index among those without a parent, or [`HAS_PARENT`], or [`HIDDEN`].
    places: Vec<u32>,
    /// By node: its index among those with one parent, [`HIDDEN`] if it has none, [`HAS_PARENT`] if it has more.
    single_places: Vec<u32>,
    /// By node: its sort and whether it is a slice or an extension.
    homes: Vec<(SortIdx, Home)>,
}

/// Which of the two pools of its sort a node is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Everything else.
    Plain,
    /// A slice or an extension.
    Extension,
}

impl Candidates {
    /// Clears it. Bit-vectors have at most `max_width` bits.
    pub fn reset(&mut self, max_width: u32) {
        for &SortIdx(sort) in &self.used {
            let Pools { plain, extensions, is_used } = &mut self.pools[sort];
            *is_used = false;
            for pool in [plain, extensions] {
                pool.members.clear();
                pool.parentless.clear();
                pool.single.clear();
            }
        }
        self.used.clear();
        self.n_widths = max_width as usize + 1;
        if self.pools.len() < self.n_widths {
            self.pools.resize_with(self.n_widths, Pools::default);
        }
        self.array_sorts.clear();
        self.vectors.clear();
        self.arrays.clear();
        self.places.clear();
        self.single_places.clear();
        self.homes.clear();
    }

    /// Adds the next node, which has no parent. It cannot be chosen before [`Candidates::show`].
    pub fn add_hidden(&mut self, sort: Sort, home: Home) {
        let idx = self.open(sort);
        self.places.push(HIDDEN);
        self.single_places.push(HIDDEN);
        self.homes.push((idx, home));
    }

    /// Makes a node available. Must be called once per node.
    pub fn show(&mut self, id: BtorNodeId, sort: Sort) {
        let (idx, home) = self.homes[id.index()];
        let is_hidden = self.places[id.index()] == HIDDEN;
        let pool = self.pool_mut(idx, home);
        pool.members.push(id);
        if is_hidden {
            let place = pool.parentless.len() as u32;
            pool.parentless.push(id);
            self.places[id.index()] = place;
        }
        if sort.is_array() { self.arrays.push(id) } else { self.vectors.push(id) }
    }

    /// Records that a node has a parent. O(1).
    pub fn take(&mut self, id: BtorNodeId) {
        let place = std::mem::replace(&mut self.places[id.index()], HAS_PARENT);
        if place == HAS_PARENT || place == HIDDEN {
            return;
        }
        let (idx, home) = self.homes[id.index()];
        let parentless = &mut self.pool_mut(idx, home).parentless;
        parentless.swap_remove(place as usize);
        if let Some(&moved) = parentless.get(place as usize) {
            self.places[moved.index()] = place;
        }
    }

    /// Counts a parent of a node. Must be called once for each parent. O(1).
    pub fn add_parent(&mut self, id: BtorNodeId) {
        let (idx, home) = self.homes[id.index()];
        let place = self.single_places[id.index()];
        let single = &mut self.pool_mut(idx, home).single;
        match place {
            HIDDEN => {
                let place = single.len() as u32;
                single.push(id);
                self.single_places[id.index()] = place;
            }
            HAS_PARENT => {}
            place => {
                single.swap_remove(place as usize);
                let moved = single.get(place as usize).copied();
                self.single_places[id.index()] = HAS_PARENT;
                if let Some(moved) = moved {
                    self.single_places[moved.index()] = place;
                }
            }
        }
    }

    /// Whether a node has no parent yet.
    pub fn is_parentless(&self, id: BtorNodeId) -> bool {
        self.places[id.index()] != HAS_PARENT
    }

    /// A node of this sort, chosen according to the wish; slices and extensions are avoided if possible.
    pub fn choose(&self, sort: Sort, Choice { wish, early }: Choice, rng: &mut Rng) -> Option<BtorNodeId> {
        let pools = &self.pools[self.find(sort)?.0];
        let pool = if pools.plain.members.is_empty() { &pools.extensions } else { &pools.plain };
        if pool.members.is_empty() {
            return None;
        }
        if early > 0 && rng.percent(early) {
            return Some(rng.pick(&pool.members[..pool.members.len().min(N_EARLY)]));
        }
        if wish == Wish::Lonely {
            let pools = [&pools.plain, &pools.extensions];
            return pools
                .into_iter()
                .find(|pool| !pool.parentless.is_empty())
                .map(|pool| rng.pick(&pool.parentless));
        }
        if wish == Wish::Shared {
            // Nodes with more than one parent are skipped: a node gets a second parent only after its first.
            let wished = [&pool.single, &pool.parentless].into_iter().find(|nodes| !nodes.is_empty());
            return Some(rng.pick(wished.unwrap_or(&pool.members)));
        }
        let is_free = pool.parentless.is_empty() || rng.percent(FREE);
        Some(rng.pick(if is_free { &pool.members } else { &pool.parentless }))
    }

    /// All bit-vectors.
    pub fn vectors(&self) -> &[BtorNodeId] {
        &self.vectors
    }

    /// All arrays.
    pub fn arrays(&self) -> &[BtorNodeId] {
        &self.arrays
    }

    fn pool_mut(&mut self, SortIdx(sort): SortIdx, home: Home) -> &mut Pool {
        let pools = &mut self.pools[sort];
        match home {
            Home::Plain => &mut pools.plain,
            Home::Extension => &mut pools.extensions,
        }
    }

    fn find(&self, sort: Sort) -> Option<SortIdx> {
        if let Sort::Bits(width) = sort {
            return Some(SortIdx(width as usize)).filter(|idx| idx.0 < self.n_widths);
        }
        let place = self.array_sorts.binary_search_by_key(&sort, |known| known.0).ok()?;
        Some(self.array_sorts[place].1)
    }

    /// The index of a sort. Creates an entry if necessary.
    fn open(&mut self, sort: Sort) -> SortIdx {
        let idx = self.find(sort).unwrap_or_else(|| {
            debug_assert!(sort.is_array(), "no bit-vector is wider than the limit");
            let idx = SortIdx(self.n_widths + self.array_sorts.len());
            let place = self.array_sorts.partition_point(|known| known.0 < sort);
            self.array_sorts.insert(place, (sort, idx));
            idx
        });
        if self.pools.len() <= idx.0 {
            self.pools.resize_with(idx.0 + 1, Pools::default);
        }
        if !std::mem::replace(&mut self.pools[idx.0].is_used, true) {
            self.used.push(idx);
        }
        idx
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: Sort = Sort::Bits(4);

    fn add(candidates: &mut Candidates, id: u32, sort: Sort, home: Home) {
        candidates.add_hidden(sort, home);
        candidates.show(BtorNodeId::new(id as usize), sort);
    }

    fn filled(n: u32) -> Candidates {
        let mut candidates = Candidates::default();
        candidates.reset(8);
        for id in 0..n {
            add(&mut candidates, id, WORD, Home::Plain);
        }
        candidates
    }

    fn only(wish: Wish) -> Choice {
        Choice { wish, early: 0 }
    }

    #[test]
    fn early_nodes_are_the_first_of_their_sort() {
        let mut candidates = Candidates::default();
        candidates.reset(8);
        for index in 0..20 {
            candidates.add_hidden(WORD, Home::Plain);
            candidates.show(BtorNodeId::new(index), WORD);
        }
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let chosen = candidates.choose(WORD, Choice { wish: Wish::Any, early: 100 }, &mut rng).unwrap();
            assert!(chosen.index() < N_EARLY);
        }
    }

    #[test]
    fn without_tendency_only_parentless_nodes_are_chosen() {
        let (mut candidates, mut rng) = (filled(6), Rng::new(1));
        for id in [0, 5, 2] {
            candidates.take(BtorNodeId::new(id as usize));
            candidates.take(BtorNodeId::new(id as usize));
        }
        let mut seen = [0u32; 6];
        for _ in 0..200 {
            seen[candidates.choose(WORD, only(Wish::Lonely), &mut rng).unwrap().index()] += 1;
        }
        assert!(seen[1] > 30 && seen[3] > 30 && seen[4] > 30, "{seen:?}");
        assert_eq!(seen[0] + seen[2] + seen[5], 0);
        assert!(
            candidates.is_parentless(BtorNodeId::new(1)) && !candidates.is_parentless(BtorNodeId::new(5))
        );
        assert_eq!(candidates.choose(Sort::Bits(3), only(Wish::Lonely), &mut rng), None);
    }

    #[test]
    fn nodes_with_one_parent_get_another() {
        let (mut candidates, mut rng) = (filled(6), Rng::new(1));
        for id in [0, 1, 2, 2, 3, 1] {
            candidates.take(BtorNodeId::new(id));
            candidates.add_parent(BtorNodeId::new(id));
        }
        for _ in 0..100 {
            let chosen = candidates.choose(WORD, only(Wish::Shared), &mut rng).unwrap();
            assert!([0, 3].contains(&chosen.index()), "{chosen:?}");
        }
        [4, 5].into_iter().for_each(|id| candidates.take(BtorNodeId::new(id)));
        assert_eq!(candidates.choose(WORD, only(Wish::Lonely), &mut rng), None, "all have a parent");
    }

    #[test]
    fn extensions_are_the_last_resort() {
        let (mut candidates, mut rng) = (filled(0), Rng::new(1));
        add(&mut candidates, 0, WORD, Home::Extension);
        assert_eq!(candidates.choose(WORD, only(Wish::Any), &mut rng), Some(BtorNodeId::new(0)));
        add(&mut candidates, 1, WORD, Home::Plain);
        for _ in 0..20 {
            assert_eq!(candidates.choose(WORD, only(Wish::Any), &mut rng), Some(BtorNodeId::new(1)));
        }
    }

    #[test]
    fn hidden_nodes_are_not_chosen() {
        let (mut candidates, mut rng) = (filled(1), Rng::new(1));
        candidates.add_hidden(WORD, Home::Plain);
        candidates.add_hidden(WORD, Home::Plain);
        candidates.take(BtorNodeId::new(1));
        for _ in 0..20 {
            assert_eq!(candidates.choose(WORD, only(Wish::Any), &mut rng), Some(BtorNodeId::new(0)));
        }
        candidates.show(BtorNodeId::new(1), WORD);
        candidates.show(BtorNodeId::new(2), WORD);
        candidates.take(BtorNodeId::new(0));
        assert_eq!(candidates.choose(WORD, only(Wish::Lonely), &mut rng), Some(BtorNodeId::new(2)));
        assert!(
            !candidates.is_parentless(BtorNodeId::new(1)) && candidates.is_parentless(BtorNodeId::new(2))
        );
    }

    #[test]
    fn a_reset_forgets_everything() {
        let (mut candidates, mut rng) = (filled(3), Rng::new(1));
        let array = Sort::Array { index: 3, element: 2 };
        add(&mut candidates, 3, array, Home::Plain);
        candidates.reset(16);
        assert_eq!(candidates.choose(WORD, only(Wish::Any), &mut rng), None);
        assert_eq!(candidates.choose(array, only(Wish::Any), &mut rng), None);
        add(&mut candidates, 0, Sort::Bits(9), Home::Plain);
        assert_eq!(candidates.choose(Sort::Bits(9), only(Wish::Any), &mut rng), Some(BtorNodeId::new(0)));
        assert!(candidates.arrays().is_empty());
    }
}
