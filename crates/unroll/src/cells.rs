//! Memory as a persistent map from cell numbers to values.
//!
//! States fork at every branch and soon merge again. A copy costs O(1); a change copies the nodes on one path, or none if they are not shared;
//! finding the differences of two versions costs what was changed since they forked. So merging two branches costs their stores, not the size of
//! memory.

use nub_bitvec::TermId;
use std::rc::Rc;

/// The number of a cell.
pub(crate) type CellId = u32;

/// The content of a scalar of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// All its bytes as one number, in the byte order of the data model.
    pub value: TermId,
    /// One bit per byte, the first byte the least significant: whether it was written.
    pub written: TermId,
}

const BITS: u32 = 4;
const FAN: usize = 1 << BITS;

#[derive(Clone, Debug, Default)]
enum Node {
    #[default]
    Empty,
    Inner(Rc<[Node; FAN]>),
    Leaf(Rc<[Option<Cell>; FAN]>),
}

/// A version of memory. What was never written is absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    root: Node,
    /// Levels of inner nodes. At most 7, as numbers have 32 bits.
    height: u32,
}

/// A cell that differs between two versions.
pub(crate) type Difference = (CellId, Option<Cell>, Option<Cell>);

impl Cells {
    fn slot(id: CellId, level: u32) -> usize {
        (id >> (level * BITS)) as usize & (FAN - 1)
    }

    fn fits(&self, id: CellId) -> bool {
        let bits = (self.height + 1) * BITS;
        bits >= CellId::BITS || id >> bits == 0
    }

    pub(crate) fn get(&self, id: CellId) -> Option<Cell> {
        if !self.fits(id) {
            return None;
        }
        let mut node = &self.root;
        let mut level = self.height;
        loop {
            match node {
                Node::Empty => return None,
                Node::Inner(children) => node = &children[Cells::slot(id, level)],
                Node::Leaf(cells) => return cells[Cells::slot(id, 0)],
            }
            level = level.saturating_sub(1);
        }
    }

    pub(crate) fn set(&mut self, id: CellId, cell: Cell) {
        self.grow_to(id);
        let mut node = &mut self.root;
        for level in (1..=self.height).rev() {
            if matches!(node, Node::Empty) {
                *node = Node::Inner(Rc::new(Default::default()));
            }
            let Node::Inner(children) = node else { unreachable!("leaves are at level 0") };
            node = &mut Rc::make_mut(children)[Cells::slot(id, level)];
        }
        if matches!(node, Node::Empty) {
            *node = Node::Leaf(Rc::new([None; FAN]));
        }
        let Node::Leaf(cells) = node else { unreachable!("inner nodes are above level 0") };
        Rc::make_mut(cells)[Cells::slot(id, 0)] = Some(cell);
    }

    fn grow_to(&mut self, id: CellId) {
        while !self.fits(id) {
            if !matches!(self.root, Node::Empty) {
                let mut children: [Node; FAN] = Default::default();
                children[0] = std::mem::take(&mut self.root);
                self.root = Node::Inner(Rc::new(children));
            }
            self.height += 1;
        }
    }

    /// Removes the cells from `start` up to but not including `end`. O(height), whatever the number of cells.
    pub(crate) fn clear(&mut self, start: CellId, end: CellId) {
        if start < end {
            clear(&mut self.root, self.height, (u64::from(start), u64::from(end)), 0);
        }
    }

    /// The differing cells, in ascending order. O(nodes changed since the versions forked).
    pub(crate) fn differences(&self, other: &Cells) -> Vec<Difference> {
        let (mut left, mut right) = (self.clone(), other.clone());
        let height = left.height.max(right.height);
        for version in [&mut left, &mut right] {
            version.grow_to(last_of(height));
        }
        let mut found = Vec::new();
        let mut todo = vec![(left.root, right.root, height, 0)];
        while let Some((left, right, level, first)) = todo.pop() {
            if is_same(&left, &right) {
                continue;
            }
            if level == 0 {
                let (left, right) = (leaf(&left), leaf(&right));
                let pairs = (first..).zip(left.into_iter().zip(right));
                found.extend(pairs.filter(|(_, (a, b))| a != b).map(|(id, (a, b))| (id, a, b)));
                continue;
            }
            for slot in (0..FAN).rev() {
                let first = first | (slot as CellId) << (level * BITS);
                todo.push((child(&left, slot), child(&right, slot), level - 1, first));
            }
        }
        found
    }

