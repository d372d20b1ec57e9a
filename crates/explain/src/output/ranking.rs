//! Where the fault may be: the first lines of the ranking by repair, one line each.

use super::columns;
use crate::certify::Certified;
use crate::describe::readable;
use crate::repair::{EditText, Evidence, Proof, RankedLine, Ranking, Tier, Verdict};

/// With the head and the verdict these are ten lines.
const MAX_LINES: usize = 8;
/// Longer statements and operands are cut.
const MAX_TEXT: usize = 36;

const NO_SINGLE: &str = "No other value of a single expression repairs the program: proved.\n";

/// The lines that a change can repair, the best first.
pub(super) fn shown(ranking: &Ranking) -> impl Iterator<Item = &RankedLine> {
    let is_edited = |line: &RankedLine| matches!(line.proof, Proof::Edited { .. });
    ranking.lines.iter().filter(move |line| line.tier != Tier::Nothing || is_edited(line)).take(MAX_LINES)
}

/// The ranking as text.
pub(super) fn text(ranking: &Ranking) -> String {
    let runs = match ranking.n_counterexamples {
        1 => "1 run that fails".to_owned(),
        n => format!("{n} runs that fail"),
    };
    let mut out = match shown(ranking).next() {
        Some(_) => format!("Where the fault may be, by {runs}:\n"),
        None => "No line is known where another value lets a run that fails pass.\n".to_owned(),
    };
    let row = |(rank, line): (usize, &RankedLine)| {
        let place = match line.file.is_empty() {
            true => format!("line {}", line.line),
            false => format!("{}:{}", line.file, line.line),
        };
        vec![
            rank.to_string(),
            place,
            line.function.clone(),
            columns::cut(&readable(&line.text), MAX_TEXT),
            what(line),
            facts(line),
        ]
    };
    let rows: Vec<Vec<String>> = (1..).zip(shown(ranking)).map(row).collect();
    if !rows.is_empty() {
        out.push_str(&columns::aligned(&rows, "  "));
    }
    out.push_str(&verdict(ranking));
    ranking.notes.iter().for_each(|note| out.push_str(&format!("Note: {note}.\n")));
    out
}

/// The edit that makes the program right, or else a change at one point.
pub(super) fn what(line: &RankedLine) -> String {
    match &line.edit {
        Some(edit) if is_shown(line, edit) => {
            let (new, old) = (readable(&edit.new), readable(&edit.old));
            let others: String =
                line.alternatives.iter().map(|other| format!(", or {}", replacing(other))).collect();
            format!("replace {old} by {new}{others}")
        }
        _ => line.evidence.as_ref().map(change).unwrap_or_default(),
    }
}

fn replacing(edit: &EditText) -> String {
    format!("replace {} by {}", readable(&edit.old), readable(&edit.new))
}

/// The likely fault and its fix in one line, if an edit is proved to be right.
pub(super) fn answer(ranking: &Ranking) -> String {
    let Some(line) = shown(ranking).next() else { return String::new() };
    let place = match line.file.is_empty() {
        true => format!("line {}", line.line),
        false => format!("{}:{}", line.file, line.line),
    };
    match line.edit.as_ref().filter(|_| matches!(line.proof, Proof::Edited { .. })) {
        Some(edit) => format!("Likely fault: {place}: {} ({})\n", replacing(edit), facts(line)),
        None => format!("Likely fault: {place}: {}\n", readable(&line.text)),
    }
}

fn is_shown(line: &RankedLine, edit: &EditText) -> bool {
    matches!(line.proof, Proof::Edited { .. }) || edit.is_proved && edit.partner.is_some()
}

/// `most=0: 0 -> 1`: what it reads, the value now, and one that repairs.
pub(super) fn change(evidence: &Evidence) -> String {
    let operands: Vec<String> =
        evidence.operands.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let operands = columns::cut(&operands.join(" "), MAX_TEXT);
    let separator = if operands.is_empty() { "" } else { ": " };
    format!("{operands}{separator}{} -> {}", evidence.now, evidence.repaired)
}

/// How far a change of the line goes, and whether that is proved.
pub(super) fn facts(line: &RankedLine) -> String {
    let edit = line.edit.as_ref().filter(|edit| is_shown(line, edit));
    let tier = match &line.tier {
        Tier::OwnOperands => "own operands".to_owned(),
        Tier::OneMoreVariable { variable } => format!("if it also read {variable}"),
        Tier::OneRunOnly => "this run only".to_owned(),
        Tier::Nothing => "nothing".to_owned(),
    };
    let mut facts = vec![match edit {
        Some(EditText { partner: Some(other), .. }) => format!("a small edit, with that of line {other}"),
        Some(_) => "a small edit".to_owned(),
        None => tier,
    }];
    match &line.proof {
        Proof::Edited { is_complete, checked } | Proof::Repairs { is_complete, checked, .. } => {
            let bound = if *is_complete { "" } else { " within the bound" };
            let checked = if *checked == Certified::Checked { " and checked" } else { "" };
            facts.push(format!("repairs all runs{bound}, proved{checked}"));
        }
        Proof::Refuted => facts.push("not all runs, proved".to_owned()),
        Proof::Open { .. } => facts.push("not proved".to_owned()),
        Proof::NotTried => {}
    }
    let damage = edit.map_or(line.damage, |edit| edit.damage);
    if damage > 0.0 {
        facts.push(format!("changes {:.0} % of passing runs", damage * 100.0));
    }
    facts.extend(line.macros.iter().map(|used| format!("{} is defined at line {}", used.name, used.line)));
    facts.join(", ")
}

/// What holds for the program as a whole.
pub(super) fn verdict(ranking: &Ranking) -> String {
    match &ranking.verdict {
        Verdict::OneLineRepairs { index } => ranking.lines.get(*index).map_or_else(String::new, |line| {
            format!("Changing line {} alone repairs the program: proved.\n", line.line)
        }),
        Verdict::TwoLinesRepair { index, other, is_single_refuted, checked } => {
            let line = |at: &usize| ranking.lines.get(*at).map_or(0, |line| line.line);
            let single = if *is_single_refuted { NO_SINGLE } else { "" };
            let (index, other) = (line(index), line(other));
            let checked = if *checked == Certified::Checked { " and checked" } else { "" };
            format!(
                "{single}Changing lines {index} and {other} together repairs the program: proved{checked}.\n"
            )
        }
        Verdict::NoSingleLine => NO_SINGLE.to_owned(),
        Verdict::Open => String::new(),
    }
}
