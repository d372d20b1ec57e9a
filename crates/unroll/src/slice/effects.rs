//! What expressions read and instructions write.
//!
//! Numbers: first what functions share, the globals whose address nobody takes and then all other memory as one; then the locals of the
//! function at hand.

use super::set::Set;
use crate::exprs::{children, place_operands};
use nub_c_ir::{ExprId, ExprKind, Function, GlobalId, LocalId, Place, PlaceBase, Program};

/// The numbering of what can be read and written.
pub(super) struct Places<'a> {
    program: &'a Program,
    n_globals: usize,
}

/// Where a write goes.
pub(super) struct Write {
    pub(super) place: usize,
    /// All of it is set.
    pub(super) is_whole: bool,
}

impl<'a> Places<'a> {
    pub(super) fn new(program: &'a Program) -> Places<'a> {
        Places { program, n_globals: program.globals.len() }
    }

    /// What functions share.
    pub(super) fn n_shared(&self) -> usize {
        self.n_globals + 1
    }

    /// All of a function.
    pub(super) fn n_places(&self, function: &Function) -> usize {
        self.n_shared() + function.locals.len()
    }

    /// Memory that pointers may point to.
    pub(super) fn memory(&self) -> usize {
        self.n_globals
    }

    pub(super) fn local(&self, function: &Function, local: LocalId) -> usize {
        let is_taken = function.locals.get(local.index()).is_none_or(|local| local.address_taken);
        if is_taken { self.memory() } else { self.n_shared() + local.index() }
    }

    fn global(&self, global: GlobalId) -> usize {
        let is_taken = self.program.globals.get(global.index()).is_none_or(|global| global.address_taken);
        if is_taken { self.memory() } else { global.index() }
    }

    fn base(&self, function: &Function, place: &Place) -> usize {
        match place.base {
            PlaceBase::Local(local) => self.local(function, local),
            PlaceBase::Global(global) => self.global(global),
            PlaceBase::String(_) | PlaceBase::Pointer(_) => self.memory(),
        }
    }

    pub(super) fn write(&self, function: &Function, place: &Place) -> Write {
        let base = self.base(function, place);
        Write { place: base, is_whole: place.steps.is_empty() && base != self.memory() }
    }

    /// Adds what an expression reads.
    pub(super) fn read(&self, function: &Function, root: ExprId, into: &mut Set) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let kind = &function.expr(id).kind;
            match kind {
                ExprKind::Load(place) | ExprKind::Initialised(place) => {
                    into.insert(self.base(function, place))
                }
                // Whether an object lives is part of memory.
                ExprKind::ValidPointer { .. } => into.insert(self.memory()),
                _ => {}
            }
            children(kind, |child| todo.push(child));
        }
    }

    /// Adds what the indices and the pointer of a place read.
    pub(super) fn read_operands(&self, function: &Function, place: &Place, into: &mut Set) {
        place_operands(place).into_iter().for_each(|operand| self.read(function, operand, into));
    }
}
