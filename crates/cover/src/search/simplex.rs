//! The fractional set cover, by the simplex method with columns and rows that are added over time.
//!
//! Minimises the total amount of columns such that the columns of every row add up to at least one. The inverse of the basis is a dense matrix, so adding a
//! row or a column costs O(m²). No claim rests on these floating-point numbers: prices of rows are rounded and then proved elsewhere, so inaccurate ones
//! can only make the bound worse.

use nub_sat::SatLimits;

/// Absolute values up to this count as zero.
const TINY: f64 = 1e-9;
/// How much a column must save to be taken.
const GAIN: f64 = 1e-7;
/// The right-hand sides of rows differ slightly, so that ties, and with them cycles, hardly occur.
const SPREAD: f64 = 1e-5;
/// The cost of an artificial column: more than that of others, so that it is taken only where there is no other.
const ALONE: f64 = 1.02;
/// Columns that are compared after an exchange.
const N_IMPROVING: usize = 100;
/// Prices are updated with each exchange and recomputed after this many, to limit rounding errors.
const REFRESH: usize = 64;

/// A variable of the basis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Basic {
    /// A column.
    Column(usize),
    /// An artificial column with this row only. Every row has one, so that there is an initial solution.
    Alone(usize),
    /// The surplus of this row.
    Surplus(usize),
}

/// Rows, columns and the best basis so far.
#[derive(Clone, Default)]
pub(super) struct Simplex {
    /// By column: its rows.
    columns: Vec<Vec<u32>>,
    /// By column: its cost, 1 or nothing.
    costs: Vec<f64>,
    basis: Vec<Basic>,
    /// The value of each basis variable.
    values: Vec<f64>,
    inverse: Vec<Vec<f64>>,
    prices: Vec<f64>,
}

