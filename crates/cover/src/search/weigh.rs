//! A lower bound by weights: needs are given weights such that no run meets needs of more than a certain weight in all.
//!
//! If all needs weigh 81 and no run meets more than 3 of it, 27 tests are necessary. A clique is the case in which all weights are 1, and so is the most that
//! a run meets. The best weights are the prices of the fractional set cover (`simplex`) over all runs. These runs are found by need: the solver is asked for a run
//! that is worth more than it may be, until there is none (column generation; the bound is that of Farley, 1990). That refutation is the proof.

use super::bitset::BitSet;
use super::explorer::{Explorer, Reply, load};
use super::knowledge::{AtomReach, Knowledge};
use super::problem::{AtomId, Need, Problem};
use super::simplex::Simplex;
use super::weighted_sum::{Group, at_least};
use nub_cnf::Lit;
use nub_sat::{SatAnswer, SatLimits, SatSolver, SatStop};

/// Exchanges of one solution of the fractional problem.
const MAX_EXCHANGES: usize = 20_000;
/// Rows that come at once.
const MAX_NEW_ROWS: usize = 20;
/// A row that gets less must come.
const ENOUGH: f64 = 0.99;
/// Conflicts for one more need of a run.
const GROW_CONFLICTS: u64 = 1_000;
/// Conflicts to find a run that is worth too much, or to refute it.
const PRICE_CONFLICTS: u64 = 60_000;
/// Weights are multiples of one of these fractions. The counter grows with the square.
const SCALES: [f64; 4] = [24.0, 60.0, 120.0, 240.0];

/// Needs with weights, and the most that a run meets of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weighting {
    /// Different needs, none of weight 0.
    pub needs: Vec<(Need, u64)>,
    /// No run of any length meets needs that weigh more.
    pub most: u64,
}

impl Weighting {
    /// The weight of all needs.
    pub fn total(&self) -> u64 {
        self.needs.iter().map(|(_, weight)| weight).sum()
    }

    /// As many tests are necessary.
    pub fn lower(&self) -> usize {
        self.total().div_ceil(self.most.max(1)) as usize
    }
}

/// Needs that no run meets together, group by group: every need is in one group. `are_exclusive` says it of two of them, by their places. O(n²).
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
    /// None of them contains another.
    needs: Vec<Need>,
    simplex: Simplex,
    /// By row: the need. Needs without a row are met anyway, and weigh nothing.
    rows: Vec<usize>,
    row_of: Vec<Option<u32>>,
    /// By column: the needs that the run meets.
    columns: Vec<BitSet>,
    /// Needs with a selector in the solver.
    oracle: Option<Oracle>,
    /// What is proved.
    best: Option<Weighting>,
    /// No more can be proved, or not with what is left to try.
    is_done: bool,
    /// Bounds above were given up.
    ceiling: usize,
}

/// A solver that is asked for runs of too much worth.
struct Oracle {
    solver: Box<dyn SatSolver>,
    /// By need: implies it.
    selectors: Vec<Lit>,
    /// Pairs of needs that the solver was told about.
    told: Vec<BitSet>,
    /// Of the last question, whose clauses are not needed any more.
    activation: Option<Lit>,
}

/// What came of a question about weights.
enum Price {
    /// A run that is worth too much has these atoms.
    Run(BitSet),
    /// There is none.
    None,
    /// Not found out.
    Unknown,
}

