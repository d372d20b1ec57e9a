//! The report for people.

use super::columns::{calls_text, columns};
use super::listed_inputs::{UNSAID, listed_inputs};
use super::mutants;
use crate::describe::shorten;
use crate::goals::Criterion;
use crate::report::{
    CheckState, CoverReport, CoverState, GoalKind, GoalReport, NativeResult, NeedWeights, ProofKind,
    TestReport, WeightedNeed,
};
use nub_report::counted;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";
/// At most this many members of the clique are shown.
const MAX_CLIQUE_SHOWN: usize = 40;
/// At most this many changes of memory are shown for one test; JSON has all.
const MAX_EFFECTS_SHOWN: usize = 4;
/// A wider table of tests becomes a list.
const MAX_WIDTH: usize = 100;

/// Headline, tests, goals with the tests that show them, what is not covered and why, and the proof.
pub fn table(report: &CoverReport) -> String {
    let mut text = headline(report);
    if !report.tests.is_empty() {
        text.push('\n');
        text.push_str(&tests(report));
        text.push_str(&stub_calls(report));
        text.push_str(&not_replayed(report));
        text.push_str(&native(report));
    }
    let is_shown = |goal: &&GoalReport| {
        goal.state == CoverState::Covered && !is_implied(report, goal) && !is_repeated(report, goal)
    };
    let covered: Vec<&GoalReport> = report.goals.iter().filter(is_shown).collect();
    if !covered.is_empty() {
        writeln!(text, "\n{}", covered_title(report)).expect(NEVER_FAILS);
        text.push_str(&grid(&covered.iter().map(|goal| covered_row(goal)).collect::<Vec<_>>()));
    }
    text.push_str(&missing(report));
    text.push_str(&undefined(report));
    text.push_str(&proof(report));
    text.push_str(&report.mutation.as_ref().map(mutants::table).unwrap_or_default());
    text
}

/// Tests that were not replayed.
fn not_replayed(report: &CoverReport) -> String {
    let numbers: Vec<String> =
        report.tests.iter().filter(|test| !test.is_replayed).map(|test| test.number.to_string()).collect();
    if numbers.is_empty() {
        return String::new();
    }
    let numbers = numbers.join(", ");
    format!(
        "not replayed: {numbers} (the interpreter takes no locals that are read before they are written, and no huge variables)\n"
    )
}

/// What the compiled tests did.
fn native(report: &CoverReport) -> String {
    match &report.native {
        None => String::new(),
        Some(NativeResult::Confirmed) => "compiled with sanitizers and run: results agree\n".to_owned(),
        Some(NativeResult::NotRun(why)) => format!("not compiled: {why}\n"),
    }
}

/// The answer first, `19 tests cover 25 of 25 goals. 19 is the minimum (proved)`, then what it is the answer for.
fn headline(report: &CoverReport) -> String {
    let mut text = answer(report);
    if let Some(mutation) = &report.mutation {
        writeln!(text, "{}", mutation.headline()).expect(NEVER_FAILS);
    }
    if let Some(stopped) = &report.stopped {
        writeln!(text, "stopped early: {stopped}").expect(NEVER_FAILS);
    }
    writeln!(text, "{} at {}:{}, {}", report.function, report.file, report.line, reading(report))
        .expect(NEVER_FAILS);
    text
}

/// What is covered, and what is claimed about the number of tests: on a line of its own if one is too long.
fn answer(report: &CoverReport) -> String {
    let summary = report.summary;
    let (n_tests, cover) = (tests_words(report.n_coverage_tests()), verb(report.n_coverage_tests(), "cover"));
    let mut text = format!("{n_tests} {cover} {} of {} goals", summary.covered, summary.goals);
    let others = CoverState::ALL.iter().filter(|state| **state != CoverState::Covered);
    for (index, state) in others.filter(|state| summary.count(**state) > 0).enumerate() {
        let mark = if index == 0 { ';' } else { ',' };
        write!(text, "{mark} {} {}", summary.count(*state), state.count_words()).expect(NEVER_FAILS);
    }
    let claim = size_claim(report);
    match claim.strip_prefix(". ") {
        Some(claim) if text.chars().count() + claim.chars().count() + 2 > MAX_WIDTH => {
            format!("{text}.\n{claim}\n")
        }
        _ => text + &claim + "\n",
    }
}

