//! A project as text: one table per file that fits the terminal, and the totals.

use nub_report::{FunctionOutcome, FunctionState, ProjectReport, counted};
use std::collections::BTreeMap;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";
/// The columns after the name, with their widths.
const COLUMNS: [(&str, usize); 8] = [
    ("goals", 6),
    ("covered", 8),
    ("infeas.", 8),
    ("if ...", 7),
    ("open", 5),
    ("tests", 6),
    ("minimal", 8),
    ("s", 7),
];
/// A name gets at least this many characters.
const MIN_NAME: usize = 12;
/// Maximum width of a name, however wide the terminal is.
const MAX_NAME: usize = 40;
/// How many reasons are listed below the tables.
const MAX_REASONS: usize = 10;

/// The tables, at most `width` characters wide where names allow it.
pub fn project_table(report: &ProjectReport, width: usize) -> String {
    let numbers: usize = COLUMNS.iter().map(|(_, width)| width).sum();
    let name_width = width.saturating_sub(numbers + 2).clamp(MIN_NAME, MAX_NAME);
    let mut text = String::new();
    let mut file = None;
    for outcome in &report.functions {
        if file != Some(&outcome.file) {
            let gap = if file.is_some() { "\n" } else { "" };
            let heads: String = COLUMNS.iter().map(|(name, width)| format!("{name:>width$}")).collect();
            let start = cut(&outcome.file, name_width + 2);
            let n = name_width + 2;
            writeln!(text, "{gap}{start:n$}{heads}").expect(NEVER_FAILS);
            file = Some(&outcome.file);
        }
        let name = cut(&outcome.function, name_width);
        let rest = if outcome.state == FunctionState::Answered {
            numbers_of(outcome)
        } else {
            format!(" {}", cut(&reason(outcome), width.saturating_sub(name_width + 3)))
        };
        writeln!(text, "  {name:name_width$}{rest}").expect(NEVER_FAILS);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &totals(report, width)
}

fn numbers_of(outcome: &FunctionOutcome) -> String {
    let counts = &outcome.counts;
    let cells = [
        counts.goals.to_string(),
        counts.covered.to_string(),
        counts.infeasible.to_string(),
        counts.infeasible_if.to_string(),
        counts.open.to_string(),
        counts.tests.to_string(),
        counts.minimal_word().to_owned(),
        format!("{:.1}", outcome.seconds),
    ];
    cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("{cell:>width$}")).collect()
}

/// Why there is no answer, with its place.
fn reason(outcome: &FunctionOutcome) -> String {
    let why = outcome.why.as_deref().unwrap_or_default();
    let place = outcome.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    let word = match outcome.state {
        FunctionState::Refused => "refused: ",
        FunctionState::NotRun => "not run: ",
        _ => "",
    };
    format!("{word}{why}{place}")
}

/// The functions without a body, those that most functions call first.
fn stubs(report: &ProjectReport) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in report.functions.iter().flat_map(|outcome| &outcome.stubs) {
        *counts.entry(name).or_default() += 1;
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let list: Vec<String> = names.iter().map(|(name, n)| format!("{name} ({n})")).collect();
    let n_stubs = counted(list.len() as u64, "function");
    (!list.is_empty()).then(|| {
        format!(
            "Warning: {n_stubs} without a body, whose results are inputs of the tests: {}",
            list.join(", ")
        )
    })
}

/// The number of answered functions whose goals are all open, as text.
pub(super) fn undecided(report: &ProjectReport) -> String {
    match report.undecided {
        0 => String::new(),
        n => format!(", {n} of them with all goals open"),
    }
}

