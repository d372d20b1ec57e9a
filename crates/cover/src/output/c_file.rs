//! The tests as C, for `nub_harness`.
//!
//! The expected results are those that were observed when the file was generated. They record what the function does, not what it should do.

use crate::report::{CoverReport, ObservedEnd, TestReport};
use nub_harness::{Ending, TestCase, TestSuite};
use nub_report::counted;

/// The file. `source` is how it includes the program under test.
pub fn c_file(report: &CoverReport, source: &str) -> String {
    nub_harness::c_file(&suite(&settable(report)), source)
}

/// The tests and the program in one text that compiles fast, to be run and not to be read; see [`nub_harness::one_text`].
pub fn one_text(report: &CoverReport, preprocessed: &str) -> Option<String> {
    nub_harness::one_text(&suite(&settable(report)), preprocessed)
}

/// The tests for a program that reads them; see [`nub_harness::tests_as_data`].
pub fn data(report: &CoverReport) -> Option<Vec<u8>> {
    nub_harness::data(&suite(&settable(report)))
}

/// The report without the tests that set what C code cannot set: static variables of functions.
pub(super) fn settable(report: &CoverReport) -> CoverReport {
    let mut report = report.clone();
    report.tests.retain(|test| test.unset.is_empty());
    report
}

/// The tests of a report.
pub(super) fn suite(report: &CoverReport) -> TestSuite {
    let mutants = report.mutation.as_ref().map(|mutation| format!("\n   {}.", mutation.headline()));
    let option =
        report.compiler_option().map(|option| format!("\n   Compile with {option}: signed overflow wraps."));
    let comment = format!(
        "{} of {}, for the criterion {}: {} of {} goals.{}{}\n   Expected results are those observed, not those specified: check them. Made by nub cover.",
        counted(report.tests.len(), "test"),
        report.function,
        report.criterion,
        report.summary.covered,
        report.summary.goals,
        mutants.unwrap_or_default(),
        option.unwrap_or_default()
    );
    TestSuite {
        comment,
        function: report.function.clone(),
        stubs: report.stubs.clone(),
        cases: report.tests.iter().map(case).collect(),
    }
}

fn case(test: &TestReport) -> TestCase {
    TestCase {
        inputs: test.inputs.clone(),
        args: test.args.clone(),
        before: test.pre.lines().map(str::to_owned).collect(),
        earlier: test.earlier.clone(),
        reads: test.reads.clone(),
        unset: Vec::new(),
        registers: test.registers.clone(),
        ending: match test.observed_end {
            ObservedEnd::Returned => Ending::Returns,
            ObservedEnd::Exited => Ending::Exits,
            ObservedEnd::Aborted | ObservedEnd::AssertionFailed => Ending::Aborts,
        },
        result: test.observed_literal.clone(),
        after: test.after.clone(),
        calls: test.calls.clone(),
    }
}
