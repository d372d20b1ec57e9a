//! Questions about one mutant: is there a run near a test that has its goals and kills this mutant?
//!
//! The clauses are those of the function and of this mutant alone, and of others whose kills must stay. Clauses for all mutants would be many times
//! as many, and the solver would assign all of them in every answer.

use super::twin_terms::{MutantTerms, TwinTerms};
use crate::encode::Encoded;
use crate::search::{AtomId, Problem, load};
use nub_bitvec::{TermId, Value};
use nub_cnf::{Lit, LiteralUse, TermEncoder};
use nub_sat::{SatAnswer, SatLimits, SatSolver};

/// The function as clauses, to which mutants are added.
pub(super) struct MutantQuestions<'q> {
    pub twins: &'q TwinTerms,
    pub encoded: &'q Encoded,
    pub terms: &'q TermEncoder,
    pub limits: &'q SatLimits,
}

/// A solver with the clauses of the function and of a mutant.
pub(super) struct MutantSolver {
    solver: Box<dyn SatSolver>,
    terms: TermEncoder,
    killed: Lit,
}

/// What a run must do.
pub(super) struct WantedRun<'w> {
    /// Goals.
    pub goals: &'w [AtomId],
    /// Mutants that it must kill besides.
    pub kills: &'w [TermId],
    /// Inputs that it should have where nothing else is needed.
    pub near: &'w [Value],
}

/// The answer.
pub(super) enum MutantAnswer {
    /// The inputs of such a run.
    Inputs(Vec<Value>),
    /// There is none.
    None,
    /// Unknown.
    Unknown,
}

impl<'q> MutantQuestions<'q> {
    fn problem(&self) -> &'q Problem {
        &self.encoded.problem
    }

    /// Whether there are such questions: facts about library functions are not asked for here.
    pub fn are_possible(&self) -> bool {
        self.problem().library.is_empty()
    }

    /// A solver for a mutant; `None` if its clauses are too many, or it was cancelled.
    pub fn solver(&self, mutant: MutantTerms) -> Option<MutantSolver> {
        let mut solver = self.limits.new_solver();
        load(self.problem(), solver.as_mut());
        let mut terms = self.terms.clone();
        let killed = self.lit(&mut terms, solver.as_mut(), mutant.killed)?;
        Some(MutantSolver { solver, terms, killed })
    }

    fn lit(&self, terms: &mut TermEncoder, solver: &mut dyn SatSolver, term: TermId) -> Option<Lit> {
        let mut is_over = || self.limits.cancel.is_cancelled();
        let pool = &self.twins.unrolled.pool;
        terms.lit_unless(pool, term, LiteralUse::Any, solver, &mut is_over).ok().flatten()
    }

    /// Asks for a run that kills the mutant.
    pub fn ask(&self, of: &mut MutantSolver, wanted: &WantedRun<'_>, limits: &SatLimits) -> MutantAnswer {
        let problem = self.problem();
        let MutantSolver { solver, terms, killed } = of;
        let mut assumed = problem.always().to_vec();
        assumed.extend(problem.over.map(|over| !over));
        assumed.extend(wanted.goals.iter().map(|atom| problem.lit(*atom)));
        for term in wanted.kills {
            let Some(lit) = self.lit(terms, solver.as_mut(), *term) else { return MutantAnswer::Unknown };
            assumed.push(lit);
        }
        assumed.push(*killed);
        for (input, value) in problem.inputs.iter().zip(wanted.near) {
            let bits = input.bits.iter().zip(value.bits());
            bits.for_each(|(bit, is_one)| solver.prefer(bit.negated_if(!is_one)));
        }
        match solver.solve(&assumed, limits) {
            SatAnswer::Sat => {
                let mut value = |bits: &[Lit]| Value::from_bits(bits.iter().map(|bit| solver.value(*bit)));
                MutantAnswer::Inputs(problem.inputs.iter().map(|input| value(&input.bits)).collect())
            }
            SatAnswer::Unsat => MutantAnswer::None,
            SatAnswer::Unknown(_) => MutantAnswer::Unknown,
        }
    }
}

impl MutantSolver {
    /// The number of variables.
    pub fn n_vars(&self) -> u64 {
        u64::from(self.solver.n_vars())
    }

    /// What all questions have cost so far.
    pub fn n_ticks(&self) -> u64 {
        self.solver.n_ticks()
    }
}
