//! The source with colours: what is covered, what cannot be, what is not. One file, no script.

use super::mutants;
use crate::report::{Goal, Report};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.15em .7em;text-align:left;vertical-align:top;border-bottom:1px solid #e5e5e5}
pre{margin:0;font:13px/1.5 ui-monospace,monospace}.n{color:#999;text-align:right;user-select:none}
.covered{background:#e2f4e4}.infeasible{background:#e8e8f8}.infeasible-if{background:#fdf3d6}.open,.beyond-bound,.undefined{background:#fde3e0}
.k{font-size:12px;color:#555}";

/// The page; `lines` are those of the file that the function is in.
pub fn html(report: &Report, lines: &[&str]) -> String {
    let title = format!("{}: {}", report.function, report.criterion);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    let summary = report.summary;
    let size = match (report.is_minimal, summary.open) {
        (true, 0) => "fewer will not do",
        (true, _) => "fewer will not do for the goals that are decided; the open ones may need more",
        (false, _) => "not proved to be the fewest",
    };
    writeln!(
        text,
        "<p>{} of {} goals covered by {} tests; {size}. {} proved infeasible, {} infeasible under assumptions.</p>",
        summary.covered,
        summary.goals,
        report.n_coverage_tests(),
        summary.infeasible,
        summary.infeasible_if
    )
    .expect(NEVER_FAILS);
    if let Some(mutation) = &report.mutation {
        writeln!(text, "<p>{}.</p>", escaped(&mutation.headline())).expect(NEVER_FAILS);
    }
    text.push_str(&source(report, lines));
    text.push_str(&tests(report));
    text.push_str(&report.mutation.as_ref().map(mutants::html).unwrap_or_default());
    text.push_str("</body></html>\n");
    text
}

/// From the function to the last goal.
fn source(report: &Report, lines: &[&str]) -> String {
    let last = report.goals.iter().map(|goal| goal.line).max().unwrap_or(report.line);
    let mut text = "<h2>Source</h2>\n<table>\n".to_owned();
    for number in report.line..=last + 2 {
        let Some(line) = lines.get(number as usize - 1) else { break };
        let here: Vec<&Goal> = report.goals.iter().filter(|goal| goal.line == number).collect();
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
fn class_of(goals: &[&Goal]) -> &'static str {
    let worst = ["open", "beyond-bound", "undefined", "infeasible-if", "infeasible", "covered"];
    worst.into_iter().find(|state| goals.iter().any(|goal| goal.state == *state)).unwrap_or("")
}

fn note(goal: &Goal) -> String {
    let tests: Vec<String> = goal.tests.iter().map(ToString::to_string).collect();
    let mut shown = match &goal.reason {
        Some(reason) => format!("{}: {reason}", goal.state),
        None => format!("test {}", tests.join(", ")),
    };
    goal.premises.iter().for_each(|premise| write!(shown, "; if {premise}").expect(NEVER_FAILS));
    format!("<code>{}</code> {}: {}", escaped(&goal.text), escaped(&goal.wanted), escaped(&shown))
}

fn tests(report: &Report) -> String {
    let mut text =
        "<h2>Tests</h2>\n<p>Results are as observed, not as specified.</p>\n<table>\n<tr><th>test</th>"
            .to_owned();
    for input in report.tests.first().map(|test| &test.inputs).into_iter().flatten() {
        write!(text, "<th>{}</th>", escaped(&input.name)).expect(NEVER_FAILS);
    }
    text.push_str("<th>observed</th></tr>\n");
    for test in &report.tests {
        write!(text, "<tr><td>{}</td>", test.number).expect(NEVER_FAILS);
        test.inputs.iter().for_each(|input| text.push_str(&format!("<td>{}</td>", escaped(&input.value))));
        let observed = test.observed_result.as_deref().unwrap_or(&test.observed_end);
        writeln!(text, "<td>{}</td></tr>", escaped(observed)).expect(NEVER_FAILS);
    }
    text.push_str("</table>\n");
    text
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
