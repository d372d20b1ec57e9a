//! The zero-one principle for comparator networks: zeros and ones are enough.
//!
//! If a program only ever replaces two values by their minimum and maximum, as a bubble sort does, then an assertion `a <= b` holds for all numbers if it holds
//! for all zeros and ones (Knuth, *The Art of Computer Programming* 3, 5.3.4, theorem Z). Proof: suppose that it fails, with `a > b`. Replace every number
//! greater than `b` by 1, and all others by 0. This replacement commutes with minimum and maximum, so the run with zeros and ones ends with 1 in `a` and 0 in
//! `b`, and the assertion fails there too. So each number needs only one bit, and minimum and maximum become `and` and `or`.

use nub_bitvec::{Op, Pool, Sort, TermId};
use rustc_hash::FxHashMap;

/// A term over bits; if it is never true, neither is the given one. `None` if values are used in another way. Linear in the number of terms.
pub(super) fn zero_one(pool: &mut Pool, root: TermId) -> Option<TermId> {
    let mut network = Network { pool, is_signed: None, images: FxHashMap::default() };
    let atoms = network.atoms(root)?;
    let mut fails = network.pool.truth(false);
    for (above, below) in atoms {
        let (above, below) = (network.image(above)?, network.image(below)?);
        let pool = &mut *network.pool;
        let below = pool.not(below);
        let here = pool.mk(Op::And, &[above, below]);
        fails = pool.mk(Op::Or, &[fails, here]);
    }
    Some(fails)
}

/// The operands of a comparison: where it is true, `low` is the smaller one.
struct Ordered {
    low: TermId,
    high: TermId,
    is_strict: bool,
    is_signed: bool,
}

/// The operands of a comparison, in order; `None` if the term is not a comparison of numbers.
fn ordered(pool: &Pool, id: TermId) -> Option<Ordered> {
    let (is_swapped, is_strict, is_signed) = match pool.op(id) {
        Op::Slt => (false, true, true),
        Op::Sle => (false, false, true),
        Op::Sgt => (true, true, true),
        Op::Sge => (true, false, true),
        Op::Ult => (false, true, false),
        Op::Ule => (false, false, false),
        Op::Ugt => (true, true, false),
        Op::Uge => (true, false, false),
        Op::Not => {
            let inner = ordered(pool, pool.args(id).next()?).filter(|_| pool.width(id) == 1)?;
            return Some(Ordered { low: inner.high, high: inner.low, is_strict: !inner.is_strict, ..inner });
        }
        _ => return None,
    };
    let (a, b) = (pool.term(id).arg(0), pool.term(id).arg(1));
    let (low, high) = if is_swapped { (b, a) } else { (a, b) };
    (pool.width(a) > 1).then_some(Ordered { low, high, is_strict, is_signed })
}

/// The terms, and the bit that replaces each value.
struct Network<'p> {
    pool: &'p mut Pool,
    is_signed: Option<bool>,
    images: FxHashMap<TermId, TermId>,
}