/// The criterion, and how it is read.
fn reading(report: &CoverReport) -> String {
    let mut text = match report.criterion {
        Criterion::Mcdc => "MC/DC",
        Criterion::McdcPairs => "MC/DC, pairs only",
        Criterion::ConditionDecision => "condition/decision",
        other => other.word(),
    }
    .to_owned();
    text += &report.mcdc.as_ref().map(|mcdc| format!(" ({mcdc})")).unwrap_or_default();
    if report.evaluate_all {
        text.push_str(", all conditions evaluated");
    }
    if report.has_boundaries() {
        text.push_str(", with boundaries");
    }
    if report.signed_overflow.is_some() {
        text.push_str(", signed overflow wraps");
    }
    text
}

fn tests_words(n: usize) -> String {
    counted(n, "test")
}

/// The verb for a subject of this number.
fn verb(n: usize, plural: &str) -> String {
    if n == 1 { format!("{plural}s") } else { plural.to_owned() }
}

/// What is claimed about the number of tests.
pub(super) fn size_claim(report: &CoverReport) -> String {
    let (n, open) = (report.n_coverage_tests(), open_words(report));
    match (report.is_minimal, report.proof, report.unwind) {
        _ if n == 0 => String::new(),
        _ if report.best_grade.is_some() => {
            let most = report.best_grade.unwrap_or_default();
            let than = if report.summary.covered < most { format!(" than {most}") } else { String::new() };
            format!(". {} cannot cover more{than} (proved){open}", tests_words(n))
        }
        (true, ..) if report.n_existing > 0 => {
            let n_new = n - report.n_existing;
            format!(
                ". {n_new} of them {} new, the minimum (proved){open}",
                if n_new == 1 { "is" } else { "are" }
            )
        }
        (true, ProofKind::Copies, Some(unwind)) => {
            let iterations = counted(unwind, "iteration");
            format!(". {n} is the minimum with up to {iterations} of each loop (proved){open}")
        }
        (true, ..) => format!(". {n} is the minimum (proved){open}"),
        (false, ..) => {
            let lower = report.lower_bound;
            format!(
                ". At least {} {} needed (proved)",
                tests_words(lower),
                if lower == 1 { "is" } else { "are" }
            )
        }
    }
}

/// The goals that a claim about the number of tests does not include.
fn open_words(report: &CoverReport) -> &'static str {
    match report.summary.undecided() {
        0 => "",
        _ => " for the goals that are decided; the others may need more",
    }
}

/// The tests as a table, or as a list if that is too wide.
fn tests(report: &CoverReport) -> String {
    let columns = columns(report);
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let mut rows = vec![row("test", names.clone().into_iter(), "observed".to_owned())];
    for test in &report.tests {
        let values = columns.iter().map(|column| column.cell(&test.inputs));
        rows.push(row(&test.number.to_string(), values, observed(test)));
    }
    let table = grid(&rows);
    if table.lines().all(|line| line.chars().count() <= MAX_WIDTH) {
        return table;
    }
    let has_pointers = names.iter().any(|name| name.ends_with(" != 0") || name.contains(" == "));
    let lists: String = rows[1..].iter().map(|row| listed(&names, row)).collect();
    if has_pointers { lists + UNSAID } else { lists }
}

/// `test 1: n = 3, s = "x"`, and below it what is observed. Only inputs that the test reads are shown.
fn listed(names: &[String], row: &[String]) -> String {
    let [number, values @ .., observed] = row else { return String::new() };
    let given = names.iter().zip(values).filter(|(_, value)| *value != "-");
    let given: Vec<(&str, &str)> = given.map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut parts = listed_inputs(&given);
    let n_before_last = parts.len().saturating_sub(1);
    parts.iter_mut().take(n_before_last).for_each(|part| part.push(','));
    let start = format!("test {number}:");
    let indent = " ".repeat(start.len());
    let (mut text, mut line) = (String::new(), start);
    for part in parts {
        if line.chars().count() + 1 + part.chars().count() > MAX_WIDTH && line.len() > indent.len() {
            text = text + &line + "\n";
            line.clone_from(&indent);
        }
        line = line + " " + &part;
    }
    format!("{text}{line}\n{indent} {observed}\n")
}

/// The calls of stubs that each test makes and expects.
fn stub_calls(report: &CoverReport) -> String {
    let mut text = String::new();
    for test in report.tests.iter().filter(|test| !test.calls.is_empty()) {
        if text.is_empty() {
            text.push_str("\nCalls of stubs, which the tests expect in this order:\n");
        }
        writeln!(text, "  test {}: {}", test.number, calls_text(test)).expect(NEVER_FAILS);
    }
    text
}

