//! Functions and objects that are declared `weak`, and functions that are `inline` in this file alone.
//!
//! One that this file only declares may be missing when the program is linked: its address is null then. One that it defines may be replaced by the
//! definition of another file. A call of one that is defined `inline` may use the external definition of another file instead (C17 6.7.4 paragraph 7).
//! Tests do none of these, since all tests of a function are one program; so a claim that rests on it names the symbol.

use crate::access::Address;
use crate::machine::{Machine, State, Step};
use crate::pointer::{Case, Offset, Pointee};
use crate::terms;
use crate::unrolled::Assumption;
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{FunctionId, GlobalId};

impl Machine<'_> {
    /// The address of a function, or null if it may be missing.
    pub(crate) fn function_or_null(&mut self, id: FunctionId, address: TermId) -> TermId {
        let function = self.program.function(id);
        if self.program.may_be_missing(id) {
            self.or_null(Assumption::Linked(function.name.clone()), address)
        } else {
            address
        }
    }

    /// The address of an object, or null if it may be missing.
    pub(crate) fn object_or_null(&mut self, id: GlobalId, address: TermId) -> TermId {
        let global = &self.program.globals[id.index()];
        if global.is_weak && global.is_extern {
            self.or_null(Assumption::Linked(global.name.clone()), address)
        } else {
            address
        }
    }

    fn or_null(&mut self, from: Assumption, address: TermId) -> TermId {
        let Some(is_missing) = self.weak_bit(from) else { return address };
        let null = terms::constant(&mut self.pool, self.memory.pointers.width(), 0);
        self.choose(is_missing, null, address)
    }

    /// In the open world, one bit: the assumption about a weak symbol does not hold.
    fn weak_bit(&mut self, from: Assumption) -> Option<TermId> {
        self.out.leaves_open = true;
        if !self.is_open() {
            return None;
        }
        if let Some((_, bit)) = self.memory.open.weak.iter().find(|(known, _)| *known == from) {
            return Some(*bit);
        }
        let bit = self.pool.var(Sort::BIT);
        self.depart(from.clone(), bit);
        self.memory.open.weak.push((from, bit));
        Some(bit)
    }

    /// A call by name: the states in which the function is called, and in which another one was that replaces it.
    pub(crate) fn or_replaced(
        &mut self,
        id: FunctionId,
        state: &State,
        result: Option<&Address>,
    ) -> Step<(Option<State>, Option<State>)> {
        let function = self.program.function(id);
        let assumption = match function.is_weak && !self.program.may_be_missing(id) {
            true => Assumption::NotReplaced(function.name.clone()),
            false if self.program.may_use_another(id) => Assumption::UsesDefinition(function.name.clone()),
            false => return Ok((Some(state.clone()), None)),
        };
        let Some(is_replaced) = self.weak_bit(assumption) else {
            return Ok((Some(state.clone()), None));
        };
        let unknown =
            Case { condition: is_replaced, pointee: Pointee::Unmodelled, offset: Offset::default() };
        let other = self.unknown_call(&[unknown], state, result)?;
        let is_own = self.pool.not(is_replaced);
        let own = self.extend(state.path, is_own).map(|path| State { path, ..state.clone() });
        Ok((own, other))
    }
}
