//! Narrows the gap between the bounds of a large function, in turns: weights (`weigh`) raise the lower bound; a selection among the runs that this needed
//! (`pool`), runs that complete a selection (`mend`) and exchanges (`exchange`) lower the upper one.

use super::config::CoverSearchConfig;
use super::dive::dive;
use super::exchange::Exchange;
use super::explorer::Explorer;
use super::knowledge::Behaviour;
use super::mend::Mend;
use super::partner::{Partner, PartnerStart};
use super::problem::{Need, SuiteObjective};
use super::weigh::{Weigh, WeighStart, Weighting};
use nub_random::Rng;
use nub_sat::{SatLimits, SatStop};

/// Steps for the lower bound per turn.
const N_STEPS: usize = 8;
/// Exchanges per turn, at least and at most.
const N_EXCHANGES: std::ops::RangeInclusive<usize> = 8..=40;
/// Clauses of the program times exchanges of a turn. In large programs exchanges take long, and new runs help more.
const EXCHANGE_CLAUSES: usize = 400_000;
/// Tests are not sought by dives while the fractional number of tests falls by this much per turn.
const SLOW: f64 = 0.4;
/// Dives per turn, if climbs are cheap.
const N_DIVES: usize = 2;
/// Where runs can be found by climbing, exchanges are tried in one of this many turns: those of one turn can take as long as ten others, and
/// new runs help more while the fractional number of tests falls.
const EXCHANGE_TURNS: usize = 4;
/// Stop after this many turns without a better bound, and one more for this many clauses: copies of a large program are hopeless, so turns are
/// all that is left.
const MAX_IDLE: usize = 40;
const IDLE_CLAUSES: usize = 50;
/// So that the partner does not do what the search does.
const PARTNER_SEED: u64 = 0x9e37_79b9_7f4a_7c15;
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

