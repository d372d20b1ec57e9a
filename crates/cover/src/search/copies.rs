//! One copy of the program per test: is there a set of k tests at all?
//!
//! [Weiler13] §3.3 raises k from 1, which is a pigeon-hole problem and grows by a factor per copy. Here k starts at the size of a
//! clique, the i-th need of the clique is met by the i-th copy, and pairs known to exclude each other are clauses in each copy.

use super::bitset::BitSet;
use super::choose::add_goals;
use super::knowledge::{AtomReach, AtomStatus, Behaviour, Knowledge};
use super::problem::{AtomId, Need, Problem, SuiteObjective};
use nub_bitvec::Value;
use nub_cnf::{Lit, Sink};
use nub_sat::{Minimum, SatAnswer, SatLimits, SatSolver, SatStop, Strategy, minimise};

/// The copies together have at most this many clauses.
const MAX_CLAUSES: usize = 12_000_000;

/// Clauses of copies, for any sink.
pub struct Builder<'p> {
    problem: &'p Problem,
    known: &'p Knowledge,
    /// Atoms of the goals that can occur.
    atoms: Vec<AtomId>,
    /// For each copy: its first variable. Other variables lie between.
    first_vars: Vec<u32>,
}

impl<'p> Builder<'p> {
    /// No copies yet.
    pub fn new(problem: &'p Problem, known: &'p Knowledge, goals: &[&SuiteObjective]) -> Builder<'p> {
        let mut atoms: Vec<AtomId> = goals.iter().flat_map(|goal| goal.atoms()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms.retain(|atom| known.status(*atom) == AtomStatus::Feasible);
        Builder { problem, known, atoms, first_vars: Vec::new() }
    }

    /// Clauses of a copy.
    pub fn n_clauses(&self) -> usize {
        let excluded = |atom: &AtomId| self.known.excluded_by(*atom, AtomReach::WithinBound).len();
        self.problem.cnf.n_clauses() + self.atoms.iter().map(excluded).sum::<usize>() / 2
    }

    /// Number of copies.
    pub fn n_copies(&self) -> usize {
        self.first_vars.len()
    }

    /// The literal in a copy.
    pub fn shifted(&self, lit: Lit, copy: usize) -> Lit {
        Lit::positive(self.first_vars[copy] + lit.var()).negated_if(lit.is_negative())
    }

    /// Adds a copy, which must meet the need if one is given.
    pub fn add_copy(&mut self, sink: &mut dyn Sink, need: Option<&Need>) {
        let copy = self.first_vars.len();
        let mut first = None;
        for _ in 0..self.problem.cnf.n_vars() {
            first.get_or_insert(sink.new_var().var());
        }
        self.first_vars.push(first.unwrap_or(0));
        let mut shifted = Vec::new();
        for clause in self.problem.cnf.clauses() {
            shifted.clear();
            shifted.extend(clause.iter().map(|lit| self.shifted(*lit, copy)));
            sink.add(&shifted);
        }
        for unit in self.problem.always().into_iter().chain(self.problem.over.map(|over| !over)) {
            sink.add(&[self.shifted(unit, copy)]);
        }
        self.add_nogoods(sink, copy);
        if let Some(need) = need {
            let lits = need.atoms.iter().map(|atom| self.shifted(self.problem.lit(*atom), copy));
            sink.add(&lits.collect::<Vec<Lit>>());
        }
    }

    /// Pairs that exclude each other. They follow from the program, but not always by propagation.
    fn add_nogoods(&self, sink: &mut dyn Sink, copy: usize) {
        for (index, atom) in self.atoms.iter().enumerate() {
            let excluded = self.known.excluded_by(*atom, AtomReach::WithinBound);
            for other in self.atoms[..index].iter().filter(|other| excluded.contains(other.index())) {
                let clause = [!self.problem.lit(*atom), !self.problem.lit(*other)];
                sink.add(&clause.map(|lit| self.shifted(lit, copy)));
            }
        }
    }

    /// For each atom of the goals, a literal that implies that some copy has it.
    pub fn seen_lits(&self, sink: &mut dyn Sink) -> Vec<Lit> {
        let mut lits = Vec::with_capacity(self.atoms.len());
        for atom in &self.atoms {
            let seen = sink.new_var();
            let lit = self.problem.lit(*atom);
            let copies = (0..self.n_copies()).map(|copy| self.shifted(lit, copy));
            sink.add(&[!seen].into_iter().chain(copies).collect::<Vec<Lit>>());
            lits.push(seen);
        }
        lits
    }

    /// The literal of an atom in such a list.
    pub fn seen_lit(&self, seen: &[Lit], atom: AtomId) -> Option<Lit> {
        self.atoms.binary_search(&atom).ok().map(|index| seen[index])
    }

