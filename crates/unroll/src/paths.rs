//! Path conditions.
//!
//! A path is a list of literals from the start of the function; lists share their prefixes. Where two paths merge, the common prefix stays, and the
//! rest becomes one literal. The two sides of a branch leave no literal: the path after an `if` is the one before it, as the same object. So guards
//! do not grow with the number of branches passed, only with the number of branches left by a jump.

use crate::terms;
use nub_bitvec::{Op, Pool, TermId};

/// A path condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PathId(u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: PathId,
    literal: TermId,
    /// The literal as a condition over inputs, without what is known before it. The same as the literal unless guards are variables.
    fact: TermId,
    depth: u32,
    /// All literals together.
    guard: TermId,
}

/// All path conditions, a tree.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    nodes: Vec<Node>,
}

/// One more literal of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub literal: TermId,
    /// The literal as a condition over inputs.
    pub fact: TermId,
    /// The whole path condition.
    pub guard: TermId,
}

/// Where two paths merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The common prefix.
    pub common: PathId,
    /// What holds after it, on one path or the other.
    pub literal: TermId,
    /// The same as a condition over inputs.
    pub fact: TermId,
    /// One bit that distinguishes them: true on the first.
    pub first: TermId,
}

impl Paths {
    pub(crate) const START: PathId = PathId(0);

    pub(crate) fn new(pool: &mut Pool) -> Paths {
        let truth = pool.truth(true);
        let start = Node { parent: Paths::START, literal: truth, fact: truth, depth: 0, guard: truth };
        Paths { nodes: vec![start] }
    }

    fn node(&self, path: PathId) -> Node {
        self.nodes[path.0 as usize]
    }

    /// The path condition as a term.
    pub(crate) fn guard(&self, path: PathId) -> TermId {
        self.node(path).guard
    }

    /// The part of the path where the literal holds, unless that is empty.
    #[cfg(test)]
    pub(crate) fn extend(&mut self, pool: &mut Pool, path: PathId, literal: TermId) -> Option<PathId> {
        let guard = terms::and(pool, self.guard(path), literal);
        self.extend_as(pool, path, Step { literal, fact: literal, guard })
    }

    /// The part of the path where the literal holds, unless that is empty.
    pub(crate) fn extend_as(&mut self, pool: &mut Pool, path: PathId, step: Step) -> Option<PathId> {
        let Step { literal, fact, guard } = step;
        if let Some(truth) = terms::known_truth(pool, literal) {
            return truth.then_some(path);
        }
        if terms::known_truth(pool, guard) == Some(false) {
            return None;
        }
        let id = PathId(u32::try_from(self.nodes.len()).ok()?);
        let depth = self.node(path).depth + 1;
        self.nodes.push(Node { parent: path, literal, fact, depth, guard });
        Some(id)
    }

    /// What is known on a path, last first.
    pub(crate) fn facts(&self, path: PathId) -> impl Iterator<Item = TermId> {
        let mut next = path;
        std::iter::from_fn(move || {
            let node = self.node(next);
            let is_start = next == Paths::START;
            next = node.parent;
            (!is_start).then_some(node.fact)
        })
    }

    /// The last path that both go through, and the nodes of each after it. O(nodes returned).
    fn part(&self, a: PathId, b: PathId) -> (PathId, Vec<Node>, Vec<Node>) {
        let (mut left, mut right) = (a, b);
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        while left != right {
            if self.node(left).depth >= self.node(right).depth {
                of_a.push(self.node(left));
                left = self.node(left).parent;
            } else {
                of_b.push(self.node(right));
                right = self.node(right).parent;
            }
        }
        of_a.reverse();
        of_b.reverse();
        (left, of_a, of_b)
    }

    /// How much two paths have in common.
    pub(crate) fn common_depth(&self, a: PathId, b: PathId) -> u32 {
        let (mut left, mut right) = (a, b);
        while left != right {
            if self.node(left).depth >= self.node(right).depth {
                left = self.node(left).parent;
            } else {
                right = self.node(right).parent;
            }
        }
        self.node(left).depth
    }

