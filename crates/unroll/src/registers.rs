//! Registers that pointers lead to: volatile objects at addresses that the program makes from numbers.
//!
//! `UART_Type *port = bases[i]; port->data = x;`: which of the pointers of a run are numbers is known only in the run. A register has no object. What is
//! read from it is an input, like every volatile read, and what is written to it is not kept.
//!
//! Any other memory at such an address is not modelled. In the closed world no run uses it; in the open world a claim says so
//! ([`Assumption::NoMemoryAtNumbers`]).

use crate::access::Address;
use crate::machine::{Machine, State, Step};
use crate::pointer::{Case, Pointee};
use crate::terms;
use crate::unrolled::{Assumption, Unrolled};
use nub_bitvec::{Assignment, Datum, Sort, TermId, Value, evaluate};
use nub_c_ir::{Place, PlaceBase};

/// A write to a place that is a register in some runs.
#[derive(Clone, Copy, Debug)]
pub struct RegisterWrite {
    /// Whether it is executed, and the place is a register.
    pub guard: TermId,
    /// The address of the register.
    pub address: TermId,
}

impl Unrolled {
    /// The addresses of the registers that the run with these inputs writes through pointers, each once.
    pub fn registers_written(&self, inputs: &[Value]) -> Vec<u64> {
        if self.register_writes.is_empty() {
            return Vec::new();
        }
        let mut assignment = Assignment::new();
        for (input, value) in self.inputs.iter().zip(inputs) {
            assignment.set(input.term, Datum::Bits(value.clone()));
        }
        let terms: Vec<TermId> =
            self.register_writes.iter().flat_map(|write| [write.guard, write.address]).collect();
        let values = evaluate(&self.pool, &assignment, &terms);
        let written = values.chunks_exact(2).filter(|pair| pair[0].is_true());
        let mut found: Vec<u64> = written.filter_map(|pair| pair[1].bits().to_u64()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Machine<'_> {
    /// The condition under which a place is a register: a volatile number behind a pointer that is a number. `None` if it never is.
    pub(crate) fn register_at(&mut self, place: &Place) -> Option<TermId> {
        let PlaceBase::Pointer(pointer) = place.base else { return None };
        if !self.is_volatile_number(place) {
            return None;
        }
        let cases = self.memory.pointers.resolve(&mut self.pool, self.current.memo[&pointer]);
        let numbers = cases.iter().filter(|case| is_number(case));
        numbers.map(|case| case.condition).reduce(|any, other| terms::or(&mut self.pool, any, other))
    }

    /// Whether the place is a register if its pointer is a number.
    pub(crate) fn is_volatile_number(&self, place: &Place) -> bool {
        let types = &self.program.types;
        types.number_format(place.ty).is_some() && types.is_volatile(place.ty)
    }

    /// The condition under which a pointer is this case and there is memory at its address, which is not that of an object. `None` in the closed world,
    /// where there is none.
    pub(crate) fn memory_at_number(&mut self, case: &Case) -> Option<TermId> {
        self.out.leaves_open |= !self.current.is_observing;
        let path = self.current.path.filter(|_| self.is_open() && !self.current.is_observing)?;
        let bit = match self.memory.open.at_numbers {
            Some(bit) => bit,
            None => {
                let bit = self.pool.var(Sort::BIT);
                self.memory.open.at_numbers = Some(bit);
                bit
            }
        };
        let is_used = terms::and(&mut self.pool, case.condition, bit);
        self.depart_on(path, Assumption::NoMemoryAtNumbers, is_used);
        Some(is_used)
    }

    /// Records a store for the runs in which it goes to a register. In the open world the number may also be the address of an object.
    pub(crate) fn note_register_write(&mut self, state: &State, place: &Place, target: &Address) -> Step<()> {
        let Some(is_register) = target.register else { return Ok(()) };
        self.out.leaves_open = true;
        let path = self.guard(state.path);
        let guard = terms::and(&mut self.pool, path, is_register);
        if self.is_open() {
            let is_object = self.pool.var(Sort::BIT);
            let both = terms::and(&mut self.pool, guard, is_object);
            self.depart(Assumption::Addresses, both);
            self.go_wild(both);
            return Ok(());
        }
        let address = self.pointer_to(&without_bit_field(place, target))?;
        let address = self.pointer_as_int(address);
        self.out.register_writes.push(RegisterWrite { guard, address });
        Ok(())
    }
}

/// The place itself, or for a bit-field what it is a part of: a bit-field has no address.
fn without_bit_field(place: &Place, target: &Address) -> Place {
    let mut place = place.clone();
    if target.bits.is_some() {
        place.steps.pop();
    }
    place
}

/// Whether the pointer is a number in this case: it points to no object that is known, and to no function.
pub(crate) fn is_number(case: &Case) -> bool {
    matches!(case.pointee, Pointee::Nowhere | Pointee::Unknown)
}
