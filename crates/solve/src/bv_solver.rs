//! Levels of assertions, and the loop that solves and refines.

use crate::arrays::{self, Arrays, Outcome};
use crate::guess::guessed;
use nub_bitvec::float::FloatOperation;
use nub_bitvec::{Assignment, Datum, Op, Pool, TermId, Value, evaluate};
use nub_cnf::{Lit, LiteralUse, TermEncoder, TooLarge};
use nub_sat::{SatLimits, SatSolver, SatStop};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// The answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum BvAnswer {
    /// All assertions and assumptions are true in this model.
    Sat(BvModel),
    /// There is no model. These assumptions contradict the assertions; empty if the assertions alone have no model.
    Unsat(Vec<TermId>),
    /// Undecided.
    Unknown(Reason),
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The SAT solver stopped.
    Stopped(SatStop),
    /// The formula is too large for a circuit.
    TooLarge,
    /// A model was found in which this assertion or assumption is false: a defect of this program.
    WrongModel(TermId),
    /// A lemma about arrays was found that does not follow from their axioms: a defect of this program.
    WrongLemma,
    /// A model was found in which this floating-point operation has another value than the evaluator gives it: a defect of this
    /// program.
    WrongFloat(FloatOperation),
}

impl Reason {
    /// True if it is a defect of this program.
    pub fn is_defect(&self) -> bool {
        match self {
            Reason::Stopped(stop) => matches!(stop, SatStop::Unproved(_) | SatStop::WrongModel),
            Reason::TooLarge => false,
            Reason::WrongModel(_) | Reason::WrongLemma | Reason::WrongFloat(_) => true,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(stop) => stop.fmt(f),
            Reason::TooLarge => TooLarge.fmt(f),
            Reason::WrongModel(_) => f.write_str("internal error: the model found is wrong"),
            Reason::WrongLemma => f.write_str("internal error: a lemma about arrays is wrong"),
            Reason::WrongFloat(operation) => {
                write!(
                    f,
                    "internal error: {:?} of {} is wrong in the model found",
                    operation.op, operation.format
                )
            }
        }
    }
}

/// Values for the variables of all assertions and assumptions. Others are zero.
#[derive(Clone, PartialEq, Debug)]
pub struct BvModel {
    assignment: Assignment,
}

impl BvModel {
    /// The values of any terms, even if they were made after the model.
    pub fn values(&self, pool: &Pool, terms: &[TermId]) -> Vec<Datum> {
        evaluate(pool, &self.assignment, terms)
    }

    /// A model of simple values in which all these terms are true, if a few attempts find one.
    pub(crate) fn guessed(pool: &Pool, roots: &[TermId]) -> Option<BvModel> {
        guessed(pool, roots).map(|assignment| BvModel { assignment })
    }

    /// The model extended by more variables, if all these terms are true in it.
    pub(crate) fn extended(
        mut self,
        pool: &Pool,
        roots: &[TermId],
        extend: impl FnOnce(&mut Assignment),
    ) -> BvAnswer {
        extend(&mut self.assignment);
        let truths = evaluate(pool, &self.assignment, roots);
        match roots.iter().zip(truths).find(|(_, truth)| !truth.is_true()) {
            Some((root, _)) => BvAnswer::Unknown(Reason::WrongModel(*root)),
            None => BvAnswer::Sat(self),
        }
    }

    /// The values of variables.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// Assertions of one level.
#[derive(Default)]
struct Level {
    /// Assumed while the level is open; clauses of its assertions hold only then. The first level has none.
    activation: Option<Lit>,
    assertions: Vec<TermId>,
    /// How many of them have been passed to the SAT solver.
    n_encoded: usize,
}

/// An incremental solver for terms of one pool. See the crate documentation.
pub struct BvSolver {
    solver: Box<dyn SatSolver>,
    encoder: TermEncoder,
    levels: Vec<Level>,
    arrays: Arrays,
    /// Lemmas that have been passed to the SAT solver. They are true independently of the assertions.
    lemmas: FxHashSet<TermId>,
    n_rounds: u64,
}

impl BvSolver {
    /// A solver without assertions that uses this SAT solver, which must be new.
    pub fn new(solver: Box<dyn SatSolver>) -> BvSolver {
        BvSolver {
            solver,
            encoder: TermEncoder::new(),
            levels: vec![Level::default()],
            arrays: Arrays::default(),
            lemmas: FxHashSet::default(),
            n_rounds: 0,
        }
    }

    /// Adds an assertion, a truth value, to the last level.
    pub fn assert(&mut self, term: TermId) {
        self.levels.last_mut().expect("the first level stays").assertions.push(term);
    }

    /// Adds an assertion that stays when levels are removed.
    pub fn assert_always(&mut self, term: TermId) {
        self.levels.first_mut().expect("the first level stays").assertions.push(term);
    }

    /// Replaces all assertions. Only before the first question, and without levels.
    pub(crate) fn reassert(&mut self, roots: Vec<TermId>) {
        assert!(self.levels.len() == 1 && self.levels[0].n_encoded == 0, "nothing has been asked");
        self.levels[0].assertions = roots;
    }

    /// Opens a level.
    pub fn push(&mut self) {
        let activation = Some(self.solver.new_var());
        self.levels.push(Level { activation, ..Level::default() });
    }

    /// Removes the last level with its assertions. Returns false if only the first level is left, which always stays.
    pub fn pop(&mut self) -> bool {
        if self.levels.len() == 1 {
            return false;
        }
        if let Some(activation) = self.levels.pop().and_then(|level| level.activation) {
            self.solver.add(&[!activation]);
        }
        true
    }

    /// Number of levels beyond the first.
    pub fn n_levels(&self) -> usize {
        self.levels.len() - 1
    }

