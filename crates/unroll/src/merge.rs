//! Where paths merge: phis.

use crate::cells::{Cell, CellId, Difference};
use crate::config::Uninitialised;
use crate::machine::{Machine, State, Step};
use crate::places::ObjectKind;
use crate::terms;
use crate::unrolled::{AssignmentTarget, ObjectId, SsaAssignment, What};
use nub_bitvec::{Op, TermId};
use std::collections::BTreeSet;

impl Machine<'_> {
    /// Merges all states into one; `None` if there is none. Paths with more in common are merged first, so that the two sides of each branch are
    /// merged with each other. States come in the order of execution, where such paths are neighbours.
    pub(crate) fn meet_all(&mut self, states: Vec<State>) -> Step<Option<State>> {
        let n_states = states.len();
        let mut changed = BTreeSet::new();
        let mut stack: Vec<State> = Vec::new();
        for state in states {
            while let [.., before, last] = stack.as_slice() {
                let inner = self.paths.common_depth(before.path, last.path);
                if inner < self.paths.common_depth(last.path, state.path) {
                    break;
                }
                self.meet_last(&mut stack, &mut changed)?;
            }
            stack.push(state);
        }
        while stack.len() > 1 {
            self.meet_last(&mut stack, &mut changed)?;
        }
        let mut state = stack.pop();
        if let Some(state) = state.as_mut().filter(|_| n_states > 1) {
            self.record_phis(state, &changed);
        }
        Ok(state)
    }

    fn meet_last(&mut self, stack: &mut Vec<State>, changed: &mut BTreeSet<CellId>) -> Step<()> {
        let (Some(second), Some(first)) = (stack.pop(), stack.pop()) else { return Ok(()) };
        let meeting = self.paths.meet(&mut self.pool, first.path, second.path);
        // The literal is false only if neither path is possible; then either path will do.
        let path = match self.extend_by(meeting.common, meeting.literal, meeting.fact) {
            Some(path) => path,
            // With variables, code that no run reaches is counted too.
            None => self.forced(meeting.common, meeting.literal, meeting.fact).unwrap_or(first.path),
        };
        let mut merged = State { path, ..first.clone() };
        for difference in first.cells.differences(&second.cells) {
            let (cell, is_phi) = self.merged_cell(meeting.first, &difference)?;
            merged.cells.set(difference.0, cell);
            if is_phi {
                changed.insert(difference.0);
            }
        }
        stack.push(merged);
        Ok(())
    }

    /// The merged content of a cell, and whether that is a new value.
    fn merged_cell(&mut self, first: TermId, difference: &Difference) -> Step<(Cell, bool)> {
        let (id, a, b) = *difference;
        let object = self.memory.object_of(id);
        if self.memory.objects[object.index()].live == Some(id) {
            let is_given = matches!(self.out.objects[object.index()].kind, ObjectKind::Pointee(_));
            let [a, b] = [a, b].map(|side| side.or_else(|| is_given.then(|| self.alive())));
            return Ok((self.merged_life(first, a, b), false));
        }
        let (a, b) = (self.or_default(object, id, a)?, self.or_default(object, id, b)?);
        let written = self.pool.mk(Op::Ite, &[first, a.written, b.written]);
        // A side without a value takes that of the other: it is never read in a defined run. This does not hold if uninitialised values are inputs, nor
        // in the open world, which has all runs.
        let is_unwritten = |machine: &Self, cell: Cell| terms::known(&machine.pool, cell.written) == Some(0);
        let has_no_value = is_unwritten(self, a) || is_unwritten(self, b);
        if has_no_value && self.config.uninitialised == Uninitialised::Zero && !self.is_open() {
            let value = if is_unwritten(self, a) { b.value } else { a.value };
            return Ok((Cell { value, written }, false));
        }
        let value = self.choose(first, a.value, b.value);
        Ok((Cell { value, written }, !has_no_value && a.value != b.value))
    }

    /// Whether an object is alive. If it has no entry on a side, it does not exist there, and no pointer on that side points to it. Objects of the
    /// caller exist from the start, and have an entry here.
    fn merged_life(&mut self, first: TermId, a: Option<Cell>, b: Option<Cell>) -> Cell {
        match (a, b) {
            (Some(a), Some(b)) => {
                let value = self.pool.mk(Op::Ite, &[first, a.value, b.value]);
                Cell { value, written: a.written }
            }
            (Some(cell), None) | (None, Some(cell)) => cell,
            (None, None) => self.alive(),
        }
    }

    fn or_default(&mut self, object: ObjectId, id: CellId, cell: Option<Cell>) -> Step<Cell> {
        match cell {
            Some(cell) => Ok(cell),
            None => self.default_of(object, id),
        }
    }

    /// `if condition { a } else { b }`, also for addresses.
    pub(crate) fn choose(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        let term = self.pool.mk(Op::Ite, &[condition, a, b]);
        self.memory.pointers.chosen(&mut self.pool, term, condition, a, b);
        term
    }

    fn record_phis(&mut self, state: &mut State, changed: &BTreeSet<CellId>) {
        let guard = self.guard(state.path);
        let context = self.context();
        for &id in changed {
            let object = self.memory.object_of(id);
            let (Some(cell), Some(at)) = (state.cells.get(id), self.memory.cell_at(object, id)) else {
                continue;
            };
            let Some(ty) = at.kind.scalar_type() else { continue };
            let target = AssignmentTarget::Part { object, offset: at.start };
            let term = self.value_at_type(cell.value, ty);
            let name = self.named(term);
            if name != term {
                let bits = self.pool.width(cell.value);
                let value = self.as_bytes(name, ty, bits);
                state.cells.set(id, Cell { value, ..cell });
            }
            let term = name;
            let assignment =
                SsaAssignment { what: What::Phi, target, ty, term, guard, origin: None, context };
            self.out.assignments.push(assignment);
        }
    }
}
