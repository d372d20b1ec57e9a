//! Instructions other than calls.

use crate::cells::Cells;
use crate::config::{Beyond, Uninitialised};
use crate::layout::CellKind;
use crate::machine::{Machine, State, Step};
use crate::scalars::{Scalar, Value};
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::TermId;
use nub_c_ir::{
    AssertKind, ExprId, ExprKind, Instr, InstrKind, LocalKind, Place, PlaceBase, SourceOrigin, StopKind,
    TypeId,
};

impl Machine<'_> {
    pub(crate) fn instruction(&mut self, instr: &Instr, state: &mut State) -> Step<()> {
        self.execute(instr, state)?;
        self.cut_past_memory(state, instr.origin);
        Ok(())
    }

    fn execute(&mut self, instr: &Instr, state: &mut State) -> Step<()> {
        let origin = instr.origin;
        match &instr.kind {
            InstrKind::Store { place, value } => self.assign(state, place, *value, origin),
            InstrKind::Zero { place } => {
                let address = self.eval_place(&state.cells, place)?;
                self.zero(&mut state.cells, &address)
            }
            InstrKind::Begin => {
                let guard = self.guard(state.path);
                let context = self.context();
                self.out.statements.push(Executed { statement: origin.statement, guard, context });
                Ok(())
            }
            InstrKind::LifetimeBegin { local } => {
                let object = self.local(*local);
                self.begin_life(object, &mut state.cells);
                Ok(())
            }
            InstrKind::LifetimeEnd { local } => {
                let object = self.local(*local);
                self.set_life(object, false, &mut state.cells);
                Ok(())
            }
            // Calls are not executed here.
            InstrKind::Call { .. } => Ok(()),
            InstrKind::Input { place, source } => {
                let source = source.clone();
                self.read_input(state, place, source, origin)
            }
            InstrKind::LeftOpen { choice, place } => self.leave_open(state, choice, place.as_ref()),
            InstrKind::Assume { condition } => self.assume(state, *condition, origin),
            InstrKind::Assert { condition, text, kind } => {
                let property = self.property(state, *condition, *kind, text.clone(), origin)?;
                self.note_equality(*condition);
                self.assertion(property, state);
                Ok(())
            }
            InstrKind::Check { kind, condition } => {
                let is_open = self.config.pointers.beyond == Beyond::Unknown;
                self.current.outside = is_open.then(Vec::new);
                let value = self.eval(&state.cells, *condition);
                let outside = self.current.outside.take().unwrap_or_default();
                let condition = value.map(|value| self.is_true(value))?;
                self.note_outside(state, &outside);
                self.cut_past_memory(state, origin);
                self.check(state, *kind, condition, origin);
                Ok(())
            }
            InstrKind::Allocate { .. } => self.allocate(state, &instr.kind, origin),
            InstrKind::Observe { callee, parts } => self.observe(state, *callee, parts),
            InstrKind::Free { pointer } => {
                let pointer = self.eval(&state.cells, *pointer)?;
                self.check_free(state, pointer, origin);
                let always = self.pool.truth(true);
                self.free(&mut state.cells, pointer, always);
                Ok(())
            }
        }
    }

    fn set_life(&mut self, object: ObjectId, is_alive: bool, cells: &mut Cells) {
        if let Some(live) = self.memory.objects[object.index()].live {
            let life = if is_alive { self.alive() } else { self.dead() };
            cells.set(live, life);
        }
    }

    /// A local begins to live: its cells are cleared, and its uninitialised content differs from that of last time.
    fn begin_life(&mut self, object: ObjectId, cells: &mut Cells) {
        let stored = &self.memory.objects[object.index()];
        let n_cells = stored.layout.as_ref().map_or(0, |layout| layout.n_cells);
        let first = stored.first_cell;
        let end = first.saturating_add(u32::try_from(n_cells).unwrap_or(u32::MAX));
        cells.clear(first, end);
        if self.config.uninitialised == Uninitialised::Input || self.is_open() {
            self.memory.defaults.retain(|id, _| !(first..end).contains(id));
        }
        self.set_life(object, true, cells);
    }

    fn property<K>(
        &mut self,
        state: &State,
        condition: ExprId,
        kind: K,
        text: String,
        origin: SourceOrigin,
    ) -> Step<Property<K>> {
        let value = self.eval(&state.cells, condition)?;
        let condition = self.is_true(value);
        let condition = self.settled(condition);
        let (guard, context, order) = (self.guard(state.path), self.context(), self.next_order());
        let after = self.out.assignments.len();
        Ok(Property { kind, text, guard, condition, origin, context, order, after })
    }

    /// Only runs in which the condition holds continue. If it depends on whether memory at a numeric address can be used, it is unknown: such a run
    /// is cut, and the others continue.
    fn assume(&mut self, state: &mut State, condition: ExprId, origin: SourceOrigin) -> Step<()> {
        let mut property = self.property(state, condition, (), String::new(), origin)?;
        let n_before = self.current.past_memory.len();
        self.current.past_memory.retain(|(bounded, _)| *bounded != Bounded::Address);
        if self.current.past_memory.len() < n_before {
            self.current.memo.clear();
            self.current.is_observing = true;
            let without = self.property(state, condition, (), String::new(), origin);
            self.current.is_observing = false;
            self.current.memo.clear();
            let without = without?;
            let fails = self.pool.not(without.condition);
            let is_open = terms::and(&mut self.pool, property.condition, fails);
            self.current.past_memory.push((Bounded::Address, is_open));
            property = without;
        }
        self.cut_past_memory(state, origin);
        if state.is_dead {
            return Ok(());
        }
        property.guard = self.guard(state.path);
        let condition = property.condition;
        self.out.assumes.push(property);
        self.restrict(state, condition);
        Ok(())
    }

    /// After a failed assertion the program continues only if the assertion is of that kind.
    fn assertion(&mut self, property: Property<AssertKind>, state: &mut State) {
        let (kind, condition, guard) = (property.kind, property.condition, property.guard);
        let (origin, context) = (property.origin, property.context);
        self.out.asserts.push(property);
        let goes_on = kind == AssertKind::Cprover && !self.config.cprover_assert_stops;
        if goes_on || terms::known_truth(&self.pool, condition) == Some(true) {
            return;
        }
        let opposite = self.pool.not(condition);
        let guard = terms::and(&mut self.pool, guard, opposite);
        self.out.stops.push(ProgramStop { kind: StopKind::AssertFailed, guard, origin, context });
        self.restrict(state, condition);
    }

    /// Only runs in which the condition holds continue.
    pub(crate) fn restrict(&mut self, state: &mut State, condition: TermId) {
        match self.extend(state.path, condition) {
            Some(path) => state.path = path,
            None => state.is_dead = true,
        }
    }

    /// The value of an expression of any type.
    pub(crate) fn value(&mut self, cells: &Cells, id: ExprId) -> Step<Value> {
        let expr = &self.function().exprs[id.index()];
        match &expr.kind {
            ExprKind::Load(place) if !self.program.types.is_scalar(place.ty) => {
                let address = self.eval_place(cells, place)?;
                self.load_object(cells, &address)
            }
            ExprKind::Load(place) => {
                let address = self.eval_place(cells, place)?;
                let term = self.load(cells, &address)?;
                let is_known = self.is_initialised(cells, &address)?;
                Ok(Value::Scalar(Scalar { term, is_known, is_open: false }))
            }
            _ => {
                self.current.reads_open = false;
                let term = self.eval(cells, id)?;
                let is_open = self.current.reads_open;
                Ok(Value::Scalar(Scalar { is_open, ..self.known_scalar(term) }))
            }
        }
    }

    fn assign(&mut self, state: &mut State, place: &Place, value: ExprId, origin: SourceOrigin) -> Step<()> {
        let value = self.value(&state.cells, value)?;
        let address = self.eval_place(&state.cells, place)?;
        self.check_writable(state, &address, origin);
        self.note_register_write(state, place, &address)?;
        let value = self.named_value(&value, &address);
        self.store_value(&mut state.cells, &address, &value)?;
        let what = self.what(place);
        let guard = self.guard(state.path);
        let context = self.context();
        let target = self.target(&address);
        match value {
            Value::Scalar(Scalar { term, .. }) => {
                let ty = place.ty;
                let origin = Some(origin);
                self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
            }
            Value::Object(pieces) => {
                for piece in pieces {
                    self.record_piece(piece, target, (what, guard, context), origin);
                }
            }
        }
        Ok(())
    }

    /// A scalar of a structure that was copied.
    fn record_piece(
        &mut self,
        piece: crate::scalars::Piece,
        whole: AssignmentTarget,
        (what, guard, context): (What, TermId, ContextId),
        origin: SourceOrigin,
    ) {
        let AssignmentTarget::Part { object, offset } = whole else { return };
        let target = AssignmentTarget::Part { object, offset: offset + piece.offset };
        let Some(ty) = self.piece_type(whole, piece.offset) else { return };
        let term = self.value_at_type(piece.cell.value, ty);
        let origin = Some(origin);
        self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
    }

    /// The type of the scalar at an offset in what is stored to, if it is known to be one.
    pub(crate) fn piece_type(&self, whole: AssignmentTarget, bytes: u64) -> Option<TypeId> {
        let AssignmentTarget::Part { object, offset } = whole else { return None };
        let layout = self.memory.objects[object.index()].layout.clone();
        let kind = layout.and_then(|layout| layout.cell_at(offset + bytes)).map(|at| at.kind);
        kind.and_then(CellKind::scalar_type)
    }

    /// Whether a store is an assignment of the source.
    fn what(&self, place: &Place) -> What {
        match place.base {
            PlaceBase::Local(local) if self.function().locals[local.index()].kind == LocalKind::Temporary => {
                What::Temporary
            }
            _ => What::Store,
        }
    }

    pub(crate) fn record(
        &mut self,
        state: &State,
        what: What,
        address: &crate::access::Address,
        ty: TypeId,
        term: TermId,
        origin: SourceOrigin,
    ) {
        let (guard, context, target) = (self.guard(state.path), self.context(), self.target(address));
        let origin = Some(origin);
        self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
    }

    fn read_input(
        &mut self,
        state: &mut State,
        place: &Place,
        source: nub_c_ir::InputSource,
        origin: SourceOrigin,
    ) -> Step<()> {
        let address = self.eval_place(&state.cells, place)?;
        self.check_writable(state, &address, origin);
        let term = self.new_read(state, source, &address, origin);
        let term = self.named(term);
        let value = self.known_scalar(term);
        self.store(&mut state.cells, &address, value)?;
        let what = self.what(place);
        self.record(state, what, &address, place.ty, term, origin);
        Ok(())
    }
}
