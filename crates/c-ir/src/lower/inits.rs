//! Initialisers: which expression goes into which part of an object (C17 6.7.9).
//!
//! A list is flattened into items, each a path from the object to a part and the expression for it. Braces may be left out and
//! designators may jump: a stack of positions says what comes next.

use super::places::Operand;
use super::{Lower, Lowered, Refusal};
use crate::ids::*;
use crate::types::Type;
use nub_c_syntax::ast::{self, AstExprKind as AstKind, Designator, InitEntry, InitKind};
use nub_text::Span;

/// A list that names more parts is refused: `[0 ... 1000000000] = 1`.
const MAX_ITEMS: usize = 1 << 20;

/// A step to a part, with constant indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum InitStep {
    Field(RecordId, u32),
    Index(u64),
}

/// What a part starts with.
#[derive(Clone, Debug)]
pub(super) enum InitValue {
    Expr(ast::ExprId),
    /// An element of a string.
    Unit(u32),
}

/// One part that is initialised.
#[derive(Clone, Debug)]
pub(super) struct InitItem {
    pub(super) path: Vec<InitStep>,
    pub(super) ty: TypeId,
    pub(super) value: InitValue,
    pub(super) span: Span,
}

/// A position in an aggregate.
struct Level {
    ty: TypeId,
    next: u64,
    /// Steps from the whole object to this aggregate.
    depth: usize,
}

/// The items of one object.
#[derive(Default)]
pub(super) struct Items {
    pub(super) items: Vec<InitItem>,
    /// For an array of unknown length: one more than the largest index.
    length: u64,
    path: Vec<InitStep>,
    /// For an object of static lifetime: a flexible member gets as many elements as are set (GNU).
    is_static: bool,
}

