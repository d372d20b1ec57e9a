//! Every output format, for small programs with goals of many states. `UPDATE_EXPECT=1` writes the expectations; a missing one fails.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod common;

use nub_cover::describe::SourceQuotes;
use nub_cover::goals::{BoundaryGoals, Criterion, CriterionReading};
use nub_cover::report::{CoverReport, CoverState};
use nub_cover::{CoverOptions, cover, output};
use std::path::Path;

fn reports(text: &str, boundaries: BoundaryGoals) -> Vec<CoverReport> {
    let (mut program, _) = common::program(text);
    let f = program.function_by_name("f").unwrap();
    program.let_allocations_fail();
    program.add_callbacks();
    program.supply_missing(f);
    let readings = [Criterion::Mcdc, Criterion::Statement]
        .map(|criterion| CriterionReading { boundaries, ..CriterionReading::new(criterion) })
        .to_vec();
    let options = CoverOptions { readings, ..CoverOptions::default() };
    cover(SourceQuotes { program: &program, text: text.as_bytes() }, f, &options).unwrap()
}

#[test]
fn outputs_are_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let (without, with) = (BoundaryGoals::Omitted, BoundaryGoals::Added);
    for (name, boundaries) in [("states", without), ("stubs", without), ("boundaries", with)] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.c"))).unwrap();
        let reports = reports(&text, boundaries);
        let first = &reports[0];
        let file = format!("{name}.c");
        let outputs = [
            ("txt", reports.iter().map(output::table).collect::<String>()),
            ("json", nub_report::cover::cover_json(&reports)),
            ("csv", output::csv(first)),
            ("md", output::markdown(first)),
            ("tests.c", output::c_file(first, &file)),
            ("unity.c", output::unity(first, &file)),
            ("cmake", output::ctest(first, "tests.c")),
        ];
        for (extension, found) in outputs {
            nub_test_kit::assert_golden(&folder.join(format!("{name}.{extension}")), found);
        }
    }
}

/// The counts that an auditor adds up.
#[test]
fn the_rows_of_the_states_are_all_goals() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read_to_string(folder.join("states.c")).unwrap();
    for report in reports(&text, BoundaryGoals::Omitted) {
        let markdown = output::markdown(&report);
        let rows = CoverState::ALL.iter().map(|state| {
            let start = format!("| {} | ", state.count_words());
            let row = markdown.lines().find_map(|line| line.strip_prefix(&start));
            row.and_then(|row| row.trim_end_matches(" |").parse::<usize>().ok())
                .expect("a row for each state")
        });
        assert_eq!(rows.sum::<usize>(), report.goals.len());
        assert!(
            report.goals.iter().map(|goal| goal.state).collect::<std::collections::BTreeSet<_>>().len() > 2
        );
    }
}
