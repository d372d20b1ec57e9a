//! What a search finds: tests, what they reach, and why there are no fewer.

use super::certificate::MinimumCertificate;
use super::config::CoverSearchConfig;
use super::explorer::Explorer;
use super::knowledge::Behaviour;
use super::polish::polish;
use super::problem::{AtomId, SuiteObjective};
use super::weigh::Weighting;
use nub_sat::SatStop;

/// The result for a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalState {
    /// Reached, by the one or two tests that show it.
    Covered(Vec<usize>),
    /// No run of any length reaches it.
    Infeasible,
    /// No run within the bound reaches it.
    BeyondBound,
    /// Reached by runs with undefined behaviour only.
    Undefined,
    /// Can be reached, but not by these tests: their number was limited.
    LeftOut,
    /// The time limit was reached.
    Open,
}

/// Why there are no fewer tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MinimumProof {
    /// As many needs as tests, of which no run of any length meets two.
    Clique(MinimumCertificate),
    /// Weights of needs: no run of any length meets so much of the total weight that fewer tests would do.
    Weights {
        /// The largest clique, for information.
        clique: MinimumCertificate,
    },
    /// One test fewer was refuted by the solver, for runs within the bound of the loops if there is one.
    Copies {
        /// The largest clique, for information.
        clique: MinimumCertificate,
    },
    /// There is no proof: at least as many tests are necessary as the clique has needs, or as the weights say.
    Gap {
        /// The largest clique.
        clique: MinimumCertificate,
    },
}

/// A set of tests.
#[derive(Clone, Debug)]
pub struct CoveringSuite {
    /// The tests.
    pub tests: Vec<Behaviour>,
    /// At least this many tests are necessary.
    pub lower: usize,
    /// The proof of that.
    pub proof: MinimumProof,
    /// Weights that say more than the clique, checked.
    pub weighting: Option<Weighting>,
    /// The results for the goals, in their order.
    pub goals: Vec<GoalState>,
    /// Why it ended early, if it did.
    pub stop: Option<SatStop>,
}

impl CoveringSuite {
    /// No smaller set exists.
    pub fn is_minimal(&self) -> bool {
        self.lower >= self.tests.len()
    }
}

/// Makes the values of tests readable; they reach the same goals.
pub fn polish_suite(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
    suite: &mut CoveringSuite,
) {
    let is_covered = |state: &GoalState| matches!(state, GoalState::Covered(_));
    let reached = goals.iter().zip(&suite.goals).filter(|(_, state)| is_covered(state));
    let reached: Vec<&SuiteObjective> = reached.map(|(goal, _)| goal).collect();
    let tests = std::mem::take(&mut suite.tests);
    suite.tests = polish(explorer, tests, &reached, &config.favourites, &config.closing);
    show_again(goals, suite);
}

/// Recomputes which tests show the goals, after the tests have changed.
pub fn show_again(goals: &[SuiteObjective], suite: &mut CoveringSuite) {
    for (goal, state) in goals.iter().zip(&mut suite.goals) {
        if let Some(shown) = shown_by(goal, &suite.tests) {
            *state = GoalState::Covered(shown);
        }
    }
}

/// The one or two tests that show a goal, if it is reached.
pub fn shown_by(goal: &SuiteObjective, tests: &[Behaviour]) -> Option<Vec<usize>> {
    let first = |atom: &AtomId| tests.iter().position(|test| test.has(*atom));
    match goal {
        SuiteObjective::Atom(atom) => first(atom).map(|test| vec![test]),
        SuiteObjective::Pairs(pairs) => {
            let mut shown = pairs.iter().find_map(|[p, q]| Some(vec![first(p)?, first(q)?]))?;
            shown.dedup();
            Some(shown)
        }
    }
}
