//! The result of `nub reduce --compare-strategies`.

use crate::VERSION;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// Strategies compared on files: asks, sizes, and the reduction per ask.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of the format.
    pub version: u32,
    /// What is counted: nodes, terms, clauses, lines.
    pub unit: String,
    /// The files, in the order of [`Row::results`].
    pub files: Vec<ComparedFile>,
    /// One row per strategy, without and with simplification.
    pub rows: Vec<Row>,
    /// Files on which nothing could be compared.
    pub failed: Vec<FailedFile>,
}

/// A file on which nothing could be compared.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FailedFile {
    /// Its path.
    pub path: String,
    /// Why.
    pub message: String,
}

/// A file before the reduction.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ComparedFile {
    /// Its path.
    pub path: String,
    /// Its size in the unit of the comparison.
    pub size: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// A strategy on all files.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub strategy: String,
    /// Whether constants were propagated after every change.
    pub simplify: bool,
    /// What it did, file by file.
    pub results: Vec<StrategyOutcome>,
}

/// A strategy on one file.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct StrategyOutcome {
    /// Asks that the strategy made, counted as in the thesis: an ask whose answer was already known counts too, for every
    /// strategy.
    pub asks: u64,
    /// How many of them were known already, so that nothing was run.
    pub known: u64,
    /// The size of the result in the unit of the comparison.
    pub size: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Percent of the original removed per ask, the quality measure of [Vida08] §5.
    pub percent_per_ask: f64,
    /// It finished within the limits.
    pub ended: bool,
    /// The time that it took, including that of known answers which another strategy had asked for.
    #[serde(default)]
    pub seconds: f64,
    /// How the file shrank. If there are very many steps, only some are listed, always including the last.
    #[serde(default)]
    pub steps: Vec<ComparedStep>,
}

/// An accepted step of a compared strategy.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ComparedStep {
    /// Asks so far, counted as in [`StrategyOutcome::asks`].
    pub asks: u64,
    /// Time so far, counted as in [`StrategyOutcome::seconds`].
    pub seconds: f64,
    /// Bytes of the file after it.
    pub bytes: u64,
}

/// A strategy has ended on a file.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ComparedRun {
    /// The file before.
    pub file: ComparedFile,
    /// What [`ComparedFile::size`] and [`StrategyOutcome::size`] count.
    pub unit: String,
    /// Name of the strategy.
    pub strategy: String,
    /// Whether constants were propagated after every change.
    pub simplify: bool,
    /// The result.
    pub outcome: StrategyOutcome,
}

impl Comparison {
    /// An empty comparison in this unit.
    pub fn new(unit: &str, files: Vec<ComparedFile>) -> Comparison {
        Comparison { version: VERSION, unit: unit.to_owned(), files, rows: Vec::new(), failed: Vec::new() }
    }

    /// The comparison as one line of JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("plain structs with string keys always serialize")
    }
}

impl StrategyOutcome {
    /// A finished result of this size after this number of asks. All other fields are zero.
    pub fn new(before: &ComparedFile, size: u64, asks: u64) -> StrategyOutcome {
        let percent = 100.0 * before.size.saturating_sub(size) as f64 / before.size.max(1) as f64;
        let percent_per_ask = percent / asks.max(1) as f64;
        let (known, bytes, seconds, steps) = (0, 0, 0.0, Vec::new());
        StrategyOutcome { asks, known, size, bytes, percent_per_ask, ended: true, seconds, steps }
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

    /// The mean of the quality measure as in the last column of tables 5.5 and 5.6: 100 minus the geometric mean of the
    /// percentage that an ask leaves. Files that were not reduced are included without a special case.
    pub fn mean_percent_per_ask(&self) -> f64 {
        100.0 - mean(self.results.iter().map(|result| (100.0 - result.percent_per_ask).ln())).exp()
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

/// The schema of a [`Comparison`].
pub fn comparison_schema() -> Schema {
    crate::schema_of::<Comparison>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_the_thesis() {
        let before = ComparedFile { path: "a".to_owned(), size: 200, bytes: 0 };
        let results = vec![StrategyOutcome::new(&before, 100, 50), StrategyOutcome::new(&before, 0, 25)];
        let row = Row { strategy: "bfs".to_owned(), simplify: false, results };
        assert_eq!((row.mean_asks(), row.mean_size()), (37.5, 50.0));
        assert_eq!([row.results[0].percent_per_ask, row.results[1].percent_per_ask], [1.0, 4.0]);
        let left = (99.0_f64 * 96.0).sqrt();
        assert!((row.mean_percent_per_ask() - (100.0 - left)).abs() < 1e-9, "{}", row.mean_percent_per_ask());
    }

    /// Table 5.5 of the thesis, with its last column.
    #[test]
    fn the_last_column_of_table_5_5() {
        let table: [(f64, [f64; 10]); 8] = [
            (0.508, [0.048, 0.346, 0.653, 0.980, 0.143, 0.363, 0.266, 0.730, 1.107, 0.437]),
            (0.304, [0.023, 0.431, 0.518, 0.178, 0.011, 0.516, 0.503, 0.313, 0.281, 0.267]),
            (0.275, [0.348, 0.293, 0.393, 0.268, 0.146, 0.468, 0.205, 0.269, 0.221, 0.140]),
            (0.222, [0.385, 0.196, 0.373, 0.270, 0.138, 0.204, 0.076, 0.148, 0.288, 0.141]),
            (0.183, [0.028, 0.285, 0.283, 0.146, 0.021, 0.310, 0.209, 0.234, 0.205, 0.106]),
            (0.117, [0.023, 0.194, 0.130, 0.083, 0.021, 0.204, 0.176, 0.117, 0.104, 0.120]),
            (0.111, [0.002, 0.023, 0.115, 0.175, 0.092, 0.164, 0.004, 0.282, 0.084, 0.164]),
            (0.036, [0.035, 0.041, 0.051, 0.036, 0.037, 0.046, 0.016, 0.063, 0.016, 0.017]),
        ];
        for (expected, rates) in table {
            let result = |rate: f64| StrategyOutcome {
                asks: 1,
                known: 0,
                size: 0,
                bytes: 0,
                percent_per_ask: rate,
                ended: true,
                seconds: 0.0,
                steps: Vec::new(),
            };
            let row = Row { strategy: String::new(), simplify: true, results: rates.map(result).to_vec() };
            let mean = row.mean_percent_per_ask();
            // The rows are printed with three digits, so the mean is accurate to one unit of the third.
            assert!((mean - expected).abs() < 0.001, "{mean} is not {expected}");
        }
    }
}
