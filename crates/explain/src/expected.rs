//! `result == reference`: keeps the value of the reference.
//!
//! A run that makes both sides equal by changing what is expected explains nothing. The side that only trusted code computes is the
//! expected one.

use crate::describe::Narrator;
use crate::render_story::{Kept, Telling};
use nub_bitvec::{Evaluator, Op, TermId};
use nub_unroll::Equality;
use rustc_hash::{FxHashMap, FxHashSet};

/// The expected value, and its text in the source.
pub(crate) struct Expected {
    pub kept: Kept,
    pub text: String,
}

/// The value that the property compares with, as in the failing run; `None` if no side is the expected one.
pub(crate) fn expected(telling: &mut Telling<'_, '_>) -> Option<Expected> {
    let assertion = telling.failing.property.assertion?;
    let Equality { named, plain, spans, ty } =
        telling.bounded.ssa.equalities.get(assertion).copied().flatten()?;
    let is_program = named.map(|side| reads_counted(telling, side));
    let side = match is_program {
        [true, false] => 1,
        [false, true] => 0,
        _ => return None,
    };
    let unrolled = &mut telling.bounded.unrolled;
    // A constant is always kept.
    if unrolled.pool.value(plain[side]).is_some() {
        return None;
    }
    let run = unrolled.assignment(&telling.failing.inputs);
    let value = Evaluator::new(&unrolled.pool, &[plain[side]]).run(&run).remove(0);
    let value = value.bits().clone();
    let shown = Narrator(telling.bounded.source).number(ty, &value);
    let constant = unrolled.pool.constant(value);
    let kept = Kept {
        plain: unrolled.pool.mk(Op::Eq, &[plain[side], constant]),
        named: unrolled.pool.mk(Op::Eq, &[named[side], constant]),
    };
    let text = format!("{} == {shown}", Narrator(telling.bounded.source).quote(spans[side]));
    Some(Expected { kept, text })
}

/// Whether a counted value, which is one of suspect code, is computed on the way to this term. What trusted functions return is not followed, unless
/// it is the function with the property; so it does not matter that they are called only where the program returned from a loop in time.
fn reads_counted(telling: &Telling<'_, '_>, root: TermId) -> bool {
    let bounded = &telling.bounded;
    let definitions = &bounded.ssa.definitions;
    let positions: FxHashMap<TermId, usize> =
        definitions.iter().enumerate().map(|(at, found)| (found.variable, at)).collect();
    let counted: FxHashSet<usize> = telling.counted.positions.iter().copied().collect();
    let holder = bounded.unrolled.function_of(telling.failing.property.context);
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut todo = vec![root];
    while let Some(term) = todo.pop() {
        if !seen.insert(term) {
            continue;
        }
        let Some(&at) = positions.get(&term) else {
            todo.extend(bounded.unrolled.pool.args(term));
            continue;
        };
        if counted.contains(&at) {
            return true;
        }
        let found = &bounded.unrolled.assignments[at];
        let is_holder = bounded.unrolled.function_of(found.context) == holder;
        if is_holder || !telling.trusted.holds(bounded.source.program, &bounded.unrolled, found) {
            todo.push(definitions[at].term);
            todo.extend(bounded.unrolled.pool.args(definitions[at].term));
        }
    }
    false
}