impl Lower<'_> {
    /// The parts of an object of type `ty` that `init` sets, and the type with its length.
    pub(super) fn init_items(&mut self, ty: TypeId, init: ast::InitId) -> Lowered<(Vec<InitItem>, TypeId)> {
        self.items_of(ty, init, Items::default())
    }

    /// The same for an object of static lifetime.
    pub(super) fn static_items(&mut self, ty: TypeId, init: ast::InitId) -> Lowered<(Vec<InitItem>, TypeId)> {
        self.items_of(ty, init, Items { is_static: true, ..Items::default() })
    }

    fn items_of(
        &mut self,
        ty: TypeId,
        init: ast::InitId,
        mut items: Items,
    ) -> Lowered<(Vec<InitItem>, TypeId)> {
        self.init_part(ty, init, &mut items)?;
        let ty = match *self.shared.program.types.get(ty) {
            Type::Array(element, None) => self.types().intern(Type::Array(element, Some(items.length))),
            _ => ty,
        };
        Ok((items.items, ty))
    }

    /// One part, at the current path.
    fn init_part(&mut self, ty: TypeId, init: ast::InitId, items: &mut Items) -> Lowered<()> {
        let unit = self.unit;
        let init = unit.init(init);
        let is_member = items.path.len() == 1 && matches!(items.path[0], InitStep::Field(..));
        let may_grow = items.path.is_empty() || items.is_static && is_member;
        if !may_grow && matches!(self.shared.program.types.get(ty), Type::Array(_, None)) {
            return Err(Refusal::unmodelled(
                init.span,
                "a flexible array member with an initial value is not supported",
            ));
        }
        match &init.kind {
            InitKind::Expr(id) => {
                if let Some(string) = self.string_for(ty, *id) {
                    return self.init_string(ty, string, init.span, items);
                }
                if self.is_array(ty) && !matches!(unit.expr(*id).kind, AstKind::CompoundLiteral(..)) {
                    return Err(Refusal::new(init.span, "an array must be initialised by a list in braces"));
                }
                self.push_item(items, ty, InitValue::Expr(*id), init.span)
            }
            InitKind::List(entries) => {
                if let [only] = entries.as_slice()
                    && only.designators.is_empty()
                    && let InitKind::Expr(id) = unit.init(only.init).kind
                    && let Some(string) = self.string_for(ty, id)
                {
                    return self.init_string(ty, string, init.span, items);
                }
                self.nested(init.span, |lower| lower.init_list(ty, entries, items))
            }
        }
    }

    fn push_item(&mut self, items: &mut Items, ty: TypeId, value: InitValue, span: Span) -> Lowered<()> {
        if items.items.len() >= MAX_ITEMS {
            return Err(Refusal::new(span, "this initialiser sets too many parts"));
        }
        items.items.push(InitItem { path: items.path.clone(), ty, value, span });
        Ok(())
    }

    /// The units of the string, if the expression is one and `ty` is an array for it.
    fn string_for(&mut self, ty: TypeId, id: ast::ExprId) -> Option<Vec<u32>> {
        let AstKind::String(string) = self.unit.expr(id).kind else { return None };
        let Type::Array(element, _) = *self.shared.program.types.get(ty) else { return None };
        self.int_kind(element)?;
        let (units, unit_type) = self.string_units(self.unit.string(string));
        let size_of = |ty| self.shared.program.types.size_of(ty);
        (size_of(element) == size_of(unit_type)).then_some(units)
    }

    /// Each element is an item. The final zero is left out if there is no room.
    fn init_string(&mut self, ty: TypeId, units: Vec<u32>, span: Span, items: &mut Items) -> Lowered<()> {
        let Type::Array(element, length) = *self.shared.program.types.get(ty) else { return Ok(()) };
        let length = length.unwrap_or(units.len() as u64);
        if items.path.is_empty() {
            items.length = length;
        }
        for (index, unit) in units.iter().enumerate().take(usize::try_from(length).unwrap_or(usize::MAX)) {
            items.path.push(InitStep::Index(index as u64));
            let pushed = self.push_item(items, element, InitValue::Unit(*unit), span);
            items.path.pop();
            pushed?;
        }
        Ok(())
    }

    /// A list in braces for an object of type `ty`, at the current path.
    fn init_list(&mut self, ty: TypeId, entries: &[InitEntry], items: &mut Items) -> Lowered<()> {
        let base = items.path.len();
        if self.part_count(ty).is_none() {
            // A scalar in braces.
            return match entries.first() {
                Some(entry) => self.init_part(ty, entry.init, items),
                None => Ok(()),
            };
        }
        let mut levels = vec![Level { ty, next: 0, depth: base }];
        for entry in entries {
            let result = self.init_entry(entry, base, &mut levels, items);
            items.path.truncate(base);
            result?;
        }
        Ok(())
    }

    fn init_entry(
        &mut self,
        entry: &InitEntry,
        base: usize,
        levels: &mut Vec<Level>,
        items: &mut Items,
    ) -> Lowered<()> {
        let mut last = None;
        if entry.designators.is_empty() {
            self.leave_full(levels);
        } else {
            levels.truncate(1);
            last = self.designate(&entry.designators, levels)?;
        }
        self.rebuild_path(base, levels, items)?;
        let span = self.unit.init(entry.init).span;
        if levels.last().is_none_or(|level| self.is_full(level)) {
            self.warn(span, "more initialisers than parts");
            return Ok(());
        }
        self.descend(entry.init, levels, items)?;
        let first = levels.last().map_or(0, |level| level.next);
        // A range repeats the last step.
        for next in first..=last.unwrap_or(first) {
            if let Some(level) = levels.last_mut() {
                level.next = next;
            }
            let Some((step, ty)) = levels.last().and_then(|level| self.part(level)) else { break };
            self.note_length(levels, items);
            items.path.push(step);
            let result = self.init_part(ty, entry.init, items);
            items.path.pop();
            result?;
        }
        self.advance(levels);
        Ok(())
    }

    /// The innermost level goes on to its next part. A union has none.
    fn advance(&self, levels: &mut [Level]) {
        if let Some(level) = levels.last_mut() {
            let types = &self.shared.program.types;
            let is_union =
                matches!(types.get(level.ty), Type::Record(record) if types.record(*record).is_union);
            level.next = if is_union { u64::MAX } else { level.next.saturating_add(1) };
        }
    }

    /// Leaves aggregates that have no part left.
    fn leave_full(&self, levels: &mut Vec<Level>) {
        while levels.len() > 1 && levels.last().is_some_and(|level| self.is_full(level)) {
            levels.pop();
            self.advance(levels);
        }
    }

    /// The path to the innermost level.
    fn rebuild_path(&self, base: usize, levels: &[Level], items: &mut Items) -> Lowered<()> {
        items.path.truncate(base);
        for level in &levels[..levels.len().saturating_sub(1)] {
            let Some((step, _)) = self.part(level) else { return Err(Refusal::silent()) };
            debug_assert_eq!(items.path.len(), level.depth);
            items.path.push(step);
        }
        Ok(())
    }

    /// Braces that are left out: goes down until the initialiser fits the part.
    fn descend(&mut self, init: ast::InitId, levels: &mut Vec<Level>, items: &mut Items) -> Lowered<()> {
        let InitKind::Expr(id) = self.unit.init(init).kind else { return Ok(()) };
        while let Some((step, ty)) = levels.last().and_then(|level| self.part(level)) {
            if self.part_count(ty).is_none() || self.string_for(ty, id).is_some() || self.is_whole(ty, id)? {
                return Ok(());
            }
            self.note_length(levels, items);
            items.path.push(step);
            levels.push(Level { ty, next: 0, depth: items.path.len() });
            if levels.last().is_none_or(|level| self.is_full(level)) {
                return Err(Refusal::new(self.unit.init(init).span, "this part cannot be initialised"));
            }
        }
        Ok(())
    }

    /// Does the expression have the type of the record, so that it sets all of it?
    fn is_whole(&mut self, ty: TypeId, id: ast::ExprId) -> Lowered<bool> {
        if !self.is_record(ty)
            || matches!(self.unit.expr(id).kind, AstKind::Int(_) | AstKind::Char(_) | AstKind::String(_))
        {
            return Ok(matches!(self.unit.expr(id).kind, AstKind::CompoundLiteral(..)) && self.is_array(ty));
        }
        let found = self.discard(|lower| lower.operand(id).map(|operand: Operand| operand.ty(lower)))?;
        Ok(found == ty)
    }

    /// Follows designators; levels are pushed for all but the last. Returns the end of a range.
    fn designate(&mut self, designators: &[Designator], levels: &mut Vec<Level>) -> Lowered<Option<u64>> {
        let mut last = None;
        for (at, designator) in designators.iter().enumerate() {
            if at > 0 {
                self.push_level(levels);
            }
            match designator {
                Designator::Member(member) => self.designate_member(*member, levels)?,
                Designator::Index(index) => {
                    let index = self.designator_index(*index, levels)?;
                    set_next(levels, index);
                }
                Designator::Range(low, high) => {
                    let low = self.designator_index(*low, levels)?;
                    last = Some(self.designator_index(*high, levels)?);
                    set_next(levels, low);
                }
            }
        }
        Ok(last)
    }

    fn push_level(&self, levels: &mut Vec<Level>) {
        if let Some((_, ty)) = levels.last().and_then(|level| self.part(level)) {
            let depth = levels.last().map_or(0, |level| level.depth + 1);
            levels.push(Level { ty, next: 0, depth });
        }
    }

    fn designate_member(&mut self, member: ast::Ident, levels: &mut Vec<Level>) -> Lowered<()> {
        let ty = levels.last().map(|level| level.ty);
        let record = ty.and_then(|ty| match self.shared.program.types.get(ty) {
            Type::Record(record) => Some(*record),
            _ => None,
        });
        let name = self.spelling(member.name).to_owned();
        let Some(path) = record.and_then(|record| self.find_member(record, &name)) else {
            return Err(Refusal::new(member.span, format!("there is no member `{name}` here")));
        };
        for (at, (_, field)) in path.iter().enumerate() {
            if at > 0 {
                self.push_level(levels);
            }
            set_next(levels, u64::from(*field));
        }
        Ok(())
    }

    fn designator_index(&mut self, index: ast::ExprId, levels: &[Level]) -> Lowered<u64> {
        let span = self.unit.expr(index).span;
        let Some(Type::Array(_, length)) =
            levels.last().map(|level| self.shared.program.types.get(level.ty).clone())
        else {
            return Err(Refusal::new(span, "this is not an array"));
        };
        let (number, _) = self.constant(index)?;
        let limit = length.unwrap_or(crate::layout::MAX_OBJECT);
        u64::try_from(number)
            .ok()
            .filter(|index| *index < limit)
            .ok_or_else(|| Refusal::new(span, "this index is outside of the array"))
    }

    /// The number of parts of an aggregate; `None` for a scalar.
    fn part_count(&self, ty: TypeId) -> Option<u64> {
        match self.shared.program.types.get(ty) {
            Type::Array(_, length) => Some(length.unwrap_or(u64::MAX)),
            Type::Record(record) => Some(self.shared.program.types.record(*record).fields.len() as u64),
            _ => None,
        }
    }

    fn is_full(&self, level: &Level) -> bool {
        self.part(level).is_none()
    }

    fn part(&self, level: &Level) -> Option<(InitStep, TypeId)> {
        match self.shared.program.types.get(level.ty) {
            Type::Array(element, length) => {
                (level.next < length.unwrap_or(u64::MAX)).then_some((InitStep::Index(level.next), *element))
            }
            Type::Record(id) => {
                let record = self.shared.program.types.record(*id);
                let field = record.fields.get(usize::try_from(level.next).ok()?)?;
                Some((InitStep::Field(*id, level.next as u32), field.ty))
            }
            _ => None,
        }
    }

    /// Keeps the length of an array of unknown length.
    fn note_length(&self, levels: &[Level], items: &mut Items) {
        if let Some(first) = levels.first()
            && first.depth == 0
        {
            items.length = items.length.max(first.next.saturating_add(1));
        }
    }
}

fn set_next(levels: &mut [Level], next: u64) {
    if let Some(level) = levels.last_mut() {
        level.next = next;
    }
}
