//! Fault localisation by repair: which line, changed alone, would make the program pass?
//!
//! The closest passing run shows what goes wrong, not where the fault is. [`rank`] checks for each statement: can its expression, as a function of
//! what it reads, be changed so that failing runs pass, and all other runs through that point as well?
//!
//! 1. Several failing runs, as different as possible (`counterexamples`).
//! 2. Sites: values that may be changed (`sites`), with what they read (`operands`) and could read (`visible`). Specification code is excluded
//!    (`suspects`). The program gets a table at each site (`site_tables`), and is unrolled and turned into clauses once (`encoded_program`).
//! 3. For each site and run: point repair (`point`), first with its own operands, then with one more variable (`try_site`).
//! 4. For each repair the share of passing runs that it changes (`damage`), which is the only guide if the specification is weak.
//! 5. Small edits of the source: another operator, number, name or condition with which no run fails (`edits`). They also repair what
//!    point repair cannot: several wrong evaluations of one statement in one run, as in a loop.
//! 6. The order: the score of both (`worth`), then fewest operands, then first executed (`report`).
//! 7. For the first lines without such an edit a proof: a table at this line alone makes all runs pass (`table`). It decides between lines with
//!    the same score. If no line is enough, two edits (`edits::pairs`).
//!
//! Where a rule of C is violated, the rule says what is missing: a guard or a wider type (`edits::rules`).
//!
//! ```
//! use nub_repair::{Macros, RepairSettings, rank};
//!
//! let text = b"int nondet_int(void); void __CPROVER_assert(int, const char *);
//!     int more(int a) { return a - 1; }
//!     int main(void) { int a = nondet_int() & 7; __CPROVER_assert(more(a) == a + 1, \"\"); return 0; }";
//! let (unit, _) = nub_c_syntax::parse(text);
//! let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
//! let main = program.function_by_name("main").unwrap();
//! let source = nub_c_ir::ProgramSource { program: &program, text, file: "" };
//! let Ok(Some(ranking)) = rank(source, main, &Macros::new(&[]), &RepairSettings::default()) else { panic!() };
//! assert_eq!(ranking.lines[0].line, 2);
//! ```
//!
//! Everything that is shown was run by the interpreter (`runs`): the counterexample fails, and passes with the change.

mod adopt;
mod counterexamples;
mod covered;
mod damage;
mod edits;
mod edits_first;
mod effects;
mod encoded_program;
mod few_inputs;
mod gates;
mod guess;
mod initials;
mod joins;
mod known_runs;
#[cfg(test)]
mod laws;
mod macros;
mod numbers;
mod operands;
mod order_only;
mod outcomes;
mod patch;
mod places;
mod point;
mod pure;
mod report;
mod rounds;
mod runs;
mod search;
mod site_programs;
mod site_tables;
mod sites;
mod specialise;
mod suspects;
mod table;
mod target;
mod try_site;
mod undefined;
mod visible;
mod words;
mod worth;
mod zero_one;

use suspects::{Suspicion, changeable};

pub use edits::EditKind;
pub use macros::Macros;
pub use nub_report::ranking::{
    EditPlace, EditText, Evidence, MacroUse, Part, RankedLine, Ranking, RepairProof, RepairVerdict,
    SolvingEffort, Tier,
};

use nub_bitvec::Value;
use nub_c_ir::FunctionId;
use nub_c_ir::ProgramSource;
use nub_c_syntax::TranslationUnit;
use nub_text::Diagnostic;
use std::fmt;

/// How to search.
#[derive(Clone, Debug)]
pub struct RepairSettings {
    /// How to unroll.
    pub unroll: nub_unroll::UnrollConfig,
    /// Consider only assertions at this line.
    pub property: Option<u32>,
    /// Functions that are assumed to be right, in addition to those that contain assertions.
    pub trusted: Vec<String>,
    /// The first failing run: values of all inputs of `nub_unroll::unroll` with the same options. Searched if absent, or if it does not fit.
    pub first: Option<Vec<Value>>,
    /// The largest number of failing runs.
    pub n_counterexamples: usize,
    /// A statement's own operands are tried on this many of them.
    pub n_own: usize,
    /// One more variable is tried on this many of them.
    pub n_extra: usize,
    /// Guesses for one value.
    pub max_rounds: usize,
    /// Passing runs, for damage.
    pub n_passing: usize,
    /// Order by point repair and damage alone, for comparison.
    pub points_only: bool,
    /// Lines for which a proof is tried.
    pub n_proofs: usize,
    /// Entries of the table of a proof.
    pub max_entries: usize,
    /// Conflicts of one question.
    pub max_conflicts: u64,
    /// When to stop.
    pub limits: nub_sat::SatLimits,
    /// When to stop point repair and continue with edits. Not later than `limits`.
    pub point_limits: nub_sat::SatLimits,
}

