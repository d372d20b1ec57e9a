//! Finds fewer tests by exchange: removes some tests, and asks for one fewer that together do what only the removed ones did.
//!
//! A large-neighbourhood search (Shaw, CP 1998) with the solver as its engine: the other tests are fixed, so the rest is a small problem about a few
//! copies of the program.

use super::bitset::BitSet;
use super::choose::{add_goals, without_superfluous};
use super::copies::Builder;
use super::knowledge::{AtomReach, Behaviour, Knowledge, is_covered, union};
use super::problem::{AtomId, Problem, SuiteObjective};
use nub_cnf::Lit;
use nub_random::Rng;
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};

/// A few copies of the program in an incremental solver.
struct Joint<'p> {
    problem: &'p Problem,
    known: &'p Knowledge,
    builder: Builder<'p>,
    solver: Box<dyn SatSolver>,
    /// By atom of the builder: a literal that implies that some copy has it.
    seen: Vec<Lit>,
}

/// What the replacements of removed tests have to do.
struct Duty {
    /// Atoms that some replacement must have.
    atoms: Vec<AtomId>,
    /// Goals that can be reached in several ways.
    goals: Vec<SuiteObjective>,
}

impl Duty {
    /// What the remaining tests do not do.
    fn missing(goals: &[&SuiteObjective], seen: &BitSet, known: &Knowledge) -> Duty {
        let mut duty = Duty { atoms: Vec::new(), goals: Vec::new() };
        for goal in goals.iter().filter(|goal| !is_covered(goal, seen)) {
            match goal {
                SuiteObjective::Atom(atom) => duty.atoms.push(*atom),
                SuiteObjective::Pairs(pairs) => duty.add_pairs(pairs, seen, known),
            }
        }
        duty.atoms.sort_unstable();
        duty.atoms.dedup();
        duty
    }

    fn add_pairs(&mut self, pairs: &[[AtomId; 2]], seen: &BitSet, known: &Knowledge) {
        let is_feasible = |pair: &&[AtomId; 2]| pair.iter().all(|atom| known.is_feasible(*atom));
        let rest = |[p, q]: &[AtomId; 2]| match (seen.contains(p.index()), seen.contains(q.index())) {
            (true, false) => [*q, *q],
            (false, true) => [*p, *p],
            _ => [*p, *q],
        };
        let mut left: Vec<[AtomId; 2]> = pairs.iter().filter(is_feasible).map(rest).collect();
        left.sort_unstable();
        left.dedup();
        let in_all = |atom: &AtomId| left.iter().all(|pair| pair.contains(atom));
        let first = left.first().copied().into_iter().flatten();
        self.atoms.extend(first.filter(in_all));
        if left.len() > 1 {
            self.goals.push(SuiteObjective::Pairs(left));
        }
    }

    /// The number of obligations.
    fn size(&self) -> usize {
        self.atoms.len() + self.goals.len()
    }

    /// The size of a greedy set of necessary atoms of which no test has two: a lower bound on the number of tests.
    fn clique(&self, known: &Knowledge) -> Vec<AtomId> {
        let degree = |atom: &AtomId| {
            let excluded = known.excluded_by(*atom, AtomReach::WithinBound);
            std::cmp::Reverse(self.atoms.iter().filter(|other| excluded.contains(other.index())).count())
        };
        let mut order = self.atoms.clone();
        order.sort_by_cached_key(degree);
        let mut clique: Vec<AtomId> = Vec::new();
        for atom in order {
            let excluded = known.excluded_by(atom, AtomReach::WithinBound);
            if clique.iter().all(|other| excluded.contains(other.index())) {
                clique.push(atom);
            }
        }
        clique
    }
}

impl<'p> Joint<'p> {
    fn new(
        problem: &'p Problem,
        known: &'p Knowledge,
        goals: &[&SuiteObjective],
        n: usize,
        limits: &SatLimits,
    ) -> Joint<'p> {
        let (mut builder, mut solver) = (Builder::new(problem, known, goals), limits.new_solver());
        for _ in 0..n {
            builder.add_copy(solver.as_mut(), None);
        }
        let seen = builder.seen_lits(solver.as_mut());
        Joint { problem, known, builder, solver, seen }
    }

    /// Tests that do the duty, one per copy; `None` if there are no such tests, or a limit was reached.
    fn ask(&mut self, duty: &Duty, limits: &SatLimits) -> Result<Option<Vec<Behaviour>>, SatStop> {
        let clique = duty.clique(self.known);
        let n = self.builder.n_copies();
        if clique.len() > n {
            return Ok(None);
        }
        let activation = self.solver.new_var();
        let goals: Vec<&SuiteObjective> = duty.goals.iter().collect();
        let lit_of = |atom: AtomId| self.builder.seen_lit(&self.seen, atom);
        add_goals(self.solver.as_mut(), &goals, lit_of, Some(activation));
        let mut assumed = vec![activation];
        for (copy, atom) in clique.iter().enumerate() {
            assumed.push(self.builder.shifted(self.problem.lit(*atom), copy));
        }
        let others = duty.atoms.iter().filter(|atom| !clique.contains(atom));
        assumed.extend(others.filter_map(|atom| self.builder.seen_lit(&self.seen, *atom)));
        let answer = self.solver.solve(&assumed, limits);
        let found = match answer {
            SatAnswer::Sat => {
                let read = |copy| self.builder.read(copy, |lit| self.solver.value(lit));
                Ok(Some((0..n).map(read).collect()))
            }
            SatAnswer::Unsat | SatAnswer::Unknown(SatStop::Conflicts) => Ok(None),
            SatAnswer::Unknown(stop) => Err(stop),
        };
        self.solver.add(&[!activation]);
        found
    }
}

