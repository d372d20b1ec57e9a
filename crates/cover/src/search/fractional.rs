//! The fractional set cover over the known runs, with rows on demand.
//!
//! A need gets a row only when the solution meets it too little; most never do. Columns are numbered as the runs of the pool.

use super::bitset::BitSet;
use super::pool::RunPool;
use super::simplex::Simplex;
use nub_sat::SatLimits;

/// At most this many exchanges per solution.
const MAX_EXCHANGES: usize = 20_000;
/// At most this many rows are added at once.
const MAX_NEW_ROWS: usize = 20;
/// A need that the solution meets less than this gets a row.
const ENOUGH: f64 = 0.99;

/// Rows for needs, columns for runs.
#[derive(Clone)]
pub(super) struct Fractional {
    simplex: Simplex,
    /// By row: the need. Needs without a row have price 0.
    rows: Vec<usize>,
    row_of: Vec<Option<u32>>,
}

impl Fractional {
    /// Without rows and columns.
    pub fn new(n_needs: usize) -> Fractional {
        Fractional { simplex: Simplex::default(), rows: Vec::new(), row_of: vec![None; n_needs] }
    }

    /// Adds the next run of the pool, which meets these needs.
    pub fn add_column(&mut self, met: &BitSet) {
        self.simplex.add_column(met.iter().filter_map(|need| self.row_of[need]).collect());
    }

    /// Adds a row. The columns must be all runs of the pool.
    pub fn add_row(&mut self, pool: &RunPool, need: usize) {
        self.row_of[need] = Some(self.rows.len() as u32);
        self.rows.push(need);
        self.simplex.add_row(|column| pool.met()[column].contains(need));
    }

    /// Makes a run free of charge, as if it was selected.
    pub fn make_free(&mut self, run: usize) {
        self.simplex.make_free(run);
    }

    /// Makes a run cost what others cost.
    pub fn make_costly(&mut self, run: usize) {
        self.simplex.make_costly(run);
    }

    /// Solves it. Returns false if a limit was reached.
    pub fn solve(&mut self, pool: &RunPool, limits: &SatLimits) -> bool {
        loop {
            if !self.simplex.optimise(MAX_EXCHANGES, limits) {
                return false;
            }
            let mut amounts = vec![0.0; pool.needs().len()];
            for (column, value) in self.simplex.taken() {
                pool.met()[column].iter().for_each(|need| amounts[need] += value);
            }
            let is_short = |need: &usize| self.row_of[*need].is_none() && amounts[*need] < ENOUGH;
            let mut short: Vec<usize> = (0..pool.needs().len()).filter(is_short).collect();
            if short.is_empty() {
                return true;
            }
            short.sort_by(|a, b| amounts[*a].total_cmp(&amounts[*b]));
            short.into_iter().take(MAX_NEW_ROWS).for_each(|need| self.add_row(pool, need));
        }
    }

    /// The runs of the solution, with their amounts.
    pub fn taken(&self) -> impl Iterator<Item = (usize, f64)> {
        self.simplex.taken()
    }

    /// The price of each need.
    pub fn prices(&self) -> Vec<f64> {
        let mut prices = vec![0.0; self.row_of.len()];
        for (need, price) in self.rows.iter().zip(self.simplex.prices()) {
            prices[*need] = price.max(0.0);
        }
        prices
    }

    /// The sum of the prices: how many runs the solution takes, apart from those that are free.
    pub fn total(&self) -> f64 {
        self.simplex.prices().iter().map(|price| price.max(0.0)).sum()
    }
}
