//! Minimising the number of true literals of a set, with proof.
//!
//! Two searches approach the minimum from both sides. *Core-guided* (`oll`): assume that all literals are false; each
//! core raises the lower bound. *Improving* (`improve`): ask for a model with fewer true literals than the best one, which
//! lowers the upper bound. By default they take turns with growing limits; measurements on word-level programs showed that
//! neither is always better, and that preferred phases matter more than the choice. So call [`SatSolver::prefer`] first, with a model
//! that is believed to be close.

mod improve;
mod oll;

use crate::{Bounds, SatAnswer, SatLimits, SatSolver, SatStop};
use improve::Improve;
use nub_cnf::Lit;
use oll::Oll;
use std::sync::Arc;

/// Which search to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Raise the lower bound by cores.
    CoreGuided,
    /// Lower the upper bound by models.
    Improving,
    /// Both, in turns.
    #[default]
    Both,
}

/// The result of minimising.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Minimum {
    /// There is no model; these assumptions contradict the clauses.
    Infeasible(Vec<Lit>),
    /// A model with the fewest true literals.
    Optimal {
        /// How many are true.
        cost: usize,
        /// The values of all variables.
        model: Vec<bool>,
    },
    /// Stopped early.
    Interval {
        /// A lower bound: no model has fewer true literals.
        lower: usize,
        /// The best model found: how many literals are true, and the values of all variables.
        upper: Option<(usize, Vec<bool>)>,
        /// Why it ended.
        stop: SatStop,
    },
}

/// Limit on the conflicts of each question in the first turn; it grows by half with each turn.
const FIRST_TURN: u64 = 2_000;
/// Limit on the cores of the first turn; it grows by half with each turn. Many easy questions are work, too: if the minimum is 300, one model and one
/// refutation may prove what would otherwise take 300 cores.
const FIRST_CORES: usize = 24;

/// What both searches know.
struct Search<'s> {
    solver: &'s mut dyn SatSolver,
    /// The literals to minimise, without duplicates.
    lits: Vec<Lit>,
    assumptions: &'s [Lit],
    lower: usize,
    best: Option<(usize, Vec<bool>)>,
    /// If set, it is enough to know whether the minimum is less than this.
    enough: Option<usize>,
    /// Where to publish both bounds.
    bounds: Option<Arc<Bounds>>,
}

/// How a turn ended.
enum Turn {
    /// The bounds met, or there is no model and they never will.
    Done,
    /// A limit was reached.
    Stopped(SatStop),
    /// The turn has found as many cores as it may.
    Paused,
    /// There is no model under these assumptions.
    Infeasible(Vec<Lit>),
}

impl<'s> Search<'s> {
    fn new(
        solver: &'s mut dyn SatSolver,
        lits: &[Lit],
        assumptions: &'s [Lit],
        enough: Option<usize>,
        limits: &SatLimits,
    ) -> Search<'s> {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        // One of two opposite literals is always true.
        let lower = lits.windows(2).filter(|pair| pair[0] == !pair[1]).count();
        let search =
            Search { solver, lits, assumptions, lower, best: None, enough, bounds: limits.bounds.clone() };
        search.tell();
        search
    }

    fn upper(&self) -> Option<usize> {
        self.best.as_ref().map(|best| best.0)
    }

    /// True if the bounds meet, or are known well enough.
    fn is_done(&self) -> bool {
        let is_enough = |enough| self.lower >= enough || self.upper().is_some_and(|upper| upper < enough);
        self.upper() == Some(self.lower) || self.enough.is_some_and(is_enough)
    }

    fn solve(&mut self, more: &[Lit], limits: &SatLimits) -> SatAnswer {
        let all = [self.assumptions, more].concat();
        self.solver.solve(&all, limits)
    }

    /// Keeps the solver's model if it is better than the best. Returns its cost.
    fn keep_model(&mut self) -> usize {
        let mut cost = 0;
        for index in 0..self.lits.len() {
            cost += usize::from(self.solver.value(self.lits[index]));
        }
        if self.upper().is_none_or(|upper| cost < upper) {
            let model = (0..self.solver.n_vars()).map(|var| self.solver.value(Lit::positive(var))).collect();
            self.best = Some((cost, model));
            self.tell();
        }
        cost
    }

    /// Raises the lower bound.
    fn raise(&mut self, lower: usize) {
        self.lower = lower;
        self.tell();
    }

    fn tell(&self) {
        if let Some(bounds) = &self.bounds {
            bounds.set(self.lower, self.upper());
        }
    }

    fn finish(self, stop: SatStop) -> Minimum {
        match self.best {
            Some((cost, model)) if cost == self.lower => Minimum::Optimal { cost, model },
            upper => Minimum::Interval { lower: self.lower, upper, stop },
        }
    }
}

