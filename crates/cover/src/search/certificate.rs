//! The proof that no smaller set exists: needs of which no test meets two.
//!
//! Anyone can check it: at least as many tests are necessary as there are needs, and each pair is one small question about one copy of the program.
//! It is checked here by a solver that is independent of the search.

use super::bitset::BitSet;
use super::explorer::load;
use super::problem::{AtomId, Need, Problem};
use super::propagate::Propagator;
use super::weigh::{Weighting, groups};
use super::weighted_sum::{Group, at_least};
use nub_cnf::Lit;
use nub_sat::{Cdcl, SatAnswer, SatLimits, SatSolver, built_in};

/// How a pair of needs was refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// By propagation alone.
    Propagation,
    /// By search.
    Search,
}

/// A checked proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MinimumCertificate {
    /// No test meets two of these.
    pub needs: Vec<Need>,
    /// Pairs refuted by propagation alone.
    pub n_propagated: usize,
    /// Pairs that needed search.
    pub n_searched: usize,
}

/// Conflicts for our own solver, before the faster one is asked.
const OWN_CONFLICTS: u64 = 2_000;

/// Refutes every pair again. A need in a pair that cannot be refuted is dropped; after the time limit, that is each pair that propagation does not
/// refute. Runs of any length are included, so the bound of the loops is not assumed. O(needs²) questions.
pub fn check(problem: &Problem, needs: &[Need], limits: &SatLimits) -> MinimumCertificate {
    let mut checker = Checker::new(problem);
    let selectors: Vec<Lit> = needs.iter().map(|need| checker.select(problem, need)).collect();
    let mut kept: Vec<usize> = Vec::with_capacity(needs.len());
    let mut certificate = MinimumCertificate::default();
    for index in 0..needs.len() {
        let refute = |other: &usize| {
            let other = *other;
            checker.refute(
                problem,
                [&needs[index], &needs[other]],
                [selectors[index], selectors[other]],
                limits,
            )
        };
        let Some(found) = kept.iter().map(refute).collect::<Option<Vec<Refutation>>>() else { continue };
        let n_searched = found.iter().filter(|how| **how == Refutation::Search).count();
        certificate.n_searched += n_searched;
        certificate.n_propagated += found.len() - n_searched;
        certificate.needs.push(needs[index].clone());
        kept.push(index);
    }
    certificate
}

/// Refutes once more that some run meets needs of more than the largest weight. It uses its own clauses, and takes only what propagation finds about
/// pairs of needs for granted. Runs of any length count.
pub fn holds(problem: &Problem, weighting: &Weighting, limits: &SatLimits) -> bool {
    let mut checker = Checker::new(problem);
    let needs = &weighting.needs;
    let selectors: Vec<Lit> = needs.iter().map(|(need, _)| checker.select(problem, need)).collect();
    let excluded = checker.excluded(problem, needs);
    let are_exclusive = |a: usize, b: usize| {
        let (x, y) = (&needs[a].0.atoms, &needs[b].0.atoms);
        x.iter().all(|x| y.iter().all(|y| excluded[x.index()].contains(y.index())))
    };
    let mut solver = built_in();
    checker.fill(problem, solver.as_mut());
    for a in 0..needs.len() {
        for b in (0..a).filter(|b| are_exclusive(a, *b)) {
            solver.add(&[!selectors[a], !selectors[b]]);
        }
    }
    let of_need = |need: usize| (selectors[need], needs[need].1);
    let groups: Vec<Group> = groups(needs.len(), are_exclusive)
        .into_iter()
        .map(|group| group.into_iter().map(of_need).collect())
        .collect();
    let activation = solver.new_var();
    match at_least(solver.as_mut(), &groups, weighting.most + 1, activation) {
        Some(output) => solver.solve(&[activation, output], limits) == SatAnswer::Unsat,
        None => true,
    }
}

struct Checker {
    engine: Propagator,
    /// Loaded when propagation is not enough.
    own: Option<Cdcl>,
    /// Loaded when our own solver gives up.
    fast: Option<Box<dyn SatSolver>>,
    /// Clauses of the selectors, whose variables come after those of the problem.
    selections: Vec<Vec<Lit>>,
}

impl Checker {
    fn new(problem: &Problem) -> Checker {
        let engine = Propagator::new(&problem.cnf, &problem.always());
        Checker { engine, own: None, fast: None, selections: Vec::new() }
    }

    /// A literal that implies the need.
    fn select(&mut self, problem: &Problem, need: &Need) -> Lit {
        let selector = Lit::positive(problem.cnf.n_vars() + self.selections.len() as u32);
        let clause: Vec<Lit> =
            [!selector].into_iter().chain(need.atoms.iter().map(|atom| problem.lit(*atom))).collect();
        self.selections.push(clause);
        selector
    }

    /// By atom of the needs: what it excludes by propagation.
    fn excluded(&mut self, problem: &Problem, needs: &[(Need, u64)]) -> Vec<BitSet> {
        let mut atoms: Vec<AtomId> = needs.iter().flat_map(|(need, _)| need.atoms.iter().copied()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        let mut excluded = vec![BitSet::new(problem.n_atoms()); problem.n_atoms()];
        for atom in &atoms {
            let row = &mut excluded[atom.index()];
            let is_possible = self.engine.probe(&[problem.lit(*atom)], |implied| {
                let others = atoms.iter().filter(|other| implied.is_true(!problem.lit(**other)));
                others.for_each(|other| row.insert(other.index()));
            });
            if !is_possible {
                atoms.iter().for_each(|other| row.insert(other.index()));
            }
        }
        excluded
    }

    /// Adds everything that the question is about to a new solver.
    fn fill(&self, problem: &Problem, solver: &mut dyn SatSolver) {
        load(problem, solver);
        problem.always().into_iter().for_each(|unit| solver.add(&[unit]));
        self.selections.iter().for_each(|_| _ = solver.new_var());
        self.selections.iter().for_each(|clause| solver.add(clause));
    }

    fn refute(
        &mut self,
        problem: &Problem,
        needs: [&Need; 2],
        selectors: [Lit; 2],
        limits: &SatLimits,
    ) -> Option<Refutation> {
        let [a, b] = needs.map(|need| &need.atoms);
        let mut pairs = a.iter().flat_map(|x| b.iter().map(move |y| [problem.lit(*x), problem.lit(*y)]));
        if pairs.all(|pair| !self.engine.probe(&pair, |_| {})) {
            return Some(Refutation::Propagation);
        }
        if limits.cancel.is_cancelled() {
            return None;
        }
        let own = self.own(problem).solve(&selectors, &limits.with_conflicts(OWN_CONFLICTS));
        let answer = match own {
            SatAnswer::Unknown(_) => self.fast(problem).solve(&selectors, limits),
            answer => answer,
        };
        (answer == SatAnswer::Unsat).then_some(Refutation::Search)
    }

    fn own(&mut self, problem: &Problem) -> &mut Cdcl {
        let own = self.own.take().unwrap_or_else(|| {
            let mut solver = Cdcl::new();
            self.fill(problem, &mut solver);
            solver
        });
        self.own.insert(own)
    }

    fn fast(&mut self, problem: &Problem) -> &mut dyn SatSolver {
        let fast = self.fast.take().unwrap_or_else(|| {
            let mut solver = built_in();
            self.fill(problem, solver.as_mut());
            solver
        });
        self.fast.insert(fast).as_mut()
    }
}
