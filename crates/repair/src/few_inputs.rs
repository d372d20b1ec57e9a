//! Inputs with few values: each is tried.
//!
//! A reading in tenths of a degree, a percentage, a position in a table: assumptions often leave an input only some hundred values. Evaluating the
//! question for each of them takes less time than a proof, which has to learn how floats are multiplied and divided.

use nub_bitvec::{Assignment, Datum, Evaluator, Op, Pool, TermId, Value, cone};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many assignments are tried, and how many terms are evaluated for all of them.
const MAX_TRIES: u128 = 1 << 16;
const MAX_WORK: u128 = 20_000_000;
/// How deep terms are searched for bounds.
const MAX_DEPTH: u32 = 64;

/// The result of trying all values.
pub(super) enum Enumerated {
    /// The term is true for these values.
    True(Assignment),
    /// It is never true.
    Never,
    /// There are too many.
    TooMany,
}

/// Least and largest value of variables, as signed numbers.
type Bounds = BTreeMap<TermId, (i128, i128)>;

/// Tries all values of the variables of a one-bit term.
pub(super) fn enumerate(pool: &Pool, term: TermId) -> Enumerated {
    let below = cone(pool, &[term]);
    let mut finder = Finder { pool, known: FxHashMap::default() };
    let Some(bounds) = finder.bounds(term, true, 0) else { return Enumerated::Never };
    let mut domains: Vec<Domain> = Vec::new();
    let mut n_tries: u128 = 1;
    for id in below.iter().copied().filter(|id| pool.op(*id) == Op::Var) {
        let Some(width) = pool.sort(id).bits().filter(|width| *width <= 64) else {
            return Enumerated::TooMany;
        };
        let (least, most) = bounds.get(&id).copied().unwrap_or_else(|| all(width));
        n_tries = n_tries.saturating_mul((most - least + 1).unsigned_abs());
        domains.push(Domain { id, width, least, most });
    }
    if n_tries > MAX_TRIES || n_tries.saturating_mul(below.len() as u128) > MAX_WORK {
        return Enumerated::TooMany;
    }
    let evaluator = Evaluator::new(pool, &[term]);
    for number in 0..n_tries {
        let assignment = assignment(&domains, number);
        if evaluator.run(&assignment)[0].is_true() {
            return Enumerated::True(assignment);
        }
    }
    Enumerated::Never
}

/// The values of one variable.
struct Domain {
    id: TermId,
    width: u32,
    least: i128,
    most: i128,
}

/// One of all combinations of values.
fn assignment(domains: &[Domain], mut number: u128) -> Assignment {
    let mut assignment = Assignment::new();
    for Domain { id, width, least, most } in domains {
        let n_values = (most - least + 1).unsigned_abs();
        let value = least + (number % n_values) as i128;
        number /= n_values;
        assignment.set(*id, Datum::Bits(Value::from_u64(64, value as u64).slice(width - 1, 0)));
    }
    assignment
}

fn all(width: u32) -> (i128, i128) {
    let half = 1_i128 << (width - 1);
    (-half, half - 1)
}

/// Finds bounds.
struct Finder<'p> {
    pool: &'p Pool,
    known: FxHashMap<(TermId, bool), Option<Bounds>>,
}