/// The last lines: the totals.
fn totals(report: &ProjectReport, width: usize) -> String {
    let n_functions = report.functions.len();
    let total = &report.total;
    let mut text = format!(
        "{} of {} with decisions answered{}: {} cover {} of {} ({:.1} % of those not proved infeasible).\n",
        report.answered,
        counted(n_functions as u64, "function"),
        undecided(report),
        counted(total.tests, "test"),
        total.covered,
        counted(total.goals, "goal"),
        total.percent()
    );
    let of_decided = match total.minimal_of_decided {
        0 => String::new(),
        n => format!(", {n} more for the goals that are decided"),
    };
    writeln!(
        text,
        "{} infeasible (proved), {} infeasible under a stated assumption, {} open. {} with the minimum number of tests (proved){of_decided}.",
        total.infeasible,
        total.infeasible_if,
        total.open,
        counted(total.minimal, "function")
    )
    .expect(NEVER_FAILS);
    let others = [
        (report.without_decisions, "without decisions"),
        (report.unchanged, "unchanged"),
        (report.not_sampled, "not in the sample"),
        (report.remembered, "answered by an earlier run"),
        (report.unread.len() as u64, "files that cannot be read"),
    ];
    let others: Vec<String> =
        others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !others.is_empty() {
        writeln!(text, "Also: {}.", others.join(", ")).expect(NEVER_FAILS);
    }
    let n_linked = report.functions.iter().filter(|outcome| !outcome.linked.is_empty()).count();
    if n_linked > 0 {
        writeln!(text, "{} used bodies from other files.", counted(n_linked as u64, "function"))
            .expect(NEVER_FAILS);
    }
    if let Some(stubs) = stubs(report) {
        writeln!(text, "{}", cut(&stubs, width)).expect(NEVER_FAILS);
    }
    let reasons = reasons(report);
    if !reasons.is_empty() {
        text.push_str("Without an answer, by reason:\n");
        for (why, n) in reasons.iter().take(MAX_REASONS) {
            writeln!(text, "{n:5}  {}", cut(why, width.saturating_sub(7))).expect(NEVER_FAILS);
        }
        if reasons.len() > MAX_REASONS {
            writeln!(text, "       and {} more reasons", reasons.len() - MAX_REASONS).expect(NEVER_FAILS);
        }
    }
    text
}

/// Reasons why functions have no answer, the most frequent first. Reasons that differ only in names are counted
/// together.
fn reasons(report: &ProjectReport) -> Vec<(String, usize)> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for outcome in report.functions.iter().filter(|outcome| outcome.state != FunctionState::Answered) {
        let why = outcome.why.as_deref().unwrap_or_default();
        *found.entry(general(why)).or_default() += 1;
    }
    let mut found: Vec<(String, usize)> = found.into_iter().collect();
    found.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
    found
}

/// A reason without the names that it quotes and without the count of others.
fn general(why: &str) -> String {
    let why = why.split(" (and ").next().unwrap_or(why);
    let parts = why.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { "..." } else { part }).collect()
}

/// The text, or its beginning with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_report::GoalCounts;

    fn outcome(function: &str, state: FunctionState, why: Option<&str>) -> FunctionOutcome {
        let counts = GoalCounts { goals: 10, covered: 9, open: 1, tests: 4, ..GoalCounts::default() };
        FunctionOutcome {
            file: "sub/a.c".into(),
            function: function.into(),
            line: 3,
            state,
            counts,
            why: why.map(str::to_owned),
            place: why.map(|_| "sub/a.c:5".to_owned()),
            linked: Vec::new(),
            stubs: Vec::new(),
            seconds: 0.25,
        }
    }

    #[test]
    fn tables_fit_the_terminal() {
        let long = "a_function_with_a_name_that_is_longer_than_anybody_wants_to_type";
        let report = ProjectReport {
            functions: vec![
                outcome(long, FunctionState::Answered, None),
                outcome(
                    "g",
                    FunctionState::Refused,
                    Some("`asm` is not supported here, whatever it may say and do"),
                ),
                outcome(
                    "h",
                    FunctionState::Refused,
                    Some("`__asm__` is not supported here, whatever it may say and do"),
                ),
            ],
            ..ProjectReport::default()
        };
        for width in [80, 100, 200] {
            let text = project_table(&report, width);
            let (table, rest) = text.split_once("\n\n").unwrap();
            assert!(table.lines().all(|line| line.chars().count() <= width), "{text}");
            assert!(rest.contains("    2  ... is not supported here"), "{text}");
        }
    }
}
