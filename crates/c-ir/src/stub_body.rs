//! Bodies for functions that have none.
//!
//! A stub records what it is called with, which is part of what a test expects. Then it may write through its pointer parameters, and it
//! returns any value; one that is declared never to return ends the program instead. What is written and returned are inputs:
//!
//! ```text
//! int read(int fd, char *buf);     n = input; assume n <= 8 and, unless it is 0, that buf has n bytes;
//!                                  buf[0 .. n] = inputs; return input;
//! ```

use crate::ids::*;
use crate::ir::*;
use crate::stub_plan::{PartStep, ScalarPart, StubMemory, StubParam, StubResult};
use crate::types::{IntKind, Type};
use nub_text::Span;

/// The body of one function under construction.
pub(crate) struct Body<'p> {
    pub program: &'p mut Program,
    pub function: Function,
    pub id: FunctionId,
    pub origin: SourceOrigin,
    instrs: Vec<Instr>,
}

impl Program {
    /// Gives a body to a function without one. False if its result cannot be generated; nothing is changed then.
    pub(crate) fn add_stub_body(&mut self, id: FunctionId) -> bool {
        // For `void *`, and for the numbers of elements.
        self.types.int(IntKind::UChar);
        let function = self.function(id).clone();
        let Some(result) = self.stub_result(function.returned()) else { return false };
        let params = self.stub_params(&function);
        let (span, position) = (function.span, function.position);
        let statement = StatementId::next(self.statements.len());
        self.statements.push(Statement { function: id, kind: StatementKind::Implicit, span, position });
        let origin = SourceOrigin { span, position, statement };
        let mut body = Body { program: self, function, id, origin, instrs: Vec::new() };
        body.make(&params, &result);
        let function = body.function;
        self.functions[id.index()] = function;
        true
    }
}

