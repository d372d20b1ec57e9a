//! The result of `nub reduce --compare-strategies`.

use crate::VERSION;
use serde::{Deserialize, Serialize};

/// Strategies on files: asks, sizes, and what an ask gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of the format.
    pub version: u32,
    /// What is counted: nodes, terms, clauses, lines.
    pub unit: String,
    /// The files, in the order of [`Row::results`].
    pub files: Vec<Subject>,
    /// One row per strategy.
    pub rows: Vec<Row>,
}

/// A file before the reduction.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// Its path.
    pub path: String,
    /// Its size in the unit of the comparison.
    pub size: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// A strategy on all files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub strategy: String,
    /// Whether the rules of constants were applied after every change.
    pub simplify: bool,
    /// What it did, file by file.
    pub results: Vec<Outcome>,
}

/// A strategy on one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Asks. For the algorithms of the thesis answers they knew already are counted too: they had no cache.
    pub asks: u64,
    /// Answers that were known already.
    pub known: u64,
    /// The size of the result in the unit of the comparison.
    pub size: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Percent of the original removed per ask, the quality measure of seed 000 §5.
    pub percent_per_ask: f64,
    /// It came to its end within the limits.
    pub ended: bool,
}

impl Comparison {
    /// An empty comparison in this unit.
    pub fn new(unit: &str, files: Vec<Subject>) -> Comparison {
        Comparison { version: VERSION, unit: unit.to_owned(), files, rows: Vec::new() }
    }

    /// The comparison as one line of JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("plain structs with string keys always serialize")
    }
}

impl Outcome {
    /// What became of `before`.
    pub fn new(before: &Subject, size: u64, bytes: u64, (asks, known): (u64, u64), ended: bool) -> Outcome {
        let percent = 100.0 * before.size.saturating_sub(size) as f64 / before.size.max(1) as f64;
        Outcome { asks, known, size, bytes, percent_per_ask: percent / asks.max(1) as f64, ended }
    }
}

impl Row {
    /// The mean number of asks.
    pub fn mean_asks(&self) -> f64 {
        mean(self.results.iter().map(|result| result.asks as f64))
    }

    /// The mean size of the results.
    pub fn mean_size(&self) -> f64 {
        mean(self.results.iter().map(|result| result.size as f64))
    }

    /// The geometric mean of the quality measure: rates are multiplied, not added (§5).
    pub fn mean_percent_per_ask(&self) -> f64 {
        // A file that was not reduced at all would make the product zero; it counts as the least that can be shown.
        const LEAST: f64 = 0.001;
        mean(self.results.iter().map(|result| result.percent_per_ask.max(LEAST).ln())).exp()
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_thesis() {
        let before = Subject { path: "a".to_owned(), size: 200, bytes: 0 };
        let results =
            vec![Outcome::new(&before, 100, 0, (50, 0), true), Outcome::new(&before, 0, 0, (25, 5), true)];
        let row = Row { strategy: "bfs".to_owned(), simplify: false, results };
        assert_eq!((row.mean_asks(), row.mean_size()), (37.5, 50.0));
        assert_eq!([row.results[0].percent_per_ask, row.results[1].percent_per_ask], [1.0, 4.0]);
        assert!((row.mean_percent_per_ask() - 2.0).abs() < 1e-9, "geometric");
    }
}
