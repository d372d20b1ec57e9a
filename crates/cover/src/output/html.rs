//! The source with colours: what is covered, what cannot be, what is not. One file, no script.

use super::columns::{calls_text, columns};
use super::mutants;
use super::table::size_claim;
use crate::report::{CoverReport, CoverState, GoalReport};
use nub_text::html::{escape as escaped, page};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const STYLE: &str = "\
pre{margin:0}.n{color:var(--faint);text-align:right;user-select:none}\
.covered{background:var(--good)}.infeasible{background:var(--note)}.infeasible-if{background:var(--warn)}\
.open,.left-out,.beyond-bound,.undefined{background:var(--bad)}.k{font-size:12px;color:var(--faint)}";

/// The page; `lines` are those of the file that the function is in.
pub fn html(report: &CoverReport, lines: &[&str]) -> String {
    let title = format!("{}: {}", report.function, report.criterion);
    let mut text = format!("<h1>{}</h1>\n", escaped(&title));
    let summary = report.summary;
    let others = CoverState::ALL.iter().filter(|state| **state != CoverState::Covered);
    let others: String = others
        .filter(|state| summary.count(**state) > 0)
        .map(|state| format!(", {} {}", summary.count(*state), state.count_words()))
        .collect();
    writeln!(
        text,
        "<p>{} of {} goals are covered{others}. {} tests{}.</p>",
        summary.covered,
        summary.goals,
        report.n_coverage_tests(),
        size_claim(report)
    )
    .expect(NEVER_FAILS);
    if let Some(mutation) = &report.mutation {
        writeln!(text, "<p>{}.</p>", escaped(&mutation.headline())).expect(NEVER_FAILS);
    }
    text.push_str(&source(report, lines));
    text.push_str(&tests(report));
    text.push_str(&report.mutation.as_ref().map(mutants::html).unwrap_or_default());
    page(&title, STYLE, &text)
}

/// From the function to the last goal.
fn source(report: &CoverReport, lines: &[&str]) -> String {
    let last = report.goals.iter().map(|goal| goal.line).max().unwrap_or(report.line);
    let mut text = "<h2>Source</h2>\n<table>\n".to_owned();
    for number in report.line..=last + 2 {
        let Some(line) = lines.get(number as usize - 1) else { break };
        let here: Vec<&GoalReport> = report.goals.iter().filter(|goal| goal.line == number).collect();
        let class = class_of(&here);
        let notes: Vec<String> = here.iter().map(|goal| note(goal)).collect();
        writeln!(
            text,
            "<tr class=\"{class}\"><td class=\"n\">{number}</td><td><pre>{}</pre></td><td class=\"k\">{}</td></tr>",
            escaped(line),
            notes.join("<br>")
        )
        .expect(NEVER_FAILS);
    }
    text.push_str("</table>\n");
    text
}

/// The worst of the states of a line.
fn class_of(goals: &[&GoalReport]) -> &'static str {
    goals.iter().map(|goal| goal.state).max().map_or("", CoverState::word)
}

fn note(goal: &GoalReport) -> String {
    let tests: Vec<String> = goal.tests.iter().map(ToString::to_string).collect();
    let mut shown = match &goal.reason {
        Some(reason) => format!("{}: {reason}", goal.state),
        None => format!("test {}", tests.join(", ")),
    };
    goal.premises.iter().for_each(|premise| write!(shown, "; if {premise}").expect(NEVER_FAILS));
    format!("<code>{}</code> {}: {}", escaped(&goal.text), escaped(&goal.wanted), escaped(&shown))
}

fn tests(report: &CoverReport) -> String {
    let mut text =
        "<h2>Tests</h2>\n<p>Results are as observed, not as specified.</p>\n<table>\n<tr><th>test</th>"
            .to_owned();
    let columns = columns(report);
    let has_calls = report.tests.iter().any(|test| !test.calls.is_empty());
    for column in &columns {
        write!(text, "<th>{}</th>", escaped(&column.name)).expect(NEVER_FAILS);
    }
    let more = if has_calls { "<th>calls of stubs</th>" } else { "" };
    writeln!(text, "<th>observed</th>{more}</tr>").expect(NEVER_FAILS);
    for test in &report.tests {
        write!(text, "<tr><td>{}</td>", test.number).expect(NEVER_FAILS);
        columns.iter().for_each(|column| text.push_str(&format!("<td>{}</td>", escaped(&column.cell(test)))));
        let observed = test.observed();
        let calls =
            if has_calls { format!("<td>{}</td>", escaped(&calls_text(test))) } else { String::new() };
        writeln!(text, "<td>{}</td>{calls}</tr>", escaped(observed)).expect(NEVER_FAILS);
    }
    text.push_str("</table>\n");
    text
}
