//! The inputs of tests as columns of a table; inputs that no test reads are not shown.

use crate::report::{CoverReport, TestReport};
use nub_harness::{InputColumn, input_columns};

/// The columns of a report. All tests have the same inputs.
pub fn columns(report: &CoverReport) -> Vec<InputColumn> {
    let Some(first) = report.tests.first() else { return Vec::new() };
    let is_read = |column: &InputColumn| report.tests.iter().any(|test| column.is_read(&test.inputs));
    input_columns(&first.inputs).into_iter().filter(is_read).collect()
}

/// The calls of stubs in one line.
pub fn calls_text(test: &TestReport) -> String {
    test.calls.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
