//! Moving accesses along links until they meet.

use super::graph::{Access, Graph, Index, Link};
use nub_bitvec::{Op, Pool, TermId, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Limit on the conflicts found in one model. More lemmas at once mean fewer questions, but also more unnecessary lemmas.
const MAX_CONFLICTS: usize = 64;

/// An access at an array, and how it arrived there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    access: usize,
    /// The previous array, unless the access starts here.
    from: Option<(usize, Link)>,
}

/// Why the values are wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// Two accesses with equal indices and different elements met at this array.
    Met(usize, [Visit; 2]),
    /// An access reached this constant array with an element other than the array's.
    NotConstant(usize, Visit, TermId),
}

/// The accesses and where they are.
pub(super) struct Travel<'g> {
    graph: &'g Graph,
    /// Values of terms.
    values: &'g FxHashMap<TermId, Value>,
    /// By access: the value of its index.
    indices: Vec<Value>,
    /// By array and value of the index: the access that arrived first. A later one with the same element need not go on.
    at: FxHashMap<(usize, Value), Visit>,
}

impl<'g> Travel<'g> {
    pub(super) fn new(graph: &'g Graph, values: &'g FxHashMap<TermId, Value>) -> Travel<'g> {
        let index = |access: &Access| match &access.index {
            Index::Term(term) => values[term].clone(),
            Index::Any(value) => value.clone(),
        };
        Travel {
            graph,
            values,
            indices: graph.accesses.iter().map(index).collect(),
            at: FxHashMap::default(),
        }
    }

    /// Moves all accesses as far as possible, breadth first, so that premises are short. O(accesses * links).
    pub(super) fn run(&mut self) -> Vec<Conflict> {
        let starts = self.graph.accesses.iter().enumerate();
        let mut todo: VecDeque<(usize, Visit)> =
            starts.map(|(access, start)| (start.array, Visit { access, from: None })).collect();
        let mut conflicts = Vec::new();
        while let Some((array, visit)) = todo.pop_front() {
            let index = self.indices[visit.access].clone();
            if conflicts.len() == MAX_CONFLICTS {
                break;
            }
            if let Some(&first) = self.at.get(&(array, index.clone())) {
                if self.element(first.access) != self.element(visit.access) {
                    conflicts.push(Conflict::Met(array, [first, visit]));
                }
                continue;
            }
            let constant = self.graph.arrays[array].constant;
            if let Some(constant) = constant.filter(|term| self.values[term] != *self.element(visit.access)) {
                conflicts.push(Conflict::NotConstant(array, visit, constant));
                continue;
            }
            for &(next, link) in &self.graph.arrays[array].links {
                let is_open = match link {
                    Link::Except(term) => self.values[&term] != index,
                    Link::Given(..) => true,
                };
                if is_open {
                    todo.push_back((next, Visit { access: visit.access, from: Some((array, link)) }));
                }
            }
            self.at.insert((array, index), visit);
        }
        conflicts
    }

    fn element(&self, access: usize) -> &Value {
        &self.values[&self.graph.accesses[access].element]
    }

    /// The accesses at an array: index and element.
    pub(super) fn accesses_at(&self) -> impl Iterator<Item = (usize, &Value, &Value)> {
        self.at.iter().map(|((array, index), visit)| (*array, index, self.element(visit.access)))
    }

    /// The constant arrays and their elements.
    pub(super) fn constant_elements(&self) -> impl Iterator<Item = (usize, Value)> {
        let constants = self.graph.accesses.iter().filter(|access| matches!(access.index, Index::Any(_)));
        constants.map(|access| (access.array, self.values[&access.element].clone()))
    }

    /// The lemma that explains a conflict.
    pub(super) fn lemma(&self, conflict: &Conflict) -> Lemma {
        let element = |visit: Visit| self.graph.accesses[visit.access].element;
        let mut given = Vec::new();
        let (ways, elements) = match *conflict {
            Conflict::Met(array, [a, b]) => {
                let ways = [a, b].map(|visit| self.way(array, visit, &mut given));
                (ways.into(), [element(a), element(b)])
            }
            Conflict::NotConstant(array, visit, constant) => {
                (vec![self.way(array, visit, &mut given)], [element(visit), constant])
            }
        };
        Lemma { ways, elements, given }
    }

    /// The path of an access to an array. Adds the conditions on it to `given`.
    fn way(&self, array: usize, visit: Visit, given: &mut Vec<(TermId, bool)>) -> Way {
        let index = self.graph.accesses[visit.access].index.clone();
        let mut way = Way { index, arrays: vec![self.graph.arrays[array].id], excepts: Vec::new() };
        let mut visit = visit;
        while let Some((before, link)) = visit.from {
            match link {
                Link::Except(term) => way.excepts.push(term),
                Link::Given(term, value) => given.push((term, value)),
            }
            way.arrays.push(self.graph.arrays[before].id);
            visit = self.at[&(before, self.indices[visit.access].clone())];
        }
        way
    }
}

/// The path on which an access reached an array.
pub(super) struct Way {
    pub(super) index: Index,
    /// The arrays on it, from the last back to the one where the access starts.
    pub(super) arrays: Vec<TermId>,
    /// Indices of writes on the path: the index of the access equals none of them.
    pub(super) excepts: Vec<TermId>,
}

/// If the indices of the paths are equal and are none of the exceptions, and the conditions have the given values,
/// then the elements are equal.
pub(super) struct Lemma {
    /// Two accesses that met, or one that reached a constant array.
    pub(super) ways: Vec<Way>,
    /// What must be equal: the element of the first access, and that of the second or of the constant array.
    pub(super) elements: [TermId; 2],
    pub(super) given: Vec<(TermId, bool)>,
}

impl Lemma {
    /// The lemma as a term, a truth value.
    pub(super) fn term(&self, pool: &mut Pool) -> TermId {
        let mut lemma = pool.mk(Op::Eq, &self.elements);
        let index = |pool: &mut Pool, way: &Way| match &way.index {
            Index::Term(term) => *term,
            Index::Any(value) => pool.constant(value.clone()),
        };
        if let [a, b] = &self.ways[..] {
            let indices = [a, b].map(|way| index(pool, way));
            let differ = pool.mk(Op::Ne, &indices);
            lemma = pool.mk(Op::Or, &[lemma, differ]);
        }
        for way in &self.ways {
            let at = index(pool, way);
            for &except in &way.excepts {
                let is_except = pool.mk(Op::Eq, &[at, except]);
                lemma = pool.mk(Op::Or, &[lemma, is_except]);
            }
        }
        for &(condition, value) in &self.given {
            let is_other = if value { pool.not(condition) } else { condition };
            lemma = pool.mk(Op::Or, &[lemma, is_other]);
        }
        lemma
    }
}
