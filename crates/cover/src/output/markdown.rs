//! The justification file: every goal by its id, with the tests that show it or the reason why none does. For auditors.

use super::columns::{calls_text, columns};
use super::mutants;
use crate::report::{CoverReport, CoverState, GoalReport};
use nub_report::counted;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The file. The same content is also written as JSON.
pub fn markdown(report: &CoverReport) -> String {
    let summary = report.summary;
    let mut text = format!("# Coverage of `{}`\n\n", report.function);
    let mut reading = report.mcdc.as_ref().map(|mcdc| format!(", {mcdc}")).unwrap_or_default();
    if report.has_boundaries() {
        reading.push_str(", with boundaries");
    }
    writeln!(text, "| | |\n|---|---|\n| place | {}:{} |", report.file, report.line).expect(NEVER_FAILS);
    writeln!(text, "| criterion | {}{reading} |", report.criterion).expect(NEVER_FAILS);
    if let Some(overflow) = report.signed_overflow {
        writeln!(text, "| signed overflow | {overflow} |").expect(NEVER_FAILS);
    }
    writeln!(text, "| goals | {} |", summary.goals).expect(NEVER_FAILS);
    // A row for each state: together they add up to all goals.
    for state in CoverState::ALL {
        writeln!(text, "| {} | {} |", state.count_words(), summary.count(*state)).expect(NEVER_FAILS);
    }
    let bound = report.unwind.map_or("no loop is cut".to_owned(), |unwind| {
        format!("{} of each loop", counted(unwind, "iteration"))
    });
    writeln!(text, "| bound | {bound} |").expect(NEVER_FAILS);
    let size = match (report.is_minimal, summary.undecided()) {
        (true, 0) => "the minimum (proved)",
        (true, _) => "the minimum for the goals that are decided (proved)",
        (false, _) => "not proved to be the minimum",
    };
    writeln!(text, "| tests | {}, {size}; at least {} |", report.n_coverage_tests(), report.lower_bound)
        .expect(NEVER_FAILS);
    if let Some(native) = &report.native {
        writeln!(text, "| compiled tests, with sanitizers | {} |", native.to_string().replace('|', "\\|"))
            .expect(NEVER_FAILS);
    }
    if let Some(mutation) = &report.mutation {
        writeln!(text, "| mutants | {} |", mutation.headline()).expect(NEVER_FAILS);
    }
    text.push_str(&tests(report));
    text.push_str("\n## Goals\n\n| id | line | source | wanted | state | tests or reason |\n|---|---|---|---|---|---|\n");
    report.goals.iter().for_each(|goal| text.push_str(&row(goal)));
    text.push_str(&proof(report));
    text.push_str(&report.mutation.as_ref().map(mutants::markdown).unwrap_or_default());
    text
}

fn tests(report: &CoverReport) -> String {
    let mut text = "\n## Tests\n\nResults are as observed, not as specified.\n\n".to_owned();
    if report.tests.is_empty() {
        return text;
    }
    let columns = columns(report);
    let has_calls = report.tests.iter().any(|test| !test.calls.is_empty());
    let mut names = vec!["test".to_owned()];
    names.extend(columns.iter().map(|column| code(&column.name)));
    names.push("observed".to_owned());
    names.extend(has_calls.then(|| "calls of stubs".to_owned()));
    writeln!(text, "| {} |\n|{}", names.join(" | "), "---|".repeat(names.len())).expect(NEVER_FAILS);
    for test in &report.tests {
        let mut cells = vec![test.number.to_string()];
        cells.extend(columns.iter().map(|column| column.cell(&test.inputs).replace('|', "\\|")));
        cells.push(test.observed().to_owned());
        cells.extend(has_calls.then(|| calls_text(test).replace('|', "\\|")));
        writeln!(text, "| {} |", cells.join(" | ")).expect(NEVER_FAILS);
    }
    text
}

fn row(goal: &GoalReport) -> String {
    let tests: Vec<String> = goal.tests.iter().map(ToString::to_string).collect();
    let mut shown = goal.reason.clone().unwrap_or_else(|| tests.join(", "));
    goal.premises.iter().for_each(|premise| write!(shown, "; if {premise}").expect(NEVER_FAILS));
    format!(
        "| `{}` | {} | {} | {} | {} | {} |\n",
        goal.id,
        goal.line,
        code(&goal.text),
        goal.wanted.replace('|', "\\|"),
        goal.state,
        shown.replace('|', "\\|")
    )
}

fn proof(report: &CoverReport) -> String {
    if let Some(found) = &report.weights {
        let total: u64 = found.needs.iter().map(|need| need.weight).sum();
        let mut text = format!(
            "\n## Why at least {} tests\n\nThe weights of these requirements add up to {total}, and one input meets at most {} of that. The search and a separate check have both proved that no input meets more.\n\n| weight | goal | |\n|---:|---|---|\n",
            total.div_ceil(found.most.max(1)),
            found.most
        );
        for need in &found.needs {
            writeln!(text, "| {} | `{}` | {} |", need.weight, need.goal, need.text.replace('|', "\\|"))
                .expect(NEVER_FAILS);
        }
        return text;
    }
    if report.clique.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n## Why at least {} tests\n\nNo input does two of these. For each pair this was proved twice, by the search and by a separate check.\n\n",
        report.clique.len()
    );
    for (index, member) in report.clique.iter().enumerate() {
        writeln!(text, "{}. `{}`: {}", index + 1, member.goal, member.text.replace('|', "\\|"))
            .expect(NEVER_FAILS);
    }
    text
}

/// Code in a cell of a table.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").replace('`', "'"))
}
