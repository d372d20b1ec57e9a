//! Narrows the gap between the bounds of a large function, in turns: weights (`weigh`) raise the lower bound; a selection among the runs that this needed
//! (`pool`) and exchanges (`exchange`) lower the upper one.

use super::config::CoverSearchConfig;
use super::exchange::Exchange;
use super::explorer::Explorer;
use super::knowledge::Behaviour;
use super::problem::{Need, SuiteObjective};
use super::shuffle::SearchRng;
use super::weigh::{Weigh, Weighting};
use nub_sat::{SatLimits, SatStop};

/// Steps for the lower bound per turn.
const N_STEPS: usize = 8;
/// Exchanges per turn, at least and at most.
const N_EXCHANGES: std::ops::RangeInclusive<usize> = 8..=40;
/// Clauses of the program times exchanges of a turn: exchanges in large programs take long, and runs of large ones are more needed.
const EXCHANGE_CLAUSES: usize = 400_000;
/// Stop after this many turns without a better bound.
const MAX_IDLE: usize = 100;
/// At most this many turns.
const MAX_TURNS: usize = 2_000;

/// What is known about the minimum number of tests.
pub(super) struct Narrowing<'n> {
    /// What every complete set of tests must meet.
    pub needs: &'n [Need],
    /// Needs of which no run meets two.
    pub clique: &'n [Need],
    /// The smallest set of tests so far.
    pub tests: Vec<Behaviour>,
    /// At least this many tests are necessary.
    pub lower: usize,
    /// The proof of `lower`, if it was found here.
    pub weighting: Option<Weighting>,
}

impl Narrowing<'_> {
    fn is_done(&self) -> bool {
        self.lower >= self.tests.len()
    }

    /// Improves both bounds. Results are kept even if a limit is reached.
    pub fn run(
        &mut self,
        explorer: &mut Explorer<'_>,
        goals: &[&SuiteObjective],
        rng: &mut SearchRng,
        config: &CoverSearchConfig,
    ) -> Result<(), SatStop> {
        let limits = &config.limits;
        let known = explorer.known().clone();
        // Copies of the program do not know what library functions return.
        let can_exchange = explorer.problem().library.is_empty();
        let mut exchange = can_exchange.then(|| Exchange::new(explorer.problem(), &known, goals));
        let mut weigh = Weigh::new(explorer, self.needs, self.clique, &config.favourites);
        let n_clauses = explorer.problem().cnf.n_clauses().max(1);
        let n_exchanges = (EXCHANGE_CLAUSES / n_clauses).clamp(*N_EXCHANGES.start(), *N_EXCHANGES.end());
        let mut n_idle = 0;
        for _ in 0..MAX_TURNS {
            if self.is_done() || n_idle > MAX_IDLE {
                break;
            }
            let before = (self.lower, self.tests.len());
            for _ in 0..N_STEPS {
                if weigh.is_done() || self.is_done() {
                    break;
                }
                weigh.step(explorer, self.lower, rng, limits)?;
                n_idle = 0;
                if let Some(best) = weigh.best().filter(|best| best.lower() > self.lower) {
                    self.lower = best.lower();
                    self.weighting = Some(best.clone());
                }
            }
            if weigh.is_done() {
                weigh.vary(rng, limits);
            }
            if let Some(tests) = weigh.pool().fewer_tests(&self.tests, goals, rng) {
                self.tests = tests;
            }
            if let Some(exchange) = &mut exchange {
                self.exchange(exchange, n_exchanges, rng, limits)?;
                self.tests.iter().for_each(|test| _ = weigh.add_test(test));
            }
            n_idle = if (self.lower, self.tests.len()) == before { n_idle + 1 } else { 0 };
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        exchange: &mut Exchange<'_>,
        n: usize,
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        for _ in 0..n {
            if self.is_done() {
                break;
            }
            if let Some(tests) = exchange.attempt(&self.tests, rng, limits)? {
                debug_assert!(tests.len() <= self.tests.len(), "exchanges never add tests");
                self.tests = tests;
            }
        }
        Ok(())
    }
}
