//! From facts to ranges.

use super::{NumberInterval, RangesUnderFacts, ValueRange};
use crate::{Op, Pool, Sort, TermId};

/// At most this many parts of a fact are used.
const MAX_PARTS: usize = 64;

/// A term of one bit, and its value.
#[derive(Clone, Copy)]
pub(super) struct AssumedBit {
    pub term: TermId,
    pub truth: bool,
}

/// What an assumption changes and costs.
pub(super) struct RangeEffort {
    /// What was known of terms before, in the order of the changes.
    pub log: Vec<(TermId, Option<ValueRange>)>,
    /// Terms that may still be inspected. Assumptions within assumptions share them, because each may contain two others.
    pub looks: u32,
}

impl RangesUnderFacts {
    /// Adds what follows from an assumption. False if it cannot be.
    pub(super) fn assume(&mut self, pool: &Pool, assumed: AssumedBit, effort: &mut RangeEffort) -> bool {
        let mut todo = vec![assumed];
        let mut n_parts = 0;
        while let Some(AssumedBit { term: id, truth }) = todo.pop() {
            n_parts += 1;
            if n_parts > MAX_PARTS {
                return true;
            }
            if let Some(value) = pool.value(id) {
                if value.is_zero() == truth {
                    return false;
                }
                continue;
            }
            let term = *pool.term(id);
            let is_bit = |arg: TermId| pool.sort(arg) == Sort::BIT;
            match (term.op(), truth) {
                (Op::Not, _) => todo.push(AssumedBit { term: term.arg(0), truth: !truth }),
                (Op::And, true) | (Op::Or, false) => {
                    todo.extend(term.args().map(|term| AssumedBit { term, truth }));
                }
                (Op::Eq | Op::Slt | Op::Ult, _)
                    if !is_bit(term.arg(0))
                        && !self.compared(pool, term.op(), [term.arg(0), term.arg(1)], truth, effort) =>
                {
                    return false;
                }
                (Op::Slice, _) if !self.sign_is(pool, id, truth, effort) => return false,
                _ => {}
            }
        }
        true
    }

    /// Forgets what was assumed.
    pub(super) fn undo(&mut self, log: Vec<(TermId, Option<ValueRange>)>) {
        for (id, before) in log.into_iter().rev() {
            match before {
                Some(range) => self.known.insert(id, range),
                None => self.known.remove(&id),
            };
        }
    }

    /// A comparison is true or false.
    fn compared(
        &mut self,
        pool: &Pool,
        op: Op,
        [a, b]: [TermId; 2],
        truth: bool,
        effort: &mut RangeEffort,
    ) -> bool {
        let (Some(of_a), Some(of_b)) =
            (self.look(pool, a, &mut effort.looks), self.look(pool, b, &mut effort.looks))
        else {
            return true;
        };
        let width = pool.width(a);
        let (new_a, new_b) = match (op, truth) {
            (Op::Eq, true) => (Some(of_b), Some(of_a)),
            (Op::Eq, false) => return self.differ(pool, [(a, of_a), (b, of_b)], effort),
            (Op::Slt, _) => {
                let (below, above) = sides(of_a.signed, of_b.signed, truth);
                let range = |interval: Option<NumberInterval>| {
                    interval.and_then(|found| ValueRange::of_signed(width, found))
                };
                (range(below), range(above))
            }
            _ => {
                let (below, above) = sides(of_a.unsigned, of_b.unsigned, truth);
                let range = |interval: Option<NumberInterval>| {
                    interval.and_then(|found| ValueRange::of_unsigned(width, found))
                };
                (range(below), range(above))
            }
        };
        let (Some(new_a), Some(new_b)) = (new_a, new_b) else { return false };
        self.restrict(pool, a, new_a, effort) && self.restrict(pool, b, new_b, effort)
    }

