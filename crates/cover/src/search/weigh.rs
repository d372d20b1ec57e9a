//! A lower bound by weights: each need has a weight, and no run meets needs of more than a certain total weight.
//!
//! If all needs together weigh 81 and no run meets more than 3 of that, 27 tests are necessary. A clique is the case where every weight is 1, and so is the
//! bound. The best weights are the prices of the fractional set cover (`fractional`) over all runs. The runs are generated on demand: the solver is asked for a
//! run that is worth too much, until there is none (column generation; the bound is that of Farley, 1990). That last refutation is the proof.

use super::bitset::BitSet;
use super::climb::{Climb, Starts};
use super::explorer::{Evaluate, Explorer, Reply, read};
use super::fractional::Fractional;
use super::knowledge::{AtomReach, Behaviour, Knowledge};
use super::oracle::Oracle;
use super::polish::Favourites;
use super::pool::RunPool;
use super::problem::{AtomId, Need, Problem};
use super::rounding::{BoundAim, RoundedWeights, plain_weights, rounded_weights};
use super::weighted_sum::Group;
use nub_random::Rng;
use nub_sat::{SatAnswer, SatLimits, SatStop};

/// Conflicts for each further need of a run.
const GROW_CONFLICTS: u64 = 1_000;
/// A fractional bound that exceeds the proved one by no more than this does not raise it, since prices are rounded.
const SMALL_EXCESS: f64 = 0.01;
/// Climbs per step.
const N_CLIMBS: usize = 40;
/// With this many runs, no more are searched for by climbing.
const MAX_RUNS: usize = 30_000;
/// If climbs find this many runs that are worth more than `DEAR`, the solver is not asked.
const ENOUGH_RUNS: usize = 3;
const DEAR: f64 = 1.01;
/// The solver is asked at the latest after this many steps without a question.
const MAX_UNASKED: usize = 8;
/// A bound that was given up is tried again after this many questions, twice as many the next time, and so on.
const PATIENCE: usize = 10;
const MAX_DOUBLINGS: usize = 6;
/// Needs with weights, and a bound on the weight that one run meets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weighting {
    /// Distinct needs, with positive weights.
    pub needs: Vec<(Need, u64)>,
    /// No run of any length meets needs that weigh more.
    pub most: u64,
}

impl Weighting {
    /// The weight of all needs.
    pub fn total(&self) -> u64 {
        self.needs.iter().map(|(_, weight)| weight).sum()
    }

    /// The number of tests that are necessary.
    pub fn lower(&self) -> usize {
        self.total().div_ceil(self.most.max(1)) as usize
    }
}

/// Partitions needs into groups of which no run meets two members. `are_exclusive` decides that for two needs, given by their positions. O(n²).
pub(super) fn groups(n: usize, are_exclusive: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let degree = |need: usize| (0..n).filter(|other| *other != need && are_exclusive(need, *other)).count();
    let mut left: Vec<usize> = (0..n).collect();
    left.sort_by_cached_key(|need| std::cmp::Reverse(degree(*need)));
    let mut groups = Vec::new();
    while !left.is_empty() {
        let mut group: Vec<usize> = Vec::new();
        for need in &left {
            if group.iter().all(|other| are_exclusive(*need, *other)) {
                group.push(*need);
            }
        }
        left.retain(|need| !group.contains(need));
        groups.push(group);
    }
    groups
}

/// What a search for weights starts from.
#[derive(Clone, Copy)]
pub(super) struct WeighStart<'n> {
    /// What every complete set of tests must meet.
    pub needs: &'n [Need],
    /// Needs of which no run meets two.
    pub clique: &'n [Need],
    /// Values that inputs should have.
    pub favourites: &'n Favourites,
}

/// The search for weights.
pub(super) struct Weigh<'p> {
    problem: &'p Problem,
    pool: RunPool,
    climb: Option<Climb<'p>>,
    fractional: Fractional,
    /// The solver that finds runs; created for the first question.
    oracle: Option<Oracle>,
    /// The best bound that is proved.
    best: Option<Weighting>,
    /// Whether nothing more can be proved, or nothing is left to try.
    is_done: bool,
    /// Whether the fractional bound was no higher than the proved one.
    is_settled: bool,
    /// Steps since the last question to the solver.
    n_unasked: usize,
    /// Bounds from this one on are given up for now.
    ceiling: usize,
    /// How often a bound was given up, and the questions since then.
    n_given_up: usize,
    n_since: usize,
    /// What the next question is about: after a proof, a much higher bound.
    aim: BoundAim,
}

