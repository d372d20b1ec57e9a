//! The run that passes and differs in as few values as possible from one that fails.

use crate::session::Refusal;
use crate::small::small;
use crate::system::{System, all_hold};
use nub_bitvec::{Op, TermId, Value};
use nub_cnf::{Lit, TooLarge};
use nub_sat::{Answer, Limits, Minimum, Strategy, minimise};
use nub_unroll::Unrolled;
use rustc_hash::FxHashSet;

/// Conflicts to find the closest run once more before its inputs are made small.
const SMALL_CONFLICTS: u64 = 20_000;

/// A run that passes.
pub(crate) struct Passing {
    /// Values of all inputs.
    pub inputs: Vec<Value>,
    /// No run that passes is closer than this.
    pub lower: usize,
}

/// All assertions, assumptions and checks hold, and no bound is met.
pub(crate) fn passes(unrolled: &mut Unrolled) -> TermId {
    let Unrolled { pool, asserts, checks, assumes, over, .. } = unrolled;
    let mut list: Vec<(TermId, TermId)> = Vec::new();
    list.extend(asserts.iter().map(|property| (property.guard, property.condition)));
    list.extend(checks.iter().map(|property| (property.guard, property.condition)));
    list.extend(assumes.iter().map(|property| (property.guard, property.condition)));
    let never = pool.truth(false);
    list.extend(over.iter().map(|over| (over.guard, never)));
    all_hold(pool, list)
}

/// Finds it; `None` if no run passes. `terms` are the values that count, `values` those of the run that fails.
pub(crate) fn find(
    unrolled: &mut Unrolled,
    system: &mut System,
    terms: &[TermId],
    values: &[Value],
    failing: &[Value],
    limits: &Limits,
) -> Result<Option<Passing>, Refusal> {
    let goal = passes(unrolled);
    let goal = system.lit(&unrolled.pool, goal)?;
    let differ = differences(unrolled, system, terms, values)?;
    let mut inputs = Vec::with_capacity(unrolled.inputs.len());
    for (input, value) in unrolled.inputs.iter().zip(failing) {
        let bits = system.bits(&unrolled.pool, input.term)?;
        for (bit, is_set) in bits.iter().zip(value.bits()) {
            system.solver.prefer(bit.negated_if(!is_set));
        }
        inputs.push(bits);
    }
    let (lower, model) = match minimise(system.solver.as_mut(), &differ, &[goal], Strategy::Both, limits) {
        Minimum::Infeasible(_) => return Ok(None),
        Minimum::Optimal { cost, model } => (cost, model),
        Minimum::Interval { lower, upper: Some((_, model)), .. } => (lower, model),
        Minimum::Interval { upper: None, stop, .. } => return Err(Refusal::Stopped(stop)),
    };
    let is_true = |lit: &Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
    // The same values differ, but the inputs among them may be small.
    let mut wanted = vec![goal];
    wanted.extend(differ.iter().filter(|lit| !is_true(lit)).map(|lit| !*lit));
    let inputs = match system.solver.solve(&wanted, &limits.with_conflicts(SMALL_CONFLICTS)) {
        Answer::Sat => small(system, &inputs, &wanted, limits),
        _ => inputs.iter().map(|bits| Value::from_bits(bits.iter().map(is_true))).collect(),
    };
    Ok(Some(Passing { inputs, lower }))
}

/// One literal per value that can differ: true if it does. Values of one term differ together, but each counts, so the later ones get
/// literals of their own.
fn differences(
    unrolled: &mut Unrolled,
    system: &mut System,
    terms: &[TermId],
    values: &[Value],
) -> Result<Vec<Lit>, TooLarge> {
    let mut seen: FxHashSet<Lit> = FxHashSet::default();
    let mut differ = Vec::with_capacity(terms.len());
    for (term, value) in terms.iter().zip(values) {
        let pool = &mut unrolled.pool;
        let constant = pool.constant(value.clone());
        let equal = pool.mk(Op::Eq, &[*term, constant]);
        let lit = !system.lit(pool, equal)?;
        system.solver.prefer(!lit);
        let is_new = seen.insert(lit);
        let own = if is_new { lit } else { system.solver.new_var() };
        if own != lit {
            system.solver.add(&[!lit, own]);
            system.solver.prefer(!own);
        }
        differ.push(own);
    }
    Ok(differ)
}