/// How the bounds are made better.
struct NarrowTools<'t, 'p> {
    weigh: Weigh<'p>,
    exchange: Option<Exchange<'t>>,
    mend: Option<Mend>,
    goals: &'t [&'t SuiteObjective],
    limits: &'t SatLimits,
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
        rng: &mut Rng,
        config: &CoverSearchConfig,
    ) -> Result<(), SatStop> {
        let (problem, evaluate) = (explorer.problem(), explorer.any_evaluation());
        let known = explorer.known().clone();
        let start = WeighStart { needs: self.needs, clique: self.clique, favourites: &config.favourites };
        // Copies of the program do not know what library functions return.
        let can_exchange = problem.library.is_empty();
        let mut tools = NarrowTools {
            weigh: Weigh::new(problem, evaluate, &start, &known),
            exchange: can_exchange.then(|| Exchange::new(problem, &known, goals)),
            mend: None,
            goals,
            limits: &config.limits,
        };
        let beside = evaluate.and_then(|own| own.another()).map(|evaluator| PartnerStart {
            problem,
            evaluator,
            start,
            known: &known,
            rng: Rng::new(config.seed ^ PARTNER_SEED),
            limits: config.limits.clone(),
        });
        std::thread::scope(|scope| self.turns(&mut tools, Partner::new(scope, beside), explorer, rng))
    }

    fn turns<'p>(
        &mut self,
        tools: &mut NarrowTools<'_, 'p>,
        mut partner: Partner<'_, '_>,
        explorer: &mut Explorer<'p>,
        rng: &mut Rng,
    ) -> Result<(), SatStop> {
        let n_clauses = explorer.problem().cnf.n_clauses().max(1);
        let n_exchanges = (EXCHANGE_CLAUSES / n_clauses).clamp(*N_EXCHANGES.start(), *N_EXCHANGES.end());
        let max_idle = MAX_IDLE + n_clauses / IDLE_CLAUSES;
        let (mut n_idle, mut last_total, mut is_slow) = (0, f64::INFINITY, false);
        for turn in 0..MAX_TURNS {
            if self.is_done() || n_idle > max_idle {
                break;
            }
            if is_slow {
                partner.ask(tools.weigh.pool(), self.tests.len() - 1);
            }
            let before = (self.lower, self.tests.len());
            n_idle = if self.raise(tools, explorer, rng)? { 0 } else { n_idle };
            let total = tools.weigh.fractional().total();
            is_slow = tools.weigh.is_done() || last_total - total < SLOW;
            if is_slow {
                self.dive(tools, explorer, rng);
            }
            last_total = total;
            let (fewer, short) = tools.weigh.pool().fewer_tests(&self.tests, tools.goals, rng);
            self.tests = fewer.unwrap_or(std::mem::take(&mut self.tests));
            self.mend(tools, short, rng);
            let is_turn = tools.weigh.is_settled() || turn % EXCHANGE_TURNS == EXCHANGE_TURNS - 1;
            if tools.weigh.climber().is_none() || is_slow && is_turn {
                self.exchange(tools, n_exchanges, rng)?;
            }
            if let Some(answer) = partner.answer() {
                answer.new.iter().for_each(|test| _ = tools.weigh.add_test(test));
                self.take(answer.tests, tools);
            }
            n_idle = if (self.lower, self.tests.len()) == before { n_idle + 1 } else { 0 };
        }
        Ok(())
    }

    /// Some steps towards a higher lower bound. Returns whether one of them may have brought something.
    fn raise<'p>(
        &mut self,
        tools: &mut NarrowTools<'_, 'p>,
        explorer: &mut Explorer<'p>,
        rng: &mut Rng,
    ) -> Result<bool, SatStop> {
        let NarrowTools { weigh, limits, .. } = tools;
        let mut is_useful = false;
        for count in 0..N_STEPS {
            if weigh.is_done() || self.is_done() || (count > 0 && weigh.is_settled()) {
                break;
            }
            weigh.step(explorer, self.lower, rng, limits)?;
            is_useful |= !weigh.is_settled();
            if let Some(best) = weigh.best().filter(|best| best.lower() > self.lower) {
                self.lower = best.lower();
                self.weighting = Some(best.clone());
            }
        }
        if weigh.is_done() {
            weigh.vary(rng, limits);
        }
        Ok(is_useful)
    }

    /// Takes these tests if they are fewer and reach all the goals.
    fn take(&mut self, found: Option<Vec<Behaviour>>, tools: &NarrowTools<'_, '_>) {
        let complete = found.and_then(|tests| tools.weigh.pool().complete(&tests, tools.goals));
        if let Some(tests) = complete.filter(|tests| tests.len() < self.tests.len()) {
            self.tests = tests;
        }
    }

    /// Tests from the fractional solution, if it promises fewer.
    fn dive<'p>(&mut self, tools: &mut NarrowTools<'_, 'p>, explorer: &Explorer<'p>, rng: &mut Rng) {
        let n_dives = if tools.weigh.are_climbs_cheap() { N_DIVES } else { 1 };
        for _ in 0..n_dives {
            if self.is_done() {
                return;
            }
            let most = self.tests.len() - 1;
            let found = dive(&mut tools.weigh, explorer.known(), most, rng, tools.limits);
            self.take(found, tools);
        }
    }

    /// Completes tests of which one is missing: those of the last turn, or new ones if they meet more.
    fn mend(&mut self, tools: &mut NarrowTools<'_, '_>, short: Vec<Behaviour>, rng: &mut Rng) {
        let NarrowTools { weigh, mend, goals, limits, .. } = tools;
        let Some(climb) = weigh.climber().filter(|_| !self.is_done()) else { return };
        let new = Mend::new(weigh.pool(), short);
        let is_short = |own: &Mend| own.n_tests() + 1 == self.tests.len();
        let mut own = match (mend.take().filter(is_short), Some(new).filter(is_short)) {
            (Some(old), Some(new)) => old.or_better(new),
            (Some(own), None) | (None, Some(own)) => own,
            (None, None) => return,
        };
        let found = own.run(climb, weigh.pool(), rng, limits);
        if let Some(tests) = weigh.pool().complete(own.best(), goals) {
            self.tests = tests;
        }
        found.iter().for_each(|test| _ = weigh.add_test(test));
        *mend = Some(own);
    }

    fn exchange(&mut self, tools: &mut NarrowTools<'_, '_>, n: usize, rng: &mut Rng) -> Result<(), SatStop> {
        let NarrowTools { weigh, exchange: Some(exchange), mend, limits, .. } = tools else { return Ok(()) };
        for _ in 0..n {
            if self.is_done() {
                break;
            }
            let short = mend.as_ref().map(Mend::best).filter(|short| short.len() + 1 == self.tests.len());
            if let Some(short) = short
                && let Some(tests) = exchange.complete(short, rng, limits)?
            {
                self.tests = tests;
                continue;
            }
            if let Some(tests) = exchange.attempt(&self.tests, rng, limits)? {
                debug_assert!(tests.len() <= self.tests.len(), "exchanges never add tests");
                self.tests = tests;
            }
        }
        self.tests.iter().for_each(|test| _ = weigh.add_test(test));
        Ok(())
    }
}
