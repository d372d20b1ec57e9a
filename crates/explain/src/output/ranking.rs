//! Likely fault locations: the first lines of the ranking by repair, one line each.

use super::columns;
use crate::describe::readable;
use nub_repair::{EditKind, EditText, Evidence, RankedLine, Ranking, RepairProof, RepairVerdict, Tier};
use nub_sat::certify::CertificationResult;

/// Ten lines together with the heading and the verdict.
const MAX_LINES: usize = 8;
/// Longer statements and operands are cut.
const MAX_TEXT: usize = 36;

const NO_SINGLE: &str = "No other value of a single expression fixes the program (proved).\n";

/// The lines that can be fixed, the best first.
pub(super) fn shown(ranking: &Ranking) -> impl Iterator<Item = &RankedLine> {
    let is_edited = |line: &RankedLine| matches!(line.proof, RepairProof::Edited { .. });
    ranking.lines.iter().filter(move |line| line.tier != Tier::Nothing || is_edited(line)).take(MAX_LINES)
}

/// The ranking as text.
pub(super) fn text(ranking: &Ranking) -> String {
    let runs = match ranking.n_counterexamples {
        1 => "1 failing run".to_owned(),
        n => format!("{n} failing runs"),
    };
    let mut out = match shown(ranking).next() {
        Some(_) => format!("Likely fault locations, from {runs}:\n"),
        None => "No single-line fix found.\n".to_owned(),
    };
    let row = |(rank, line): (usize, &RankedLine)| {
        let place = if line.file.is_empty() {
            format!("line {}", line.line)
        } else {
            format!("{}:{}", line.file, line.line)
        };
        let (function, statement) = (line.function.clone(), columns::cut(&readable(&line.text), MAX_TEXT));
        let first = vec![rank.to_string(), place, function, statement, finding(line)];
        // Other edits have lines of their own.
        let below = |text: String| [vec![String::new(); 4], vec![format!("or {text}")]].concat();
        [first].into_iter().chain(alternatives(line).into_iter().map(below)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = (1..).zip(shown(ranking)).flat_map(row).collect();
    if !rows.is_empty() {
        out.push_str(&columns::aligned(&rows, "  "));
    }
    out.push_str(&verdict(ranking));
    ranking.notes.iter().for_each(|note| out.push_str(&format!("Note: {note}.\n")));
    out
}

/// What to change, and what is known about it.
fn finding(line: &RankedLine) -> String {
    match (best(line), facts(line)) {
        (what, facts) if what.is_empty() => facts,
        (what, facts) => format!("{what}: {facts}"),
    }
}

/// The edit that fixes the program, with the alternatives to it, or otherwise a change at one point.
pub(super) fn what(line: &RankedLine) -> String {
    let others: String = alternatives(line).iter().map(|other| format!(", or {other}")).collect();
    best(line) + &others
}

/// The edit that fixes the program, or otherwise a change at one point.
fn best(line: &RankedLine) -> String {
    match line.edit.as_ref().filter(|edit| is_shown(line, edit)) {
        Some(edit) => instruction(edit),
        None => line.evidence.as_ref().map(change).unwrap_or_default(),
    }
}

/// Other edits of the same statement that fix the program.
fn alternatives(line: &RankedLine) -> Vec<String> {
    match line.edit.as_ref().filter(|edit| is_shown(line, edit)) {
        Some(_) => line.alternatives.iter().map(instruction).collect(),
        None => Vec::new(),
    }
}

/// An edit as an instruction.
fn instruction(edit: &EditText) -> String {
    let (new, old) = (readable(&edit.new), readable(&edit.old));
    match edit.kind {
        EditKind::Guard if old.is_empty() => format!("insert \"{new}\" before the statement"),
        _ => format!("replace {old} by {new}"),
    }
}

/// The likely fault and its fix in one line, if an edit is proved to be right.
pub(super) fn answer(ranking: &Ranking) -> String {
    let Some(line) = shown(ranking).next() else { return String::new() };
    let place = if line.file.is_empty() {
        format!("line {}", line.line)
    } else {
        format!("{}:{}", line.file, line.line)
    };
    match line.edit.as_ref().filter(|_| matches!(line.proof, RepairProof::Edited { .. })) {
        Some(edit) => format!("Likely fault: {place}: {}: {}\n", instruction(edit), facts(line)),
        None => format!("Likely fault: {place}: {}\n", readable(&line.text)),
    }
}

fn is_shown(line: &RankedLine, edit: &EditText) -> bool {
    matches!(line.proof, RepairProof::Edited { .. }) || edit.is_proved && edit.partner.is_some()
}

/// `most=0: 0 -> 1`: what it reads, the present value, and one that fixes the run.
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
    let mut facts = Vec::new();
    if edit.is_none() {
        facts.push(match &line.tier {
            Tier::OwnOperands => "uses only its own operands".to_owned(),
            Tier::OneMoreVariable { variable } => format!("would also need {variable}"),
            Tier::OneRunOnly => "fixes this run only".to_owned(),
            Tier::Nothing => "no other value helps".to_owned(),
        });
    }
    match &line.proof {
        RepairProof::Edited { is_complete, checked, premises }
        | RepairProof::Repairs { is_complete, checked, premises, .. } => {
            facts.push(format!("fixes every failing run {}", proved(*is_complete, *checked, premises)));
        }
        RepairProof::Refuted => facts.push("cannot fix every failing run (proved)".to_owned()),
        RepairProof::Open { .. } => facts.push("unproved".to_owned()),
        RepairProof::NotTried => {}
    }
    if let Some(EditText { partner: Some(other), .. }) = edit {
        facts.push(format!("together with the edit of line {other}"));
    }
    let damage = edit.map_or(line.damage, |edit| edit.damage);
    if damage > 0.0 {
        facts.push(format!("changes {:.0} % of passing runs", damage * 100.0));
    }
    facts.extend(line.macros.iter().map(|used| format!("{} is defined at line {}", used.name, used.line)));
    facts.join("; ")
}

/// `(proved, checked)`: claims no more than was proved.
fn proved(is_complete: bool, checked: CertificationResult, premises: &[String]) -> String {
    let bound = if is_complete { "" } else { " within the bound" };
    let checked = if checked == CertificationResult::Checked { ", checked" } else { "" };
    let premises =
        if premises.is_empty() { String::new() } else { format!(" if {}", premises.join(" and ")) };
    format!("(proved{bound}{checked}){premises}")
}

/// What holds for the program as a whole.
pub(super) fn verdict(ranking: &Ranking) -> String {
    match &ranking.verdict {
        RepairVerdict::OneLineRepairs { index } => {
            ranking.lines.get(*index).map_or_else(String::new, |line| {
                let proof = match &line.proof {
                    RepairProof::Edited { is_complete, checked, premises }
                    | RepairProof::Repairs { is_complete, checked, premises, .. } => {
                        proved(*is_complete, *checked, premises)
                    }
                    _ => proved(false, CertificationResult::NotChecked, &[]),
                };
                format!("Changing line {} alone fixes the program {proof}.\n", line.line)
            })
        }
        RepairVerdict::TwoLinesRepair { index, other, is_single_refuted, checked } => {
            let line = |at: &usize| ranking.lines.get(*at).map_or(0, |line| line.line);
            let single = if *is_single_refuted { NO_SINGLE } else { "" };
            let (index, other) = (line(index), line(other));
            let checked = if *checked == CertificationResult::Checked { ", checked" } else { "" };
            format!(
                "{single}Changing lines {index} and {other} together fixes the program (proved{checked}).\n"
            )
        }
        RepairVerdict::NoSingleLine => NO_SINGLE.to_owned(),
        RepairVerdict::Open => String::new(),
    }
}
