//! What an initialiser does not name is zero, except the rest of a union.
//!
//! ```c
//! union { int whole; char first; } u = { .first = 1 };   // u.whole has bytes that nobody wrote
//! ```
//!
//! C17 6.7.9 defines the rest of an aggregate, and a union is not one. For objects with static storage compilers promise zeros.

use super::Lower;
use super::inits::{InitItem, InitStep};
use crate::ids::*;
use crate::ir::*;
use crate::types::Type;
use nub_text::Span;
use rustc_hash::FxHashMap;

/// Longer arrays of unions are zeroed whole, as compilers do.
const MAX_PARTS: u64 = 1 << 16;

/// A part with the items inside it, and how many of their steps lead there.
type Part<'i> = (Place, Vec<&'i InitItem>, usize);

impl Lower<'_> {
    /// Zeroes an object before its items are written. Descends only where there is a union; linear in the parts there.
    pub(super) fn zero_rest(&mut self, place: &Place, items: &[InitItem], span: Span) {
        let mut todo: Vec<Part<'_>> = vec![(place.clone(), items.iter().collect(), 0)];
        while let Some((part, items, depth)) = todo.pop() {
            let enters_union =
                |item: &&InitItem| item.path[depth..].iter().any(|step| self.is_in_union(step));
            if items.iter().any(enters_union) && self.is_divisible(part.ty) {
                self.divide(&part, &items, depth, span, &mut todo);
            } else {
                self.emit(InstrKind::Zero { place: part }, span);
            }
        }
    }

    /// The subparts of a part that is not set as a whole. Of a union only the member that the last item sets.
    fn divide<'i>(
        &mut self,
        part: &Place,
        items: &[&'i InitItem],
        depth: usize,
        span: Span,
        todo: &mut Vec<Part<'i>>,
    ) {
        let mut inside: FxHashMap<InitStep, Vec<&InitItem>> = FxHashMap::default();
        for item in items {
            inside.entry(item.path[depth]).or_default().push(item);
        }
        let last = items.last().map(|item| item.path[depth]).filter(|step| self.is_in_union(step));
        for (step, ty) in self.parts_below(part.ty).into_iter().rev() {
            let items = inside.remove(&step).unwrap_or_default();
            let is_set = items.iter().any(|item| item.path.len() == depth + 1);
            if !is_set && last.is_none_or(|last| last == step) {
                todo.push((self.part_at(part, &step, ty, span), items, depth + 1));
            }
        }
    }

    fn is_in_union(&self, step: &InitStep) -> bool {
        matches!(step, InitStep::Field(record, _) if self.shared.program.types.record(*record).is_union)
    }

    /// Bit-fields have no bytes of their own that could be zeroed.
    fn is_divisible(&self, ty: TypeId) -> bool {
        let types = &self.shared.program.types;
        match types.get(ty) {
            Type::Record(record) => types.record(*record).fields.iter().all(|field| field.bits.is_none()),
            Type::Array(_, length) => length.is_some_and(|length| length <= MAX_PARTS),
            _ => false,
        }
    }

    /// The parts of an aggregate or union.
    fn parts_below(&self, ty: TypeId) -> Vec<(InitStep, TypeId)> {
        let types = &self.shared.program.types;
        match types.get(ty) {
            Type::Array(element, length) => {
                (0..length.unwrap_or(0)).map(|index| (InitStep::Index(index), *element)).collect()
            }
            Type::Record(record) => {
                let fields = (0..).zip(&types.record(*record).fields);
                fields.map(|(at, field)| (InitStep::Field(*record, at), field.ty)).collect()
            }
            _ => Vec::new(),
        }
    }
}
