//! Functions of the library inside of a problem: `sin`, `exp` and their like are free within what is promised of them, so a model may
//! say what no library returns. The library is asked about the operands of each model; where it says something else, that is a fact
//! that the solver learns, and it is asked again: at first for the same inputs, since the run that they really lead to may do as well.
//!
//! Facts are true of the library on this machine only. They hold under an assumption of their own: a refutation that needs them is
//! not one.

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

/// A solver with what it was told about the library.
#[derive(Debug, Default)]
pub(super) struct LibraryFacts {
    /// The facts hold.
    assumed: Option<Lit>,
}

impl LibraryFacts {
    /// As the solver does, but models are what the library says.
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
            // The operands of a call may be results of others: at most one round for each.
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
    /// Clauses that the solver's model breaks, if the library says something else about its operands.
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
        // With these operands this is the result.
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
