//! Fewer tests by exchange: some tests are taken out, and one fewer is asked for that do what only these did.
//!
//! A neighbourhood search (Shaw, CP 1998) with the solver as its engine: the tests that stay are fixed, so what is left is a small problem of its own, for
//! a few copies of the program that know all they need of each other.

use super::bitset::BitSet;
use super::choose::{add_goals, without_superfluous};
use super::copies::Builder;
use super::knowledge::{AtomReach, Behaviour, Knowledge, is_covered, union};
use super::problem::{AtomId, Problem, SuiteObjective};
use super::shuffle::SearchRng;
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};

/// A few copies of the program, to be asked again and again.
struct Joint<'p> {
    problem: &'p Problem,
    known: &'p Knowledge,
    builder: Builder<'p>,
    solver: Box<dyn SatSolver>,
    /// By atom of the builder: some copy has it.
    seen: Vec<Lit>,
}

/// What tests have to do that are put in the place of others.
struct Duty {
    /// Atoms that are necessary.
    atoms: Vec<AtomId>,
    /// Goals with several ways.
    goals: Vec<SuiteObjective>,
}

impl Duty {
    /// What is missing from what other tests do.
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

    /// How much it is.
    fn size(&self) -> usize {
        self.atoms.len() + self.goals.len()
    }

    /// Necessary atoms of which no test has two, found greedily: at least as many tests are needed.
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

    /// Tests that do the duty, as many as there are copies; none if there are none, or that took too long.
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

/// Tests that are taken out at once, at least and at most.
const OUT: std::ops::RangeInclusive<usize> = 3..=8;
/// Clauses of all copies of a question. Large functions have fewer copies.
const MAX_CLAUSES: usize = 1_500_000;
/// Choices of tests that are compared before the solver is asked about one.
const N_CHOICES: usize = 12;
/// Conflicts for one question.
const CONFLICTS: u64 = 2_000;
/// One failure in this number is followed by an exchange for as many tests, so that the next choices are others.
const SIDEWAYS: usize = 3;

/// Exchanges of tests, one after the other.
pub(super) struct Exchange<'p> {
    problem: &'p Problem,
    known: &'p Knowledge,
    goals: &'p [&'p SuiteObjective],
    /// By number of copies, the first for one. Made when they are needed.
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

    /// One exchange: the tests afterwards, fewer or others; none if nothing was found.
    pub fn attempt(
        &mut self,
        tests: &[Behaviour],
        rng: &mut SearchRng,
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
        let Some(new) = found else { return Ok(None) };
        let stay = tests.iter().enumerate().filter(|(index, _)| !out.contains(index));
        let all: Vec<Behaviour> = stay.map(|(_, test)| test.clone()).chain(new).collect();
        let kept = without_superfluous(&all, self.goals, self.known.n_atoms(), (0..all.len()).collect());
        Ok(Some(kept.into_iter().map(|index| all[index].clone()).collect()))
    }

    /// Tests to take out, and what is missing then: of some choices the one with which fewer tests are most likely to do.
    fn choice(&self, tests: &[Behaviour], n_out: usize, rng: &mut SearchRng) -> (Vec<usize>, Duty) {
        let n_atoms = self.known.n_atoms();
        let without = |out: &[usize]| {
            let stay = tests.iter().enumerate().filter(|(index, _)| !out.contains(index));
            Duty::missing(self.goals, &union(n_atoms, stay.map(|(_, test)| test)), self.known)
        };
        let own: Vec<usize> = (0..tests.len()).map(|test| without(&[test]).size()).collect();
        let choices = (0..N_CHOICES).map(|_| {
            let mut left: Vec<usize> = (0..tests.len()).collect();
            // Of two tests, the one that is missed less.
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