impl Finder<'_> {
    /// Bounds that hold wherever a term has this truth value; `None` if it never has it. A variable without bounds may have any value.
    fn bounds(&mut self, id: TermId, truth: bool, depth: u32) -> Option<Bounds> {
        if depth > MAX_DEPTH || self.pool.width(id) != 1 {
            return Some(Bounds::new());
        }
        if let Some(known) = self.known.get(&(id, truth)) {
            return known.clone();
        }
        let pool = self.pool;
        let args: Vec<TermId> = pool.args(id).collect();
        let mut of = |at: usize, truth: bool| self.bounds(args[at], truth, depth + 1);
        let found = match (pool.op(id), truth) {
            (Op::Const, _) => {
                let is_true = pool.value(id).is_some_and(|value| value.to_u64() == Some(1));
                (is_true == truth).then(Bounds::new)
            }
            (Op::Not, _) => of(0, !truth),
            (Op::And, true) | (Op::Nor, true) | (Op::Or, false) | (Op::Nand, false) => {
                let part = matches!(pool.op(id), Op::And | Op::Nand);
                both(of(0, part), of(1, part))
            }
            (Op::Or, true) | (Op::Nand, true) | (Op::And, false) | (Op::Nor, false) => {
                let part = matches!(pool.op(id), Op::Or | Op::Nor);
                either(of(0, part), of(1, part))
            }
            (Op::Implies, true) => either(of(0, false), of(1, true)),
            (Op::Implies, false) => both(of(0, true), of(1, false)),
            (Op::Ite, _) => either(both(of(0, true), of(1, truth)), both(of(0, false), of(2, truth))),
            (op, _) => self.compared(op, &args, truth),
        };
        self.known.insert((id, truth), found.clone());
        found
    }

    /// A variable that is compared with a constant.
    fn compared(&self, op: Op, args: &[TermId], truth: bool) -> Option<Bounds> {
        let [a, b] = args else { return Some(Bounds::new()) };
        let (variable, constant, op) = match (self.pool.op(*a), self.pool.op(*b)) {
            (Op::Var, Op::Const) => (*a, *b, Some(op)),
            (Op::Const, Op::Var) => (*b, *a, mirrored(op)),
            _ => return Some(Bounds::new()),
        };
        let value = self.pool.value(constant).and_then(Value::to_u64);
        let (Some(op), Some(value)) = (op.and_then(|op| if truth { Some(op) } else { opposite(op) }), value)
        else {
            return Some(Bounds::new());
        };
        let width = self.pool.width(variable);
        let (least, most) = all(width);
        let unsigned = i128::from(value);
        let signed = if unsigned > most { unsigned - (1_i128 << width) } else { unsigned };
        let (from, to) = match op {
            Op::Eq => (signed, signed),
            Op::Slt => (least, signed - 1),
            Op::Sle => (least, signed),
            Op::Sgt => (signed + 1, most),
            Op::Sge => (signed, most),
            // Nothing is below a number that is not negative.
            Op::Ult if unsigned <= most => (0, unsigned - 1),
            Op::Ule if unsigned <= most => (0, unsigned),
            _ => (least, most),
        };
        (from <= to).then(|| Bounds::from([(variable, (from, to))]))
    }
}

fn mirrored(op: Op) -> Option<Op> {
    Some(match op {
        Op::Eq | Op::Ne => op,
        Op::Slt => Op::Sgt,
        Op::Sle => Op::Sge,
        Op::Sgt => Op::Slt,
        Op::Sge => Op::Sle,
        Op::Ult => Op::Ugt,
        Op::Ule => Op::Uge,
        Op::Ugt => Op::Ult,
        Op::Uge => Op::Ule,
        _ => return None,
    })
}

fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ne => Op::Eq,
        Op::Slt => Op::Sge,
        Op::Sle => Op::Sgt,
        Op::Sgt => Op::Sle,
        Op::Sge => Op::Slt,
        Op::Ugt => Op::Ule,
        Op::Uge => Op::Ult,
        _ => return None,
    })
}

/// Bounds of what satisfies both.
fn both(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    let (mut found, b) = (a?, b?);
    for (id, (from, to)) in b {
        let own = found.entry(id).or_insert((from, to));
        *own = (own.0.max(from), own.1.min(to));
        if own.0 > own.1 {
            return None;
        }
    }
    Some(found)
}

/// Bounds of what satisfies one of them.
fn either(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    let (Some(a), Some(b)) = (a.clone(), b.clone()) else { return a.or(b) };
    let wider = |(id, (from, to)): (TermId, (i128, i128))| {
        b.get(&id).map(|other| (id, (from.min(other.0), to.max(other.1))))
    };
    Some(a.into_iter().filter_map(wider).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_bitvec::Sort;

    /// Whether some number between two others has this square.
    fn has_square(least: u64, most: u64, square: u64) -> Enumerated {
        let mut pool = Pool::new();
        let x = pool.var(Sort::Bits(32));
        let [least, most, square] =
            [least, most, square].map(|number| pool.constant(Value::from_u64(32, number)));
        let (above, below) = (pool.mk(Op::Sle, &[least, x]), pool.mk(Op::Slt, &[x, most]));
        let product = pool.mk(Op::Mul, &[x, x]);
        let is_square = pool.mk(Op::Eq, &[product, square]);
        let is_within = pool.mk(Op::And, &[above, below]);
        let term = pool.mk(Op::And, &[is_within, is_square]);
        enumerate(&pool, term)
    }

    #[test]
    fn all_values_are_tried() {
        let minus_ten = u64::from(-10_i32 as u32);
        assert!(matches!(has_square(minus_ten, 100, 9801), Enumerated::True(_)));
        assert!(matches!(has_square(minus_ten, 99, 9801), Enumerated::Never), "99 is not below 99");
        assert!(matches!(has_square(minus_ten, 5, 100), Enumerated::True(_)), "negative numbers are tried");
        assert!(matches!(has_square(5, 5, 25), Enumerated::Never), "there are none");
        assert!(matches!(has_square(0, 1 << 20, 25), Enumerated::TooMany));
    }
}