    /// All assertions, oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> {
        self.levels.iter().flat_map(|level| level.assertions.iter().copied())
    }

    /// How many questions the SAT solver was asked, and how many lemmas about arrays it was given.
    pub fn statistics(&self) -> (u64, usize) {
        (self.n_rounds, self.lemmas.len())
    }

    /// A literal that is equivalent to a bit of a term, for phases and sums; `None` if the circuit would be
    /// too large.
    pub fn lit(&mut self, pool: &Pool, term: TermId, bit: u32) -> Option<Lit> {
        self.encoder.bit(pool, term, bit, LiteralUse::Any, self.solver.as_mut()).ok()
    }

    /// The bits of all variables that have literals, least significant first.
    pub fn var_lits(&self, pool: &Pool) -> Vec<(TermId, u32, Lit)> {
        self.encoder.var_lits(pool)
    }

    /// The SAT solver, to set phases or to minimise. Clauses added to it must not contradict the terms.
    pub fn sat(&mut self) -> &mut dyn SatSolver {
        self.solver.as_mut()
    }

    /// Is there a model of all assertions and these assumptions, all of which are truth values? `limits.conflicts` applies to each of the
    /// rounds that arrays may need.
    pub fn check(&mut self, pool: &mut Pool, assumptions: &[TermId], limits: &SatLimits) -> BvAnswer {
        match self.try_check(pool, assumptions, limits) {
            Ok(answer) => answer,
            Err(TooLarge) => BvAnswer::Unknown(Reason::TooLarge),
        }
    }

    fn try_check(
        &mut self,
        pool: &mut Pool,
        assumptions: &[TermId],
        limits: &SatLimits,
    ) -> Result<BvAnswer, TooLarge> {
        self.encode_assertions(pool)?;
        let mut roots: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        for lemma in self.arrays.witness_lemmas(pool, &roots) {
            self.add_lemma(pool, lemma)?;
            roots.push(lemma);
        }
        let mut assumed: Vec<(Lit, Option<TermId>)> =
            self.levels.iter().filter_map(|level| Some((level.activation?, None))).collect();
        for &term in assumptions {
            assumed.push((self.positive_lit(pool, term)?, Some(term)));
        }
        let lits: Vec<Lit> = assumed.iter().map(|(lit, _)| *lit).collect();
        loop {
            self.n_rounds += 1;
            match self.solver.solve(&lits, limits) {
                nub_sat::SatAnswer::Unknown(stop) => return Ok(BvAnswer::Unknown(Reason::Stopped(stop))),
                nub_sat::SatAnswer::Unsat => return Ok(BvAnswer::Unsat(self.core(&assumed))),
                nub_sat::SatAnswer::Sat => {}
            }
            let found = self.encoder.values(pool, &roots, |lit| self.solver.value(lit));
            let values: FxHashMap<TermId, Value> = found.into_iter().collect();
            match arrays::check(pool, &roots, &values) {
                Outcome::Arrays(found) => return Ok(self.model(pool, &roots, values, found)),
                Outcome::WrongLemma => return Ok(BvAnswer::Unknown(Reason::WrongLemma)),
                Outcome::Lemmas(lemmas) => {
                    let n_before = self.lemmas.len();
                    for lemma in lemmas {
                        self.add_lemma(pool, lemma)?;
                    }
                    assert!(self.lemmas.len() > n_before, "a lemma excludes the model, so it is new");
                }
            }
        }
    }

    /// Passes new assertions to the SAT solver.
    fn encode_assertions(&mut self, pool: &Pool) -> Result<(), TooLarge> {
        for index in 0..self.levels.len() {
            while let Some(&term) = self.levels[index].assertions.get(self.levels[index].n_encoded) {
                let lit = self.positive_lit(pool, term)?;
                match self.levels[index].activation {
                    Some(activation) => self.solver.add(&[!activation, lit]),
                    None => self.solver.add(&[lit]),
                }
                self.levels[index].n_encoded += 1;
            }
        }
        Ok(())
    }

    /// A literal that implies a truth value.
    fn positive_lit(&mut self, pool: &Pool, term: TermId) -> Result<Lit, TooLarge> {
        assert_eq!(pool.sort(term), nub_bitvec::Sort::BIT, "only truth values are asserted and assumed");
        self.encoder.lit(pool, term, LiteralUse::Positive, self.solver.as_mut())
    }

    fn add_lemma(&mut self, pool: &Pool, lemma: TermId) -> Result<(), TooLarge> {
        if self.lemmas.insert(lemma) {
            let lit = self.positive_lit(pool, lemma)?;
            self.solver.add(&[lit]);
        }
        Ok(())
    }

    fn core(&self, assumed: &[(Lit, Option<TermId>)]) -> Vec<TermId> {
        let core = self.solver.core();
        let mut terms: Vec<TermId> =
            assumed.iter().filter(|(lit, _)| core.contains(lit)).filter_map(|(_, term)| *term).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The model, after the evaluator has checked it.
    fn model(
        &self,
        pool: &Pool,
        roots: &[TermId],
        values: FxHashMap<TermId, Value>,
        array_values: Assignment,
    ) -> BvAnswer {
        let mut assignment = array_values;
        for (id, value) in values {
            if pool.op(id) == Op::Var {
                assignment.set(id, Datum::Bits(value));
            }
        }
        let truths = evaluate(pool, &assignment, roots);
        match roots.iter().zip(truths).find(|(_, truth)| !truth.is_true()) {
            Some((root, _)) => BvAnswer::Unknown(Reason::WrongModel(*root)),
            None => BvAnswer::Sat(BvModel { assignment }),
        }
    }
}