/// The answer to a question about weights.
enum Price {
    /// A run that is worth too much. It may exceed the bound of the loops.
    Run(Behaviour),
    /// There is no such run.
    None,
    /// The limit on conflicts was reached.
    Unknown,
}

impl<'p> Weigh<'p> {
    /// Starts from the clique and from the known runs. Without a way to evaluate runs, there are no climbs.
    pub fn new(
        problem: &'p Problem,
        evaluate: Option<Evaluate<'p>>,
        start: &WeighStart<'_>,
        known: &Knowledge,
    ) -> Weigh<'p> {
        let pool = RunPool::new(start.needs, problem.n_atoms());
        let mut made = Weigh {
            problem,
            fractional: Fractional::new(pool.needs().len()),
            pool,
            climb: evaluate.and_then(|evaluate| Climb::new(problem, evaluate, start.favourites)),
            oracle: None,
            best: None,
            is_done: false,
            is_settled: false,
            n_unasked: 0,
            ceiling: usize::MAX,
            n_given_up: 0,
            n_since: 0,
            aim: BoundAim::HalfWay,
        };
        for run in known.behaviours() {
            made.add_test(run);
        }
        let of_clique = |need: &Need| start.clique.iter().any(|member| member.atoms == need.atoms);
        let rows: Vec<bool> = made.pool.needs().iter().map(of_clique).collect();
        let rows = (0..rows.len()).filter(|need| rows[*need]);
        rows.for_each(|need| made.fractional.add_row(&made.pool, need));
        made
    }

    /// The best bound so far.
    pub fn best(&self) -> Option<&Weighting> {
        self.best.as_ref()
    }

    /// Whether further steps are useless.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether weights hardly raise the bound any further: new runs only make the fractional bound smaller.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// One step towards a bound above `lower`: solves the fractional problem for the known runs, then finds either another run or a proof.
    pub fn step(
        &mut self,
        explorer: &mut Explorer<'p>,
        lower: usize,
        rng: &mut Rng,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        if !self.fractional.solve(&self.pool, limits) {
            self.is_done = true;
            return if limits.cancel.is_cancelled() { Err(SatStop::Cancelled) } else { Ok(()) };
        }
        let (prices, n_before) = (self.fractional.prices(), self.pool.met().len());
        if self.n_unasked < MAX_UNASKED && self.climb(&prices, None, rng, limits) >= ENOUGH_RUNS {
            self.n_unasked += 1;
            return Ok(());
        }
        self.n_unasked = 0;
        self.n_since += 1;
        if self.n_since > PATIENCE << self.n_given_up.min(MAX_DOUBLINGS) {
            self.ceiling = usize::MAX;
        }
        let next = rounded_weights(&prices, self.pool.met(), lower..self.ceiling, self.aim);
        self.is_settled = prices.iter().sum::<f64>() <= lower as f64 + SMALL_EXCESS;
        let dear = match next {
            Some(rounded) => match self.prove(explorer.known(), &rounded, limits)? {
                Price::Run(run) => Some(run),
                Price::None | Price::Unknown => return Ok(()),
            },
            None => None,
        };
        // The run is worth more than any known one, so it is new.
        dear.as_ref().map(|run| self.add_run(&run.atoms));
        match (&self.climb, dear) {
            (Some(_), dear) => _ = self.climb(&prices, dear, rng, limits),
            (None, Some(dear)) => self.grow(explorer, &dear, &prices, limits)?,
            (None, None) => {}
        }
        self.is_done = self.pool.met().len() == n_before;
        Ok(())
    }

    /// Adds runs that are worth about as much as the known ones: they do not improve the fractional solution, but a selection needs others, too.
    pub fn vary(&mut self, rng: &mut Rng, limits: &SatLimits) {
        let varied = |price: f64| price * (0.5 + rng.below(1_000) as f64 / 1_000.0);
        let prices: Vec<f64> = self.fractional.prices().into_iter().map(varied).collect();
        self.climb(&prices, None, rng, limits);
    }

    /// Adds runs that are worth more than the known ones at these prices, some of them near the given one. Returns the number of new
    /// ones that are worth much more.
    fn climb(&mut self, prices: &[f64], near: Option<Behaviour>, rng: &mut Rng, limits: &SatLimits) -> usize {
        let Some(climb) = self.climb.as_ref().filter(|_| self.pool.met().len() < MAX_RUNS) else { return 0 };
        let taken = self.tests_of(&self.fractional);
        let starts = Starts { taken: &taken, near: near.as_ref(), n_climbs: N_CLIMBS };
        let found = climb.dear_runs(&self.pool, prices, &starts, rng, limits);
        let worths: Vec<f64> = found.iter().map(|run| self.worth(run, prices)).collect();
        let new = found.iter().zip(worths).filter(|(run, _)| self.add_test(run));
        new.filter(|(_, worth)| *worth > DEAR).count()
    }

    /// What the needs that a run meets cost together.
    fn worth(&self, run: &Behaviour, prices: &[f64]) -> f64 {
        self.pool.met_with(&run.atoms).iter().map(|need| prices[need]).sum()
    }

    /// The tests that a fractional solution takes.
    fn tests_of(&self, fractional: &Fractional) -> Vec<usize> {
        fractional.taken().map(|(run, _)| run).filter(|run| self.pool.test(*run).is_some()).collect()
    }

    /// The fractional problem of all needs.
    pub fn fractional(&self) -> &Fractional {
        &self.fractional
    }

    /// Adds runs that are worth much at the prices of another fractional problem, also to that one. Some of them are near the given run.
    pub fn climb_beside(
        &mut self,
        beside: &mut Fractional,
        near: Option<&Behaviour>,
        n_climbs: usize,
        rng: &mut Rng,
        limits: &SatLimits,
    ) {
        let Some(climb) = self.climb.as_ref().filter(|_| self.pool.met().len() < MAX_RUNS) else { return };
        let taken = self.tests_of(beside);
        let starts = Starts { taken: &taken, near, n_climbs };
        let prices = beside.prices();
        for run in climb.dear_runs(&self.pool, &prices, &starts, rng, limits) {
            if self.worth(&run, &prices) > 1.0 && self.add_test(&run) {
                self.pool.met().last().into_iter().for_each(|met| beside.add_column(met));
            }
        }
    }

    /// Asks the solver for a run that is worth more than any known one at the prices of another fractional problem.
    pub fn dearest_beside(
        &mut self,
        known: &Knowledge,
        beside: &Fractional,
        limits: &SatLimits,
    ) -> Option<Behaviour> {
        let (weights, most) = plain_weights(&beside.prices(), self.pool.met());
        match self.price(known, &weights, most, limits) {
            Ok(Price::Run(run)) => Some(run),
            _ => None,
        }
    }

    /// How to find runs without the solver.
    pub fn climber(&self) -> Option<&Climb<'p>> {
        self.climb.as_ref()
    }

    /// Whether many runs are evaluated at once.
    pub fn are_climbs_cheap(&self) -> bool {
        self.climb.as_ref().is_some_and(|climb| climb.n_together() > 1)
    }

    /// The known runs.
    pub fn pool(&self) -> &RunPool {
        &self.pool
    }

    /// Adds a test. Returns false if a known one meets the same needs, or more.
    pub fn add_test(&mut self, test: &Behaviour) -> bool {
        let Some(met) = self.pool.add_test(test) else { return false };
        self.fractional.add_column(met);
        true
    }

    /// The same for a run that may exceed the bound of the loops.
    fn add_run(&mut self, atoms: &BitSet) -> bool {
        let Some(met) = self.pool.add_run(atoms) else { return false };
        self.fractional.add_column(met);
        true
    }

    /// A run that meets as many of these needs as possible, tried in this order.
    fn grown(
        &self,
        explorer: &mut Explorer<'p>,
        order: &[usize],
        limits: &SatLimits,
    ) -> Result<Option<Behaviour>, SatStop> {
        let limits = limits.with_conflicts(GROW_CONFLICTS);
        let mut kept: Vec<AtomId> = Vec::new();
        let mut run: Option<Behaviour> = None;
        for need in order {
            let atoms = &self.pool.needs()[*need].atoms;
            let has = |atom: &&AtomId| run.as_ref().is_some_and(|run| run.has(**atom));
            if let Some(atom) = atoms.iter().find(has) {
                kept.push(*atom);
                continue;
            }
            for atom in atoms {
                let excluded = explorer.known().excluded_by(*atom, AtomReach::WithinBound);
                if kept.iter().any(|kept| excluded.contains(kept.index())) {
                    continue;
                }
                let asked: Vec<AtomId> = kept.iter().copied().chain([*atom]).collect();
                match explorer.ask(&asked, &limits) {
                    Reply::Run(found) => {
                        kept.push(*atom);
                        run = Some(found);
                        break;
                    }
                    Reply::None | Reply::Unknown(SatStop::Conflicts) => {}
                    Reply::Unknown(stop) => return Err(stop),
                }
            }
        }
        Ok(run)
    }

    /// Asks for a run that contradicts a bound. If there is none, the bound is proved.
    fn prove(
        &mut self,
        known: &Knowledge,
        rounded: &RoundedWeights,
        limits: &SatLimits,
    ) -> Result<Price, SatStop> {
        let RoundedWeights { weights, goal } = rounded;
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        // The largest weight of a run with which this many tests are still necessary.
        let most = total.div_ceil(*goal as u64 - 1) - 1;
        let price = self.price(known, weights, most, limits)?;
        self.aim = if matches!(price, Price::None) { BoundAim::HalfWay } else { BoundAim::Next };
        match price {
            Price::None => {
                let needs = weights.iter().map(|(need, weight)| (self.pool.needs()[*need].clone(), *weight));
                let found = Weighting { needs: needs.collect(), most };
                debug_assert!(found.lower() >= *goal, "{} by {most}", found.total());
                self.best = Some(found);
            }
            Price::Unknown => {
                self.ceiling = *goal;
                (self.n_given_up, self.n_since) = (self.n_given_up + 1, 0);
            }
            Price::Run(_) => {}
        }
        Ok(price)
    }

    /// Adds a test that meets the needs that a run meets, as far as it can, and then other expensive ones.
    fn grow(
        &mut self,
        explorer: &mut Explorer<'p>,
        run: &Behaviour,
        prices: &[f64],
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        let met = self.pool.met_with(&run.atoms);
        let is_met = |need: &usize| met.contains(*need);
        let (mut order, mut others): (Vec<usize>, Vec<usize>) =
            (0..self.pool.needs().len()).filter(|need| prices[*need] > 0.0).partition(is_met);
        others.sort_by(|a, b| prices[*b].total_cmp(&prices[*a]));
        order.append(&mut others);
        let grown = self.grown(explorer, &order, limits)?;
        grown.map(|grown| self.add_test(&grown));
        Ok(())
    }

    /// Asks for a run that meets needs of more than `most` in total.
    fn price(
        &mut self,
        known: &Knowledge,
        weights: &[(usize, u64)],
        most: u64,
        limits: &SatLimits,
    ) -> Result<Price, SatStop> {
        let mut oracle =
            self.oracle.take().unwrap_or_else(|| Oracle::new(self.problem, self.pool.needs(), limits));
        let are_exclusive = |a: usize, b: usize| {
            are_exclusive(known, &self.pool.needs()[weights[a].0], &self.pool.needs()[weights[b].0])
        };
        oracle.tell(weights, are_exclusive);
        let groups: Vec<Group> = groups(weights.len(), are_exclusive)
            .into_iter()
            .map(|group| {
                group.into_iter().map(|at| (oracle.selectors[weights[at].0], weights[at].1)).collect()
            })
            .collect();
        let answer = oracle.ask(&groups, most + 1, limits);
        let price = match answer {
            SatAnswer::Sat => Ok(Price::Run(read(self.problem, oracle.solver.as_mut()))),
            SatAnswer::Unsat => Ok(Price::None),
            SatAnswer::Unknown(SatStop::Conflicts) => Ok(Price::Unknown),
            SatAnswer::Unknown(stop) => Err(stop),
        };
        self.oracle = Some(oracle);
        price
    }
}

fn are_exclusive(known: &Knowledge, a: &Need, b: &Need) -> bool {
    a.atoms.iter().all(|x| {
        let excluded = known.excluded_by(*x, AtomReach::Unbounded);
        b.atoms.iter().all(|y| excluded.contains(y.index()))
    })
}
