//! Proofs for the best edits.

use super::candidates::{Edit, EditKind};
use super::proof::{Edited, Outcome};
use super::schema::Schema;
use super::trial::{Task, Trial, Tried, Wanted, tried};
use super::vacuous::altered;
use crate::runs::Run;
use crate::{Refusal, RepairSettings};
use nub_report::ranking::SolvingEffort;

/// Proofs that are tried, and those for edits of one kind and statement.
const MAX_PROOFS: usize = 64;
const MAX_PROOFS_PER_STATEMENT: usize = 3;

/// If no edit is known to be right, the best of those that may be get this many times more conflicts.
const PATIENCE: u64 = 20;
/// The same where floats are computed with: what takes more than this is out of reach nearly always, and there are runs to judge by.
const FLOAT_PATIENCE: u64 = 6;
const MAX_PATIENT_PROOFS: usize = 3;
/// The same where runs are long, and how many of them: there each conflict costs more.
const LONG_RUN_PATIENCE: u64 = 2;
const MAX_LONG_PROOFS: usize = 1;

/// Edits without an answer that are held against all runs.
const MAX_LIKELY: usize = 32;

/// Proofs for edits of statements that another edit makes right.
const MAX_ALTERNATIVES: usize = 12;

/// Small edits that repair all known runs and break none, with proofs for the best of them, those that change least first. A run that
/// fails all the same with one edit is asked of the others too.
pub(crate) fn small_edits(task: Task<'_>, effort: &mut SolvingEffort) -> Result<Vec<Tried>, Refusal> {
    let Task { settings, .. } = task;
    let (mut found, schemas, mut trial) = tried(task, Wanted::All);
    let mut against: Vec<Run> = Vec::new();
    let mut n_proofs = 0;
    for at in 0..found.len() {
        if n_proofs == MAX_PROOFS || settings.limits.cancel.is_cancelled() {
            break;
        }
        let Edit { statement, .. } = found[at].edit;
        let Some(schema) = schemas[statement].as_ref().filter(|_| !is_done(&found, at)) else { continue };
        let Some(damage) = trial.closer(schema, &found[at], &against) else { continue };
        found[at].damage = damage;
        n_proofs += usize::from(settle(task, &mut found[at], settings, effort)?);
        if let Outcome::Fails(run) = &found[at].outcome {
            against.push(Run::clone(run));
        }
    }
    if !found.iter().any(Tried::is_enough) {
        let (patience, most) = match task.source.program.computes_floats() {
            true => (FLOAT_PATIENCE, MAX_PATIENT_PROOFS),
            false if task.problem.is_long => (LONG_RUN_PATIENCE, MAX_LONG_PROOFS),
            false => (PATIENCE, MAX_PATIENT_PROOFS),
        };
        let patient = RepairSettings {
            max_conflicts: settings.max_conflicts.saturating_mul(patience),
            ..settings.clone()
        };
        let open = found.iter_mut().filter(|tried| matches!(tried.outcome, Outcome::Open));
        let mut n_patient = 0;
        for tried in open {
            if n_patient == most || settings.limits.cancel.is_cancelled() {
                break;
            }
            // An edit that switches its statement off is worth no patience.
            if !switches_off(task, tried) {
                n_patient += usize::from(settle(task, tried, &patient, effort)?);
            }
        }
    }
    alternatives(task, &mut found, (&schemas, &mut trial), effort)?;
    if is_hard(task) && !found.iter().any(Tried::is_enough) {
        note_likely(task, &mut found, (&schemas, &mut trial), &against);
    }
    effort.n_runs += trial.n_runs;
    Ok(found)
}

/// Proofs may be out of reach.
fn is_hard(task: Task<'_>) -> bool {
    task.source.program.computes_floats() || task.problem.is_long
}