impl Network<'_> {
    /// Pairs of values such that the term is true only if, in some pair, the first value is greater; `None` if the term does not have this form.
    fn atoms(&mut self, root: TermId) -> Option<Vec<(TermId, TermId)>> {
        let mut pairs = Vec::new();
        let mut values: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut todo = vec![(root, false)];
        while let Some((id, is_ready)) = todo.pop() {
            if values.contains_key(&id) {
                continue;
            }
            if self.pool.width(id) != 1 || self.pool.op(id) == Op::Var {
                return None;
            }
            let args: Vec<TermId> = self.pool.args(id).collect();
            let comparison = if self.pool.op(id) == Op::Not { None } else { ordered(self.pool, id) };
            let value = match comparison {
                Some(Ordered { low, high, is_strict, is_signed }) => {
                    self.agree(is_signed)?;
                    // If a term is only true where the first value of some pair is greater, it is false where each comparison has this value.
                    pairs.push(if is_strict { (high, low) } else { (low, high) });
                    self.pool.truth(!is_strict)
                }
                None if !is_ready => {
                    todo.push((id, true));
                    todo.extend(args.into_iter().map(|arg| (arg, false)));
                    continue;
                }
                None => {
                    let args: Vec<TermId> = args.iter().map(|arg| values[arg]).collect();
                    let term = *self.pool.term(id);
                    let is_plain = term.op().info().shape.n_indices() == 0;
                    if args.is_empty() { id } else { self.pool.mk(is_plain.then_some(term.op())?, &args) }
                }
            };
            values.insert(id, value);
        }
        let never = self.pool.truth(false);
        (values[&root] == never).then_some(pairs)
    }

    /// Notes how a comparison orders numbers; `None` if another one orders them differently.
    fn agree(&mut self, is_signed: bool) -> Option<()> {
        (*self.is_signed.get_or_insert(is_signed) == is_signed).then_some(())
    }

    /// The bit that replaces a value: a new variable for a variable, `and` for a minimum, `or` for a maximum. `None` for anything else.
    fn image(&mut self, value: TermId) -> Option<TermId> {
        let mut todo = vec![(value, false)];
        while let Some((id, is_ready)) = todo.pop() {
            if self.images.contains_key(&id) {
                continue;
            }
            let term = *self.pool.term(id);
            let image = match term.op() {
                Op::Var => self.pool.var(Sort::BIT),
                Op::Ite if !is_ready => {
                    todo.extend([(id, true), (term.arg(1), false), (term.arg(2), false)]);
                    continue;
                }
                Op::Ite => {
                    let Ordered { low, high, is_signed, .. } = ordered(self.pool, term.arg(0))?;
                    self.agree(is_signed)?;
                    let op = match (term.arg(1), term.arg(2)) {
                        (yes, no) if (yes, no) == (low, high) => Op::And,
                        (yes, no) if (yes, no) == (high, low) => Op::Or,
                        _ => return None,
                    };
                    let (a, b) = (self.images[&low], self.images[&high]);
                    self.pool.mk(op, &[a, b])
                }
                _ => return None,
            };
            self.images.insert(id, image);
        }
        self.images.get(&value).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_sat::SatLimits;
    use nub_sat::certify::{CertificationResult, never_true};

    /// A bubble sort of `n` numbers, cut off after `n_rounds`: true if two neighbours are in the wrong order at the end.
    fn unsorted(pool: &mut Pool, n: usize, n_rounds: usize) -> TermId {
        let mut list: Vec<TermId> = (0..n).map(|_| pool.var(Sort::Bits(32))).collect();
        for _ in 0..n_rounds {
            for at in 1..n {
                let (a, b) = (list[at - 1], list[at]);
                let is_wrong = pool.mk(Op::Sgt, &[a, b]);
                list[at - 1] = pool.mk(Op::Ite, &[is_wrong, b, a]);
                list[at] = pool.mk(Op::Ite, &[is_wrong, a, b]);
            }
        }
        let mut found = pool.truth(false);
        for pair in list.windows(2) {
            let is_right = pool.mk(Op::Sle, &[pair[0], pair[1]]);
            let is_wrong = pool.not(is_right);
            found = pool.mk(Op::Or, &[found, is_wrong]);
        }
        found
    }

    #[test]
    fn a_sort_is_right_or_wrong_with_zeros_and_ones() {
        for n in 2..5 {
            for n_rounds in 0..n {
                let mut pool = Pool::new();
                let wide = unsorted(&mut pool, n, n_rounds);
                let narrow = zero_one(&mut pool, wide).expect("it only compares and exchanges");
                let is_checked =
                    |term| never_true(&pool, term, &SatLimits::none()) == CertificationResult::Checked;
                assert_eq!(is_checked(narrow), n_rounds == n - 1, "{n} numbers, {n_rounds} rounds");
                assert_eq!(is_checked(wide), n_rounds == n - 1, "{n} numbers, {n_rounds} rounds");
            }
        }
    }

    /// Three numbers can all be different; zeros and ones cannot.
    #[test]
    fn other_uses_of_values_are_refused() {
        let mut pool = Pool::new();
        let [a, b, c] = [(); 3].map(|()| pool.var(Sort::Bits(8)));
        let (first, second) = (pool.mk(Op::Slt, &[a, b]), pool.mk(Op::Slt, &[b, c]));
        let equal = pool.mk(Op::Eq, &[a, b]);
        let chosen = pool.mk(Op::Ite, &[first, c, a]);
        let on_choice = pool.mk(Op::Slt, &[chosen, b]);
        let unsigned = pool.mk(Op::Ult, &[a, c]);
        let mixed = pool.mk(Op::And, &[first, unsigned]);
        let always = pool.not(second);
        for term in [equal, on_choice, mixed, always] {
            assert!(zero_one(&mut pool, term).is_none());
        }
        let both = pool.mk(Op::And, &[first, second]);
        let narrow = zero_one(&mut pool, both).expect("it only compares");
        // Satisfiable, like the term itself.
        assert_ne!(never_true(&pool, narrow, &SatLimits::none()), CertificationResult::Checked);
    }
}
