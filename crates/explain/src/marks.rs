//! Conditions that were inserted into the source to be evaluated, not to be checked.
//!
//! A condition becomes an assertion with a text of its own, `__CPROVER_assert(condition, "nub: ...")`, which does not stop the run. After unrolling
//! these are removed from the properties again.

use crate::bounded_program::BoundedProgram;
use crate::render_story::Kept;
use nub_bitvec::{Op, Pool, TermId};

/// The evaluations of a marker: guard and condition.
pub(crate) struct Marks {
    /// Over inputs.
    pub plain: Vec<(TermId, TermId)>,
    /// Over the variables of definitions.
    pub named: Vec<(TermId, TermId)>,
}

impl Marks {
    /// The condition is true in a run if one of its evaluations is.
    pub fn any(&self, pool: &mut Pool) -> Kept {
        Kept { plain: any(pool, &self.plain), named: any(pool, &self.named) }
    }
}

/// Removes the markers with this text from the properties. O(properties).
pub(crate) fn take_marks(bounded: &mut BoundedProgram<'_>, mark: &str) -> Marks {
    let (unrolled, ssa) = (&mut bounded.unrolled, &mut bounded.ssa);
    let is_mark: Vec<bool> = unrolled.asserts.iter().map(|found| found.text == mark).collect();
    let plain = unrolled.asserts.iter().map(|found| (found.guard, found.condition));
    let named = ssa.asserts.iter().map(|found| (found.guard, found.condition));
    let marked = |list: Vec<(TermId, TermId)>| {
        list.into_iter().zip(&is_mark).filter(|(_, is_mark)| **is_mark).map(|(found, _)| found).collect()
    };
    let marks = Marks { plain: marked(plain.collect()), named: marked(named.collect()) };
    retain(&mut unrolled.asserts, &is_mark);
    retain(&mut ssa.asserts, &is_mark);
    retain(&mut ssa.equalities, &is_mark);
    bounded.instances = crate::property::instances(bounded.source.program, &bounded.unrolled);
    marks
}

/// One of the conditions holds where its guard does.
pub(crate) fn any(pool: &mut Pool, list: &[(TermId, TermId)]) -> TermId {
    let mut any = pool.truth(false);
    for (guard, condition) in list {
        let here = pool.mk(Op::And, &[*guard, *condition]);
        any = pool.mk(Op::Or, &[any, here]);
    }
    any
}

fn retain<T>(list: &mut Vec<T>, is_mark: &[bool]) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        is_mark.get(at - 1) != Some(&true)
    });
}