    /// Merges two disjoint paths: the common prefix, extended by the literal.
    pub(crate) fn meet(&self, pool: &mut Pool, a: PathId, b: PathId) -> Meeting {
        let (common, of_a, of_b) = self.part(a, b);
        let facts = |nodes: &[Node]| -> Vec<TermId> { nodes.iter().map(|node| node.fact).collect() };
        let (facts_a, facts_b) = (facts(&of_a), facts(&of_b));
        let literals = |nodes: &[Node]| -> Vec<TermId> { nodes.iter().map(|node| node.literal).collect() };
        let (of_a, of_b) = (literals(&of_a), literals(&of_b));
        let (Some(&head_a), Some(&head_b)) = (of_a.first(), of_b.first()) else {
            // One contains the other: they are disjoint, so the longer one is impossible.
            let (first, truth) = (pool.truth(of_a.is_empty()), pool.truth(true));
            return Meeting { common, literal: truth, fact: truth, first };
        };
        if pool.not(head_a) == head_b {
            let mut either = |a: &[TermId], b: &[TermId]| {
                let (rest_a, rest_b) = (all(pool, &a[1..]), all(pool, &b[1..]));
                pool.mk(Op::Ite, &[a[0], rest_a, rest_b])
            };
            let (literal, fact) = (either(&of_a, &of_b), either(&facts_a, &facts_b));
            return Meeting { common, literal, fact, first: head_a };
        }
        let (all_a, all_b) = (all(pool, &of_a), all(pool, &of_b));
        let (first, literal) = if let Some(rest) = beyond_opposite(pool, all_a, &of_b) {
            (all_a, terms::or(pool, all_a, rest))
        } else if let Some(rest) = beyond_opposite(pool, all_b, &of_a) {
            (pool.not(all_b), terms::or(pool, all_b, rest))
        } else {
            let first = if of_a.len() <= of_b.len() { all_a } else { pool.not(all_b) };
            (first, terms::or(pool, all_a, all_b))
        };
        let (all_a, all_b) = (all(pool, &facts_a), all(pool, &facts_b));
        let fact = terms::or(pool, all_a, all_b);
        Meeting { common, literal, fact, first }
    }
}

/// The conjunction.
fn all(pool: &mut Pool, literals: &[TermId]) -> TermId {
    let truth = pool.truth(true);
    literals.iter().fold(truth, |all, literal| terms::and(pool, all, *literal))
}

/// If `term` is the opposite of the first few literals, returns the conjunction of the rest: `term` or all literals is the same as `term` or the
/// rest. After a `switch` with cases that fall through, this restores the path before it.
fn beyond_opposite(pool: &mut Pool, term: TermId, literals: &[TermId]) -> Option<TermId> {
    let mut opposite = pool.truth(false);
    for (at, literal) in literals.iter().enumerate() {
        let not = pool.not(*literal);
        opposite = terms::or(pool, opposite, not);
        if opposite == term {
            return Some(all(pool, &literals[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Sort;

    #[test]
    fn what_parts_and_meets_is_the_same_path() {
        let mut pool = Pool::new();
        let mut paths = Paths::new(&mut pool);
        let mut path = Paths::START;
        for _ in 0..50 {
            let condition = pool.var(Sort::BIT);
            let opposite = pool.not(condition);
            let a = paths.extend(&mut pool, path, condition).unwrap();
            let b = paths.extend(&mut pool, path, opposite).unwrap();
            let meeting = paths.meet(&mut pool, a, b);
            let met = paths.extend(&mut pool, meeting.common, meeting.literal);
            assert_eq!((met, meeting.first), (Some(path), condition));
            path = a;
        }
        assert_eq!(paths.nodes.len(), 101);
    }

    #[test]
    fn an_early_exit_leaves_its_condition() {
        let mut pool = Pool::new();
        let mut paths = Paths::new(&mut pool);
        let (c, d) = (pool.var(Sort::BIT), pool.var(Sort::BIT));
        let (not_c, not_d) = (pool.not(c), pool.not(d));
        let then = paths.extend(&mut pool, Paths::START, c).unwrap();
        let otherwise = paths.extend(&mut pool, Paths::START, not_c).unwrap();
        let exit = paths.extend(&mut pool, then, d).unwrap();
        let stay = paths.extend(&mut pool, then, not_d).unwrap();
        let after = paths.meet(&mut pool, stay, otherwise);
        let after_path = paths.extend(&mut pool, after.common, after.literal).unwrap();
        let both = terms::and(&mut pool, c, d);
        assert_eq!(paths.guard(exit), both);
        assert_eq!(after.first, c);
        let end = paths.meet(&mut pool, exit, after_path);
        assert_eq!(paths.guard(exit), end.first, "the whole path tells them apart, not its first literal");
    }

    #[test]
    fn false_is_no_path() {
        let mut pool = Pool::new();
        let mut paths = Paths::new(&mut pool);
        let (truth, falsity) = (pool.truth(true), pool.truth(false));
        assert_eq!(paths.extend(&mut pool, Paths::START, falsity), None);
        assert_eq!(paths.extend(&mut pool, Paths::START, truth), Some(Paths::START));
    }
}