    /// Two terms differ: if one is constant, and the other ends there, it ends one earlier.
    fn differ(&mut self, pool: &Pool, [a, b]: [(TermId, ValueRange); 2], effort: &mut RangeEffort) -> bool {
        for ((_, of_k), (x, of_x)) in [(a, b), (b, a)] {
            if of_k.signed.low != of_k.signed.high {
                continue;
            }
            let width = pool.width(x);
            let (signed, unsigned) = (of_k.signed.low, of_k.unsigned.low);
            let shrunk = (without_end(of_x.signed, signed), without_end(of_x.unsigned, unsigned));
            let (Some(signed), Some(unsigned)) = shrunk else { return false };
            for range in [ValueRange::of_signed(width, signed), ValueRange::of_unsigned(width, unsigned)] {
                if !range.is_none_or(|range| self.restrict(pool, x, range, effort)) {
                    return false;
                }
            }
        }
        true
    }

    /// A slice of one bit is set or not. Only the sign says something about the range.
    fn sign_is(&mut self, pool: &Pool, slice: TermId, truth: bool, effort: &mut RangeEffort) -> bool {
        let term = *pool.term(slice);
        let (whole, width) = (term.arg(0), pool.width(term.arg(0)));
        let Some(all) = ValueRange::all(width).filter(|_| term.index(1) == width - 1) else { return true };
        let signed = if truth {
            NumberInterval::new(all.signed.low, -1)
        } else {
            NumberInterval::new(0, all.signed.high)
        };
        ValueRange::of_signed(width, signed).is_none_or(|range| self.restrict(pool, whole, range, effort))
    }

    /// A term is in a range, and what that says about what it is made of. False if that cannot be.
    fn restrict(&mut self, pool: &Pool, id: TermId, range: ValueRange, effort: &mut RangeEffort) -> bool {
        let (mut id, mut range) = (id, range);
        // Operands are older than their term, so the loop ends.
        loop {
            let Some(found) = self.look(pool, id, &mut effort.looks) else { return true };
            let Some(met) = found.meet(range) else { return false };
            if met == found {
                return true;
            }
            effort.log.push((id, self.known.insert(id, met)));
            let term = *pool.term(id);
            let inner = match term.op() {
                Op::Sext => ValueRange::of_signed(pool.width(term.arg(0)), met.signed)
                    .map(|inner| (term.arg(0), inner)),
                Op::Concat if pool.value(term.arg(0)).is_some_and(|high| high.is_zero()) => {
                    ValueRange::of_unsigned(pool.width(term.arg(1)), met.unsigned)
                        .map(|inner| (term.arg(1), inner))
                }
                Op::Add => self.summand(pool, id, met, effort),
                _ => None,
            };
            let Some(next) = inner else { return true };
            (id, range) = next;
        }
    }

    /// The range of `x` where `k + x` has a range, if that sum never wraps around.
    fn summand(
        &mut self,
        pool: &Pool,
        sum: TermId,
        range: ValueRange,
        effort: &mut RangeEffort,
    ) -> Option<(TermId, ValueRange)> {
        let term = *pool.term(sum);
        let (k, x) = (term.arg(0), term.arg(1));
        pool.value(k)?;
        let k = self.look(pool, k, &mut effort.looks)?.signed.low;
        let now = self.look(pool, x, &mut effort.looks)?.signed;
        let all = ValueRange::all(term.width())?.signed;
        let never_wraps = all.low <= now.low + k && now.high + k <= all.high;
        let before = NumberInterval::new(range.signed.low - k, range.signed.high - k);
        let before = ValueRange::of_signed(term.width(), before)?;
        never_wraps.then_some((x, before))
    }
}

/// The ranges of both sides of `a < b`, or of `a >= b` if that is false; `None` for an empty one.
fn sides(
    a: NumberInterval,
    b: NumberInterval,
    truth: bool,
) -> (Option<NumberInterval>, Option<NumberInterval>) {
    let interval = |low: i128, high: i128| (low <= high).then(|| NumberInterval::new(low, high));
    if truth {
        (interval(a.low, a.high.min(b.high - 1)), interval(b.low.max(a.low + 1), b.high))
    } else {
        (interval(a.low.max(b.low), a.high), interval(b.low, b.high.min(a.high)))
    }
}

/// The interval without a number that is at one of its ends; `None` if nothing is left.
fn without_end(interval: NumberInterval, number: i128) -> Option<NumberInterval> {
    let low = interval.low + i128::from(interval.low == number);
    let high = interval.high - i128::from(interval.high == number);
    (low <= high).then(|| NumberInterval::new(low, high))
}