    /// All cells, in ascending order.
    pub(crate) fn all(&self) -> Vec<(CellId, Cell)> {
        let found = self.differences(&Cells::default());
        found.into_iter().filter_map(|(id, cell, _)| Some((id, cell?))).collect()
    }
}

/// The largest number that a tree of this height holds.
fn last_of(height: u32) -> CellId {
    let bits = (height + 1) * BITS;
    if bits >= CellId::BITS { CellId::MAX } else { (1 << bits) - 1 }
}

fn is_same(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Empty, Node::Empty) => true,
        (Node::Inner(a), Node::Inner(b)) => Rc::ptr_eq(a, b),
        (Node::Leaf(a), Node::Leaf(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

fn child(node: &Node, slot: usize) -> Node {
    match node {
        Node::Inner(children) => children[slot].clone(),
        _ => Node::Empty,
    }
}

fn leaf(node: &Node) -> [Option<Cell>; FAN] {
    match node {
        Node::Leaf(cells) => **cells,
        _ => [None; FAN],
    }
}

/// Recursion to the height of the tree, at most 8.
fn clear(node: &mut Node, level: u32, range: (u64, u64), first: u64) {
    let size = 1_u64 << ((level + 1) * BITS);
    if range.1 <= first || first + size <= range.0 || matches!(node, Node::Empty) {
        return;
    }
    if range.0 <= first && first + size <= range.1 {
        *node = Node::Empty;
        return;
    }
    match node {
        Node::Empty => {}
        Node::Inner(children) => {
            for (slot, child) in (0_u64..).zip(Rc::make_mut(children).iter_mut()) {
                clear(child, level - 1, range, first + (slot << (level * BITS)));
            }
        }
        Node::Leaf(cells) => {
            for (id, cell) in (first..).zip(Rc::make_mut(cells).iter_mut()) {
                if (range.0..range.1).contains(&id) {
                    *cell = None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::{Pool, Value};
    use std::collections::BTreeMap;

    /// Against an ordinary map, with forks.
    #[test]
    fn it_is_a_map() {
        let mut pool = Pool::new();
        let mut random = nub_random::Rng::new(7);
        let mut next = |below: u64| random.below(below);
        let mut versions = vec![(Cells::default(), BTreeMap::new())];
        for round in 0..3_000 {
            let (mut cells, mut map) = versions[next(versions.len() as u64) as usize].clone();
            let scale = if round % 7 == 0 { 100_000_000 } else { 300 };
            let id = next(scale) as CellId;
            if next(5) == 0 {
                let end = id.saturating_add(next(scale) as CellId);
                cells.clear(id, end);
                map.retain(|key, _| !(id..end).contains(key));
            } else {
                let value = pool.constant(Value::from_u64(16, next(4)));
                let cell = Cell { value, written: value };
                cells.set(id, cell);
                map.insert(id, cell);
            }
            assert_eq!(cells.get(id), map.get(&id).copied());
            assert_eq!(cells.all(), map.iter().map(|(id, cell)| (*id, *cell)).collect::<Vec<_>>());
            let (other, other_map) = &versions[next(versions.len() as u64) as usize];
            let expected: Vec<Difference> = keys(&map, other_map)
                .into_iter()
                .map(|id| (id, map.get(&id).copied(), other_map.get(&id).copied()))
                .filter(|(_, a, b)| a != b)
                .collect();
            assert_eq!(cells.differences(other), expected);
            versions.push((cells, map));
            if versions.len() > 20 {
                versions.remove(0);
            }
        }
    }

    fn keys(a: &BTreeMap<CellId, Cell>, b: &BTreeMap<CellId, Cell>) -> Vec<CellId> {
        let mut keys: Vec<CellId> = a.keys().chain(b.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}
