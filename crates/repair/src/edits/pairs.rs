//! Two edits in different statements that together repair the program, where no single one does.

use super::proof::{Edited, Outcome};
use super::trial::{Task, Tried, Wanted, tried};
use crate::Refusal;
use nub_report::ranking::SolvingEffort;
use nub_sat::certify::CertificationResult;

/// How many edits are combined, and how many pairs are tried.
const MAX_EDITS: usize = 24;
const MAX_PAIRS: usize = 40;
const MAX_PROOFS: usize = 6;
/// Passing runs that must still pass.
const N_KEPT: usize = 40;

/// Looks for such a pair, the one that changes least first. The result is both edits, and whether the proof was generated again and checked.
pub(crate) fn pair(
    task: Task<'_>,
    effort: &mut SolvingEffort,
) -> Result<Option<([Tried; 2], CertificationResult)>, Refusal> {
    let Task { source, problem, known, settings, .. } = task;
    let (found, _, trial) = tried(task, Wanted::Some);
    effort.n_runs += trial.n_runs;
    let mut n_proofs = 0;
    for (a, b) in pairs(&found) {
        if n_proofs == MAX_PROOFS || settings.limits.cancel.is_cancelled() {
            break;
        }
        let Some(edited) = Edited::new(source, problem, &[&found[a].edit, &found[b].edit]) else { continue };
        let passing = known.passing.iter().take(N_KEPT).map(|passing| &passing.run);
        effort.n_runs += known.failing.len();
        if !edited.passes(known.failing.iter()) || !edited.passes(passing) {
            continue;
        }
        n_proofs += 1;
        let (outcome, n_questions) = edited.prove(settings)?;
        effort.n_questions += n_questions;
        if matches!(outcome, Outcome::Repairs { .. }) {
            let checked = edited.certified(settings)?;
            if checked != CertificationResult::Wrong {
                let both = [a, b].map(|at| Tried { outcome: outcome.clone(), ..found[at].clone() });
                return Ok(Some((both, checked)));
            }
        }
    }
    Ok(None)
}

/// Pairs that may repair all runs, sorted by how much they change. An edit that repairs exactly the same runs as another one of its statement, and
/// changes more, is omitted.
fn pairs(found: &[Tried]) -> Vec<(usize, usize)> {
    let mut kept: Vec<usize> = Vec::new();
    for at in 0..found.len() {
        let is_same = |other: &&usize| {
            let other = &found[**other];
            other.edit.statement == found[at].edit.statement && other.repaired == found[at].repaired
        };
        if kept.len() < MAX_EDITS && kept.iter().filter(is_same).count() < 2 {
            kept.push(at);
        }
    }
    let covers = |a: usize, b: usize| {
        let both = found[a].repaired.iter().zip(&found[b].repaired);
        both.into_iter().all(|(a, b)| *a || *b)
    };
    let mut list = Vec::new();
    for (number, &a) in kept.iter().enumerate() {
        for &b in &kept[number + 1..] {
            if found[a].edit.statement != found[b].edit.statement && covers(a, b) {
                list.push((a, b));
            }
        }
    }
    list.sort_by(|x, y| {
        let damage = |pair: &(usize, usize)| found[pair.0].damage + found[pair.1].damage;
        damage(x).total_cmp(&damage(y))
    });
    list.truncate(MAX_PAIRS);
    list
}
