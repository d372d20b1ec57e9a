//! The machine: instructions and terminators. Calls are in `calls`.

use super::calls::{Frame, Handed};
use super::memory::{Byte, Lifetime, Memory, ObjectId};
use super::places::Location;
use super::pointer::Pointer;
use super::trace::{InterpretedRun, RunOutcome, Site, TraceEvent, TracedStubCall};
use super::{InterpreterLimits, Recording, RunInputs, RuntimeValue};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::types::Type;

/// Why a run stops in the middle of an instruction.
pub(super) enum Stop {
    /// Undefined behaviour at the current place.
    Undefined(CheckKind),
    /// Anything else.
    With(RunOutcome),
}

pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) inputs: &'p RunInputs,
    pub(super) limits: &'p InterpreterLimits,
    pub(super) memory: Memory,
    pub(super) globals: Vec<ObjectId>,
    pub(super) strings: Vec<ObjectId>,
    pub(super) frames: Vec<Frame>,
    pub(super) n_frames: u32,
    pub(super) trace: Vec<TraceEvent>,
    n_steps: u64,
    n_inputs: usize,
    pub(super) n_lifetimes: usize,
    /// Arguments of all calls of the function under test so far.
    pub(super) handed: Vec<Handed>,
    /// Those of the inputs.
    pub(super) start_objects: Vec<ObjectId>,
    /// Calls of it that were begun.
    pub(super) n_calls: usize,
    /// What each of them returned.
    pub(super) results: Vec<Option<RuntimeValue>>,
    stub_calls: Vec<TracedStubCall>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(
        program: &'p Program,
        inputs: &'p RunInputs,
        limits: &'p InterpreterLimits,
    ) -> Machine<'p> {
        Machine {
            program,
            inputs,
            limits,
            memory: Memory::new(&program.model, program.functions.len()),
            globals: Vec::new(),
            strings: Vec::new(),
            frames: Vec::new(),
            n_frames: 0,
            trace: Vec::new(),
            n_steps: 0,
            n_inputs: 0,
            n_lifetimes: 0,
            handed: Vec::new(),
            start_objects: Vec::new(),
            n_calls: 0,
            results: Vec::new(),
            stub_calls: Vec::new(),
        }
    }

    /// The frame that runs. There is one whenever an expression is evaluated.
    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("the machine stops when the last frame returns")
    }

    pub(super) fn run(mut self, function: FunctionId) -> InterpretedRun {
        let outcome = match self.begin(function) {
            Ok(()) => self.steps(function),
            Err(stop) => self.outcome(stop, function),
        };
        self.tell_readers();
        let globals = self.globals.iter().map(|object| self.export_object(*object)).collect();
        let behind = self.start_objects.iter().map(|object| self.export_object(*object));
        let pointees = self.handed.iter().map(|handed| self.pointee(handed)).chain(behind).collect();
        let Machine { trace, n_steps, n_inputs, results, stub_calls, .. } = self;
        let returned = results.last().cloned().flatten();
        InterpretedRun { outcome, returned, results, trace, globals, pointees, n_steps, n_inputs, stub_calls }
    }

    fn outcome(&self, stop: Stop, start: FunctionId) -> RunOutcome {
        match stop {
            Stop::With(outcome) => outcome,
            Stop::Undefined(kind) => {
                let function = self.frames.last().map_or(start, |frame| frame.function);
                RunOutcome::Undefined(kind, Site { function, origin: self.here(function) })
            }
        }
    }

    /// The origin of what is executed now.
    fn here(&self, function: FunctionId) -> SourceOrigin {
        let body = self.program.function(function);
        let block = self
            .frames
            .last()
            .and_then(|frame| body.blocks.get(frame.block.index()).map(|block| (frame, block)));
        match block {
            Some((frame, block)) => match block.instrs.get(frame.next.saturating_sub(1)) {
                Some(instr) if frame.next > 0 && frame.next <= block.instrs.len() => instr.origin,
                _ => block.terminator.origin,
            },
            None => SourceOrigin { span: body.span, position: body.position, statement: StatementId(0) },
        }
    }

    fn steps(&mut self, start: FunctionId) -> RunOutcome {
        while !self.frames.is_empty() {
            self.n_steps += 1;
            if self.n_steps > self.limits.steps {
                return RunOutcome::StepLimit;
            }
            if self.memory.n_bytes() > self.limits.bytes {
                return RunOutcome::MemoryLimit;
            }
            let done = self.step().and_then(|()| {
                if self.frames.is_empty() && self.n_calls < self.inputs.n_calls {
                    self.begin_call(start)
                } else {
                    Ok(())
                }
            });
            if let Err(stop) = done {
                return self.outcome(stop, start);
            }
        }
        RunOutcome::Returned
    }

    fn step(&mut self) -> Result<(), Stop> {
        let program = self.program;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let block = program.function(frame.function).block(frame.block);
        frame.next += 1;
        match block.instrs.get(frame.next - 1) {
            Some(instr) => self.instr(instr),
            None => self.terminator(&block.terminator),
        }
    }

    pub(super) fn record(&mut self, least: Recording, event: impl FnOnce(u32) -> TraceEvent) {
        let is_wanted = match self.limits.recording {
            Recording::Nothing => false,
            Recording::Control => least == Recording::Control,
            Recording::Comparisons => matches!(least, Recording::Control | Recording::Comparisons),
            Recording::Everything => true,
        };
        if let (true, Some(frame)) = (is_wanted, self.frames.last()) {
            let event = event(frame.number);
            self.trace.push(event);
        }
    }

    pub(super) fn is_ignored(&self, kind: CheckKind) -> bool {
        self.limits.ignored.contains(&kind)
    }

    fn site(&self, origin: SourceOrigin) -> Site {
        Site { function: self.frame().function, origin }
    }

    fn instr(&mut self, instr: &'p Instr) -> Result<(), Stop> {
        let statement = instr.origin.statement;
        match &instr.kind {
            InstrKind::Begin => {
                self.record(Recording::Control, |frame| TraceEvent::Statement { frame, statement });
                Ok(())
            }
            InstrKind::Store { place, value } => self.assign(place, *value, statement),
            InstrKind::Zero { place } => {
                let location = self.location(place)?;
                self.zero(&location)
            }
            InstrKind::LifetimeBegin { local } => self.lifetime(*local),
            InstrKind::LifetimeEnd { local } => {
                self.end_life(*local);
                Ok(())
            }
            InstrKind::Call { callee, args, result } => self.call(*callee, args, result.as_ref()),
            InstrKind::Input { place, .. } => self.input(place, statement),
            InstrKind::LeftOpen { place, .. } => match place {
                Some(place) => {
                    let location = self.location(place)?;
                    self.zero(&location)
                }
                None => Ok(()),
            },
            InstrKind::Assume { condition } => match self.int(&self.eval(*condition)?)? {
                0 => Err(Stop::With(RunOutcome::AssumptionFailed(self.site(instr.origin)))),
                _ => Ok(()),
            },
            InstrKind::Assert { condition, text, .. } => {
                self.tell_asserted(*condition)?;
                match self.int(&self.eval(*condition)?)? {
                    0 => Err(Stop::With(RunOutcome::AssertionFailed(self.site(instr.origin), text.clone()))),
                    _ => Ok(()),
                }
            }
            InstrKind::Check { kind, condition } => {
                if self.is_ignored(*kind) || self.int(&self.eval(*condition)?)? != 0 {
                    return Ok(());
                }
                Err(Stop::Undefined(*kind))
            }
            InstrKind::Allocate { .. } => self.allocate(&instr.kind),
            InstrKind::Free { pointer } => self.free(*pointer),
            InstrKind::Observe { callee, parts } => {
                let parts = parts.iter().map(|part| self.observed(part)).collect::<Result<_, Stop>>()?;
                self.stub_calls.push(TracedStubCall { callee: *callee, parts });
                Ok(())
            }
        }
    }

    /// The scalar that a stub observes, if it can be read.
    fn observed(&self, part: &ObservedPart) -> Result<Option<RuntimeValue>, Stop> {
        if let Some((valid, written)) = part.exists
            && (self.int(&self.eval(valid)?)? == 0 || self.int(&self.eval(written)?)? == 0)
        {
            return Ok(None);
        }
        Ok(Some(self.eval(part.value)?))
    }

    pub(super) fn location(&self, place: &Place) -> Result<Location, Stop> {
        let operands = self.place_operands(place)?;
        self.locate(place, &operands)
    }

    fn assign(&mut self, place: &Place, value: ExprId, statement: StatementId) -> Result<(), Stop> {
        let location = self.location(place)?;
        let is_record = matches!(self.program.types.get(place.ty), Type::Record(_));
        let function = self.program.function(self.frame().function);
        if let (true, ExprKind::Load(from)) = (is_record, &function.expr(value).kind) {
            let from = self.location(from)?;
            self.copy(&from, &location)?;
        } else {
            let value = self.eval(value)?;
            if self.is_register(&location) {
                // There is no object: what is written is not kept.
                let target = self.target(place, &location);
                self.record(Recording::Everything, |frame| TraceEvent::Assign {
                    frame,
                    statement,
                    target,
                    value,
                });
                return Ok(());
            }
            self.store(&location, &value)?;
        }
        let target = self.target(place, &location);
        let value = self.load(&location)?;
        self.record(Recording::Everything, |frame| TraceEvent::Assign { frame, statement, target, value });
        Ok(())
    }

    fn lifetime(&mut self, local: LocalId) -> Result<(), Stop> {
        let object = self.frame().locals[local.index()];
        let size = self.memory.size(object);
        let initial = self.inputs.lifetimes.get(self.n_lifetimes);
        self.n_lifetimes += 1;
        let Some(bytes) = self.memory.slice_mut(Pointer::Object(object, 0), size) else { return Ok(()) };
        bytes.fill(Byte::Unknown);
        for (byte, new) in bytes.iter_mut().zip(initial.into_iter().flatten()) {
            *byte = Byte::Bits(*new);
        }
        Ok(())
    }

    /// Ends the run if `size` more bytes exceed its limit, before they are allocated: a variable may be larger than the memory of this machine.
    pub(super) fn check_room(&self, size: u64) -> Result<(), Stop> {
        if size > self.limits.bytes.saturating_sub(self.memory.n_bytes()) {
            Err(Stop::With(RunOutcome::MemoryLimit))
        } else {
            Ok(())
        }
    }

    /// The variable gets a new object: a pointer to the old one dangles, also if the block is entered again.
    fn end_life(&mut self, local: LocalId) {
        let Some(frame) = self.frames.last_mut() else { return };
        let object = frame.locals[local.index()];
        let size = self.memory.size(object);
        self.memory.end(object);
        frame.locals[local.index()] = self.memory.add(size, Lifetime::Named);
    }

    fn input(&mut self, place: &Place, statement: StatementId) -> Result<(), Stop> {
        let location = self.location(place)?;
        let bits = self.inputs.values.get(self.n_inputs).copied().unwrap_or(0);
        self.n_inputs += 1;
        let width = location.bits.map_or(self.program.types.value_width(place.ty), |range| range.width);
        let value = ints::truncate(bits, width);
        self.store(&location, &RuntimeValue::Int(value))?;
        let target = self.target(place, &location);
        self.record(Recording::Everything, |frame| TraceEvent::Input { frame, statement, target, value });
        Ok(())
    }

    fn go(&mut self, block: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = block;
            frame.next = 0;
        }
        self.record(Recording::Control, |frame| TraceEvent::Block { frame, block });
    }

    fn terminator(&mut self, terminator: &'p Terminator) -> Result<(), Stop> {
        match &terminator.kind {
            TerminatorKind::Goto(target) => self.go(*target),
            TerminatorKind::Branch { condition, then_block, else_block, test, .. } => {
                let is_true = self.int(&self.eval(*condition)?)? != 0;
                let (block, test) = (self.frame().block, *test);
                self.record_comparison(*condition, test)?;
                self.record(Recording::Control, |frame| TraceEvent::Branch { frame, block, test, is_true });
                self.go(if is_true { *then_block } else { *else_block });
            }
            TerminatorKind::Switch { value, cases, default, decision } => {
                self.switch(*value, cases, *default, *decision)?
            }
            TerminatorKind::Return(value) => return self.leave(*value),
            TerminatorKind::Stop(kind) => return Err(Stop::With(RunOutcome::Stopped(*kind))),
            TerminatorKind::Unreachable => return Err(Stop::Undefined(CheckKind::Unreachable)),
            TerminatorKind::Cut => return Err(Stop::With(RunOutcome::Cut)),
        }
        Ok(())
    }

    /// The operands of a comparison. They are evaluated once more: expressions have no effects.
    fn record_comparison(&mut self, condition: ExprId, test: Option<ConditionTest>) -> Result<(), Stop> {
        let is_wanted = matches!(self.limits.recording, Recording::Comparisons | Recording::Everything);
        let Some(test) = test.filter(|_| is_wanted) else { return Ok(()) };
        let Some(operator) = self.program.comparison(test) else { return Ok(()) };
        let function = self.program.function(self.frame().function);
        let Some(operands) = function.compared(condition, operator) else { return Ok(()) };
        let [left, right] = operands.map(|operand| self.eval(operand));
        let (left, right) = (self.int(&left?)?, self.int(&right?)?);
        self.record(Recording::Comparisons, |frame| TraceEvent::Comparison { frame, test, left, right });
        Ok(())
    }

    fn switch(
        &mut self,
        id: ExprId,
        cases: &[SwitchCase],
        default: BlockId,
        decision: DecisionId,
    ) -> Result<(), Stop> {
        let value = self.int(&self.eval(id)?)?;
        let ty = self.program.function(self.frame().function).expr(id).ty;
        let format = self.program.types.int_format(ty);
        let at_most =
            if format.is_some_and(|format| format.is_signed) { CompareOp::SLe } else { CompareOp::ULe };
        let width = format.map_or(128, |format| format.width);
        let fits = |case: &SwitchCase| {
            ints::compare(at_most, case.low, value, width) && ints::compare(at_most, value, case.high, width)
        };
        let (outcome, target) = match cases.iter().position(fits) {
            Some(at) => (crate::ir::DecisionOutcome::Case(at as u32), cases[at].target),
            None => (crate::ir::DecisionOutcome::Default, default),
        };
        self.record(Recording::Control, |frame| TraceEvent::Switch { frame, decision, outcome });
        self.go(target);
        Ok(())
    }

    /// What an argument points to.
    fn pointee(&self, handed: &Handed) -> Vec<Option<u32>> {
        match handed {
            Handed::Scalar(RuntimeValue::Pointer(Pointer::Object(object, _))) => self.export_object(*object),
            _ => Vec::new(),
        }
    }

    fn export_object(&self, object: ObjectId) -> Vec<Option<u32>> {
        let bytes =
            self.memory.slice(Pointer::Object(object, 0), self.memory.size(object)).unwrap_or_default();
        bytes.iter().map(shown_byte).collect()
    }
}

pub(super) fn shown_byte(byte: &Byte) -> Option<u32> {
    match byte {
        Byte::Bits(bits) => Some(*bits),
        Byte::Unknown | Byte::Part(..) => None,
    }
}
