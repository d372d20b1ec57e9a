//! What can be violated: assertions, rules of C, bounds of loops; each with a name.
//!
//! The name is `function.kind.N`. Properties of one kind in one function are numbered from 1 in the order of the source.

use crate::options::PropertyFilter;
use crate::session::ExplainRefusal;
use nub_bitvec::{Pool, TermId};
use nub_c_ir::{CheckKind, FunctionId, Program, SourceOrigin};
pub use nub_report::explain::PropertyKind;
use nub_unroll::{ContextId, Unrolled};
use std::collections::{BTreeMap, BTreeSet};

/// The check that is made on request only; `None` if properties of this kind always exist.
pub fn extra_check(kind: PropertyKind) -> Option<CheckKind> {
    CheckKind::EXTRA.into_iter().find(|check| property_kind(*check) == kind)
}

/// The kind of property that a check is.
pub fn property_kind(check: CheckKind) -> PropertyKind {
    match check {
        CheckKind::Overflow => PropertyKind::Overflow,
        CheckKind::ShiftAmount | CheckKind::ShiftBase => PropertyKind::Shift,
        CheckKind::FloatConversion => PropertyKind::Conversion,
        CheckKind::DivisionByZero => PropertyKind::Division,
        CheckKind::Nan => PropertyKind::Nan,
        CheckKind::Infinity => PropertyKind::Inf,
        CheckKind::Precision => PropertyKind::Precision,
        CheckKind::Bounds | CheckKind::ArrayLength => PropertyKind::Bounds,
        CheckKind::Null => PropertyKind::Null,
        CheckKind::Pointer | CheckKind::Overlap | CheckKind::Free => PropertyKind::Pointer,
        CheckKind::Uninitialised => PropertyKind::Uninitialised,
        CheckKind::Unreachable => PropertyKind::Unreachable,
    }
}

/// One dynamic evaluation of a property.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub kind: PropertyKind,
    pub id: String,
    /// The text of an assertion, or the user's description.
    pub text: String,
    pub guard: TermId,
    /// Absent for bounds, which are violated wherever control reaches them.
    pub condition: Option<TermId>,
    pub origin: SourceOrigin,
    pub context: ContextId,
    /// Its position in an order of execution; bounds come last.
    pub order: usize,
    /// Its position in [`Unrolled::asserts`].
    pub assertion: Option<usize>,
    /// Its position in [`Unrolled::checks`].
    pub check: Option<usize>,
}

impl Instance {
    /// Control reaches it, and it does not hold.
    pub fn broken(&self, pool: &mut Pool) -> TermId {
        match self.condition {
            Some(condition) => {
                let fails = pool.not(condition);
                pool.mk(nub_bitvec::Op::And, &[self.guard, fails])
            }
            None => self.guard,
        }
    }
}

/// All properties in an order of execution, once for each evaluation. O(n log n).
pub(crate) fn instances(program: &Program, unrolled: &Unrolled) -> Vec<Instance> {
    let mut all: Vec<Instance> = Vec::new();
    let mut add = |kind, text: &str, guard, condition, origin, context, order| {
        let (id, text) = (String::new(), text.to_owned());
        let (assertion, check) = (None, None);
        all.push(Instance { kind, id, text, guard, condition, origin, context, order, assertion, check });
    };
    for found in &unrolled.asserts {
        let kind = PropertyKind::Assertion;
        let condition = Some(found.condition);
        add(kind, &found.text, found.guard, condition, found.origin, found.context, found.order);
    }
    for found in &unrolled.checks {
        let kind = property_kind(found.kind);
        add(kind, "", found.guard, Some(found.condition), found.origin, found.context, found.order);
    }
    for found in &unrolled.over {
        add(PropertyKind::Unwinding, "", found.guard, None, found.origin, found.context, usize::MAX);
    }
    let (asserts, others) = all.split_at_mut(unrolled.asserts.len());
    asserts.iter_mut().zip(0..).for_each(|(found, index)| found.assertion = Some(index));
    let checks = others.iter_mut().take(unrolled.checks.len());
    checks.zip(0..).for_each(|(found, index)| found.check = Some(index));
    all.sort_by_key(|found| found.order);
    name(program, unrolled, &mut all);
    all
}

fn name(program: &Program, unrolled: &Unrolled, all: &mut [Instance]) {
    type Key = (FunctionId, PropertyKind);
    let key = |found: &Instance| -> Key { (unrolled.function_of(found.context), found.kind) };
    let mut places: BTreeMap<Key, BTreeSet<(u32, u32)>> = BTreeMap::new();
    let span = |found: &Instance| (found.origin.span.start, found.origin.span.end);
    for found in all.iter() {
        places.entry(key(found)).or_default().insert(span(found));
    }
    let mut numbers: BTreeMap<(Key, (u32, u32)), usize> = BTreeMap::new();
    for (key, spans) in places {
        numbers.extend(spans.into_iter().zip(1..).map(|(span, number)| ((key, span), number)));
    }
    for found in all {
        let (function, kind) = key(found);
        let number = numbers[&((function, kind), span(found))];
        found.id = format!("{}.{}.{number}", program.function(function).name, kind.name());
    }
}

/// The requested properties, in the order in which they are examined: if no kind was named, assertions first. `all` is the result of [`instances`].
pub(crate) fn chosen<'i>(
    all: &'i [Instance],
    wanted: &PropertyFilter,
) -> Result<[Vec<&'i Instance>; 2], ExplainRefusal> {
    let is_wanted = |found: &Instance| {
        let is_kind = match wanted.kinds.as_slice() {
            [] => wanted.id.is_some() || found.kind != PropertyKind::Unwinding,
            kinds => kinds.contains(&found.kind),
        };
        is_kind
            && wanted.id.as_ref().is_none_or(|id| found.id == *id)
            && wanted.line.is_none_or(|line| found.origin.position.line == line)
    };
    let is_first = |found: &&Instance| !wanted.kinds.is_empty() || found.kind == PropertyKind::Assertion;
    let (first, second): (Vec<_>, Vec<_>) = all.iter().filter(|found| is_wanted(found)).partition(is_first);
    match wanted.named().filter(|_| first.is_empty() && second.is_empty()) {
        Some(name) => Err(ExplainRefusal::UnknownProperty(name)),
        None => Ok([first, second]),
    }
}
