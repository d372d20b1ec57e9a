//! Edits that switch a statement off.
//!
//! A weak property is satisfied by a program that does nothing, so `x < 300` where `x` is always larger repairs it, and so does `a && !a`.
//! Such an edit deletes what the statement was there for, which people do seldom (the anti-patterns of Tan, Yoshida, Prasad and
//! Roychoudhury, 2016). It shows on the known runs: the statement had several values, and has a single one with the edit.

use super::candidates::Statement;
use super::proof::Edited;
use crate::describe::Source;
use crate::repair::instrument::{Style, instrument};
use crate::repair::runs::Run;
use crate::repair::search::Problem;
use crate::repair::sites::{Site, sites};

/// How many values each site of a statement has in some runs, up to 2.
fn values(problem: &Problem<'_>, text: &[u8], statement: Statement, runs: &[&Run]) -> Vec<usize> {
    let program = problem.program;
    let is_own = |site: &Site| site.function == statement.function && site.span.start == statement.span.start;
    let all = sites(program, text, problem.start, |id| id == statement.function);
    let own: Vec<Site> = all.into_iter().filter(is_own).collect();
    let none = vec![Vec::new(); own.len()];
    let telling = instrument(program, problem.start, &own, &none, 0, Style::Telling);
    let stage = problem.stage(&telling);
    let mut first: Vec<Option<u128>> = vec![None; own.len()];
    let mut n_values = vec![0; own.len()];
    for run in runs {
        for instance in stage.instances(&run.inputs, &[]).1 {
            let (first, n_values) = (&mut first[instance.site], &mut n_values[instance.site]);
            match first {
                None => (*first, *n_values) = (Some(instance.now), 1),
                Some(first) if *first != instance.now => *n_values = 2,
                Some(_) => {}
            }
        }
    }
    n_values
}

/// With the edit, some value of its statement is always the same, which it was not before.
pub(super) fn is_vacuous(
    source: Source<'_>,
    problem: &Problem<'_>,
    edited: &Edited<'_>,
    statement: Statement,
    runs: &[&Run],
) -> bool {
    let before = values(problem, source.text, statement, runs);
    let function = edited.names.of(statement.function);
    let after = values(&edited.problem(), &edited.text, Statement { function, ..statement }, runs);
    before.len() == after.len() && before.iter().zip(&after).any(|(before, after)| *before > 1 && *after <= 1)
}
