//! The array terms of a formula, and at which indices which of them must agree.

use nub_bitvec::{Op, Pool, Sort, TermId, Value, cone};
use rustc_hash::FxHashMap;

/// Why two arrays agree at an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// One is the other with a write at this index term; they agree at all other indices.
    Except(TermId),
    /// A condition has this value: the condition of an `ite`, or an equality of arrays.
    Given(TermId, bool),
}

/// An array term.
pub(super) struct Array {
    pub(super) id: TermId,
    pub(super) sort: Sort,
    /// The element of a constant array.
    pub(super) constant: Option<TermId>,
    /// The arrays with which it agrees under the current values.
    pub(super) links: Vec<(usize, Link)>,
}

/// The element that an array is known to have at an index.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The array at which the access starts.
    pub(super) array: usize,
    pub(super) index: Index,
    /// The term of the element.
    pub(super) element: TermId,
}

/// The index of an access.
#[derive(Clone, Debug)]
pub(super) enum Index {
    /// A term.
    Term(TermId),
    /// Any index; this value represents it.
    Any(Value),
}

/// See the module documentation.
pub(super) struct Graph {
    pub(super) arrays: Vec<Array>,
    /// Writes come first: the element at the index of a write is the one written, whatever other access arrives there.
    pub(super) accesses: Vec<Access>,
    numbers: FxHashMap<TermId, usize>,
}

impl Graph {
    /// The arrays below the roots, linked according to the values. O(terms); for constant arrays with small index sorts, also their
    /// number times the number of indices.
    pub(super) fn new(pool: &Pool, roots: &[TermId], values: &FxHashMap<TermId, Value>) -> Graph {
        let mut graph = Graph { arrays: Vec::new(), accesses: Vec::new(), numbers: FxHashMap::default() };
        let terms = cone(pool, roots);
        for &id in terms.iter().filter(|id| pool.sort(**id).is_array()) {
            graph.numbers.insert(id, graph.arrays.len());
            let term = pool.term(id);
            let constant = (term.op() == Op::ConstArray).then(|| term.arg(0));
            graph.arrays.push(Array { id, sort: term.sort(), constant, links: Vec::new() });
        }
        let mut reads = Vec::new();
        for &id in &terms {
            let term = pool.term(id);
            let is_true = |id: TermId| values.get(&id).is_some_and(|value| !value.is_zero());
            match term.op() {
                Op::Write => {
                    graph.link(id, term.arg(0), Link::Except(term.arg(1)));
                    let array = graph.numbers[&id];
                    let index = Index::Term(term.arg(1));
                    graph.accesses.push(Access { array, index, element: term.arg(2) });
                }
                Op::Ite if graph.numbers.contains_key(&id) => {
                    let chosen = is_true(term.arg(0));
                    let branch = term.arg(if chosen { 1 } else { 2 });
                    graph.link(id, branch, Link::Given(term.arg(0), chosen));
                }
                Op::Eq | Op::Ne if !graph.numbers.contains_key(&term.arg(0)) => {}
                Op::Eq | Op::Ne if is_true(id) == (term.op() == Op::Eq) => {
                    graph.link(term.arg(0), term.arg(1), Link::Given(id, is_true(id)));
                }
                Op::Read => {
                    let array = graph.numbers[&term.arg(0)];
                    reads.push(Access { array, index: Index::Term(term.arg(1)), element: id });
                }
                _ => {}
            }
        }
        graph.accesses.extend(reads);
        graph.add_constant_arrays(values);
        graph
    }

    fn link(&mut self, a: TermId, b: TermId, link: Link) {
        let (a, b) = (self.numbers[&a], self.numbers[&b]);
        self.arrays[a].links.push((b, link));
        self.arrays[b].links.push((a, link));
    }

    /// A constant array gets an access at an index that no access uses. If all indices are used, it gets an access at each of them. An
    /// index that is used by an access reaches the constant array through that access if it is linked, so it need not be added again.
    fn add_constant_arrays(&mut self, values: &FxHashMap<TermId, Value>) {
        let mut named: Vec<Value> = Vec::new();
        for access in &self.accesses {
            if let Index::Term(index) = access.index {
                named.extend(values.get(&index).cloned());
            }
        }
        named.sort_unstable();
        named.dedup();
        for number in 0..self.arrays.len() {
            let array = &self.arrays[number];
            let (Some(element), Sort::Array { index, .. }) = (array.constant, array.sort) else { continue };
            let of_width = |value: &&Value| value.width() == index;
            let indices = match unnamed(index, named.iter().filter(of_width)) {
                Some(value) => vec![value],
                None => named.iter().filter(of_width).cloned().collect(),
            };
            let accesses =
                indices.into_iter().map(|value| Access { array: number, index: Index::Any(value), element });
            self.accesses.extend(accesses);
        }
    }
}

/// The smallest value that is not among `named`, which is in ascending order.
pub(crate) fn unnamed<'v>(width: u32, named: impl Iterator<Item = &'v Value>) -> Option<Value> {
    let mut candidate = Value::zero(width);
    for value in named {
        if *value != candidate {
            break;
        }
        if candidate.is_ones() {
            return None;
        }
        candidate = candidate.inc();
    }
    Some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_index_is_found() {
        let bits = |number: u64| Value::from_u64(2, number);
        let find = |numbers: &[u64]| unnamed(2, numbers.iter().map(|n| bits(*n)).collect::<Vec<_>>().iter());
        assert_eq!(find(&[]), Some(bits(0)));
        assert_eq!(find(&[1, 2]), Some(bits(0)));
        assert_eq!(find(&[0, 1, 3]), Some(bits(2)));
        assert_eq!(find(&[0, 1, 2, 3]), None);
    }
}