/// Finds a model of the solver's clauses and the assumptions in which as few of `lits` are true as possible; literals that
/// occur twice count once. `limits.conflicts` applies to each question. The clauses of the counters are added to the solver;
/// they do not change its models.
pub fn minimise(
    solver: &mut dyn SatSolver,
    lits: &[Lit],
    assumptions: &[Lit],
    strategy: Strategy,
    limits: &SatLimits,
) -> Minimum {
    minimise_from(solver, lits, assumptions, &[], strategy, limits)
}

/// The same, starting from literals that are believed to be true in a good model, such as values of all inputs of a circuit. If such a model exists, it
/// is the first one, and a better model is asked for before any core: if the first model is good, one refutation is often all that remains.
pub fn minimise_from(
    solver: &mut dyn SatSolver,
    lits: &[Lit],
    assumptions: &[Lit],
    start: &[Lit],
    strategy: Strategy,
    limits: &SatLimits,
) -> Minimum {
    let mut search = Search::new(solver, lits, assumptions, None, limits);
    let is_started = !start.is_empty() && search.solve(start, limits) == SatAnswer::Sat;
    if is_started {
        search.keep_model();
    }
    match close_in(&mut search, strategy, limits) {
        Ok(stop) => search.finish(stop),
        Err(core) => Minimum::Infeasible(core),
    }
}

/// Is there a model in which fewer than `bound` of `lits` are true? The search ends as soon as either bound of the minimum decides this, which is
/// cheaper than finding a minimum that is far from `bound`. There is no model to read afterwards.
pub fn fewer_than(
    solver: &mut dyn SatSolver,
    lits: &[Lit],
    assumptions: &[Lit],
    bound: usize,
    limits: &SatLimits,
) -> SatAnswer {
    let mut search = Search::new(solver, lits, assumptions, Some(bound), limits);
    if search.lower >= bound {
        return SatAnswer::Unsat;
    }
    match close_in(&mut search, Strategy::Both, limits) {
        Err(_) => SatAnswer::Unsat,
        Ok(_) if search.lower >= bound => SatAnswer::Unsat,
        Ok(_) if search.upper().is_some_and(|upper| upper < bound) => SatAnswer::Sat,
        Ok(stop) => SatAnswer::Unknown(stop),
    }
}

/// Moves both bounds until they meet or a limit is reached. The error is a set of assumptions that no model satisfies.
fn close_in(search: &mut Search<'_>, strategy: Strategy, limits: &SatLimits) -> Result<SatStop, Vec<Lit>> {
    let is_started = search.best.is_some();
    if !is_started {
        match search.solve(&[], limits) {
            SatAnswer::Sat => _ = search.keep_model(),
            SatAnswer::Unsat => return Err(search.solver.core().to_vec()),
            SatAnswer::Unknown(stop) => return Ok(stop),
        }
    }
    let mut oll = Oll::new(search);
    let mut improve = Improve::new();
    let most = limits.conflicts.unwrap_or(u64::MAX);
    let mut n_conflicts = if strategy == Strategy::Both { FIRST_TURN.min(most) } else { most };
    let mut n_cores = if strategy == Strategy::Both { FIRST_CORES } else { usize::MAX };
    let mut is_core_turn = strategy == Strategy::CoreGuided || (strategy == Strategy::Both && !is_started);
    // Consecutive turns that ended at the caller's own limit. Once each search in use has had such a turn, there is no more to do.
    let mut n_exhausted = 0;
    while !search.is_done() {
        let slice = limits.with_conflicts(n_conflicts);
        let ended =
            if is_core_turn { oll.turn(search, n_cores, &slice) } else { improve.turn(search, &slice) };
        match ended {
            Turn::Done => break,
            Turn::Infeasible(core) => return Err(core),
            Turn::Stopped(SatStop::Conflicts) if n_conflicts == most => n_exhausted += 1,
            Turn::Stopped(SatStop::Conflicts) | Turn::Paused => n_exhausted = 0,
            Turn::Stopped(stop) => return Ok(stop),
        }
        if n_exhausted == if strategy == Strategy::Both { 2 } else { 1 } {
            return Ok(SatStop::Conflicts);
        }
        n_conflicts = n_conflicts.saturating_add(n_conflicts / 2).min(most);
        n_cores = n_cores.saturating_add(n_cores / 2);
        is_core_turn = is_core_turn != (strategy == Strategy::Both);
    }
    Ok(SatStop::Cancelled)
}