impl Simplex {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.basis.len()
    }

    /// The dual price of each row: the rows of a known column cost at most 1 together, up to rounding.
    pub fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// The columns of the solution, with their values.
    pub fn taken(&self) -> impl Iterator<Item = (usize, f64)> {
        self.basis.iter().zip(&self.values).filter_map(|(basic, value)| match basic {
            Basic::Column(column) if *value > SPREAD => Some((*column, *value)),
            _ => None,
        })
    }

    /// Adds a column with these rows.
    pub fn add_column(&mut self, rows: Vec<u32>) {
        debug_assert!(rows.iter().all(|row| (*row as usize) < self.n_rows()));
        self.columns.push(rows);
        self.costs.push(1.0);
    }

    /// From now on, a column costs nothing. The solution remains one, but it may no longer be the best.
    pub fn make_free(&mut self, column: usize) {
        self.costs[column] = 0.0;
    }

    /// From now on, a column costs as much as at first.
    pub fn make_costly(&mut self, column: usize) {
        self.costs[column] = 1.0;
    }

    /// Adds a row that contains these columns. O(m²).
    pub fn add_row(&mut self, with: impl Fn(usize) -> bool) {
        let row = self.n_rows();
        for (column, rows) in self.columns.iter_mut().enumerate() {
            if with(column) {
                rows.push(row as u32);
            }
        }
        // The new row of the basis, and its value.
        let mut last = vec![0.0; row + 1];
        let mut amount = 0.0;
        for (place, basic) in self.basis.iter().enumerate() {
            if matches!(basic, Basic::Column(column) if with(*column)) {
                amount += self.values[place];
                last.iter_mut().zip(&self.inverse[place]).for_each(|(sum, entry)| *sum -= entry);
            }
        }
        self.inverse.iter_mut().for_each(|entries| entries.push(0.0));
        // 13 and 101 are coprime, so any 101 consecutive rows differ.
        let missing = 1.0 + SPREAD * (1.0 + (row * 13 % 101) as f64) - amount;
        last[row] = 1.0;
        if missing >= 0.0 {
            self.basis.push(Basic::Alone(row));
            self.values.push(missing);
        } else {
            last.iter_mut().for_each(|entry| *entry = -*entry);
            self.basis.push(Basic::Surplus(row));
            self.values.push(-missing);
        }
        self.inverse.push(last);
        self.refresh();
    }

    /// Exchanges columns until none improves the solution. Returns false if a limit was reached.
    pub fn optimise(&mut self, max_exchanges: usize, limits: &SatLimits) -> bool {
        self.refresh();
        let mut count = 0;
        loop {
            // Comparing all columns takes longer than an exchange, so those that improve most are tried until none of them does.
            let few = self.improving();
            if few.is_empty() {
                return true;
            }
            while let Some((entering, reduced)) = self.best_of(&few) {
                if count == max_exchanges || !self.exchange(entering, reduced) {
                    return false;
                }
                count += 1;
                if count.is_multiple_of(REFRESH) {
                    self.refresh();
                    if limits.cancel.is_cancelled() {
                        return false;
                    }
                }
            }
            self.refresh();
        }
    }

    fn cost(&self, basic: Basic) -> f64 {
        match basic {
            Basic::Column(column) => self.costs[column],
            Basic::Alone(_) => ALONE,
            Basic::Surplus(_) => 0.0,
        }
    }

    fn refresh(&mut self) {
        let mut prices = vec![0.0; self.n_rows()];
        for (basic, entries) in self.basis.iter().zip(&self.inverse) {
            let cost = self.cost(*basic);
            if cost > 0.0 {
                prices.iter_mut().zip(entries).for_each(|(price, entry)| *price += cost * entry);
            }
        }
        self.prices = prices;
    }

    /// How much the solution costs in addition if this variable gets the amount 1: less than nothing if it improves the solution.
    fn reduced(&self, basic: Basic) -> f64 {
        match basic {
            Basic::Surplus(row) => self.prices[row],
            Basic::Alone(row) => ALONE - self.prices[row],
            Basic::Column(column) => {
                let worth: f64 = self.columns[column].iter().map(|row| self.prices[*row as usize]).sum();
                self.costs[column] - worth
            }
        }
    }

    /// The variables that improve the solution most.
    fn improving(&self) -> Vec<Basic> {
        let rows = 0..self.n_rows();
        let all = rows.clone().map(Basic::Surplus).chain(rows.map(Basic::Alone));
        let all = all.chain((0..self.columns.len()).map(Basic::Column));
        let reduced = all.map(|basic| (basic, self.reduced(basic)));
        let mut improving: Vec<(Basic, f64)> = reduced.filter(|(_, reduced)| *reduced < -GAIN).collect();
        improving.sort_by(|a, b| a.1.total_cmp(&b.1));
        improving.into_iter().take(N_IMPROVING).map(|(basic, _)| basic).collect()
    }

    /// The one that improves the solution most, and its reduced cost.
    fn best_of(&self, few: &[Basic]) -> Option<(Basic, f64)> {
        let reduced = few.iter().map(|basic| (*basic, self.reduced(*basic)));
        reduced.filter(|(_, reduced)| *reduced < -GAIN).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// For each basis variable, how fast it decreases when this one enters.
    fn direction(&self, entering: Basic) -> Vec<f64> {
        let of = |entries: &Vec<f64>| match entering {
            Basic::Column(column) => self.columns[column].iter().map(|row| entries[*row as usize]).sum(),
            Basic::Alone(row) => entries[row],
            Basic::Surplus(row) => -entries[row],
        };
        self.inverse.iter().map(of).collect()
    }

    /// Lets a variable enter the basis in place of the first one that becomes zero. Returns false if none does, which only rounding errors can cause. O(m²).
    fn exchange(&mut self, entering: Basic, reduced: f64) -> bool {
        let direction = self.direction(entering);
        let mut leaving: Option<(usize, f64)> = None;
        for (place, speed) in direction.iter().enumerate().filter(|(_, speed)| **speed > TINY) {
            let step = self.values[place] / speed;
            if leaving.is_none_or(|(_, least)| step < least) {
                leaving = Some((place, step));
            }
        }
        let Some((leaving, step)) = leaving else { return false };
        let pivot = direction[leaving];
        let mut row = std::mem::take(&mut self.inverse[leaving]);
        row.iter_mut().for_each(|entry| *entry /= pivot);
        for (place, speed) in direction.iter().enumerate() {
            if place != leaving && speed.abs() > TINY {
                self.values[place] = (self.values[place] - speed * step).max(0.0);
                self.inverse[place].iter_mut().zip(&row).for_each(|(entry, own)| *entry -= speed * own);
            }
        }
        self.prices.iter_mut().zip(&row).for_each(|(price, own)| *price += reduced * own);
        self.inverse[leaving] = row;
        self.values[leaving] = step;
        self.basis[leaving] = entering;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_cnf::check::Rng;

    fn solved(n_rows: usize, columns: &[Vec<u32>]) -> Simplex {
        let mut simplex = Simplex::default();
        // Half of the columns come before the rows.
        let (early, late) = columns.split_at(columns.len() / 2);
        early.iter().for_each(|_| simplex.add_column(Vec::new()));
        (0..n_rows).for_each(|row| simplex.add_row(|column| early[column].contains(&(row as u32))));
        assert!(simplex.optimise(10_000, &SatLimits::none()));
        late.iter().for_each(|rows| simplex.add_column(rows.clone()));
        assert!(simplex.optimise(10_000, &SatLimits::none()));
        simplex
    }

    /// Three rows, each pair of which is a column: half of each column.
    #[test]
    fn a_triangle_takes_three_halves() {
        let simplex = solved(3, &[vec![0, 1], vec![1, 2], vec![0, 2]]);
        let sum: f64 = simplex.prices().iter().sum();
        assert!((sum - 1.5).abs() < 1e-3, "{sum}");
        assert!(simplex.taken().all(|(_, value)| (value - 0.5).abs() < 1e-3));
    }

    /// Strong duality: the solution covers every row, no column costs more than 1 at these prices, and both objectives are equal.
    #[test]
    fn prices_and_amounts_agree() {
        let mut rng = Rng::new(11);
        for _ in 0..200 {
            let (n_rows, n_columns) = (1 + rng.below(12), 1 + rng.below(20));
            let mut columns: Vec<Vec<u32>> =
                (0..n_columns).map(|_| (0..n_rows as u32).filter(|_| rng.below(3) == 0).collect()).collect();
            columns.extend((0..n_rows as u32).map(|row| vec![row]));
            let simplex = solved(n_rows, &columns);
            let prices = simplex.prices();
            assert!(prices.iter().all(|price| *price > -1e-6));
            for rows in &columns {
                let worth: f64 = rows.iter().map(|row| prices[*row as usize]).sum();
                assert!(worth < 1.0 + 1e-6, "{worth}");
            }
            let mut amounts = vec![0.0; n_rows];
            let mut cost = 0.0;
            for (basic, value) in simplex.basis.iter().zip(&simplex.values) {
                cost += simplex.cost(*basic) * value;
                match basic {
                    Basic::Column(column) => {
                        columns[*column].iter().for_each(|row| amounts[*row as usize] += value);
                    }
                    Basic::Alone(row) => amounts[*row] += value,
                    Basic::Surplus(_) => {}
                }
            }
            assert!(amounts.iter().all(|amount| *amount > 1.0 - 1e-6), "{amounts:?}");
            let sum: f64 = prices.iter().sum();
            assert!((sum - cost).abs() < 1e-2, "{sum} {cost}");
        }
    }

    /// A column that is free for a while does not change the solution after that.
    #[test]
    fn free_columns_can_cost_again() {
        let mut simplex = solved(3, &[vec![0, 1], vec![1, 2], vec![0, 2]]);
        let total = |simplex: &Simplex| simplex.prices().iter().sum::<f64>();
        simplex.make_free(0);
        assert!(simplex.optimise(100, &SatLimits::none()));
        assert!((total(&simplex) - 1.0).abs() < 1e-3, "{}", total(&simplex));
        simplex.make_costly(0);
        assert!(simplex.optimise(100, &SatLimits::none()));
        assert!((total(&simplex) - 1.5).abs() < 1e-3, "{}", total(&simplex));
    }
}