    /// The run of a copy, from values of literals.
    pub fn read(&self, copy: usize, mut value: impl FnMut(Lit) -> bool) -> Behaviour {
        let mut atoms = BitSet::new(self.problem.n_atoms());
        for atom in self.problem.atom_ids() {
            if value(self.shifted(self.problem.lit(atom), copy)) {
                atoms.insert(atom.index());
            }
        }
        let mut inputs = Vec::new();
        for input in &self.problem.inputs {
            let bits: Vec<bool> = input.bits.iter().map(|bit| value(self.shifted(*bit, copy))).collect();
            inputs.push(Value::from_bits(bits));
        }
        Behaviour { atoms, inputs }
    }

    fn check_size(&self, k: usize) -> Result<(), SatStop> {
        if !self.problem.library.is_empty() {
            let message = "what functions of the library return is not known in copies of the program";
            return Err(SatStop::Failed(message.to_owned()));
        }
        if k.saturating_mul(self.problem.cnf.n_clauses()) > MAX_CLAUSES {
            Err(SatStop::Failed(format!("{k} copies of the program are too large")))
        } else {
            Ok(())
        }
    }
}

/// The result for k copies.
pub enum Tests {
    /// A set of k tests.
    Found(Vec<Behaviour>),
    /// There is none of this size.
    None,
    /// Unknown.
    Unknown(SatStop),
}

/// An increasing number of copies, in a solver.
pub struct Copies<'p> {
    builder: Builder<'p>,
    goals: &'p [&'p SuiteObjective],
    clique: &'p [Need],
    solver: Box<dyn SatSolver>,
}

impl<'p> Copies<'p> {
    /// No copies yet. All goals must be reachable.
    pub fn new(
        problem: &'p Problem,
        known: &'p Knowledge,
        goals: &'p [&'p SuiteObjective],
        clique: &'p [Need],
        limits: &SatLimits,
    ) -> Copies<'p> {
        let (builder, solver) = (Builder::new(problem, known, goals), limits.new_solver());
        Copies { builder, goals, clique, solver }
    }

    fn add_copies(&mut self, k: usize) -> Result<(), SatStop> {
        self.builder.check_size(k)?;
        while self.builder.n_copies() < k {
            let need = self.clique.get(self.builder.n_copies());
            self.builder.add_copy(self.solver.as_mut(), need);
        }
        Ok(())
    }

    fn read_all(&mut self, k: usize) -> Vec<Behaviour> {
        (0..k).map(|copy| self.builder.read(copy, |lit| self.solver.value(lit))).collect()
    }

    /// Is there a set of `k` tests within the bound of the loops? `k` must not decrease, nor be below the size of the clique.
    pub fn ask(&mut self, k: usize, limits: &SatLimits) -> Tests {
        if let Err(stop) = self.add_copies(k) {
            return Tests::Unknown(stop);
        }
        // Whether a goal is reached depends on the number of copies, so these clauses hold for one question only.
        let activation = self.solver.new_var();
        let seen = self.builder.seen_lits(self.solver.as_mut());
        let lit_of = |atom: AtomId| self.builder.seen_lit(&seen, atom);
        add_goals(self.solver.as_mut(), self.goals, lit_of, Some(activation));
        let tests = match self.solver.solve(&[activation], limits) {
            SatAnswer::Sat => Tests::Found(self.read_all(k)),
            SatAnswer::Unsat => Tests::None,
            SatAnswer::Unknown(stop) => Tests::Unknown(stop),
        };
        self.solver.add(&[!activation]);
        tests
    }

    /// The `n` tests that reach most goals, and an upper bound on the goals of any `n` tests. Starts without a clique.
    pub fn grade(&mut self, n: usize, limits: &SatLimits) -> Result<(Vec<Behaviour>, usize), SatStop> {
        self.add_copies(n)?;
        let seen = self.builder.seen_lits(self.solver.as_mut());
        let mut missed = Vec::with_capacity(self.goals.len());
        for goal in self.goals {
            let reached = self.solver.new_var();
            let lit_of = |atom: AtomId| self.builder.seen_lit(&seen, atom);
            add_goals(self.solver.as_mut(), &[goal], lit_of, Some(reached));
            missed.push(!reached);
        }
        let n_goals = self.goals.len();
        let read = |builder: &Builder<'_>, model: &[bool]| -> Vec<Behaviour> {
            let value = |lit: Lit| model[lit.var() as usize] != lit.is_negative();
            (0..n).map(|copy| builder.read(copy, value)).collect()
        };
        match minimise(self.solver.as_mut(), &missed, &[], Strategy::Both, limits) {
            Minimum::Optimal { cost, model } => Ok((read(&self.builder, &model), n_goals - cost)),
            Minimum::Interval { lower, upper: Some((_, model)), .. } => {
                Ok((read(&self.builder, &model), n_goals - lower))
            }
            Minimum::Interval { upper: None, stop, .. } => Err(stop),
            Minimum::Infeasible(_) => Err(SatStop::Failed("the program has no runs".to_owned())),
        }
    }
}