impl<'p> Weigh<'p> {
    /// Starts from needs that no run meets two of, and from the known runs.
    pub fn new(explorer: &Explorer<'p>, needs: &[Need], clique: &[Need]) -> Weigh<'p> {
        let needs = without_larger(needs);
        let row_of = vec![None; needs.len()];
        let mut made = Weigh {
            problem: explorer.problem(),
            needs,
            simplex: Simplex::default(),
            rows: Vec::new(),
            row_of,
            columns: Vec::new(),
            oracle: None,
            best: None,
            is_done: false,
            ceiling: usize::MAX,
        };
        for run in explorer.known().behaviours() {
            made.add_run(&run.atoms);
        }
        let of_clique = |need: &Need| clique.iter().any(|member| member.atoms == need.atoms);
        for need in 0..made.needs.len() {
            if of_clique(&made.needs[need]) {
                made.add_row(need);
            }
        }
        made
    }

    /// What is proved so far.
    pub fn best(&self) -> Option<&Weighting> {
        self.best.as_ref()
    }

    /// Nothing more will come.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// One step towards a bound above `lower`: a solution for the known runs, and either more runs, or a proof.
    pub fn step(
        &mut self,
        explorer: &mut Explorer<'p>,
        lower: usize,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        if !self.solve(limits) {
            self.is_done = true;
            return if limits.cancel.is_cancelled() { Err(SatStop::Cancelled) } else { Ok(()) };
        }
        let prices = self.prices();
        self.prove(explorer, &prices, lower, limits)
    }

    fn met(&self, atoms: &BitSet) -> BitSet {
        let mut met = BitSet::new(self.needs.len());
        for (index, need) in self.needs.iter().enumerate() {
            if need.atoms.iter().any(|atom| atoms.contains(atom.index())) {
                met.insert(index);
            }
        }
        met
    }

    /// False if a known run does as much.
    fn add_run(&mut self, atoms: &BitSet) -> bool {
        let met = self.met(atoms);
        if self.columns.iter().any(|other| met.is_subset(other)) {
            return false;
        }
        self.simplex.add_column(met.iter().filter_map(|need| self.row_of[need]).collect());
        self.columns.push(met);
        true
    }

    fn add_row(&mut self, need: usize) {
        self.row_of[need] = Some(self.rows.len() as u32);
        self.rows.push(need);
        let columns = &self.columns;
        self.simplex.add_row(|column| columns[column].contains(need));
    }

    /// The fractional problem over the known runs. Rows come when they get too little: most never do. False if a limit ended it.
    fn solve(&mut self, limits: &SatLimits) -> bool {
        loop {
            if !self.simplex.optimise(MAX_EXCHANGES, limits) {
                return false;
            }
            let mut amounts = vec![0.0; self.needs.len()];
            for (column, value) in self.simplex.taken() {
                self.columns[column].iter().for_each(|need| amounts[need] += value);
            }
            let is_short = |need: &usize| self.row_of[*need].is_none() && amounts[*need] < ENOUGH;
            let mut short: Vec<usize> = (0..self.needs.len()).filter(is_short).collect();
            if short.is_empty() {
                return true;
            }
            short.sort_by(|a, b| amounts[*a].total_cmp(&amounts[*b]));
            short.into_iter().take(MAX_NEW_ROWS).for_each(|need| self.add_row(need));
        }
    }

    /// By need.
    fn prices(&self) -> Vec<f64> {
        let mut prices = vec![0.0; self.needs.len()];
        for (need, price) in self.rows.iter().zip(self.simplex.prices()) {
            prices[*need] = price.max(0.0);
        }
        prices
    }

    /// A run that meets as many of these needs as fit, the first ones first.
    fn grown(
        &self,
        explorer: &mut Explorer<'p>,
        order: &[usize],
        limits: &SatLimits,
    ) -> Result<Option<BitSet>, SatStop> {
        let limits = limits.with_conflicts(GROW_CONFLICTS);
        let mut kept: Vec<AtomId> = Vec::new();
        let mut run: Option<BitSet> = None;
        for need in order {
            let atoms = &self.needs[*need].atoms;
            let has = |atom: &&AtomId| run.as_ref().is_some_and(|run| run.contains(atom.index()));
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
                        run = Some(found.atoms);
                        break;
                    }
                    Reply::None | Reply::Unknown(SatStop::Conflicts) => {}
                    Reply::Unknown(stop) => return Err(stop),
                }
            }
        }
        Ok(run)
    }

    /// Asks for a run that is worth too much for the next bound; if there is none, that is proved.
    fn prove(
        &mut self,
        explorer: &mut Explorer<'p>,
        prices: &[f64],
        lower: usize,
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        let Some((weights, goal)) = self.next_goal(prices, lower) else {
            self.is_done = true;
            return Ok(());
        };
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        // The largest weight with which this number of tests is still necessary.
        let most = total.div_ceil(goal as u64 - 1) - 1;
        match self.price(explorer, &weights, most, limits)? {
            Price::None => {
                let needs = weights.iter().map(|(need, weight)| (self.needs[*need].clone(), *weight));
                let found = Weighting { needs: needs.collect(), most };
                debug_assert!(found.lower() >= goal, "{} by {most}", found.total());
                self.best = Some(found);
            }
            Price::Run(atoms) => self.take_run(explorer, &atoms, prices, limits)?,
            Price::Unknown => self.ceiling = goal,
        }
        Ok(())
    }

    /// Weights as whole numbers, and a bound above `lower` that may come of them: half way to the best possible one, since more is harder to prove. The
    /// coarsest weights with which it may be reached are taken.
    fn next_goal(&self, prices: &[f64], lower: usize) -> Option<(Vec<(usize, u64)>, usize)> {
        let lower = lower.max(1);
        let mut all: Vec<(Vec<(usize, u64)>, usize)> =
            SCALES.into_iter().map(|scale| self.rounded(prices, scale)).collect();
        let highest = all.iter().map(|(_, highest)| *highest).max()?.min(self.ceiling.saturating_sub(1));
        let goal = (lower + highest).div_ceil(2);
        let coarsest = all.iter().position(|(_, highest)| *highest >= goal)?;
        (goal > lower).then(|| (all.swap_remove(coarsest).0, goal))
    }

    /// Weights of a scale, and the bound that they give if no run is worth more than the known ones.
    fn rounded(&self, prices: &[f64], scale: f64) -> (Vec<(usize, u64)>, usize) {
        let round = |need: usize| (need, (prices[need] * scale).round() as u64);
        let weights: Vec<(usize, u64)> =
            (0..prices.len()).map(round).filter(|(_, weight)| *weight > 0).collect();
        let worth = |column: &BitSet| -> u64 {
            weights.iter().filter(|(need, _)| column.contains(*need)).map(|(_, weight)| weight).sum()
        };
        let most = self.columns.iter().map(worth).max().unwrap_or(0).max(1);
        let total: u64 = weights.iter().map(|(_, weight)| weight).sum();
        (weights, total.div_ceil(most) as usize)
    }

    /// Puts a run into the fractional problem, and one that meets other dear needs as well. What the solver found may be longer than the bound, and is then no run
    /// to keep.
    fn take_run(
        &mut self,
        explorer: &mut Explorer<'p>,
        atoms: &BitSet,
        prices: &[f64],
        limits: &SatLimits,
    ) -> Result<(), SatStop> {
        let met = self.met(atoms);
        let is_met = |need: &usize| met.contains(*need);
        let (mut order, mut others): (Vec<usize>, Vec<usize>) =
            (0..self.needs.len()).filter(|need| prices[*need] > 0.0).partition(is_met);
        others.sort_by(|a, b| prices[*b].total_cmp(&prices[*a]));
        order.append(&mut others);
        let grown = self.grown(explorer, &order, limits)?;
        let is_new = grown.is_some_and(|grown| self.add_run(&grown));
        // It is worth more than any known run, so one of the two is new.
        self.is_done |= !(self.add_run(atoms) || is_new);
        Ok(())
    }

    /// Is there a run that meets needs of more than `most`?
    fn price(
        &mut self,
        explorer: &Explorer<'p>,
        weights: &[(usize, u64)],
        most: u64,
        limits: &SatLimits,
    ) -> Result<Price, SatStop> {
        let mut oracle = self.oracle.take().unwrap_or_else(|| Oracle::new(self.problem, &self.needs, limits));
        let are_exclusive = |a: usize, b: usize| {
            are_exclusive(explorer.known(), &self.needs[weights[a].0], &self.needs[weights[b].0])
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
            SatAnswer::Sat => {
                let mut atoms = BitSet::new(self.problem.n_atoms());
                for atom in self.problem.atom_ids() {
                    if oracle.solver.value(self.problem.lit(atom)) {
                        atoms.insert(atom.index());
                    }
                }
                Ok(Price::Run(atoms))
            }
            SatAnswer::Unsat => Ok(Price::None),
            SatAnswer::Unknown(SatStop::Conflicts) => Ok(Price::Unknown),
            SatAnswer::Unknown(stop) => Err(stop),
        };
        self.oracle = Some(oracle);
        price
    }
}

