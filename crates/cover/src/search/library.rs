//! Library functions in a problem: the results of `sin`, `exp` and similar functions are free within what is guaranteed, so a model may contain a
//! result that no library returns. The library is called with the operands of each model. Where its result differs, the solver learns that fact and
//! is asked again: at first for the same inputs, since the run that they really lead to may do as well.
//!
//! Facts are true for the library of this machine only. They hold under an assumption of their own: a refutation that needs them is not valid.

use super::problem::Problem;
use nub_c_ir::floats::{self, FloatOperand};
use nub_c_ir::{FloatEncoding, FloatOperator, MathFunction, NumberFormat};
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};

/// Models that are tried for one question.
const MAX_TRIES: usize = 100;

/// A call that something depends on.
#[derive(Clone, Debug)]
pub struct LibraryFunction {
    /// The function.
    pub function: MathFunction,
    /// How operands and result are represented.
    pub encoding: FloatEncoding,
    /// Bits of the operands, the least significant first.
    pub args: Vec<Vec<Lit>>,
    /// Bits of the result.
    pub result: Vec<Lit>,
}

/// A solver with the facts it has about the library.
#[derive(Debug, Default)]
pub(super) struct LibraryFacts {
    /// The facts hold.
    assumed: Option<Lit>,
}

impl LibraryFacts {
    /// Like the solver, but the models agree with the library.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        solver: &mut dyn SatSolver,
        assumptions: &[Lit],
        limits: &SatLimits,
    ) -> SatAnswer {
        if problem.library.is_empty() {
            return solver.solve(assumptions, limits);
        }
        let assumed = *self.assumed.get_or_insert_with(|| solver.new_var());
        let mut all = assumptions.to_vec();
        all.push(assumed);
        for _ in 0..MAX_TRIES {
            match solver.solve(&all, limits) {
                SatAnswer::Sat => {}
                SatAnswer::Unsat if solver.core().contains(&assumed) => break,
                answer => return answer,
            }
            // The operands of a call may be results of others: at most one pass for each.
            let mut fixed = all.clone();
            for bit in problem.inputs.iter().flat_map(|input| &input.bits) {
                fixed.push(if solver.value(*bit) { *bit } else { !*bit });
            }
            for _ in 0..=problem.library.len() {
                let calls = problem.library.iter();
                let facts: Vec<Vec<Lit>> =
                    calls.flat_map(|call| call.missing_facts(solver, assumed)).collect();
                if facts.is_empty() {
                    return SatAnswer::Sat;
                }
                facts.iter().for_each(|clause| solver.add(clause));
                if solver.solve(&fixed, limits) != SatAnswer::Sat {
                    break;
                }
            }
        }
        // This question stays open; others may be easy.
        SatAnswer::Unknown(SatStop::Conflicts)
    }
}

impl LibraryFunction {
    /// Clauses that the solver's model violates, if the library returns something else for its operands.
    fn missing_facts(&self, solver: &mut dyn SatSolver, assumed: Lit) -> Vec<Vec<Lit>> {
        let mut read = |bits: &[Lit]| {
            bits.iter().enumerate().fold(0, |all, (at, bit)| all | u128::from(solver.value(*bit)) << at)
        };
        let format = NumberFormat::Float(self.encoding);
        let operands: Vec<FloatOperand> =
            self.args.iter().map(|arg| FloatOperand { bits: read(arg), format }).collect();
        let truth = floats::apply(FloatOperator::Library(self.function), format, &operands);
        let said = read(&self.result);
        if truth == said {
            return Vec::new();
        }
        // With these operands, this is the result.
        let mut others: Vec<Lit> = vec![!assumed];
        for bit in self.args.iter().flatten() {
            others.push(if solver.value(*bit) { !*bit } else { *bit });
        }
        let bits = self.result.iter().enumerate();
        bits.map(|(at, bit)| {
            let is_set = truth >> at & 1 == 1;
            others.iter().copied().chain([if is_set { *bit } else { !*bit }]).collect()
        })
        .collect()
    }
}
