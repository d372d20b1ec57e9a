//! Which differences between two runs are needed: two-phase delta-slicing (section 5 of the paper).
//!
//! Every value may be as in the failing run or as in the passing run; the latter only if its own definition, over the values chosen for its operands,
//! yields it. Values that do not differ are constants. The smallest choice for which everything holds is a slice. Such a choice need not be a run:
//! only the set of differences is of interest.
//!
//! The choice is one variable per difference, so everything is rebuilt in a separate pool in which nearly everything is constant.
//! Cost: the terms of all definitions once, and then one small minimisation per slice.

use crate::convention::Counted;
use crate::relaxed::Relaxed;
use crate::session::ExplainRefusal;
use crate::sum::Sum;
use crate::system::System;
use crate::values::Both;
use nub_bitvec::{Op, Pool, Sort, TermId, Value};
use nub_cnf::Lit;
use nub_sat::{Minimum, SatLimits, Strategy, minimise};
use nub_unroll::{Ssa, Unrolled};

/// All smallest slices, or as many as were requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slices {
    /// Positions among the counted values, ascending.
    pub list: Vec<Vec<usize>>,
    pub end: End,
}

/// Why there are no more slices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum End {
    /// These are all.
    Complete,
    /// There are as many as requested, and may be more.
    More,
    /// The time limit was reached.
    #[default]
    Stopped,
}

/// The two runs to slice.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub unrolled: &'a Unrolled,
    pub ssa: &'a Ssa,
    pub counted: &'a Counted,
    /// The counted values.
    pub both: Both<'a>,
    /// Inputs of the passing run.
    pub inputs: &'a [Value],
    /// What must hold in addition to all properties, over the variables of definitions.
    pub assumed: &'a [TermId],
}

/// Finds the slices.
pub(crate) fn slices(
    pair: Pair<'_>,
    max_slices: usize,
    limits: &SatLimits,
) -> Result<Slices, ExplainRefusal> {
    let mut relaxed = Relaxed::new(&pair.unrolled.pool, pair.ssa, Pool::new());
    let terms = pair.unrolled.inputs.iter().map(|input| input.term);
    for (term, value) in terms.zip(pair.inputs) {
        let value = relaxed.pool.constant(value.clone());
        relaxed.set(term, value);
    }
    let choices = choices(pair, &mut relaxed);
    let mut system = System::new(limits);
    for &(index, choice) in &choices {
        let after = relaxed.pool.constant(pair.both.after[index].clone());
        let definition = pair.ssa.definitions[pair.counted.positions[index]];
        // An input has no definition to follow.
        if definition.variable != definition.term {
            let follows = relaxed.follows(choice, definition.term, after);
            require(&relaxed.pool, &mut system, follows)?;
        }
    }
    let mut wanted = relaxed.properties();
    wanted.extend(pair.assumed.iter().map(|term| relaxed.rebuild(*term)));
    for holds in wanted {
        require(&relaxed.pool, &mut system, holds)?;
    }
    let mut lits: Vec<(usize, Lit)> = Vec::with_capacity(choices.len());
    let mut sum = Sum::default();
    for (index, choice) in choices {
        let lit = system.lit(&relaxed.pool, choice)?;
        sum.add(&mut system, lit, pair.counted.weights[index]);
        lits.push((index, lit));
    }
    Ok(enumerate(&mut system, &lits, &sum, max_slices, limits))
}

/// A variable per differing value: true if it is as in the passing run.
fn choices(pair: Pair<'_>, relaxed: &mut Relaxed<'_>) -> Vec<(usize, TermId)> {
    let mut choices = Vec::new();
    for (index, &at) in pair.counted.positions.iter().enumerate() {
        let (before, after) = (&pair.both.before[index], &pair.both.after[index]);
        let mut value = relaxed.pool.constant(before.clone());
        if before != after {
            let choice = relaxed.pool.var(Sort::BIT);
            let after = relaxed.pool.constant(after.clone());
            value = relaxed.pool.mk(Op::Ite, &[choice, after, value]);
            choices.push((index, choice));
        }
        relaxed.set(pair.ssa.definitions[at].variable, value);
    }
    choices
}

fn require(pool: &Pool, system: &mut System, holds: TermId) -> Result<(), ExplainRefusal> {
    let lit = system.lit(pool, holds)?;
    system.solver.add(&[lit]);
    Ok(())
}

/// Finds one smallest slice after the other; each is forbidden before the next is searched. One more question than slices decides whether there are
/// more.
fn enumerate(
    system: &mut System,
    lits: &[(usize, Lit)],
    sum: &Sum,
    max_slices: usize,
    limits: &SatLimits,
) -> Slices {
    let mut found = Slices::default();
    let mut least = usize::MAX;
    loop {
        let (cost, model) = match minimise(system.solver.as_mut(), sum.lits(), &[], Strategy::Both, limits) {
            Minimum::Optimal { cost, model } if cost <= least => (cost, model),
            Minimum::Optimal { .. } | Minimum::Infeasible(_) => {
                found.end = End::Complete;
                break;
            }
            Minimum::Interval { .. } => break,
        };
        least = cost;
        if found.list.len() >= max_slices {
            found.end = End::More;
            break;
        }
        let is_true =
            |lit: Lit| model.get(lit.var() as usize).is_some_and(|value| *value != lit.is_negative());
        let chosen: Vec<(usize, Lit)> = lits.iter().copied().filter(|(_, lit)| is_true(*lit)).collect();
        // If everything holds without any change, there is nothing to forbid, and the empty clause ends the search.
        let block: Vec<Lit> = chosen.iter().map(|(_, lit)| !*lit).collect();
        system.solver.add(&block);
        found.list.push(chosen.into_iter().map(|(index, _)| index).collect());
    }
    found.list.sort();
    found
}
