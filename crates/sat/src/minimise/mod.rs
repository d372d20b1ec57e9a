//! The fewest true literals of a set, with proof.
//!
//! Two ways close in on the minimum from both sides. *Core-guided* (`oll`): assume that all are false; each set of
//! assumptions to blame raises the lower bound. *Improving* (`improve`): ask for a model with fewer than the best one, which
//! lowers the upper bound. By default they take turns with growing limits; measurements on word-level programs showed that
//! neither wins alone, and that preferred phases matter more than the choice. So call [`SatSolver::prefer`] first, with a model
//! that is believed to be close.

mod improve;
mod oll;

use crate::{Bounds, SatAnswer, SatLimits, SatSolver, SatStop};
use improve::Improve;
use nub_cnf::Lit;
use oll::Oll;
use std::sync::Arc;

/// Which way to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// Raise the lower bound by cores.
    CoreGuided,
    /// Lower the upper bound by models.
    Improving,
    /// In turns.
    #[default]
    Both,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Minimum {
    /// No model at all; these assumptions are to blame.
    Infeasible(Vec<Lit>),
    /// A model with the fewest true literals.
    Optimal {
        /// How many are true.
        cost: usize,
        /// The values of all variables.
        model: Vec<bool>,
    },
    /// Stopped before the end.
    Interval {
        /// No model has fewer.
        lower: usize,
        /// The best model found: how many are true, the values of all variables.
        upper: Option<(usize, Vec<bool>)>,
        /// Why it ended.
        stop: SatStop,
    },
}

/// Conflicts of each question in the first turn; each later turn has half as many again.
const FIRST_TURN: u64 = 2_000;
/// Cores of the first turn; later ones have half as many again. Many easy questions are work too: of a minimum of 300 one model and one
/// refutation may tell what else takes 300 cores.
const FIRST_CORES: usize = 24;

/// What both ways know and find out.
struct Search<'s> {
    solver: &'s mut dyn SatSolver,
    /// Different literals.
    lits: Vec<Lit>,
    assumptions: &'s [Lit],
    lower: usize,
    best: Option<(usize, Vec<bool>)>,
    /// It is enough to know whether the minimum is less than this.
    enough: Option<usize>,
    /// Who is told of both.
    bounds: Option<Arc<Bounds>>,
}

/// How a turn ended.
enum Turn {
    /// The bounds met, or are known never to meet because there is no model.
    Done,
    /// A limit was reached.
    Stopped(SatStop),
    /// As many cores as the turn may have.
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
        // Of two opposite literals one is always true.
        let lower = lits.windows(2).filter(|pair| pair[0] == !pair[1]).count();
        let search =
            Search { solver, lits, assumptions, lower, best: None, enough, bounds: limits.bounds.clone() };
        search.tell();
        search
    }

    fn upper(&self) -> Option<usize> {
        self.best.as_ref().map(|best| best.0)
    }

    /// The bounds meet, or tell enough.
    fn is_done(&self) -> bool {
        let is_enough = |enough| self.lower >= enough || self.upper().is_some_and(|upper| upper < enough);
        self.upper() == Some(self.lower) || self.enough.is_some_and(is_enough)
    }

    fn solve(&mut self, more: &[Lit], limits: &SatLimits) -> SatAnswer {
        let all = [self.assumptions, more].concat();
        self.solver.solve(&all, limits)
    }

    /// Keeps the model that the solver has, if it is better. Returns its cost.
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

    /// No model has fewer.
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
/// occur twice count once. `limits.conflicts` holds for each question. Clauses that count are added to the solver;
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

/// The same with literals that are believed to be true in a good model, such as values of all inputs of a circuit. If they are, that model is
/// the first, and a better one is asked for before any core: of a good first model one refutation is often all that is left to do.
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

/// Is there a model in which fewer than `bound` of `lits` are true? Ends as soon as one bound of the minimum tells, which is cheaper than
/// the minimum itself if that is far from `bound`. There is no model to read afterwards.
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

/// Moves both bounds until they are done or a limit is reached. An error is the assumptions that no model satisfies.
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
    // Turns in a row that ended at the caller's own limit: after both ways, or the one, did, there is no more to do.
    let mut n_exhausted = 0;
    while !search.is_done() {
        let slice = limits.with_conflicts(n_conflicts);
        let ended = match is_core_turn {
            true => oll.turn(search, n_cores, &slice),
            false => improve.turn(search, &slice),
        };
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
