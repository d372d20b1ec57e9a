//! Tries simple values before the search.
//!
//! A question about floats is often satisfied by 0 or 1, or by a number that it contains: `a / b == a`, or an algorithm that starts
//! with a good guess. The digits of a quotient depend on all digits before them, so the search finds such values late. Evaluating the
//! terms is much cheaper than encoding them as clauses. So a few values are tried first: the same one for all variables, then other
//! values for one variable at a time, as long as more assertions become true.
//!
//! Cost: at most [`MAX_TRIES`] evaluations.

use nub_bitvec::float::{Float, FloatFormat, Rational, RoundingMode};
use nub_bitvec::{Assignment, Datum, Evaluator, Op, Pool, Sort, TermId, Value, cone};
use rustc_hash::FxHashMap;

/// Limit on the evaluations of all assertions.
const MAX_TRIES: usize = 64;
/// Limit on the values tried for one width.
const MAX_VALUES: usize = 12;

/// Values of the variables that make all roots, which are truth values, true; `None` if none are found. Arrays are zero everywhere.
pub(crate) fn guessed(pool: &Pool, roots: &[TermId]) -> Option<Assignment> {
    let parts = conjuncts(pool, roots);
    let below = cone(pool, &parts);
    let variable = |id: &TermId| Some((*id, pool.sort(*id).bits().filter(|_| pool.op(*id) == Op::Var)?));
    let variables: Vec<(TermId, u32)> = below.iter().filter_map(variable).collect();
    let values = Candidates::new(pool, &below, &variables);
    let mut trial = Trial { evaluator: Evaluator::new(pool, &parts), n_parts: parts.len(), n_tries: 0 };
    let mut best = (0, Assignment::new());
    let n_values = variables.iter().map(|(_, width)| values.of(*width).len()).max().unwrap_or(1);
    for number in 0..n_values {
        let mut assignment = Assignment::new();
        for (id, width) in &variables {
            let values = values.of(*width);
            assignment.set(*id, Datum::Bits(values[number % values.len()].clone()));
        }
        let n_true = trial.n_true(&assignment)?;
        if n_true == parts.len() {
            return Some(assignment);
        }
        if n_true > best.0 || number == 0 {
            best = (n_true, assignment);
        }
    }
    trial.climb(&variables, &values, best)
}

/// The assertions, split into the conjuncts that must all be true.
fn conjuncts(pool: &Pool, roots: &[TermId]) -> Vec<TermId> {
    let mut todo: Vec<TermId> = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = todo.pop() {
        match pool.op(id) {
            Op::And if pool.sort(id) == Sort::BIT => todo.extend(pool.args(id)),
            _ => found.push(id),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The values to try, by width.
struct Candidates {
    by_width: FxHashMap<u32, Vec<Value>>,
}

impl Candidates {
    /// Zero, the number one as an integer and as a float, all bits, and constants among some terms.
    fn new(pool: &Pool, terms: &[TermId], variables: &[(TermId, u32)]) -> Candidates {
        let mut by_width: FxHashMap<u32, Vec<Value>> = FxHashMap::default();
        for (_, width) in variables {
            by_width.entry(*width).or_insert_with(|| {
                let simple = [Value::zero(*width), Value::one(*width), Value::ones(*width)];
                float_one(*width).into_iter().chain(simple).collect()
            });
        }
        for value in terms.iter().filter_map(|id| pool.value(*id)) {
            let Some(values) = by_width.get_mut(&value.width()) else { continue };
            if values.len() < MAX_VALUES && !values.contains(value) {
                values.push(value.clone());
            }
        }
        Candidates { by_width }
    }

    fn of(&self, width: u32) -> &[Value] {
        self.by_width.get(&width).map_or(&[], Vec::as_slice)
    }
}

/// The number one in the usual format of this width.
fn float_one(width: u32) -> Option<Value> {
    let formats = [FloatFormat::HALF, FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::QUAD];
    let format = formats.into_iter().find(|format| format.width() == width)?;
    let one: Float = Rational::from_c(b"1")?.round(format, RoundingMode::NearestEven);
    Some(one.bits().clone())
}

/// Evaluates and counts the evaluations.
struct Trial<'p> {
    evaluator: Evaluator<'p>,
    n_parts: usize,
    n_tries: usize,
}

impl Trial<'_> {
    /// How many conjuncts are true; `None` after the last evaluation that the limit allows.
    fn n_true(&mut self, assignment: &Assignment) -> Option<usize> {
        self.n_tries += 1;
        let found = || self.evaluator.run(assignment);
        (self.n_tries <= MAX_TRIES).then(|| found().iter().filter(|truth| truth.is_true()).count())
    }

    /// Changes one variable after the other, as long as that makes more conjuncts true.
    fn climb(
        &mut self,
        variables: &[(TermId, u32)],
        values: &Candidates,
        (mut most, mut best): (usize, Assignment),
    ) -> Option<Assignment> {
        loop {
            let before = most;
            for (id, width) in variables {
                for value in values.of(*width) {
                    let mut other = best.clone();
                    other.set(*id, Datum::Bits(value.clone()));
                    let n_true = self.n_true(&other)?;
                    if n_true == self.n_parts {
                        return Some(other);
                    }
                    if n_true > most {
                        (most, best) = (n_true, other);
                    }
                }
            }
            if most == before {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_formula_are_tried() {
        let mut pool = Pool::new();
        let [x, y] = [0; 2].map(|_| pool.var(Sort::Bits(64)));
        let [seven, nine] = [7, 9].map(|number| pool.constant(Value::from_u64(64, number)));
        let product = pool.mk(Op::Mul, &[x, y]);
        let roots = [(x, seven), (product, nine)].map(|(a, b)| pool.mk(Op::Ule, &[b, a]));
        let both = pool.mk(Op::And, &roots);
        let found = guessed(&pool, &[both]).expect("seven and nine do");
        assert!(nub_bitvec::evaluate(&pool, &found, &[both])[0].is_true());
        let never = pool.mk(Op::Ult, &[x, x]);
        assert_eq!(guessed(&pool, &[never]), None);
    }
}
