//! The solver that finds a run that meets needs of too much weight, or proves that there is none.

use super::bitset::BitSet;
use super::explorer::load;
use super::problem::{Need, Problem};
use super::weighted_sum::{Group, at_least};
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits, SatSolver};

/// Conflicts for one question: find a run that is worth too much, or refute that there is one.
const PRICE_CONFLICTS: u64 = 60_000;

/// A solver that finds runs that are worth too much.
pub(super) struct Oracle {
    pub solver: Box<dyn SatSolver>,
    /// By need: a literal that implies it.
    pub selectors: Vec<Lit>,
    /// Pairs of exclusive needs that the solver has clauses for.
    told: Vec<BitSet>,
    /// Activates the clauses of the last question, which are no longer needed.
    activation: Option<Lit>,
}

impl Oracle {
    pub fn new(problem: &Problem, needs: &[Need], limits: &SatLimits) -> Oracle {
        let mut solver = limits.new_solver();
        load(problem, solver.as_mut());
        problem.always().into_iter().for_each(|unit| solver.add(&[unit]));
        let mut selectors = Vec::with_capacity(needs.len());
        for need in needs {
            let selector = solver.new_var();
            let atoms = need.atoms.iter().map(|atom| problem.lit(*atom));
            solver.add(&[!selector].into_iter().chain(atoms).collect::<Vec<Lit>>());
            selectors.push(selector);
        }
        Oracle { solver, selectors, told: vec![BitSet::new(needs.len()); needs.len()], activation: None }
    }

    /// Adds clauses for pairs of needs that no run meets together. They follow from the program, but not always by propagation.
    pub fn tell(&mut self, weights: &[(usize, u64)], are_exclusive: impl Fn(usize, usize) -> bool) {
        for a in 0..weights.len() {
            for b in 0..a {
                let (x, y) = (weights[a].0, weights[b].0);
                if !self.told[x].contains(y) && are_exclusive(a, b) {
                    self.told[x].insert(y);
                    self.told[y].insert(x);
                    self.solver.add(&[!self.selectors[x], !self.selectors[y]]);
                }
            }
        }
    }

    pub fn ask(&mut self, groups: &[Group], wanted: u64, limits: &SatLimits) -> SatAnswer {
        if let Some(last) = self.activation.take() {
            self.solver.add(&[!last]);
        }
        let activation = *self.activation.insert(self.solver.new_var());
        let Some(output) = at_least(self.solver.as_mut(), groups, wanted, activation) else {
            return SatAnswer::Unsat;
        };
        self.solver.solve(&[activation, output], &limits.with_conflicts(PRICE_CONFLICTS))
    }
}