fn row(first: &str, middle: impl Iterator<Item = String>, last: String) -> Vec<String> {
    [first.to_owned()].into_iter().chain(middle).chain([last]).collect()
}

fn observed(test: &TestReport) -> String {
    let end = match &test.observed_result {
        Some(result) => {
            let all: Vec<&str> = test.earlier_results.iter().chain([result]).map(String::as_str).collect();
            format!("returns {}", all.join(", "))
        }
        None => test.observed_end.to_string(),
    };
    let shown = test.effects.iter().take(MAX_EFFECTS_SHOWN);
    let effects = shown.map(|effect| format!(", {} = {}", effect.name, effect.text()));
    let more = if test.effects.len() > MAX_EFFECTS_SHOWN { ", ..." } else { "" };
    effects.fold(end, |text, effect| text + &effect) + more
}

fn covered_title(report: &CoverReport) -> &'static str {
    match report.criterion {
        Criterion::McdcPairs => "Conditions, and the tests that show their effect (true, false):",
        Criterion::Mcdc => {
            "Conditions, and the tests that show their effect (true, false); then the other outcomes:"
        }
        Criterion::Path => "Paths, and their tests:",
        _ => "Goals, and the first test that reaches them:",
    }
}

/// Two tests that show that a condition decides have both its values, and both outcomes of the decision.
fn is_implied(report: &CoverReport, goal: &GoalReport) -> bool {
    let Some((place, _)) = goal.id.rsplit_once('/') else { return false };
    let is_pair = |other: &&GoalReport| other.kind == GoalKind::Mcdc && other.state == CoverState::Covered;
    let mut pairs = report.goals.iter().filter(is_pair).filter_map(|other| other.id.strip_suffix("/mcdc"));
    match goal.kind {
        GoalKind::Condition => pairs.any(|condition| condition == place),
        GoalKind::Decision => {
            pairs.any(|condition| condition.rsplit_once('/').is_some_and(|(decision, _)| decision == place))
        }
        _ => false,
    }
}

/// A decision with one condition has the same outcomes as the condition; they are shown once.
fn is_repeated(report: &CoverReport, goal: &GoalReport) -> bool {
    let is_same = |other: &GoalReport| {
        (other.line, &other.text, &other.wanted) == (goal.line, &goal.text, &goal.wanted)
            && (other.state, &other.tests, &other.premises) == (goal.state, &goal.tests, &goal.premises)
    };
    let mut decisions = report.goals.iter().filter(|other| other.kind == GoalKind::Decision);
    goal.kind == GoalKind::Condition && decisions.any(is_same)
}

fn covered_row(goal: &GoalReport) -> Vec<String> {
    let tests: Vec<String> = goal.tests.iter().map(ToString::to_string).collect();
    if goal.kind == GoalKind::Path {
        return vec![format!("  {}", tests.join(", ")), goal.text.clone()];
    }
    vec![format!("  line {}", goal.line), shorten(&goal.text), goal.wanted.clone(), tests.join(", ")]
}

/// What is not covered, and why.
fn missing(report: &CoverReport) -> String {
    let mut text = String::new();
    let is_shown = |goal: &&GoalReport| goal.state != CoverState::Covered && !is_repeated(report, goal);
    for goal in report.goals.iter().filter(is_shown) {
        if text.is_empty() {
            text.push_str("\nNot covered:\n");
        }
        let what = match goal.kind {
            GoalKind::Path => goal.text.clone(),
            _ => format!("line {}: `{}` {}", goal.line, goal.text, goal.wanted),
        };
        let separator = if goal.state == CoverState::LeftOut { ": " } else { "\n    " };
        let reason = goal.reason.as_ref().map(|reason| format!("{separator}{reason}")).unwrap_or_default();
        writeln!(text, "  {what}: {}{reason}", goal.state.title()).expect(NEVER_FAILS);
        for premise in &goal.premises {
            writeln!(text, "    if {premise}").expect(NEVER_FAILS);
        }
    }
    text
}