impl Default for RepairSettings {
    fn default() -> RepairSettings {
        RepairSettings {
            unroll: nub_unroll::UnrollConfig::default(),
            property: None,
            trusted: Vec::new(),
            first: None,
            n_counterexamples: 8,
            n_own: 5,
            n_extra: 3,
            max_rounds: 24,
            n_passing: 400,
            points_only: false,
            n_proofs: 3,
            max_entries: 40,
            max_conflicts: 20_000,
            limits: nub_sat::SatLimits::none(),
            point_limits: nub_sat::SatLimits::none(),
        }
    }
}

/// Why there is no ranking.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The program does something that is not supported, at these places.
    Unsupported(Vec<Diagnostic>),
    /// There would be too many clauses.
    TooLarge(String),
    /// The interpreter does not reach the failure: it cannot be given such inputs.
    NotReplayed,
    /// Stopped before a failing run was found.
    Stopped,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsupported(found) => {
                f.write_str(found.first().map_or("the program is not supported", |first| &first.message))
            }
            Refusal::TooLarge(message) => f.write_str(message),
            Refusal::NotReplayed => f.write_str("the interpreter cannot replay any failing run"),
            Refusal::Stopped => f.write_str("stopped before a failing run was found"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Ranks the lines of the program by whether a change of one line alone repairs the failing runs. `None` if no run fails.
///
/// Cost: one unrolling per 256 statements that a counterexample reaches, and for each statement and counterexample a few questions to
/// the solver. Twice that where no line of the program repairs more than one run, so that the function with the assertion is examined too.
pub fn rank(
    source: ProgramSource<'_>,
    function: FunctionId,
    macros: &Macros<'_>,
    settings: &RepairSettings,
) -> Result<Option<Ranking>, Refusal> {
    let refusals = source.program.refusals(function);
    if !refusals.is_empty() {
        return Err(Refusal::Unsupported(refusals));
    }
    let (unit, _) = nub_c_syntax::parse(source.text);
    let among = |suspicion| rank_among(source, &unit, function, macros, suspicion, settings);
    let Some(narrow) = among(Suspicion::Program)? else { return Ok(None) };
    let suspects = |suspicion| changeable(source.program, function, &settings.trusted, suspicion);
    if !is_poor(&narrow)
        || settings.limits.cancel.is_cancelled()
        || suspects(Suspicion::Program) == suspects(Suspicion::Holders)
    {
        return Ok(Some(narrow));
    }
    let wide = among(Suspicion::Holders)?.filter(|wide| !is_poor(wide));
    Ok(Some(wide.map_or(narrow, |mut wide| {
        let note =
            "no line outside the asserting function fixes more than one run, so that function is included";
        wide.notes.insert(0, note.to_owned());
        wide
    })))
}

fn rank_among(
    source: ProgramSource<'_>,
    unit: &TranslationUnit,
    function: FunctionId,
    macros: &Macros<'_>,
    suspicion: Suspicion,
    settings: &RepairSettings,
) -> Result<Option<Ranking>, Refusal> {
    let Some(mut searched) = search::search(source, unit, function, suspicion, settings)? else {
        return Ok(None);
    };
    let scored = report::scored(&searched, settings);
    let places = places::Places::new(source, &unit.source_map, macros);
    let mut lines = report::lines(source, &searched, &scored, &places);
    for (line, at) in lines.iter_mut().take(settings.n_proofs) {
        let Some(at) = *at else {
            if let Some(edit) = searched.rule_edits.first() {
                line.proof = searched.checked(source, *edit, settings)?;
            }
            continue;
        };
        line.proof = first_line(source, &mut searched, &scored[at], line, settings)?;
    }
    let n_proofs = settings.n_proofs.min(lines.len());
    report::sort_by_proof(&mut lines[..n_proofs], &scored, &searched);
    let mut lines: Vec<RankedLine> = lines.into_iter().map(|(line, _)| line).collect();
    let repairs =
        |line: &RankedLine| matches!(line.proof, RepairProof::Repairs { .. } | RepairProof::Edited { .. });
    // Expressions with the form of a truth value were only tried with 0 and 1.
    let is_refuted = searched.candidates.iter().all(|candidate| {
        candidate.found.is_refuted && (!candidate.site.is_truth || candidate.site.part == Part::Condition)
    });
    let no_single = is_refuted && covered::is_covered(&searched.problem, &searched.failing);
    let verdict = match lines.iter().position(repairs) {
        Some(index) => RepairVerdict::OneLineRepairs { index },
        None => match searched.pair(source, settings)? {
            Some(checked) => {
                two_lines(source, &searched, &places, &mut lines);
                RepairVerdict::TwoLinesRepair { index: 0, other: 1, is_single_refuted: no_single, checked }
            }
            None if no_single => RepairVerdict::NoSingleLine,
            None => RepairVerdict::Open,
        },
    };
    if settings.limits.cancel.is_cancelled() || settings.point_limits.cancel.is_cancelled() {
        searched.notes.push("stopped early; the order reflects what was known by then".to_owned());
    }
    let functions = source.program.functions.iter().zip(&searched.problem.is_program);
    let is_shown = |function: &nub_c_ir::Function| {
        matches!(function.body, nub_c_ir::Body::Defined) && !function.is_model
    };
    let trusted = functions.filter(|(function, is_program)| !**is_program && is_shown(function));
    Ok(Some(Ranking {
        lines,
        n_counterexamples: searched.failing.len(),
        counterexamples: searched.inputs.clone(),
        n_passing: searched.passing.len(),
        verdict,
        trusted: trusted.map(|(function, _)| function.name.clone()).collect(),
        effort: searched.effort,
        notes: searched.notes.clone(),
    }))
}

/// What is known about one of the first lines: whether its small edit is proved right, and if there is none whether a table is.
fn first_line(
    source: ProgramSource<'_>,
    searched: &mut search::Searched<'_>,
    scored: &report::Scored,
    line: &RankedLine,
    settings: &RepairSettings,
) -> Result<RepairProof, Refusal> {
    let candidate = scored.candidate;
    if let (RepairProof::Edited { .. }, Some(edit)) = (&line.proof, searched.candidates[candidate].edit) {
        return searched.checked(source, edit, settings);
    }
    let (proof, n_questions) = proof(searched, scored, settings)?;
    searched.effort.n_questions += n_questions;
    let is_whole = covered::is_whole(&searched.problem, &searched.candidates[candidate].site);
    Ok(if proof == RepairProof::Refuted && !is_whole { RepairProof::Open { n_entries: 0 } } else { proof })
}

/// Lines whose edits repair the program together come first.
fn two_lines(
    source: ProgramSource<'_>,
    searched: &search::Searched<'_>,
    places: &places::Places<'_>,
    lines: &mut [RankedLine],
) {
    let edits = report::pair_texts(source, searched, places);
    for (place, edit) in &edits {
        let is_it = |line: &&mut RankedLine| (line.file.as_str(), line.line) == (place.0.as_str(), place.1);
        if let Some(line) = lines.iter_mut().find(is_it) {
            line.edit = Some(edit.clone());
        }
    }
    let is_part = |line: &RankedLine| line.edit.as_ref().is_some_and(|edit| edit.partner.is_some());
    lines.sort_by_key(|line| !is_part(line));
    lines.iter_mut().zip(1..).for_each(|(line, rank)| line.rank = rank);
}

/// What is known about a change of one site alone. A table is only tried if each counterexample has a point repair.
fn proof(
    searched: &search::Searched<'_>,
    scored: &report::Scored,
    settings: &RepairSettings,
) -> Result<(RepairProof, usize), Refusal> {
    let candidate = &searched.candidates[scored.candidate];
    let is_extra = matches!(scored.tier, Tier::OneMoreVariable { .. });
    if candidate.found.is_own_refuted && !is_extra {
        return Ok((RepairProof::Refuted, 0));
    }
    if !(scored.is_full && (is_extra || scored.tier == Tier::OwnOperands)) {
        return Ok((RepairProof::Open { n_entries: 0 }, 0));
    }
    let extra = scored.evidence.as_ref().and_then(|repair| repair.change.extra);
    let extra = extra.and_then(|(number, _)| candidate.visible.get(number));
    table::prove(&searched.problem, &candidate.site, extra, &searched.witnesses, settings)
}

/// Whether nothing was found that may repair more than one run.
fn is_poor(ranking: &Ranking) -> bool {
    let is_found = matches!(
        ranking.verdict,
        RepairVerdict::OneLineRepairs { .. } | RepairVerdict::TwoLinesRepair { .. }
    );
    let is_more = |line: &RankedLine| {
        !matches!(line.tier, Tier::OneRunOnly | Tier::Nothing) && line.proof != RepairProof::Refuted
    };
    !is_found && !ranking.lines.iter().any(is_more)
}
