//! Undefined behaviour that a run can reach: each check of the source that can be the first to fail, with inputs that make it fail.

use crate::encode::Encoded;
use crate::reasons::check_text;
use crate::report::{Input, Undefined};
use crate::search::Explorer;
use nub_bitvec::{Assignment, Datum, Op, TermId, evaluate};
use nub_c_ir::{CheckKind, Position, Program};
use nub_cnf::Lit;
use nub_harness::decimal;
use nub_sat::Limits;
use nub_unroll::Unrolled;

/// Conflicts for one check.
const CONFLICTS: u64 = 50_000;

/// A check of the source, with all its dynamic places.
pub struct StaticCheck {
    /// Which rule.
    pub kind: CheckKind,
    /// Where.
    pub position: Position,
    /// It is reached and fails, and none before it does.
    pub broken: Lit,
}

/// The term that one of the checks of a place is the first to fail.
pub fn first_failures(unrolled: &mut Unrolled) -> Vec<(CheckKind, Position, TermId)> {
    let mut found: Vec<(CheckKind, Position, TermId)> = Vec::new();
    let pool = &mut unrolled.pool;
    let mut all_hold = pool.truth(true);
    for check in &unrolled.checks {
        let fails = pool.not(check.condition);
        let broken = pool.mk(Op::And, &[check.guard, fails]);
        let first = pool.mk(Op::And, &[all_hold, broken]);
        let holds = pool.not(broken);
        all_hold = pool.mk(Op::And, &[all_hold, holds]);
        let (kind, position) = (check.kind, check.origin.position);
        match found.iter_mut().find(|(other, at, _)| *other == kind && *at == position) {
            Some((_, _, term)) => *term = pool.mk(Op::Or, &[*term, first]),
            None => found.push((kind, position, first)),
        }
    }
    found
}

/// Those that can fail, with an example each; the order is that of the text.
pub fn reachable(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    explorer: &mut Explorer<'_>,
    limits: &Limits,
) -> Vec<Undefined> {
    let limits = limits.with_conflicts(CONFLICTS);
    let mut found = Vec::new();
    for check in &encoded.checks {
        let Some(run) = explorer.run_with(check.broken, &limits) else { continue };
        let mut assignment = Assignment::new();
        for (input, value) in unrolled.inputs.iter().zip(&run.inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        // The evaluator must agree: it is the judge of all runs.
        let fails = unrolled.checks.iter().any(|check| {
            let values = evaluate(&unrolled.pool, &assignment, &[check.guard, check.condition]);
            values[0].is_true() && !values[1].is_true()
        });
        if !fails {
            continue;
        }
        let inputs = unrolled.inputs.iter().zip(&run.inputs).map(|(input, value)| {
            let value = decimal(program, input.ty, value);
            Input { name: input.name.clone(), ty: program.types.spell(input.ty), value }
        });
        found.push(Undefined {
            rule: check_text(check.kind).to_owned(),
            line: check.position.line,
            column: check.position.column,
            inputs: inputs.collect(),
        });
    }
    found.sort_by_key(|found| (found.line, found.column));
    found
}