/// Which places of undefined behaviour can be reached, and which cannot.
fn undefined(report: &CoverReport) -> String {
    let n =
        |state: CheckState| report.undefined_behaviour.iter().filter(|place| place.state == state).count();
    let n_places = report.undefined_behaviour.len();
    if n_places == 0 {
        return String::new();
    }
    let has_others = report.undefined_behaviour.iter().any(|place| place.is_defined);
    let title = if has_others { "Checks" } else { "Undefined behaviour" };
    let mut text = format!("\n{title}: {} of {n_places} places can be reached", n(CheckState::Reached));
    let parts = [
        (CheckState::Infeasible, "infeasible (proved)"),
        (CheckState::InfeasibleIf, "infeasible under assumptions"),
        (CheckState::BeyondBound, "beyond the bound"),
        (CheckState::Open, "open"),
    ];
    for (state, what) in parts.into_iter().filter(|(state, _)| n(*state) > 0) {
        write!(text, ", {} {what}", n(state)).expect(NEVER_FAILS);
    }
    text.push('\n');
    for found in report.undefined_behaviour.iter().filter(|place| place.state == CheckState::Reached) {
        let inputs: Vec<String> =
            found.inputs.iter().map(|input| format!("{} = {}", input.name, input.text())).collect();
        writeln!(text, "  line {}: {}, with {}", found.line, found.rule, inputs.join(", "))
            .expect(NEVER_FAILS);
    }
    text
}

/// Why fewer tests do not suffice, by weights.
fn weights(found: &NeedWeights, lower: usize) -> String {
    let total: u64 = found.needs.iter().map(|need| need.weight).sum();
    let most = found.most;
    let mut text = format!(
        "\nWhy at least {lower} tests are needed: the weights of these requirements add up to {total}, and one input meets at most {most} of that.\n"
    );
    let mut needs: Vec<&WeightedNeed> = found.needs.iter().collect();
    needs.sort_by_key(|need| std::cmp::Reverse(need.weight));
    for need in needs.iter().take(MAX_CLIQUE_SHOWN) {
        writeln!(text, "  {:>4}  {}", need.weight, need.text).expect(NEVER_FAILS);
    }
    if needs.len() > MAX_CLIQUE_SHOWN {
        writeln!(text, "  and {} more", needs.len() - MAX_CLIQUE_SHOWN).expect(NEVER_FAILS);
    }
    text
}

fn proof(report: &CoverReport) -> String {
    if let Some(found) = report.weights.as_ref().filter(|_| report.proof != ProofKind::Copies) {
        return weights(found, report.lower_bound);
    }
    if report.clique.len() < 2 {
        return String::new();
    }
    let n = report.clique.len();
    let mut text = format!("\nWhy at least {n} tests are needed: no input does two of these.\n");
    for (index, member) in report.clique.iter().take(MAX_CLIQUE_SHOWN).enumerate() {
        writeln!(text, "  {}. {}", index + 1, member.text).expect(NEVER_FAILS);
    }
    if n > MAX_CLIQUE_SHOWN {
        writeln!(text, "  and {} more", n - MAX_CLIQUE_SHOWN).expect(NEVER_FAILS);
    }
    if report.proof == ProofKind::Copies {
        writeln!(
            text,
            "{} cannot cover them: proved with as many copies of the function.",
            tests_words(report.n_coverage_tests() - 1)
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// Columns as wide as their widest cell; numbers to the right.
fn grid(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let is_number =
        |cell: &str| cell.strip_prefix('-').unwrap_or(cell).bytes().all(|byte| byte.is_ascii_digit());
    let is_right: Vec<bool> = (0..n_columns)
        .map(|column| rows.iter().skip(1).filter_map(|row| row.get(column)).all(|cell| is_number(cell)))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let blanks = " ".repeat(widths[column] - cell.chars().count());
            let padded = if is_right[column] { blanks + cell } else { format!("{cell}{blanks}") };
            line.push_str(&padded);
            line.push_str("  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_rows_become_lists() {
        let names = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let row = ["7", "1", "-", "2", "returns 3"].map(str::to_owned);
        assert_eq!(listed(&names, &row), "test 7: a = 1, c = 2\n        returns 3\n");
        let wide = ["7".to_owned(), "x".repeat(90), "y".repeat(90), "-".to_owned(), "aborted".to_owned()];
        let text = listed(&names, &wide);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().nth(1).unwrap().starts_with("        b = y"));
    }

    #[test]
    fn columns_line_up() {
        let rows = [["test", "x", "seen"], ["1", "-10", "returns 1"], ["2", "7", "aborted"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
        assert_eq!(grid(&rows), "test    x  seen\n   1  -10  returns 1\n   2    7  aborted\n");
    }
}
