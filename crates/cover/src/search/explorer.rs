//! Asks the SAT solver for runs, and remembers everything that each answer implies.

use super::batch::RunBatch;
use super::bitset::BitSet;
use super::knowledge::{AtomReach, AtomStatus, Behaviour, Knowledge};
use super::library::LibraryFacts;
use super::problem::{AtomId, Problem, ProgramInput};
use nub_bitvec::Value;
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};

/// One incremental solver with the clauses of a problem, and the results of all questions so far.
pub struct Explorer<'p> {
    problem: &'p Problem,
    solver: Box<dyn SatSolver>,
    /// Whether the solver has the clauses: it gets them with the first question, which may never come.
    is_loaded: bool,
    evaluate: Option<Evaluate<'p>>,
    known: Knowledge,
    facts: LibraryFacts,
    n_questions: u64,
}

/// Says what a run does, without a solver.
pub trait RunEvaluator {
    /// What a run with these inputs does; `None` if it is not a valid run.
    fn run(&self, inputs: Vec<Value>) -> Option<Behaviour>;

    /// With this many runs, at most [`RunBatch::SIZE`], a batch costs least in relation to what it brings.
    fn batch_size(&self) -> usize {
        RunBatch::FEW
    }

    /// An evaluator of the same runs for another thread; `None` if it is not worth a thread.
    fn another(&self) -> Option<Box<dyn RunEvaluator + Send + '_>> {
        None
    }

    /// Of up to [`RunBatch::SIZE`] runs those that may be valid and have these atoms, a bit for each. The others certainly lack something.
    fn may_have(&self, _inputs: &[Vec<Value>], _atoms: &[AtomId]) -> u64 {
        u64::MAX
    }

    /// What up to [`RunBatch::SIZE`] runs do.
    fn run_batch(&self, inputs: &[Vec<Value>]) -> RunBatch {
        let runs: Vec<Option<Behaviour>> = inputs.iter().map(|inputs| self.run(inputs.clone())).collect();
        RunBatch::of_runs(&runs)
    }
}

/// A borrowed evaluator.
pub type Evaluate<'p> = &'p dyn RunEvaluator;

/// With this many clauses or more there is hard arithmetic, such as a wide division, or there are many decisions: guessing and evaluating runs is
/// then better than asking the solver.
const HARD_CLAUSES: usize = 5_000;

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A run that has all the atoms.
    Run(Behaviour),
    /// There is none.
    None,
    /// Unknown.
    Unknown(SatStop),
}

impl<'p> Explorer<'p> {
    /// With a new solver.
    pub fn new(problem: &'p Problem, solver: Box<dyn SatSolver>) -> Explorer<'p> {
        let known = Knowledge::new(problem.n_atoms());
        Explorer {
            problem,
            solver,
            is_loaded: false,
            evaluate: None,
            known,
            facts: LibraryFacts::default(),
            n_questions: 0,
        }
    }

    /// With a way to evaluate runs.
    pub fn with_evaluation(mut self, evaluate: Evaluate<'p>) -> Explorer<'p> {
        self.evaluate = Some(evaluate);
        self
    }

    /// How to evaluate runs.
    pub fn any_evaluation(&self) -> Option<Evaluate<'p>> {
        self.evaluate
    }

    /// How to evaluate runs, if that is better than asking the solver.
    pub fn evaluation(&self) -> Option<Evaluate<'p>> {
        self.evaluate.filter(|_| self.problem.cnf.n_clauses() >= HARD_CLAUSES)
    }

