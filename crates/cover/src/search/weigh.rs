//! A lower bound by weights: each need has a weight, and no run meets needs of more than a certain total weight.
//!
//! If all needs together weigh 81 and no run meets more than 3 of that, 27 tests are necessary. A clique is the case where every weight is 1, and so is the
//! bound. The best weights are the prices of the fractional set cover (`simplex`) over all runs. The runs are generated on demand: the solver is asked for a
//! run that is worth too much, until there is none (column generation; the bound is that of Farley, 1990). That last refutation is the proof.

use super::bitset::BitSet;
use super::climb::{Climb, Starts};
use super::explorer::{Explorer, Reply, read};
use super::knowledge::{AtomReach, Behaviour, Knowledge};
use super::oracle::Oracle;
use super::polish::Favourites;
use super::pool::RunPool;
use super::problem::{AtomId, Need, Problem};
use super::shuffle::SearchRng;
use super::simplex::Simplex;
use super::weighted_sum::Group;
use nub_sat::{SatAnswer, SatLimits, SatStop};

/// At most this many exchanges per solution of the fractional problem.
const MAX_EXCHANGES: usize = 20_000;
/// At most this many rows are added at once.
const MAX_NEW_ROWS: usize = 20;
/// A need that the solution meets less than this gets a row.
const ENOUGH: f64 = 0.99;
/// Conflicts for each further need of a run.
const GROW_CONFLICTS: u64 = 1_000;
/// A fractional bound that exceeds the proved one by no more than this does not raise it, since prices are rounded.
const SMALL_EXCESS: f64 = 0.01;
/// With this many runs, no more are searched for by climbing.
const MAX_RUNS: usize = 20_000;
/// If climbs find this many runs that are worth more than `DEAR`, the solver is not asked.
const ENOUGH_RUNS: usize = 3;
const DEAR: f64 = 1.01;
/// The solver is asked at the latest after this many steps without a question.
const MAX_UNASKED: usize = 8;
/// Prices are multiplied by one of these and rounded. The number of clauses grows with the square.
const SCALES: std::ops::RangeInclusive<u32> = 24..=360;
/// Each scale is this many times the one before. Many are tried, since with some of them the errors of rounding happen to cancel out.
const NEXT_SCALE: f64 = 1.08;

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

