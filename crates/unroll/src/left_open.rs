//! What C, the library and other threads leave open ([`OpenChoice`]).
//!
//! Models of library functions do what one library does: letters are those of the "C" locale, `strcmp` returns a difference. The tests have the same
//! functions, or run where the same holds, so a test may rely on it. A claim that nothing reaches a goal may not: it is about every library. So
//! models name each such choice. It is zero in the closed world; in the open world it is any number, and a run with another one than zero departs.
//!
//! A choice without a number is about memory: other threads may have written all that they can name or point to, wherever the program synchronises
//! with them. Elsewhere that would be a data race, which is undefined (C17 5.1.2.4 paragraph 25).

use crate::cells::Cell;
use crate::machine::{Machine, State, Step};
use crate::places::ObjectKind;
use crate::scalars::Scalar;
use crate::terms;
use crate::unrolled::{Assumption, ObjectId};
use nub_bitvec::{Op, Sort};
use nub_c_ir::analysis::writes_only_locals;
use nub_c_ir::{FunctionId, OpenChoice, Place};

impl Machine<'_> {
    /// Writes the number that is left open to its place, or lets others write memory.
    pub(crate) fn leave_open(
        &mut self,
        state: &mut State,
        choice: &OpenChoice,
        place: Option<&Place>,
    ) -> Step<()> {
        self.out.leaves_open = true;
        let Some(place) = place else {
            if self.is_open() && self.may_write(choice) {
                let happens = self.pool.var(Sort::BIT);
                self.depart_on(state.path, Assumption::LeftOpen(choice.clone()), happens);
                let path = self.guard(state.path);
                let is_written = terms::and(&mut self.pool, path, happens);
                self.go_wild(is_written);
            }
            return Ok(());
        };
        let width = self.width(place.ty);
        let term = if self.is_open() {
            let any = self.pool.var(Sort::Bits(width));
            let is_other = self.pool.mk(Op::Redor, &[any]);
            self.depart_on(state.path, Assumption::LeftOpen(choice.clone()), is_other);
            any
        } else {
            terms::constant(&mut self.pool, width, 0)
        };
        let address = self.eval_place(&state.cells, place)?;
        let is_known = self.pool.truth(true);
        self.store(&mut state.cells, &address, Scalar { term, is_known, is_open: false })
    }

    /// Whether more of it could change memory. More comparisons of elements do if a function that compares has side effects.
    fn may_write(&self, choice: &OpenChoice) -> bool {
        let program = self.program;
        let compares = |id: &FunctionId| {
            let function = program.function(*id);
            let takes_two = matches!(function.params(), [a, b] if [a, b].iter().all(|param| program.types.pointee(param.ty).is_some()));
            function.address_taken && !function.is_model && takes_two
        };
        let mut ids = (0..).map(FunctionId).take(program.functions.len());
        !matches!(choice, OpenChoice::Equals(_))
            || ids.any(|id| compares(&id) && !writes_only_locals(program, id))
    }

    /// What is in an object, if it may be `errno`: functions of the library may have set it, but never to zero.
    pub(crate) fn errno_after_calls(&mut self, object: ObjectId, cell: Cell) -> Cell {
        let ObjectKind::Global(id) = self.out.objects[object.index()].kind else { return cell };
        if !self.program.is_errno(id) || !self.memory.open.calls_library(self.program, self.out.function) {
            return cell;
        }
        self.out.leaves_open = true;
        let Some(path) = self.current.path.filter(|_| self.is_open()) else { return cell };
        let any = self.pool.var(self.pool.sort(cell.value));
        let is_set = self.pool.mk(Op::Redor, &[any]);
        self.depart_on(path, Assumption::LeftOpen(OpenChoice::Errno), is_set);
        Cell { value: self.choose(is_set, any, cell.value), ..cell }
    }
}
