//! A passing run reaches the violated property.
//!
//! `if (a) assert(b);` passes with `a` false, and `if (!valid(x)) return;` in a harness with anything that is not valid: the property was not checked
//! in such runs. So only passing runs that evaluate the property are considered, at the place where the failing run violates it; if there is none,
//! the report says so. A property that can only fail, such as `if (x < 0) reach_error();`, is evaluated where the decision that leads to it is made.

use crate::bounded_program::BoundedProgram;
use crate::failing_run::Failing;
use crate::marks::any;
use crate::property::{Instance, PropertyKind};
use crate::render_story::Kept;
use crate::system::System;
use nub_bitvec::TermId;
use nub_c_ir::analysis::checkers;
use nub_c_ir::{CompareOp, ExprKind, InstrKind, SourceOrigin};
use nub_sat::{SatAnswer, SatLimits};
use nub_unroll::{ContextId, Unrolled, What};

/// At most this many decisions are examined, the last ones before the property.
const MAX_DECISIONS: usize = 16;
/// Conflicts of a question whether two guards are the same.
const SAME_CONFLICTS: u64 = 1_000;

/// Some evaluation of the property is reached; `None` for what has no evaluation that could hold, such as the bound of a loop. O(assignments).
pub(crate) fn reached(bounded: &mut BoundedProgram<'_>, failing: &Failing) -> Option<Kept> {
    let checkers = checkers(bounded.source.program, bounded.unrolled.function);
    let seen = |found: &Instance| -> SourceOrigin {
        let call = bounded.unrolled.call_of_inner(found.context, |function| checkers[function.index()]);
        call.map_or(found.origin, |(_, origin)| origin)
    };
    let place = seen(&failing.property);
    let is_same = |found: &&Instance| found.id == failing.property.id && seen(found) == place;
    let evaluations: Vec<(TermId, TermId)> =
        bounded.instances.iter().filter(is_same).filter_map(|found| evaluation(bounded, found)).collect();
    if evaluations.is_empty() {
        return None;
    }
    let pool = &mut bounded.unrolled.pool;
    let truth = pool.truth(true);
    let plain: Vec<_> = evaluations.iter().map(|found| (found.0, truth)).collect();
    let named: Vec<_> = evaluations.iter().map(|found| (found.1, truth)).collect();
    Some(Kept { plain: any(pool, &plain), named: any(pool, &named) })
}

/// Control reaches a property that could hold: over inputs, and over the variables of definitions.
fn evaluation(bounded: &BoundedProgram<'_>, found: &Instance) -> Option<(TermId, TermId)> {
    found.condition?;
    if can_only_fail(bounded, found) {
        return decision(bounded, found);
    }
    let named = match (found.assertion, found.check) {
        (Some(at), _) => bounded.ssa.asserts.get(at)?.guard,
        (None, Some(at)) => bounded.ssa.checks.get(at)?.guard,
        (None, None) => return None,
    };
    Some((found.guard, named))
}

/// Whether it is written so: `assert(0)`, or a place that no run may reach. What merely turns out to be false still counts as a condition.
fn can_only_fail(bounded: &BoundedProgram<'_>, found: &Instance) -> bool {
    if found.kind == PropertyKind::Unreachable {
        return true;
    }
    let function = bounded.source.program.function(bounded.unrolled.function_of(found.context));
    let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let asserted = instrs.find_map(|instr| match instr.kind {
        InstrKind::Assert { condition, .. } if instr.origin == found.origin => Some(condition),
        _ => None,
    });
    let Some(mut id) = asserted else { return false };
    loop {
        match function.exprs[id.index()].kind {
            ExprKind::Int(number) => return number == 0,
            ExprKind::Convert(_, inner) | ExprKind::Compare(CompareOp::Ne, inner, _) => id = inner,
            _ => return false,
        }
    }
}

/// The condition that control reaches the decision that alone leads to the property: the last one with such an outcome.
fn decision(bounded: &BoundedProgram<'_>, property: &Instance) -> Option<(TermId, TermId)> {
    let Unrolled { decisions, assignments, .. } = &bounded.unrolled;
    let around = contexts(&bounded.unrolled, property.context);
    let mut nearby =
        decisions.iter().rev().filter(|found| around.contains(&found.context)).take(MAX_DECISIONS);
    let found = nearby
        .find(|found| found.outcomes.iter().any(|outcome| is_same(bounded, outcome.1, property.guard)))?;
    let is_first = |at: &usize| {
        let assigned = &assignments[*at];
        let is_own = matches!(assigned.what, What::Guard(Some(test)) if test.decision == found.decision);
        is_own && assigned.context == found.context
    };
    let first = (found.n_assignments..assignments.len()).find(is_first)?;
    Some((assignments[first].guard, bounded.ssa.definitions[first].guard))
}

/// A context and all enclosing ones.
fn contexts(unrolled: &Unrolled, context: ContextId) -> Vec<ContextId> {
    let parent = |id: &ContextId| unrolled.contexts.get(id.index()).and_then(|found| found.parent);
    std::iter::successors(Some(context), parent).collect()
}

/// Whether two guards are true in the same runs. Guards of one path may be combined in several ways, so the solver is asked.
fn is_same(bounded: &BoundedProgram<'_>, a: TermId, b: TermId) -> bool {
    if a == b {
        return true;
    }
    let mut system = System::new(&SatLimits::none());
    let (Ok(a), Ok(b)) = (system.lit(&bounded.unrolled.pool, a), system.lit(&bounded.unrolled.pool, b))
    else {
        return false;
    };
    let limits = SatLimits::none().with_conflicts(SAME_CONFLICTS);
    let mut never = |a, b| system.solver.solve(&[a, b], &limits) == SatAnswer::Unsat;
    never(a, !b) && never(!a, b)
}