/// The search for weights.
pub(super) struct Weigh<'p> {
    problem: &'p Problem,
    pool: RunPool,
    climb: Option<Climb<'p>>,
    simplex: Simplex,
    /// By row: the need. Needs without a row have weight 0: every solution so far meets them.
    rows: Vec<usize>,
    row_of: Vec<Option<u32>>,
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
    /// Bounds from this one on were given up.
    ceiling: usize,
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
    /// Starts from the clique and from the known runs.
    pub fn new(
        explorer: &Explorer<'p>,
        needs: &[Need],
        clique: &[Need],
        favourites: &Favourites,
    ) -> Weigh<'p> {
        let pool = RunPool::new(needs, explorer.problem().n_atoms());
        let row_of = vec![None; pool.needs().len()];
        let mut made = Weigh {
            problem: explorer.problem(),
            pool,
            climb: Climb::new(explorer, favourites),
            simplex: Simplex::default(),
            rows: Vec::new(),
            row_of,
            oracle: None,
            best: None,
            is_done: false,
            is_settled: false,
            n_unasked: 0,
            ceiling: usize::MAX,
        };
        for run in explorer.known().behaviours() {
            made.add_test(run);
        }
        let of_clique = |need: &Need| clique.iter().any(|member| member.atoms == need.atoms);
        let rows: Vec<bool> = made.pool.needs().iter().map(of_clique).collect();
        (0..rows.len()).filter(|need| rows[*need]).for_each(|need| made.add_row(need));
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
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        if !self.solve(limits) {
            self.is_done = true;
            return if limits.cancel.is_cancelled() { Err(SatStop::Cancelled) } else { Ok(()) };
        }
        let (prices, n_before) = (self.prices(), self.pool.met().len());
        if self.n_unasked < MAX_UNASKED && self.climb(&prices, None, rng, limits) >= ENOUGH_RUNS {
            self.n_unasked += 1;
            return Ok(());
        }
        self.n_unasked = 0;
        let next = self.next_goal(&prices, lower);
        self.is_settled = prices.iter().sum::<f64>() <= lower as f64 + SMALL_EXCESS;
        let dear = match next {
            Some((weights, goal)) => match self.prove(explorer, &weights, goal, limits)? {
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
    pub fn vary(&mut self, rng: &mut SearchRng, limits: &SatLimits) {
        let varied = |price: f64| price * (0.5 + rng.below(1_000) as f64 / 1_000.0);
        let prices: Vec<f64> = self.prices().into_iter().map(varied).collect();
        self.climb(&prices, None, rng, limits);
    }

    /// Adds runs that are worth more than the known ones at these prices, some of them near the given one. Returns the number of new
    /// ones that are worth much more.
    fn climb(
        &mut self,
        prices: &[f64],
        near: Option<Behaviour>,
        rng: &mut SearchRng,
        limits: &SatLimits,
    ) -> usize {
        let Some(climb) = self.climb.as_ref().filter(|_| self.pool.met().len() < MAX_RUNS) else { return 0 };
        let is_test = |run: &usize| self.pool.test(*run).is_some();
        let taken: Vec<usize> = self.simplex.taken().map(|(run, _)| run).filter(is_test).collect();
        let starts = Starts { taken: &taken, near: near.as_ref() };
        let found = climb.dear_runs(&self.pool, prices, &starts, rng, limits);
        let worth =
            |run: &Behaviour| self.pool.met_with(&run.atoms).iter().map(|need| prices[need]).sum::<f64>();
        let worths: Vec<f64> = found.iter().map(worth).collect();
        let new = found.iter().zip(worths).filter(|(run, _)| self.add_test(run));
        new.filter(|(_, worth)| *worth > DEAR).count()
    }

    /// How to find runs without the solver.
    pub fn climber(&self) -> Option<&Climb<'p>> {
        self.climb.as_ref()
    }

    /// The known runs.
    pub fn pool(&self) -> &RunPool {
        &self.pool
    }

    /// Adds a test. Returns false if a known one meets the same needs, or more.
    pub fn add_test(&mut self, test: &Behaviour) -> bool {
        let Some(met) = self.pool.add_test(test) else { return false };
        self.simplex.add_column(met.iter().filter_map(|need| self.row_of[need]).collect());
        true
    }

    /// The same for a run that may exceed the bound of the loops.
    fn add_run(&mut self, atoms: &BitSet) -> bool {
        let Some(met) = self.pool.add_run(atoms) else { return false };
        self.simplex.add_column(met.iter().filter_map(|need| self.row_of[need]).collect());
        true
    }

    fn add_row(&mut self, need: usize) {
        self.row_of[need] = Some(self.rows.len() as u32);
        self.rows.push(need);
        let columns = self.pool.met();
        self.simplex.add_row(|column| columns[column].contains(need));
    }

    /// Solves the fractional problem over the known runs. A need gets a row only when the solution meets it too little; most never do. Returns false if
    /// a limit was reached.
    fn solve(&mut self, limits: &SatLimits) -> bool {
        loop {
            if !self.simplex.optimise(MAX_EXCHANGES, limits) {
                return false;
            }
            let mut amounts = vec![0.0; self.pool.needs().len()];
            for (column, value) in self.simplex.taken() {
                self.pool.met()[column].iter().for_each(|need| amounts[need] += value);
            }
            let is_short = |need: &usize| self.row_of[*need].is_none() && amounts[*need] < ENOUGH;
            let mut short: Vec<usize> = (0..self.pool.needs().len()).filter(is_short).collect();
            if short.is_empty() {
                return true;
            }
            short.sort_by(|a, b| amounts[*a].total_cmp(&amounts[*b]));
            short.into_iter().take(MAX_NEW_ROWS).for_each(|need| self.add_row(need));
        }
    }

    /// The price of each need.
    fn prices(&self) -> Vec<f64> {
        let mut prices = vec![0.0; self.pool.needs().len()];
        for (need, price) in self.rows.iter().zip(self.simplex.prices()) {
            prices[*need] = price.max(0.0);
        }
        prices
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
        explorer: &mut Explorer<'p>,
        weights: &[(usize, u64)],
        goal: usize,
        limits: &SatLimits,
    ) -> Result<Price, SatStop> {
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        // The largest weight of a run with which this many tests are still necessary.
        let most = total.div_ceil(goal as u64 - 1) - 1;
        let price = self.price(explorer, weights, most, limits)?;
        match price {
            Price::None => {
                let needs = weights.iter().map(|(need, weight)| (self.pool.needs()[*need].clone(), *weight));
                let found = Weighting { needs: needs.collect(), most };
                debug_assert!(found.lower() >= goal, "{} by {most}", found.total());
                self.best = Some(found);
            }
            Price::Unknown => self.ceiling = goal,
            Price::Run(_) => {}
        }
        Ok(price)
    }

    /// Integer weights, and a bound above `lower` that they may prove: half way to the best possible one, since higher ones are harder to prove. Takes the
    /// coarsest weights that can prove it.
    fn next_goal(&self, prices: &[f64], lower: usize) -> Option<(Vec<(usize, u64)>, usize)> {
        let lower = lower.max(1);
        let scales =
            std::iter::successors(Some(f64::from(*SCALES.start())), |scale| Some(scale * NEXT_SCALE));
        let scales = scales.take_while(|scale| *scale <= f64::from(*SCALES.end()));
        let mut all: Vec<(Vec<(usize, u64)>, usize)> =
            scales.map(|scale| self.rounded(prices, scale)).collect();
        let highest = all.iter().map(|(_, highest)| *highest).max()?.min(self.ceiling.saturating_sub(1));
        let goal = (lower + highest).div_ceil(2);
        let coarsest = all.iter().position(|(_, highest)| *highest >= goal)?;
        (goal > lower).then(|| (all.swap_remove(coarsest).0, goal))
    }

    /// Weights at a scale, and the bound that they prove if no run is worth more than the known ones.
    fn rounded(&self, prices: &[f64], scale: f64) -> (Vec<(usize, u64)>, usize) {
        let round = |need: usize| (need, (prices[need] * scale).round() as u64);
        let weights: Vec<(usize, u64)> =
            (0..prices.len()).map(round).filter(|(_, weight)| *weight > 0).collect();
        let worth = |column: &BitSet| -> u64 {
            weights.iter().filter(|(need, _)| column.contains(*need)).map(|(_, weight)| weight).sum()
        };
        let most = self.pool.met().iter().map(worth).max().unwrap_or(0).max(1);
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        (weights, total.div_ceil(most) as usize)
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
        explorer: &Explorer<'p>,
        weights: &[(usize, u64)],
        most: u64,
        limits: &SatLimits,
    ) -> Result<Price, SatStop> {
        let mut oracle =
            self.oracle.take().unwrap_or_else(|| Oracle::new(self.problem, self.pool.needs(), limits));
        let are_exclusive = |a: usize, b: usize| {
            are_exclusive(
                explorer.known(),
                &self.pool.needs()[weights[a].0],
                &self.pool.needs()[weights[b].0],
            )
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
