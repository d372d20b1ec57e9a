//! Where a gap is left between the bounds of a large function: weights from below (`weigh`) and exchanges from above (`exchange`) take turns.

use super::exchange::Exchange;
use super::explorer::Explorer;
use super::knowledge::Behaviour;
use super::problem::{Need, SuiteObjective};
use super::shuffle::SearchRng;
use super::weigh::{Weigh, Weighting};
use nub_sat::{SatLimits, SatStop};

/// Steps of the lower bound in a turn.
const N_STEPS: usize = 8;
/// Exchanges in a turn.
const N_EXCHANGES: usize = 40;
/// Turns without a better bound after which it ends.
const MAX_IDLE: usize = 40;
/// Turns at most.
const MAX_TURNS: usize = 2_000;

/// What is known of the fewest tests.
pub(super) struct Narrowing<'n> {
    /// What every complete set of tests must do.
    pub needs: &'n [Need],
    /// Some of them that no run meets two of.
    pub clique: &'n [Need],
    /// The best tests.
    pub tests: Vec<Behaviour>,
    /// As many are necessary.
    pub lower: usize,
    /// Why, if it was found here.
    pub weighting: Option<Weighting>,
}

impl Narrowing<'_> {
    fn is_done(&self) -> bool {
        self.lower >= self.tests.len()
    }

    /// Improves both bounds. What was found stays, also where the limits are reached.
    pub fn run(
        &mut self,
        explorer: &mut Explorer<'_>,
        goals: &[&SuiteObjective],
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        let known = explorer.known().clone();
        // What the library returns is not known in copies of the program.
        let can_exchange = explorer.problem().library.is_empty();
        let mut exchange = can_exchange.then(|| Exchange::new(explorer.problem(), &known, goals));
        let mut weigh = Weigh::new(explorer, self.needs, self.clique);
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
                weigh.step(explorer, self.lower, limits)?;
                n_idle = 0;
                if let Some(best) = weigh.best().filter(|best| best.lower() > self.lower) {
                    self.lower = best.lower();
                    self.weighting = Some(best.clone());
                }
            }
            if let Some(exchange) = &mut exchange {
                self.exchange(exchange, rng, limits)?;
            }
            n_idle = if (self.lower, self.tests.len()) == before { n_idle + 1 } else { 0 };
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        exchange: &mut Exchange<'_>,
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        for _ in 0..N_EXCHANGES {
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
