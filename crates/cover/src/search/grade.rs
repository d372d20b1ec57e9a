//! The most goals that a fixed number of tests can reach (Weiler §7.3.2), with an upper bound.
//!
//! There is always an answer: tests are first selected from the known runs, and the first bound comes from the clique. Copies of the program improve
//! both, within their limits.

use super::config::CoverSearchConfig;
use super::copies::Copies;
use super::explorer::Explorer;
use super::knowledge::{Behaviour, is_covered, union};
use super::polish::polish;
use super::problem::{Need, SuiteObjective};
use super::suite::{CoveringSuite, MinimumProof};
use nub_sat::SatLimits;
use std::collections::BTreeMap;

/// Conflicts of one question about copies, times their clauses, and the minimum: there must be an answer even without a time limit.
const GRADE_WORK: u64 = 400_000_000;
const MIN_CONFLICTS: u64 = 1_000;
/// Passes of exchanging single tests.
const MAX_ROUNDS: usize = 8;

/// Replaces the tests of the suite by `n` that reach as many goals as was found possible; returns an upper bound on the goals of any `n` tests.
pub(super) fn grade(
    explorer: &mut Explorer<'_>,
    goals: &[SuiteObjective],
    config: &CoverSearchConfig,
    suite: &mut CoveringSuite,
    n: usize,
) -> usize {
    let is_coverable = |goal: &&SuiteObjective| explorer.known().is_coverable(goal) == Some(true);
    let coverable: Vec<&SuiteObjective> = goals.iter().filter(is_coverable).collect();
    let mut most = bound(&coverable, suite, n);
    let n_atoms = explorer.known().n_atoms();
    let mut tests = chosen(explorer.known().behaviours(), suite, &coverable, (n, n_atoms), &config.limits);
    let mut reached = n_reached(&tests.iter().collect::<Vec<_>>(), &coverable, n_atoms);
    if reached < most && n > 0 {
        let known = explorer.known().clone();
        let n_clauses = (n * explorer.problem().cnf.n_clauses()).max(1) as u64;
        let limits = config.limits.with_conflicts((GRADE_WORK / n_clauses).max(MIN_CONFLICTS));
        let mut copies = Copies::new(explorer.problem(), &known, &coverable, &[], &limits);
        if let Ok((found, most_found)) = copies.grade(n, &limits) {
            most = most.min(most_found);
            let n_found = n_reached(&found.iter().collect::<Vec<_>>(), &coverable, n_atoms);
            if n_found > reached {
                (tests, reached) = (found, n_found);
            }
        }
    }
    debug_assert!(reached <= most, "{n} tests reach more than they can");
    let all = union(n_atoms, &tests);
    let kept: Vec<&SuiteObjective> = coverable.into_iter().filter(|goal| is_covered(goal, &all)).collect();
    suite.tests = polish(explorer, tests, &kept, &config.favourites, &config.closing);
    most
}

fn n_reached(tests: &[&Behaviour], goals: &[&SuiteObjective], n_atoms: usize) -> usize {
    let all = union(n_atoms, tests.iter().copied());
    goals.iter().filter(|goal| is_covered(goal, &all)).count()
}

/// An upper bound on the goals of `n` tests. They meet at most `n` needs of a clique, and a goal with an unmet need is not reached. A goal may have
/// several needs, so the goals with most needs are assumed to be the missed ones.
fn bound(coverable: &[&SuiteObjective], suite: &CoveringSuite, n: usize) -> usize {
    let (MinimumProof::Clique(clique)
    | MinimumProof::Weights { clique }
    | MinimumProof::Copies { clique }
    | MinimumProof::Gap { clique }) = &suite.proof;
    let by_clique = fewest_missed(&clique.needs, n);
    let by_size = usize::from(n < suite.lower);
    if n == 0 {
        return 0;
    }
    coverable.len().saturating_sub(by_clique.max(by_size))
}

fn fewest_missed(clique: &[Need], n: usize) -> usize {
    let mut needs_of: BTreeMap<usize, usize> = BTreeMap::new();
    clique.iter().for_each(|need| *needs_of.entry(need.goal).or_default() += 1);
    let mut counts: Vec<usize> = needs_of.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let mut unmet = clique.len().saturating_sub(n);
    let mut n_missed = 0;
    for count in counts {
        if unmet == 0 {
            break;
        }
        unmet = unmet.saturating_sub(count);
        n_missed += 1;
    }
    n_missed
}

/// Some of the known runs: those of the suite without the ones that contribute least, then single exchanges as long as they help.
fn chosen(
    runs: &[Behaviour],
    suite: &CoveringSuite,
    goals: &[&SuiteObjective],
    (n, n_atoms): (usize, usize),
    limits: &SatLimits,
) -> Vec<Behaviour> {
    let mut tests: Vec<&Behaviour> = suite.tests.iter().collect();
    while tests.len() > n {
        let without = |at: usize| {
            let rest: Vec<&Behaviour> = (0..tests.len()).filter(|k| *k != at).map(|k| tests[k]).collect();
            n_reached(&rest, goals, n_atoms)
        };
        let Some(least) = (0..tests.len()).max_by_key(|at| without(*at)) else { break };
        tests.remove(least);
    }
    for _ in 0..MAX_ROUNDS {
        if !exchange(&mut tests, runs, goals, n_atoms, limits) {
            break;
        }
    }
    tests.into_iter().cloned().collect()
}

/// Replaces single tests by runs with which more goals are reached; false if there is none.
fn exchange<'r>(
    tests: &mut [&'r Behaviour],
    runs: &'r [Behaviour],
    goals: &[&SuiteObjective],
    n_atoms: usize,
    limits: &SatLimits,
) -> bool {
    let mut best = n_reached(tests, goals, n_atoms);
    let mut is_better = false;
    for at in 0..tests.len() {
        for run in runs {
            if limits.cancel.is_cancelled() || best == goals.len() {
                return is_better;
            }
            let old = std::mem::replace(&mut tests[at], run);
            let now = n_reached(tests, goals, n_atoms);
            if now > best {
                (best, is_better) = (now, true);
            } else {
                tests[at] = old;
            }
        }
    }
    is_better
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(goal: usize) -> Need {
        Need { atoms: Vec::new(), goal }
    }

    #[test]
    fn needs_that_are_not_met_cost_goals() {
        let clique = [need(0), need(0), need(1), need(2), need(3)];
        let missed: Vec<usize> = (0..=6).map(|n| fewest_missed(&clique, n)).collect();
        assert_eq!(missed, [4, 3, 2, 1, 1, 0, 0]);
    }
}
