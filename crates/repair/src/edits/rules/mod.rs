//! Edits that prevent the violation of a rule of C.
//!
//! ```c
//! return (a + b) / 2;                                  overflows
//! return ((long long)a + b) / 2;                       the sum is computed in a wider type, and the result fits again
//!
//! data[i] = v;                                         may write beyond the end
//! if (i < 0 || i >= 8) return -1; data[i] = v;         the function returns before it does
//! ```
//!
//! Where behaviour is undefined, the rule itself says what is missing, so there is little to guess: a wider type if the final value fits again, which
//! is proved, and otherwise a guard (`condition`, `insertion`, `wider`). Each is searched like any other edit: no run may violate a rule or an
//! assertion with it. If a run violates another rule in the same statement, the guard gets that condition as well.

mod condition;
mod insertion;
mod limits;
mod wider;

pub(crate) use limits::with_names;

use super::candidates::Edit;
use super::proof::{Edited, Outcome};
use super::trial::{Task, Tried};
use crate::outcomes::{Loss, Outcomes};
use crate::runs::{End, Run};
use crate::site_tables::{Style, instrument};
use crate::{Refusal, RepairSettings};
use insertion::Insertion;
use nub_c_ir::{CheckKind, FunctionId, SourceOrigin, TerminatorKind, Type};
use nub_report::ranking::SolvingEffort;

/// At most this many conditions in one guard.
const MAX_CONDITIONS: usize = 4;
/// Passing runs that show what an edit changes.
const N_SAMPLE: usize = 48;

/// A rule of C, and where a run violates it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken {
    pub kind: CheckKind,
    pub function: FunctionId,
    pub origin: SourceOrigin,
}

/// Edits with which no known run violates the rule, the best first; they are proved if no run at all violates it.
pub(crate) fn rule_edits(
    task: Task<'_>,
    broken: Broken,
    effort: &mut SolvingEffort,
) -> Result<Vec<Tried>, Refusal> {
    let mut found = Vec::new();
    if let Some(edit) = wider::wider(task.unit, task.source.program, broken) {
        found.extend(tried(task, edit, effort)?);
    }
    for value in returned(task, broken) {
        let guard = guarded(task, broken, value, effort)?;
        let is_enough = guard.as_ref().is_some_and(Tried::is_enough);
        found.extend(guard);
        if is_enough {
            break;
        }
    }
    found.retain(Tried::is_proved);
    found.sort_by_key(|tried| (tried.is_large(), tried.edit.kind));
    Ok(found)
}

/// What the function may return instead of continuing, as text: first what it returns elsewhere to report an error.
fn returned(task: Task<'_>, broken: Broken) -> Vec<&'static str> {
    let program = task.source.program;
    let function = program.function(broken.function);
    let values = function.blocks.iter().filter_map(|block| match block.terminator.kind {
        TerminatorKind::Return(value) => value,
        _ => None,
    });
    let types: Vec<_> = values.map(|value| function.expr(value).ty).collect();
    match types.first().map(|ty| (program.types.int_format(*ty), program.types.get(*ty))) {
        None => vec!["return;"],
        Some((Some(_), _)) if function.name == "main" => vec!["return 1;", "return 0;"],
        Some((Some(format), _)) if format.is_signed => vec!["return -1;", "return 0;"],
        Some((Some(_), _)) | Some((None, Type::Pointer(_))) => vec!["return 0;"],
        Some(_) => Vec::new(),
    }
}

/// A guard in front of the statement. `None` if it cannot be written, or does not help.
fn guarded(
    task: Task<'_>,
    broken: Broken,
    value: &str,
    effort: &mut SolvingEffort,
) -> Result<Option<Tried>, Refusal> {
    let (program, unit) = (task.source.program, task.unit);
    let Some(insertion) = Insertion::find(unit, program, broken) else { return Ok(None) };
    let mut conditions: Vec<String> = Vec::new();
    let mut next = Some(broken);
    while let Some(rule) = next.filter(|rule| rule.origin.statement == broken.origin.statement) {
        let more = condition::violated(unit, program, rule).unwrap_or_default();
        if more.is_empty() || conditions.contains(&more) || conditions.len() == MAX_CONDITIONS {
            return Ok(None);
        }
        conditions.push(more);
        let edit = insertion.edit(unit, &format!("if ({}) {value}", conditions.join(" || ")));
        match attempt(task, edit, effort)? {
            Attempt::Holds(tried) => return Ok(Some(tried)),
            Attempt::Breaks(run) => next = broken_by(task, &run),
            Attempt::Useless => return Ok(None),
        }
    }
    Ok(None)
}

/// The rule that a run of the original program violates.
fn broken_by(task: Task<'_>, run: &Run) -> Option<Broken> {
    let problem = task.problem;
    let plain = instrument(problem.program, problem.start, &[], &[], 0, Style::Plain);
    problem.stage(&plain).undefined_at(&run.inputs)
}

/// The result of trying an edit.
enum Attempt {
    /// It repairs all known runs, and no run is known that fails with it.
    Holds(Tried),
    /// This run fails with it.
    Breaks(Box<Run>),
    /// It cannot be read, or makes a passing run fail.
    Useless,
}

/// An edit with which all known runs pass, and no run is found that fails.
pub(super) fn tried(
    task: Task<'_>,
    edit: Edit,
    effort: &mut SolvingEffort,
) -> Result<Option<Tried>, Refusal> {
    Ok(match attempt(task, edit, effort)? {
        Attempt::Holds(tried) => Some(tried),
        Attempt::Breaks(_) | Attempt::Useless => None,
    })
}

/// Runs the known runs with an edit, and searches for others.
fn attempt(task: Task<'_>, edit: Edit, effort: &mut SolvingEffort) -> Result<Attempt, Refusal> {
    let Task { source, problem, known, settings, .. } = task;
    let Some(edited) = Edited::new(source, problem, &[&edit]) else { return Ok(Attempt::Useless) };
    let own = edited.problem();
    let plain = instrument(own.program, own.start, &[], &[], 0, Style::Plain);
    let stage = own.stage(&plain);
    let fails = |run: &&Run| stage.end_with(&run.inputs, &[]) != End::Passes;
    if let Some(run) = known.failing.iter().find(fails) {
        return Ok(Attempt::Breaks(Box::new(run.clone())));
    }
    let mut n_changed = 0;
    for passing in known.passing.iter().take(N_SAMPLE) {
        let (end, output) = stage.output(&passing.run.inputs, &[]);
        if end != End::Passes {
            return Ok(Attempt::Useless);
        }
        n_changed += usize::from(output != passing.output);
    }
    let n_sample = known.passing.len().clamp(1, N_SAMPLE);
    effort.n_runs += known.failing.len() + n_sample;
    let loss = Outcomes::new(known.passing).loss(|run| stage.output(&known.passing[run].run.inputs, &[]).1);
    if loss == Loss::Taken {
        return Ok(Attempt::Useless);
    }
    let (outcome, n_questions) = edited.prove(&RepairSettings::clone(settings))?;
    effort.n_questions += n_questions;
    Ok(match outcome {
        Outcome::Fails(run) => Attempt::Breaks(run),
        outcome => Attempt::Holds(Tried {
            edit,
            number: 0,
            repaired: vec![true; known.failing.len()],
            damage: n_changed as f64 / n_sample as f64,
            loss,
            outcome,
            altered: 0.0,
            wakes: false,
            is_vacuous: false,
            is_likely: false,
            partner: None,
        }),
    })
}

/// The position of edits that belong to no statement of a list.
pub(crate) const NOWHERE: usize = usize::MAX;
