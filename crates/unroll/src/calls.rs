//! Calls, inlined: frames are pushed and popped.

use crate::access::{Address, Spot};
use crate::cells::Cells;
use crate::config::{Limit, UnrollRefusal};
use crate::machine::{Frame, Machine, PendingCall, Running, State, Step};
use crate::objects::{Content, NewObject};
use crate::paths::Paths;
use crate::places::*;
use crate::pointer::{Case, Offset, Pointee};
use crate::scalars::{Scalar, Value};
use crate::terms;
use crate::unrolled::*;
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{
    Body, Callee, CheckKind, ExprId, FunctionId, Instr, InstrKind, LocalId, SourceOrigin, Type, TypeId,
};
use rustc_hash::FxHashMap;

/// At most this many scalars of a parameter become inputs whether or not they are read.
const MAX_EAGER_INPUTS: u64 = 256;

impl Machine<'_> {
    /// The function under test begins.
    pub(crate) fn start(&mut self) -> Step<()> {
        let id = self.out.function;
        let Some(function) = self.program.functions.get(id.index()) else {
            return Err(UnrollRefusal::unsupported(self.current.span, "there is no such function"));
        };
        self.current.span = function.span;
        self.begin_open_world();
        let result = match self.program.types.get(function.result) {
            Type::Void => None,
            _ => Some(self.result_object(function.result)?),
        };
        let state = State { path: Paths::START, cells: Cells::default(), is_dead: false };
        self.begin_call(result, state)
    }

    /// The next call of the function under test begins.
    pub(crate) fn begin_call(&mut self, result: Option<Address>, mut state: State) -> Step<()> {
        let id = self.out.function;
        let context = self.new_context(None, ContextKind::Entry(id));
        self.push_frame(id, context, result, &mut state)?;
        self.share_parameters(self.program.functions[id.index()].n_params)?;
        for index in 0..self.program.functions[id.index()].n_params {
            self.eager_inputs(index)?;
        }
        self.leave_arguments_open(&mut state)?;
        self.frame_mut().waiting[0].push(state);
        Ok(())
    }

    /// A list of variable arguments that tests cannot make, such as a member of a structure: a run that reads one of them ends.
    pub(crate) fn unknown_arguments(&mut self) -> TermId {
        self.pool.var(Sort::Bits(self.memory.pointers.width()))
    }

    /// Arguments beyond the parameters.
    fn leave_arguments_open(&mut self, state: &mut State) -> Step<()> {
        let function = &self.program.functions[self.out.function.index()];
        let Some(local) = function.variable_arguments else { return Ok(()) };
        let (object, ty) = (self.frame().locals[local.index()], function.locals[local.index()].ty);
        let list = self.argument_list()?;
        let value = Value::Scalar(self.known_scalar(list));
        let address = self.whole(object, ty);
        self.store_value(&mut state.cells, &address, &value)
    }

    /// Where the function under test puts its result.
    fn result_object(&mut self, ty: TypeId) -> Step<Address> {
        let layout = self.memory.layouts.of(&self.program.types, ty);
        let kind = ObjectKind::Local {
            function: self.out.function,
            local: LocalId(u32::MAX),
            context: ContextId(0),
        };
        let info = Object {
            name: "return".to_owned(),
            ty: Some(ty),
            size: layout.size,
            kind,
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = Content::Undefined;
        let object = self.new_object(NewObject { info, layout: Some(layout), is_mortal: false, content })?;
        self.sequence.result_object = Some(object);
        Ok(self.whole(object, ty))
    }

    /// An object as an address.
    fn whole(&mut self, object: ObjectId, ty: TypeId) -> Address {
        let condition = self.pool.truth(true);
        let spot = Spot { condition, object, offset: Offset::default() };
        Address { spots: vec![spot], register: None, bits: None, ty, hint: ty }
    }

    /// Parameters are inputs in their order, read or not.
    fn eager_inputs(&mut self, index: usize) -> Step<()> {
        let object = self.frame().locals[index];
        let Some(layout) = self.memory.objects[object.index()].layout.clone() else { return Ok(()) };
        for number in 0..layout.n_cells.min(MAX_EAGER_INPUTS) {
            if let Some(at) = layout.cell_number(number) {
                self.default_cell(object, at)?;
            }
        }
        Ok(())
    }

    /// A new activation, with its locals.
    fn push_frame(
        &mut self,
        id: FunctionId,
        context: ContextId,
        result: Option<Address>,
        state: &mut State,
    ) -> Step<()> {
        let program = self.program;
        let function = &program.functions[id.index()];
        match &function.body {
            Body::Defined if !function.blocks.is_empty() => {}
            Body::Refused(found) if !found.is_empty() => {
                return Err(UnrollRefusal::Unsupported(found.clone()));
            }
            _ => {
                let message = format!("`{}` is called, but its body is missing", function.name);
                return Err(UnrollRefusal::unsupported(self.current.span, message));
            }
        }
        if self.frames.len() >= self.config.limits.max_call_depth {
            return Err(self.limit(Limit::CallDepth(self.config.limits.max_call_depth)));
        }
        let start = self.memory.next_cell;
        let is_entry = self.frames.is_empty();
        let mut locals = Vec::with_capacity(function.locals.len());
        for number in 0..function.locals.len() {
            locals.push(self.new_local(id, number, context, is_entry, state)?);
        }
        let plan = self.plan(id);
        self.frames.push(Frame {
            function: id,
            plan,
            context,
            locals,
            cells: (start, self.memory.next_cell),
            waiting: vec![Vec::new(); function.blocks.len()],
            at: 0,
            rounds: Vec::new(),
            running: None,
            returned: Vec::new(),
            result,
            call: None,
            evaluations: FxHashMap::default(),
        });
        Ok(())
    }

    fn new_local(
        &mut self,
        function: FunctionId,
        number: usize,
        context: ContextId,
        is_entry: bool,
        state: &mut State,
    ) -> Step<ObjectId> {
        let owner = &self.program.functions[function.index()];
        let local = &owner.locals[number];
        let layout = self.memory.layouts.of(&self.program.types, local.ty);
        let kind = ObjectKind::Local { function, local: LocalId(number as u32), context };
        let info = Object {
            name: local.name.clone(),
            ty: Some(local.ty),
            size: layout.size,
            kind,
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = if is_entry && number < owner.n_params {
            let place = InputPlace::Parameter { call: self.sequence.call, index: number, path: Vec::new() };
            let mut name =
                if local.name.is_empty() { format!("parameter {}", number + 1) } else { local.name.clone() };
            if self.sequence.call > 0 {
                name = format!("{name} #{}", self.sequence.call + 1);
            }
            Content::Input { place, name, depth: 0 }
        } else {
            Content::Undefined
        };
        let is_mortal = local.address_taken;
        let object = self.new_object(NewObject { info, layout: Some(layout), is_mortal, content })?;
        if let Some(live) = self.memory.objects[object.index()].live {
            let alive = self.alive();
            state.cells.set(live, alive);
        }
        Ok(object)
    }

    /// A call begins; what runs now continues when it has returned.
    pub(crate) fn call(&mut self, instr: &Instr, running: Running) -> Step<()> {
        let InstrKind::Call { callee, args, result } = &instr.kind else { return Ok(()) };
        let cells = &running.state.cells;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(cells, *arg)?);
        }
        let result = match result {
            Some(place) => Some(self.eval_place(cells, place)?),
            None => None,
        };
        let mut came_back = Vec::new();
        let mut others = match callee {
            Callee::Direct(function) => {
                let (own, other) = self.or_replaced(*function, &running.state, result.as_ref())?;
                came_back.extend(other);
                own.into_iter().map(|state| (*function, state)).collect()
            }
            Callee::Pointer(pointer) => {
                let term = self.eval(&running.state.cells, *pointer)?;
                let cases = self.memory.pointers.resolve(&mut self.pool, term);
                came_back.extend(self.unknown_call(&cases, &running.state, result.as_ref())?);
                self.candidates(&cases, &running.state, instr)?
            }
        };
        others.reverse();
        if self.frames.len() == 1 {
            self.work.begin_call(&self.config.limits, self.pool.len());
        }
        let call = PendingCall { args: values, result, origin: instr.origin, others, came_back };
        self.frame_mut().running = Some(running);
        self.frame_mut().call = Some(call);
        self.next_candidate()
    }

    /// The functions that a pointer may point to, each with the state in which it does.
    fn candidates(&mut self, cases: &[Case], state: &State, call: &Instr) -> Step<Vec<(FunctionId, State)>> {
        let origin = call.origin;
        let n_args = if let InstrKind::Call { args, .. } = &call.kind { args.len() } else { 0 };
        let mut found = Vec::new();
        let mut any = self.pool.truth(false);
        for case in cases.iter() {
            match case.pointee {
                // A call with too few arguments is undefined: the compiled program would read something else in their place.
                Pointee::Function(function) if !self.program.takes(function, n_args) => {}
                Pointee::Function(function) => {
                    any = terms::or(&mut self.pool, any, case.condition);
                    if let Some(path) = self.extend(state.path, case.condition) {
                        found.push((function, State { path, ..state.clone() }));
                    }
                }
                Pointee::Unmodelled => any = terms::or(&mut self.pool, any, case.condition),
                Pointee::Unknown if self.is_open() => any = terms::or(&mut self.pool, any, case.condition),
                Pointee::Null | Pointee::Nowhere | Pointee::Computed => {}
                Pointee::Object(object) if !self.is_unwritten(object) => {}
                Pointee::Object(_) | Pointee::Unknown => {
                    any = terms::or(&mut self.pool, any, case.condition);
                    if let Some(path) = self.extend(state.path, case.condition) {
                        let (guard, context) = (self.guard(path), self.context());
                        self.out.over.push(Over {
                            bounded: Bounded::Callee,
                            bound: 0,
                            guard,
                            origin,
                            context,
                        });
                    }
                }
            }
        }
        self.check(state, CheckKind::Pointer, any, origin);
        Ok(found)
    }

    /// Starts the next function that the call may refer to, or continues after the call.
    fn next_candidate(&mut self) -> Step<()> {
        let Some(call) = self.frame_mut().call.as_mut() else { return Ok(()) };
        if let Some((function, mut state)) = call.others.pop() {
            let (args, result, origin) = (call.args.clone(), call.result.clone(), call.origin);
            return self.enter(function, args, result, origin, &mut state);
        }
        let Some(call) = self.frame_mut().call.take() else { return Ok(()) };
        let state = self.meet_all(call.came_back)?;
        let running = self.frame_mut().running.take();
        self.frame_mut().running = running.zip(state).map(|(running, state)| Running { state, ..running });
        Ok(())
    }

    fn enter(
        &mut self,
        id: FunctionId,
        args: Vec<Value>,
        result: Option<Address>,
        origin: SourceOrigin,
        state: &mut State,
    ) -> Step<()> {
        let bound = self.config.recursion;
        let parent = self.context();
        let n_active = self.frames.iter().filter(|frame| frame.function == id).count();
        if n_active >= bound.max(1) as usize {
            let guard = self.guard(state.path);
            let bounded = Bounded::Recursion(id);
            self.out.over.push(Over { bounded, bound, guard, origin, context: parent });
            return self.next_candidate();
        }
        if !matches!(self.program.functions[id.index()].body, Body::Defined) {
            let (guard, bounded) = (self.guard(state.path), Bounded::Unmodelled);
            self.out.over.push(Over { bounded, bound: 0, guard, origin, context: parent });
            return self.next_candidate();
        }
        let context = self.new_context(Some(parent), ContextKind::Call { function: id, origin });
        self.push_frame(id, context, result, state)?;
        let function = &self.program.functions[id.index()];
        for (index, value) in args.iter().enumerate().take(function.n_params) {
            self.pass(index, function.locals[index].ty, value, origin, state)?;
        }
        if let Some(local) = function.variable_arguments {
            let null = terms::constant(&mut self.pool, self.memory.pointers.width(), 0);
            let none = Value::Scalar(self.known_scalar(null));
            let value = args.get(function.n_params).unwrap_or(&none);
            self.pass(local.index(), function.locals[local.index()].ty, value, origin, state)?;
        }
        let state = state.clone();
        self.frame_mut().waiting[0].push(state);
        Ok(())
    }

    fn pass(
        &mut self,
        index: usize,
        ty: TypeId,
        value: &Value,
        origin: SourceOrigin,
        state: &mut State,
    ) -> Step<()> {
        let object = self.frame().locals[index];
        let address = self.whole(object, ty);
        let value = self.named_scalar(value);
        self.store_value(&mut state.cells, &address, &value)?;
        if let Value::Scalar(Scalar { term, .. }) = value {
            let (guard, context) = (self.guard(state.path), self.context());
            let (what, target) = (What::Argument, AssignmentTarget::Part { object, offset: 0 });
            let origin = Some(origin);
            self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
        }
        Ok(())
    }

    /// `return`.
    pub(crate) fn return_value(
        &mut self,
        value: Option<ExprId>,
        state: State,
        origin: SourceOrigin,
    ) -> Step<()> {
        let mut state = state;
        if let Some(value) = value {
            let ty = self.function().exprs[value.index()].ty;
            let value = self.value(&state.cells, value)?;
            let value = self.named_scalar(&value);
            if let Value::Scalar(Scalar { term, .. }) = value {
                let (guard, context) = (self.guard(state.path), self.context());
                let (what, target, origin) = (What::Return, AssignmentTarget::Nothing, Some(origin));
                self.out.assignments.push(SsaAssignment { what, target, ty, term, guard, origin, context });
            }
            if let Some(address) = self.frame().result.clone() {
                self.store_value(&mut state.cells, &address, &value)?;
            }
        }
        self.end_locals(&mut state);
        self.frame_mut().returned.push(state);
        Ok(())
    }

    /// Locals end: their cells are cleared, and pointers to them dangle.
    fn end_locals(&mut self, state: &mut State) {
        let (start, end) = self.frame().cells;
        state.cells.clear(start, end);
        let dead = self.dead();
        let frame = self.frames.last();
        let mortal = frame
            .iter()
            .flat_map(|frame| &frame.locals)
            .filter_map(|local| self.memory.objects[local.index()].live);
        mortal.for_each(|live| state.cells.set(live, dead));
    }

    /// All blocks are done.
    pub(crate) fn leave_frame(&mut self) -> Step<()> {
        let returned = std::mem::take(&mut self.frame_mut().returned);
        let state = self.meet_all(returned)?;
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if self.frames.is_empty() {
            return self.end_call(frame.result, state);
        }
        if let Some(call) = self.frame_mut().call.as_mut() {
            call.came_back.extend(state);
        }
        self.next_candidate()
    }

    /// The final content of a cell, if it is visible outside.
    pub(crate) fn output(&mut self, id: crate::cells::CellId, cell: crate::cells::Cell) -> Option<TermId> {
        let object = self.memory.object_of(id);
        let at = self.memory.cell_at(object, id)?;
        let ty = at.kind.scalar_type()?;
        let info = &self.out.objects[object.index()];
        let steps = crate::names::steps_in(&self.program.types, &info.kind, info.ty, at.start);
        let place = match &info.kind {
            ObjectKind::Global(global) => InputPlace::Global { global: *global, path: steps },
            ObjectKind::Pointee(place) => crate::inputs::extended(place, &steps),
            _ => return None,
        };
        let name = self.part_name(object, at.start);
        let term = self.value_at_type(cell.value, ty);
        let term = self.bits_seen_as(term, ty);
        let term = self.address_seen_as(term, ty);
        let is_written = self.pool.mk(nub_bitvec::Op::Redand, &[cell.written]);
        let is_passed = self.is_passed(&place);
        let exists = terms::and(&mut self.pool, is_written, is_passed);
        self.out.outputs.push(OutputValue { name, ty, place, term, exists });
        Some(term)
    }
}
