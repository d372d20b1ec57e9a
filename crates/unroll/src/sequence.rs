//! Calls of the function under test, one after the other: each call starts with the static and global variables that the previous one left.

use crate::access::Address;
use crate::cells::Cells;
use crate::machine::{Machine, State, Step};
use crate::single_run::AskedInput;
use crate::terms;
use crate::twin::TwinReads;
use crate::unrolled::{CallEnd, InputPart, InputPlace, InputVariable, ObjectId};
use nub_bitvec::{Op, TermId};
use nub_c_ir::IntKind;

/// Calls of the function under test, and the state that they leave.
#[derive(Debug, Default)]
pub(crate) struct CallSequence {
    /// The number of the current call, from 0.
    pub call: u32,
    /// How often the function is called, if that is not constant.
    pub n_calls: Option<TermId>,
    /// States after the last call.
    pub ended: Vec<State>,
    /// Parameters of each call.
    pub entries: Vec<Vec<ObjectId>>,
    /// Where the function puts its result.
    pub result_object: Option<ObjectId>,
    /// Memory after the last call.
    pub final_cells: Option<Cells>,
    /// What a variant of the function reads, if one runs.
    pub twin_reads: Option<TwinReads>,
}

impl Machine<'_> {
    /// A call of the function under test is done: another one follows if the input says so.
    pub(crate) fn end_call(&mut self, result: Option<Address>, state: Option<State>) -> Step<()> {
        let Some(state) = state else { return self.finish(result) };
        let returned = self.guard(state.path);
        let value = match result.as_ref().filter(|address| self.program.types.is_scalar(address.ty)) {
            Some(address) => Some(self.final_value(&state, address)?),
            None => None,
        };
        self.out.calls.push(CallEnd { returned, result: value });
        self.sequence.call += 1;
        if self.sequence.call >= self.config.calls {
            self.sequence.ended.push(state);
            return self.finish(result);
        }
        let goes_on = self.is_called_again();
        let is_last = self.pool.not(goes_on);
        if let Some(path) = self.extend(state.path, is_last) {
            self.sequence.ended.push(State { path, ..state.clone() });
        }
        match self.extend(state.path, goes_on) {
            Some(path) => self.begin_call(result, State { path, ..state }),
            None => self.finish(result),
        }
    }

    /// A value that is visible outside. If the function returns a number and an address was copied to where it is, the address becomes a number. If
    /// the function ends without returning a value, it may be any value.
    fn final_value(&mut self, state: &State, address: &Address) -> Step<TermId> {
        let term = self.load(&state.cells, address)?;
        let term = self.address_seen_as(term, address.ty);
        let is_written = self.is_initialised(&state.cells, address)?;
        if terms::known_truth(&self.pool, is_written) != Some(true) {
            let varies = self.pool.not(is_written);
            self.out.varying.push((term, varies));
        }
        Ok(term)
    }

    /// Whether the function is called again.
    fn is_called_again(&mut self) -> TermId {
        let wanted = match self.sequence.n_calls {
            Some(wanted) => wanted,
            None => {
                let width = u32::BITS - self.config.calls.leading_zeros();
                let result = self.program.functions[self.out.function.index()].result;
                // Not the type of the result: floats and letters are not chosen like numbers.
                let ty = self.program.types.find_int(IntKind::UInt).unwrap_or(result);
                let (guard, context) = (self.pool.truth(true), crate::ContextId(0));
                let (name, place, part) = ("calls".to_owned(), InputPlace::Calls, InputPart::Value);
                let term =
                    self.input_term(width, &AskedInput { name: &name, ty, place: &place, part: &part });
                self.enter_input(InputVariable { name, ty, term, place, part, guard, context }, None);
                self.sequence.n_calls = Some(term);
                term
            }
        };
        let width = self.pool.width(wanted);
        let done = terms::constant(&mut self.pool, width, u128::from(self.sequence.call));
        self.pool.mk(Op::Ult, &[done, wanted])
    }

    /// All calls are done.
    fn finish(&mut self, result: Option<Address>) -> Step<()> {
        self.settle_arguments();
        let ended = std::mem::take(&mut self.sequence.ended);
        let Some(state) = self.meet_all(ended)? else { return Ok(()) };
        self.out.returned = self.guard(state.path);
        if let Some(address) = result.filter(|address| self.program.types.is_scalar(address.ty)) {
            self.out.result = Some(self.final_value(&state, &address)?);
        }
        for (id, cell) in state.cells.all() {
            // Nobody looks at what may have been freed.
            let object = self.memory.object_of(id);
            let is_given = self.out.objects[object.index()].is_allocated;
            let is_alive = self.is_alive(&state.cells, object);
            if !is_given || terms::known_truth(&self.pool, is_alive) == Some(true) {
                self.output(id, cell);
            }
        }
        self.sequence.final_cells = Some(state.cells);
        Ok(())
    }
}
