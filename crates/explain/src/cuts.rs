//! Which value a term stands for when another value is computed from it.
//!
//! Terms are shared: after `y = x;` the variables have one term. A slice has to know which of the two a later expression reads. A phi
//! reads the same variable as it writes; an expression reads the variables it mentions. Where neither tells, the term stands for the first
//! value that has it, so that copies in between are passed over.

use nub_bitvec::{Op, TermId, Value};
use nub_c_ir::{ExprKind, FunctionId, LocalId, Origin, PlaceBase, Program};
use nub_unroll::{
    Assignment, ContextId, ContextKind, InputPlace, ObjectId, ObjectKind, Target, Unrolled, What,
};
use rustc_hash::FxHashMap;

/// Who reads.
pub(crate) struct Reader {
    /// Only values before this one can be read.
    before: usize,
    /// The variable that a phi writes.
    phi: Option<Target>,
    function: FunctionId,
    /// Variables that are mentioned.
    mentioned: Vec<PlaceBase>,
}

/// Values by their terms.
pub(crate) struct Cuts<'u> {
    program: &'u Program,
    unrolled: &'u Unrolled,
    /// Positions of the assignments that count.
    counted: &'u [usize],
    by_term: FxHashMap<TermId, Vec<usize>>,
    /// Phis by the scalar they write. What was there before is not read after them.
    phis: FxHashMap<(ObjectId, u64), Vec<usize>>,
    /// Guards by the term of which they are the negation.
    by_negation: FxHashMap<TermId, Vec<usize>>,
    /// Guards by their condition alone, where that is as good as path condition and condition. Phis choose by it.
    by_condition: FxHashMap<TermId, Vec<usize>>,
}

