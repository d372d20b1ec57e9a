//! The results for mutants: a section of each report.

use crate::describe::shorten;
use crate::report::{MutantReport, MutantState, MutationReport};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// For people: the mutants that no test for the criterion kills.
pub(super) fn table(mutation: &MutationReport) -> String {
    let mut text = String::new();
    for mutant in mutation.mutants.iter().filter(|mutant| mutant.state != MutantState::Killed) {
        if text.is_empty() {
            text.push_str("\nMutants that no test kills:\n");
        }
        writeln!(text, "  line {}: {}: {}", mutant.line, change(mutant), mutant.state.plain())
            .expect(NEVER_FAILS);
        if let Some(reason) = &mutant.reason {
            writeln!(text, "    {reason}").expect(NEVER_FAILS);
        }
    }
    text
}

/// For auditors: all mutants.
pub(super) fn markdown(mutation: &MutationReport) -> String {
    let mut text = format!(
        "\n## Mutants\n\n{}. A mutant that runs longer than {} steps counts as killed.\n\n| id | line | change | state | tests or reason |\n|---|---|---|---|---|\n",
        mutation.headline(),
        mutation.max_steps
    );
    for mutant in &mutation.mutants {
        let (change, shown) = (change(mutant), tests_or_reason(mutant));
        let state = mutant.state.plain();
        writeln!(
            text,
            "| `{}` | {} | {} | {state} | {} |",
            mutant.id,
            mutant.line,
            cell(&change),
            cell(&shown)
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// `a < b` becomes `a <= b`.
fn change(mutant: &MutantReport) -> String {
    match mutant.now.as_str() {
        "" => format!("`{}` dropped", shorten(&mutant.was)),
        now => format!("`{}` becomes `{}`", shorten(&mutant.was), shorten(now)),
    }
}

fn tests_or_reason(mutant: &MutantReport) -> String {
    let tests: Vec<String> = mutant.tests.iter().map(ToString::to_string).collect();
    mutant.reason.clone().unwrap_or_else(|| tests.join(", "))
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