    /// The problem being searched.
    pub fn problem(&self) -> &'p Problem {
        self.problem
    }

    /// What is known.
    pub fn known(&self) -> &Knowledge {
        &self.known
    }

    /// What is known, to add what was found elsewhere.
    pub fn known_mut(&mut self) -> &mut Knowledge {
        &mut self.known
    }

    /// How often the solver was asked.
    pub fn n_questions(&self) -> u64 {
        self.n_questions
    }

    /// Is there a run within the bound that has all these atoms? Refutations of one or two atoms are remembered.
    pub fn ask(&mut self, atoms: &[AtomId], limits: &SatLimits) -> Reply {
        self.ask_with(atoms, &[], limits)
    }

    /// The same with more literals that must be true, such as bits of inputs.
    pub fn ask_with(&mut self, atoms: &[AtomId], more: &[Lit], limits: &SatLimits) -> Reply {
        let mut assumptions = self.problem.always().to_vec();
        assumptions.extend(self.problem.over.map(|over| !over));
        assumptions.extend(atoms.iter().map(|atom| self.problem.lit(*atom)));
        assumptions.extend_from_slice(more);
        match self.solve(&assumptions, limits) {
            SatAnswer::Sat => {
                let behaviour = self.read();
                self.known.saw(behaviour.clone());
                Reply::Run(behaviour)
            }
            SatAnswer::Unsat => {
                self.learn(atoms, more, limits);
                Reply::None
            }
            SatAnswer::Unknown(stop) => Reply::Unknown(stop),
        }
    }

    /// From now on, runs that violate this clause are not considered.
    pub fn exclude(&mut self, clause: &[Lit]) {
        self.load();
        self.solver.add(clause);
    }

    /// Whether no run of any length has these atoms. `false` may also mean that this is unknown.
    pub fn is_excluded(&mut self, atoms: &[AtomId], limits: &SatLimits) -> bool {
        let mut assumptions = self.problem.always().to_vec();
        assumptions.extend(atoms.iter().map(|atom| self.problem.lit(*atom)));
        let is_excluded = self.solve(&assumptions, limits) == SatAnswer::Unsat;
        if is_excluded {
            self.remember(atoms, AtomReach::Unbounded);
        }
        is_excluded
    }

    /// A run with the atom if undefined behaviour is allowed. It is not remembered: such a run is not valid.
    pub fn undefined_run(&mut self, atom: AtomId, limits: &SatLimits) -> Option<Behaviour> {
        self.run_with(self.problem.lit(atom), limits)
    }

    /// The same for any literal.
    pub fn run_with(&mut self, lit: Lit, limits: &SatLimits) -> Option<Behaviour> {
        let mut assumptions = vec![self.problem.assumed, lit];
        assumptions.extend(self.problem.over.map(|over| !over));
        (self.solve(&assumptions, limits) == SatAnswer::Sat).then(|| self.read())
    }

    /// Whether no run has the literal, whatever its length and whether or not it is defined. `None` if this is unknown.
    pub fn is_impossible(&mut self, lit: Lit, limits: &SatLimits) -> Option<bool> {
        match self.solve(&[self.problem.assumed, lit], limits) {
            SatAnswer::Sat => Some(false),
            SatAnswer::Unsat => Some(true),
            SatAnswer::Unknown(_) => None,
        }
    }

    /// Whether no model has all these literals. `None` if this is unknown.
    pub fn is_refuted(&mut self, lits: &[Lit], limits: &SatLimits) -> Option<bool> {
        match self.solve(lits, limits) {
            SatAnswer::Sat => Some(false),
            SatAnswer::Unsat => Some(true),
            SatAnswer::Unknown(_) => None,
        }
    }

    /// Literals of this list that cannot be true together, none of them redundant; `None` if they can, or it is unknown. O(n) questions.
    pub fn smallest_core(&mut self, lits: &[Lit], limits: &SatLimits) -> Option<Vec<Lit>> {
        self.smallest_core_beside(&[], lits, limits)
    }

    /// The literals of a list that contradict what is given, none of them redundant. What is given is never dropped: if it is impossible by itself,
    /// no further question is asked. O(n) questions for the n literals that the first refutation uses.
    pub fn smallest_core_beside(
        &mut self,
        given: &[Lit],
        lits: &[Lit],
        limits: &SatLimits,
    ) -> Option<Vec<Lit>> {
        if self.solve(&[given, lits].concat(), limits) != SatAnswer::Unsat {
            return None;
        }
        let mut core = self.solver.core().to_vec();
        core.retain(|lit| lits.contains(lit));
        // In the order of the list, so that the last ones are dropped first.
        core.sort_by_key(|lit| lits.iter().position(|other| other == lit));
        let mut index = core.len();
        while index > 0 {
            index -= 1;
            let rest = core.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, lit)| *lit);
            let rest: Vec<Lit> = given.iter().copied().chain(rest).collect();
            if self.solve(&rest, limits) == SatAnswer::Unsat {
                let smaller = self.solver.core();
                core.retain(|lit| smaller.contains(lit));
                index = index.min(core.len());
            }
        }
        Some(core)
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer {
        self.n_questions += 1;
        self.load();
        self.facts.solve(self.problem, self.solver.as_mut(), assumptions, limits)
    }

    fn load(&mut self) {
        if !std::mem::replace(&mut self.is_loaded, true) {
            load(self.problem, self.solver.as_mut());
        }
    }

    /// The run that the solver found.
    fn read(&mut self) -> Behaviour {
        read(self.problem, self.solver.as_mut())
    }

    /// Remembers a core of one or two atoms.
    fn learn(&mut self, atoms: &[AtomId], more: &[Lit], limits: &SatLimits) {
        let core = self.solver.core();
        if more.iter().any(|lit| core.contains(lit)) {
            return;
        }
        let blamed: Vec<AtomId> =
            atoms.iter().copied().filter(|atom| core.contains(&self.problem.lit(*atom))).collect();
        let is_bound_used = self.problem.over.is_some_and(|over| core.contains(&!over));
        if blamed.len() > 2 {
            return;
        }
        self.remember(&blamed, if is_bound_used { AtomReach::WithinBound } else { AtomReach::Unbounded });
        // A core is not always the smallest: an atom counts as beyond the bound only if the bound is really needed. For pairs this is checked when a
        // lower bound depends on it.
        if let ([atom], true) = (blamed.as_slice(), is_bound_used) {
            self.is_excluded(&[*atom], limits);
        }
    }

    fn remember(&mut self, atoms: &[AtomId], reach: AtomReach) {
        match atoms {
            [atom] => self.known.refuted(*atom, reach),
            [a, b] => self.known.refuted_pair(*a, *b, reach),
            // No run at all: no atom is feasible.
            [] => {
                for atom in self.problem.atom_ids() {
                    self.known.refuted(atom, reach);
                }
            }
            _ => {}
        }
    }

    /// True if nothing about the atom is unknown.
    pub fn is_decided(&self, atom: AtomId) -> bool {
        self.known.status(atom) != AtomStatus::Open
    }
}

/// The run that a solver with the clauses of a problem has found.
pub fn read(problem: &Problem, solver: &mut dyn SatSolver) -> Behaviour {
    let mut atoms = BitSet::new(problem.n_atoms());
    for atom in problem.atom_ids().filter(|atom| solver.value(problem.lit(*atom))) {
        atoms.insert(atom.index());
    }
    let mut value = |input: &ProgramInput| Value::from_bits(input.bits.iter().map(|bit| solver.value(*bit)));
    Behaviour { atoms, inputs: problem.inputs.iter().map(&mut value).collect() }
}

/// Adds the clauses of a problem to a new solver; variables keep their numbers.
pub fn load(problem: &Problem, solver: &mut dyn SatSolver) {
    for _ in 0..problem.cnf.n_vars() {
        solver.new_var();
    }
    problem.cnf.clauses().for_each(|clause| solver.add(clause));
}