/// The fewest and the most tests that are removed at once.
const OUT: std::ops::RangeInclusive<usize> = 3..=8;
/// At most this many clauses in all copies of a question. Large functions get fewer copies.
const MAX_CLAUSES: usize = 1_500_000;
/// This many sets of tests are compared before the solver is asked about one.
const N_CHOICES: usize = 12;
/// Conflicts for one question.
const CONFLICTS: u64 = 2_000;
/// One failure in this many is followed by an exchange for the same number of tests, which diversifies the search.
const SIDEWAYS: usize = 3;

/// A sequence of exchanges.
pub(super) struct Exchange<'p> {
    problem: &'p Problem,
    known: &'p Knowledge,
    goals: &'p [&'p SuiteObjective],
    /// By number of copies minus one. Created on demand.
    joints: Vec<Option<Joint<'p>>>,
    n_out: usize,
    max_out: usize,
}

impl<'p> Exchange<'p> {
    /// All goals must be coverable.
    pub fn new(problem: &'p Problem, known: &'p Knowledge, goals: &'p [&'p SuiteObjective]) -> Exchange<'p> {
        let n_clauses = Builder::new(problem, known, goals).n_clauses();
        let max_out = (1 + MAX_CLAUSES / n_clauses.max(1)).clamp(*OUT.start(), *OUT.end());
        let joints = (0..max_out).map(|_| None).collect();
        Exchange { problem, known, goals, joints, n_out: max_out, max_out }
    }

    /// One exchange. Returns the new set of tests, smaller or of the same size; `None` if nothing was found.
    pub fn attempt(
        &mut self,
        tests: &[Behaviour],
        rng: &mut Rng,
        limits: &SatLimits,
    ) -> Result<Option<Vec<Behaviour>>, SatStop> {
        self.n_out = if self.n_out >= self.max_out { *OUT.start() } else { self.n_out + 1 };
        let n_out = self.n_out.min(tests.len());
        if n_out < 2 {
            return Ok(None);
        }
        let (out, duty) = self.choice(tests, n_out, rng);
        let mut found = self.ask(n_out - 1, &duty, limits)?;
        if found.is_none() && n_out < self.max_out && rng.below(SIDEWAYS) == 0 {
            found = self.ask(n_out, &duty, limits)?;
        }
        Ok(found.map(|new| self.exchanged(tests, &out, new)))
    }

    /// Completes a set of tests that reaches almost all goals, without making it larger. `None` if nothing was found. Less is missing here than after
    /// a test is removed from a complete set, so this succeeds more often.
    pub fn complete(
        &mut self,
        tests: &[Behaviour],
        rng: &mut Rng,
        limits: &SatLimits,
    ) -> Result<Option<Vec<Behaviour>>, SatStop> {
        let n_out = (1 + rng.below(self.max_out)).min(tests.len());
        if n_out == 0 {
            return Ok(None);
        }
        let (out, duty) = self.choice(tests, n_out, rng);
        let found = self.ask(n_out, &duty, limits)?;
        Ok(found.map(|new| self.exchanged(tests, &out, new)))
    }

    /// Some tests replaced by others, without superfluous ones.
    fn exchanged(&self, tests: &[Behaviour], out: &[usize], new: Vec<Behaviour>) -> Vec<Behaviour> {
        let stay = tests.iter().enumerate().filter(|(index, _)| !out.contains(index));
        let all: Vec<Behaviour> = stay.map(|(_, test)| test.clone()).chain(new).collect();
        let kept = without_superfluous(&all, self.goals, self.known.n_atoms(), (0..all.len()).collect());
        kept.into_iter().map(|index| all[index].clone()).collect()
    }

    /// Tests to remove, and what is then missing: the most promising of several choices.
    fn choice(&self, tests: &[Behaviour], n_out: usize, rng: &mut Rng) -> (Vec<usize>, Duty) {
        let n_atoms = self.known.n_atoms();
        let without = |out: &[usize]| {
            let stay = tests.iter().enumerate().filter(|(index, _)| !out.contains(index));
            Duty::missing(self.goals, &union(n_atoms, stay.map(|(_, test)| test)), self.known)
        };
        let own: Vec<usize> = (0..tests.len()).map(|test| without(&[test]).size()).collect();
        let choices = (0..N_CHOICES).map(|_| {
            let mut left: Vec<usize> = (0..tests.len()).collect();
            // Of two tests, the one whose removal leaves less undone.
            let out: Vec<usize> = (0..n_out)
                .map(|_| {
                    let [a, b] = [(); 2].map(|()| rng.below(left.len()));
                    left.swap_remove(if own[left[a]] <= own[left[b]] { a } else { b })
                })
                .collect();
            let duty = without(&out);
            (out, duty)
        });
        let hardness = |(_, duty): &(Vec<usize>, Duty)| (duty.clique(self.known).len(), duty.size());
        choices.min_by_key(hardness).expect("there are choices")
    }

    fn ask(&mut self, n: usize, duty: &Duty, limits: &SatLimits) -> Result<Option<Vec<Behaviour>>, SatStop> {
        let joint = self.joints[n - 1]
            .get_or_insert_with(|| Joint::new(self.problem, self.known, self.goals, n, limits));
        joint.ask(duty, &limits.with_conflicts(CONFLICTS))
    }
}