/// Proofs for edits of another kind where one is known to be right already, for the first statements: a weak property may be satisfied by
/// several, and the reader knows which is meant.
fn alternatives(
    task: Task<'_>,
    found: &mut [Tried],
    (schemas, trial): (&[Option<Schema>], &mut Trial<'_>),
    effort: &mut SolvingEffort,
) -> Result<(), Refusal> {
    let mut n_proofs = 0;
    for at in 0..found.len() {
        let Edit { statement, kind, .. } = found[at].edit;
        let is_right = |other: &Tried| other.edit.statement == statement && other.is_enough();
        let is_tried = |other: &Tried| {
            let is_open = matches!(other.outcome, Outcome::Open);
            other.edit.statement == statement && other.edit.kind == kind && !is_open
        };
        if !found.iter().any(is_right) || found.iter().any(is_tried) {
            continue;
        }
        // The few runs of the first trial take turns, and do not tell which share of all runs changes.
        let Some(schema) = schemas[statement].as_ref() else { continue };
        let Some(damage) = trial.closer(schema, &found[at], &[]) else { continue };
        found[at].damage = damage;
        if found[at].is_large() {
            continue;
        }
        if n_proofs == MAX_ALTERNATIVES || task.settings.limits.cancel.is_cancelled() {
            break;
        }
        n_proofs += usize::from(settle(task, &mut found[at], task.settings, effort)?);
    }
    Ok(())
}

/// Notes edits that no known run tells from right ones, of those that are few at each place. Runs that fail with other edits are asked, too.
fn note_likely(
    task: Task<'_>,
    found: &mut [Tried],
    (schemas, trial): (&[Option<Schema>], &mut Trial<'_>),
    against: &[Run],
) {
    let is_open = |tried: &Tried| matches!(tried.outcome, Outcome::Open) && tried.edit.kind.is_rare();
    for tried in found.iter_mut().filter(|tried| is_open(tried)).take(MAX_LIKELY) {
        let Some(schema) = schemas[tried.edit.statement].as_ref() else { continue };
        let Some(damage) = trial.closer(schema, tried, against) else { continue };
        tried.damage = damage;
        tried.is_likely = !tried.is_large() && !switches_off(task, tried);
    }
}

/// An edit switches its statement off in the runs that are known.
fn switches_off(task: Task<'_>, tried: &Tried) -> bool {
    let Task { source, problem, known, statements, .. } = task;
    let edited = Edited::new(source, problem, &[&tried.edit]);
    tried.edit.kind != EditKind::Tolerance
        && edited.is_some_and(|edited| {
            altered(source, problem, &edited, statements[tried.edit.statement], known).is_vacuous
        })
}

/// Proves that an edit is right, or finds a run that fails all the same. False if it cannot be read.
fn settle(
    task: Task<'_>,
    tried: &mut Tried,
    settings: &RepairSettings,
    effort: &mut SolvingEffort,
) -> Result<bool, Refusal> {
    let Task { source, problem, known, statements, .. } = task;
    let Some(edited) = Edited::new(source, problem, &[&tried.edit]) else { return Ok(false) };
    let (outcome, n_questions) = edited.prove(settings)?;
    effort.n_questions += n_questions;
    if matches!(outcome, Outcome::Repairs { .. }) {
        let altered = altered(source, problem, &edited, statements[tried.edit.statement], known);
        tried.is_vacuous = altered.is_vacuous && tried.edit.kind != EditKind::Tolerance;
        tried.altered = altered.share;
        tried.wakes = altered.wakes;
    }
    tried.outcome = outcome;
    Ok(true)
}

/// A proof for this edit would tell nothing: kinds come in the order in which they count, so an edit of the statement that is right makes
/// the rest of no interest; and a few proofs of one kind are enough.
fn is_done(found: &[Tried], at: usize) -> bool {
    let Edit { statement, kind, .. } = found[at].edit;
    let same = found[..at].iter().filter(|other| other.edit.statement == statement);
    let is_settled = |other: &&Tried| other.edit.kind == kind && !matches!(other.outcome, Outcome::Open);
    same.clone().any(|other| other.is_enough() && !other.is_large())
        || same.filter(is_settled).count() >= MAX_PROOFS_PER_STATEMENT
}