impl Body<'_> {
    fn make(&mut self, params: &[StubParam], result: &StubResult) {
        self.function.is_model = true;
        self.function.body = crate::ir::Body::Defined;
        self.function.n_params = params.len();
        let places: Vec<Place> =
            params.iter().map(|param| self.function.temporary(param.ty, self.origin)).collect();
        for (local, param) in self.function.locals.iter_mut().zip(params) {
            local.kind = LocalKind::Parameter;
            local.name.clone_from(&param.name);
        }
        self.observe(params, &places);
        if self.function.is_noreturn {
            return self.end_block(TerminatorKind::Stop(StopKind::Exit));
        }
        for (param, place) in params.iter().zip(&places) {
            if let Some(memory) = &param.written {
                self.write(&param.name, memory, place);
            }
        }
        let value = self.result(result);
        self.end_block(TerminatorKind::Return(value));
    }

    pub(crate) fn emit(&mut self, kind: InstrKind) {
        self.instrs.push(Instr { kind, origin: self.origin });
    }

    pub(crate) fn end_block(&mut self, kind: TerminatorKind) {
        let instrs = std::mem::take(&mut self.instrs);
        let terminator = Terminator { kind, origin: self.origin };
        self.function.blocks.push(BasicBlock { instrs, terminator });
    }

    pub(crate) fn add(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        let id = ExprId::next(self.function.exprs.len());
        self.function.exprs.push(Expr { kind, ty, span: self.origin.span });
        id
    }

    pub(crate) fn int(&mut self) -> TypeId {
        self.program.types.int(IntKind::Int)
    }

    /// A signed number as wide as a pointer.
    pub(crate) fn index(&mut self, number: u64) -> ExprId {
        let bits = self.program.model.pointer_bits;
        let kinds = [IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let fits = |kind: &IntKind| self.program.types.format_of(*kind).width == bits;
        let kind = kinds.into_iter().find(fits).unwrap_or(IntKind::LongLong);
        let ty = self.program.types.int(kind);
        self.add(ExprKind::Int(u128::from(number)), ty)
    }

    /// The part of an element of the memory that a parameter points to.
    fn element_part(&mut self, pointer: &Place, memory: &StubMemory, index: u64, part: &ScalarPart) -> Place {
        let element = self.element(pointer, memory.element, index);
        self.part(PlaceBase::Pointer(element), part)
    }

    /// A pointer to an element.
    pub(crate) fn element(&mut self, pointer: &Place, element: TypeId, index: u64) -> ExprId {
        let loaded = self.function.load(pointer.clone(), self.origin);
        let ty = self.program.types.pointer_to(element);
        let cast = self.add(ExprKind::PointerCast(loaded), ty);
        if index == 0 {
            return cast;
        }
        let scale = self.program.types.size_of(element).unwrap_or(1);
        let index = self.index(index);
        self.add(ExprKind::PointerAdd { pointer: cast, index, scale }, ty)
    }

    fn part(&mut self, base: PlaceBase, part: &ScalarPart) -> Place {
        let steps = self.steps(&part.steps);
        Place { base, steps, ty: part.ty }
    }

    pub(crate) fn steps(&mut self, steps: &[PartStep]) -> Vec<PlaceStep> {
        let step = |step: &PartStep| match *step {
            PartStep::Field(record, field) => PlaceStep::Field(record, field),
            PartStep::Index(index) => PlaceStep::Index(self.index(index)),
        };
        steps.iter().map(step).collect()
    }

    /// Records the call: integers, whether pointers are null, and what is behind them.
    fn observe(&mut self, params: &[StubParam], places: &[Place]) {
        let mut parts = Vec::new();
        for (param, place) in params.iter().zip(places) {
            for part in &param.parts {
                let place = self.part(place.base, part);
                let value = self.function.load(place, self.origin);
                parts.push(ObservedPart { value, exists: None });
            }
            if matches!(self.program.types.get(param.ty), Type::Pointer(_)) {
                let value = self.function.load(place.clone(), self.origin);
                let exists = self.is_somewhere(value, param.ty).map(|condition| (condition, condition));
                parts.push(ObservedPart { value, exists });
            }
            let Some(memory) = &param.seen else { continue };
            let int = self.int();
            for index in 0..memory.count {
                for part in &memory.parts {
                    let pointer = self.element(place, memory.element, index);
                    let valid = self.add(
                        ExprKind::ValidPointer { pointer, size: part.end, target: AccessTarget::Object },
                        int,
                    );
                    let place = self.element_part(place, memory, index, part);
                    let written = self.add(ExprKind::Initialised(place.clone()), int);
                    let value = self.function.load(place, self.origin);
                    parts.push(ObservedPart { value, exists: Some((valid, written)) });
                }
            }
        }
        let callee = self.id;
        self.emit(InstrKind::Observe { callee, parts });
    }

    /// Whether a pointer can be compared: it is null, or points into its object. If a caller passes `p - 1`, nobody knows what that points to. `None`
    /// for pointers to functions, which can always be compared.
    fn is_somewhere(&mut self, pointer: ExprId, ty: TypeId) -> Option<ExprId> {
        let types = &self.program.types;
        types.pointee(ty).filter(|target| !matches!(types.get(*target), Type::Function(_)))?;
        let int = self.int();
        let valid = self.add(ExprKind::ValidPointer { pointer, size: 0, target: AccessTarget::Object }, int);
        let null = self.add(ExprKind::Null, ty);
        let is_null = self.add(ExprKind::PointerCompare(CompareOp::Eq, pointer, null), int);
        Some(self.add(ExprKind::Binary(BinaryOp::Or, valid, is_null), int))
    }

    /// Some elements get values, as many as an input says. Runs in which there is no room for them are ignored.
    fn write(&mut self, name: &str, memory: &StubMemory, pointer: &Place) {
        let (int, byte) = (self.int(), self.program.types.int(IntKind::UChar));
        let count = self.function.temporary(byte, self.origin);
        let source = InputSource::Writes(self.function.name.clone(), name.to_owned());
        self.emit(InstrKind::Input { place: count.clone(), source });
        let size = self.program.types.size_of(memory.element).unwrap_or(1);
        for number in 1..=memory.count {
            let loaded = self.function.load(count.clone(), self.origin);
            let needed = self.add(ExprKind::Int(u128::from(number)), byte);
            let is_less = self.add(ExprKind::Compare(CompareOp::ULt, loaded, needed), int);
            let pointer = self.element(pointer, memory.element, 0);
            let valid = self.add(
                ExprKind::ValidPointer { pointer, size: number * size, target: AccessTarget::Object },
                int,
            );
            let condition = self.add(ExprKind::Binary(BinaryOp::Or, is_less, valid), int);
            self.emit(InstrKind::Assume { condition });
        }
        let loaded = self.function.load(count.clone(), self.origin);
        let most = self.add(ExprKind::Int(u128::from(memory.count)), byte);
        let condition = self.add(ExprKind::Compare(CompareOp::ULe, loaded, most), int);
        self.emit(InstrKind::Assume { condition });
        let first = self.function.blocks.len();
        let end = BlockId::next(first + memory.count as usize + 1);
        for number in 0..memory.count {
            let loaded = self.function.load(count.clone(), self.origin);
            let number_of = self.add(ExprKind::Int(u128::from(number)), byte);
            let condition = self.add(ExprKind::Compare(CompareOp::ULt, number_of, loaded), int);
            let then_block = BlockId::next(self.function.blocks.len() + 1);
            self.end_block(TerminatorKind::Branch {
                condition,
                then_block,
                else_block: end,
                test: None,
                loop_header: None,
            });
            for part in &memory.parts {
                let place = self.element_part(pointer, memory, number, part);
                let source = InputSource::Written(self.function.name.clone(), name.to_owned());
                self.emit(InstrKind::Input { place, source });
            }
        }
        self.end_block(TerminatorKind::Goto(end));
    }
}

/// The position of what is in no text.
pub(crate) fn nowhere() -> (Span, Position) {
    (Span::new(0, 0), Position { file: FileId(0), line: 0, column: 0 })
}