impl<'u> Cuts<'u> {
    /// `is_alias` says whether a condition has the value of a guard in both runs.
    pub fn new(
        program: &'u Program,
        unrolled: &'u Unrolled,
        counted: &'u [usize],
        is_alias: impl Fn(usize, TermId) -> bool,
    ) -> Cuts<'u> {
        let mut by_term: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
        let mut by_condition: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
        let mut by_negation: FxHashMap<TermId, Vec<usize>> = FxHashMap::default();
        let mut phis: FxHashMap<(ObjectId, u64), Vec<usize>> = FxHashMap::default();
        let conditions = conditions(unrolled);
        for (index, &at) in counted.iter().enumerate() {
            let found = &unrolled.assignments[at];
            by_term.entry(found.term).or_default().push(index);
            if let (What::Phi, Target::Part { object, offset }) = (found.what, found.target) {
                phis.entry((object, offset)).or_default().push(index);
            }
            if matches!(found.what, What::Guard(_)) && unrolled.pool.op(found.term) == Op::Not {
                by_negation.entry(unrolled.pool.term(found.term).arg(0)).or_default().push(index);
            }
            let What::Guard(Some(test)) = found.what else { continue };
            let key = (test.decision.0, test.condition, found.guard);
            if let Some(condition) = conditions.get(&key).filter(|term| is_alias(index, **term)) {
                by_condition.entry(*condition).or_default().push(index);
            }
        }
        Cuts { program, unrolled, counted, by_term, phis, by_negation, by_condition }
    }

    fn of(&self, index: usize) -> &Assignment {
        &self.unrolled.assignments[self.counted[index]]
    }

    /// The one that computes a value.
    pub fn reader(&self, index: usize) -> Reader {
        let found = self.of(index);
        let phi = (found.what == What::Phi).then_some(found.target);
        self.reader_at(index, phi, found.context, found.origin)
    }

    /// The one that evaluates an assertion.
    pub fn reader_of(&self, context: ContextId, origin: Origin) -> Reader {
        self.reader_at(self.counted.len(), None, context, Some(origin))
    }

    fn reader_at(
        &self,
        before: usize,
        phi: Option<Target>,
        context: ContextId,
        origin: Option<Origin>,
    ) -> Reader {
        let function = function_of(self.unrolled, context);
        let mentioned = origin.map(|origin| self.mentioned(function, origin)).unwrap_or_default();
        Reader { before, phi, function, mentioned }
    }

    /// Variables that are read at a place. O(expressions of the function).
    fn mentioned(&self, function: FunctionId, origin: Origin) -> Vec<PlaceBase> {
        let around = origin.span.range();
        let loads = self.program.function(function).exprs.iter().filter_map(|expr| {
            let range = expr.span.range();
            let is_inside = around.start <= range.start && range.end <= around.end;
            match &expr.kind {
                ExprKind::Load(place) if is_inside => Some(place.base),
                _ => None,
            }
        });
        loads.collect()
    }

    /// The value that `term` stands for, if it stands for one.
    pub fn resolve(&self, term: TermId, reader: &Reader) -> Option<usize> {
        let same = self.by_term.get(&term).map_or(&[][..], Vec::as_slice);
        let same = &same[..same.partition_point(|index| *index < reader.before)];
        if let Some(phi) = reader.phi {
            let own = same.iter().rev().find(|index| self.of(**index).target == phi);
            let guard = || {
                let guards = self.by_condition.get(&term)?;
                guards[..guards.partition_point(|index| *index < reader.before)].last()
            };
            return own.or_else(guard).or(same.first()).copied();
        }
        let is_mentioned = |index: &&usize| self.is_mentioned(**index, reader);
        let is_current = |index: &&usize| is_mentioned(index) && !self.is_stale(**index, reader);
        let current = same.iter().rev().find(is_current);
        current.or_else(|| same.iter().rev().find(is_mentioned)).or(same.first()).copied()
    }

    /// The guard that `term` is the negation of, if it stands for nothing itself. A guard's own condition is not looked for.
    pub fn resolve_negated(&self, term: TermId, reader: &Reader) -> Option<usize> {
        let guards = self.by_negation.get(&term)?;
        guards[..guards.partition_point(|index| *index < reader.before)].first().copied()
    }

    /// A phi of the same scalar comes in between.
    fn is_stale(&self, index: usize, reader: &Reader) -> bool {
        let Target::Part { object, offset } = self.of(index).target else { return false };
        let phis = self.phis.get(&(object, offset)).map_or(&[][..], Vec::as_slice);
        let next = phis.partition_point(|phi| *phi <= index);
        phis.get(next).is_some_and(|phi| *phi < reader.before)
    }

    fn is_mentioned(&self, index: usize, reader: &Reader) -> bool {
        if let What::Input(input) = self.of(index).what {
            let base = match &self.unrolled.inputs[input.index()].place {
                InputPlace::Parameter { index, .. } if reader.function == self.unrolled.function => {
                    u32::try_from(*index).map(LocalId).map(PlaceBase::Local).ok()
                }
                InputPlace::Global { global, .. } => Some(PlaceBase::Global(*global)),
                _ => None,
            };
            return base.is_some_and(|base| reader.mentioned.contains(&base));
        }
        let Target::Part { object, .. } = self.of(index).target else { return false };
        match self.unrolled.objects[object.index()].kind {
            ObjectKind::Local { function, local, .. } => {
                function == reader.function && reader.mentioned.contains(&PlaceBase::Local(local))
            }
            ObjectKind::Global(global) => reader.mentioned.contains(&PlaceBase::Global(global)),
            _ => false,
        }
    }
}

/// Single conditions by decision, number and path condition.
fn conditions(unrolled: &Unrolled) -> FxHashMap<(u32, u32, TermId), TermId> {
    let mut found = FxHashMap::default();
    for evaluation in &unrolled.decisions {
        for condition in &evaluation.conditions {
            let key = (evaluation.decision.0, condition.condition, condition.evaluated);
            found.insert(key, condition.value);
        }
    }
    found
}

/// The function that a context is in.
pub(crate) fn function_of(unrolled: &Unrolled, context: ContextId) -> FunctionId {
    let mut next = Some(context);
    while let Some(context) = next.and_then(|id| unrolled.contexts.get(id.index())) {
        match context.kind {
            ContextKind::Entry(function) | ContextKind::Call { function, .. } => return function,
            ContextKind::Round { .. } => next = context.parent,
        }
    }
    unrolled.function
}

/// The values of both runs.
#[derive(Clone, Copy)]
pub(crate) struct Both<'v> {
    pub before: &'v [Value],
    pub after: &'v [Value],
}