impl Oracle {
    fn new(problem: &Problem, needs: &[Need], limits: &SatLimits) -> Oracle {
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

    /// Clauses for pairs of needs that no run meets. They follow from the program, but not always by propagation.
    fn tell(&mut self, weights: &[(usize, u64)], are_exclusive: impl Fn(usize, usize) -> bool) {
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

    fn ask(&mut self, groups: &[Group], wanted: u64, limits: &SatLimits) -> SatAnswer {
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

fn are_exclusive(known: &Knowledge, a: &Need, b: &Need) -> bool {
    a.atoms.iter().all(|x| {
        let excluded = known.excluded_by(*x, AtomReach::Unbounded);
        b.atoms.iter().all(|y| excluded.contains(y.index()))
    })
}

/// Without needs that contain another one: they are met with it.
fn without_larger(needs: &[Need]) -> Vec<Need> {
    let contains = |large: &Need, small: &Need| small.atoms.iter().all(|atom| large.atoms.contains(atom));
    let is_smallest = |(index, need): &(usize, &Need)| {
        !needs.iter().enumerate().any(|(other, small)| {
            other != *index
                && contains(need, small)
                && (small.atoms.len() < need.atoms.len() || other < *index)
        })
    };
    needs.iter().enumerate().filter(is_smallest).map(|(_, need)| need.clone()).collect()
}
