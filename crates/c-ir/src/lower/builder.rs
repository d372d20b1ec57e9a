//! The function under construction: blocks, temporaries, marks to come back to.

use super::scope::ScopeId;
use super::{Lower, RValue};
use crate::ids::*;
use crate::ir::*;
use nub_c_syntax::ast::Name;
use nub_text::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// A block that may not have an end yet.
#[derive(Default)]
pub(super) struct OpenBlock {
    pub(super) instrs: Vec<Instr>,
    pub(super) terminator: Option<Terminator>,
}

/// The name of a label, and a number: 0, or a unique one for a label that `__label__` declares.
pub(super) type LabelKey = (Name, u32);

/// A label of the function.
pub(super) struct Label {
    pub(super) block: BlockId,
    pub(super) is_defined: bool,
    pub(super) span: Span,
    /// Scopes that are open there; empty until it is defined.
    pub(super) scopes: Vec<ScopeId>,
}

/// A `goto`.
pub(super) struct Goto {
    /// The block that ends with it.
    pub(super) block: BlockId,
    pub(super) label: LabelKey,
    pub(super) origin: SourceOrigin,
    /// The variables in scope, with their scopes.
    pub(super) locals: Vec<(ScopeId, LocalId)>,
}

/// Where `break` or `continue` leads.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) block: BlockId,
    /// Scopes that are open there.
    pub(super) depth: usize,
}

/// A `switch` whose body is being lowered.
pub(super) struct OpenSwitch {
    pub(super) ty: TypeId,
    pub(super) decision: DecisionId,
    pub(super) cases: Vec<SwitchCase>,
    pub(super) default: Option<BlockId>,
    /// Scopes that are open around it.
    pub(super) depth: usize,
}

/// The state of one function.
pub(super) struct Builder {
    pub(super) function: FunctionId,
    pub(super) result: TypeId,
    pub(super) locals: Vec<Local>,
    pub(super) exprs: Vec<Expr>,
    pub(super) blocks: Vec<OpenBlock>,
    pub(super) loops: Vec<Loop>,
    pub(super) current: BlockId,
    pub(super) statement: StatementId,
    /// Counts instructions that can change what a load reads.
    pub(super) effects: u64,
    pub(super) labels: FxHashMap<LabelKey, Label>,
    /// Labels that `__label__` declares in the blocks that are open, innermost last.
    pub(super) local_labels: Vec<LabelKey>,
    pub(super) n_local_labels: u32,
    pub(super) gotos: Vec<Goto>,
    /// Labels whose address is taken, each with a place where that is done.
    pub(super) label_addresses: Vec<(LabelKey, Span)>,
    /// Where computed jumps lead.
    pub(super) dispatch: Option<super::computed_goto::Dispatch>,
    pub(super) breaks: Vec<Exit>,
    pub(super) continues: Vec<Exit>,
    pub(super) switches: Vec<OpenSwitch>,
    pub(super) enclosing: Option<(DecisionId, DecisionOutcome)>,
    pub(super) refusals: Vec<Diagnostic>,
    /// Why statements are cut.
    pub(super) cuts: Vec<Diagnostic>,
    /// A silent refusal happened.
    pub(super) is_refused: bool,
    /// Nothing is evaluated: operands of `sizeof`. No warnings then.
    pub(super) is_unevaluated: bool,
    /// The call whose result is not used.
    pub(super) unused_call: Option<Span>,
    /// Where the address of the variable arguments is kept, if there are any.
    pub(super) variable_arguments: Option<LocalId>,
    /// The function reads its variable arguments.
    pub(super) uses_variable_arguments: bool,
    /// Pointers to elements of arrays of variable length: the array and the index.
    pub(super) variable_elements: FxHashMap<ExprId, (TypeId, RValue)>,
}

/// A place between instructions.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    block: BlockId,
    index: usize,
    effects: u64,
}

/// Lengths of all tables that lowering appends to; see [`Lower::discard`].
struct Checkpoint {
    n_locals: usize,
    n_exprs: usize,
    n_blocks: usize,
    n_loops: usize,
    current: BlockId,
    n_instrs: usize,
    statement: StatementId,
    effects: u64,
    enclosing: Option<(DecisionId, DecisionOutcome)>,
    n_statements: usize,
    n_decisions: usize,
    n_strings: usize,
    n_allocations: usize,
    is_unevaluated: bool,
}

impl Builder {
    pub(super) fn new(function: FunctionId, result: TypeId) -> Builder {
        Builder {
            function,
            result,
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: vec![OpenBlock::default()],
            loops: Vec::new(),
            current: BlockId(0),
            statement: StatementId(0),
            effects: 0,
            labels: FxHashMap::default(),
            local_labels: Vec::new(),
            n_local_labels: 0,
            gotos: Vec::new(),
            label_addresses: Vec::new(),
            dispatch: None,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            enclosing: None,
            refusals: Vec::new(),
            cuts: Vec::new(),
            is_refused: false,
            is_unevaluated: false,
            unused_call: None,
            variable_arguments: None,
            uses_variable_arguments: false,
            variable_elements: FxHashMap::default(),
        }
    }

    /// For constant expressions outside of functions: whatever is built is discarded.
    pub(super) fn scratch(void: TypeId) -> Builder {
        Builder::new(FunctionId(u32::MAX), void)
    }

    pub(super) fn is_scratch(&self) -> bool {
        self.function == FunctionId(u32::MAX)
    }

    pub(super) fn add_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default());
        BlockId::next(self.blocks.len() - 1)
    }

    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A mark at the end of the current block.
    pub(super) fn mark(&self) -> Mark {
        let index = self.blocks[self.current.index()].instrs.len();
        Mark { block: self.current, index, effects: self.effects }
    }
}

impl Lower<'_> {
    /// Adds an expression.
    pub(super) fn add(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.fun.exprs.push(Expr { kind, ty, span });
        ExprId::next(self.fun.exprs.len() - 1)
    }

    /// Appends an instruction to the current block.
    pub(super) fn emit(&mut self, kind: InstrKind, span: Span) {
        if self.has_effect(&kind) {
            self.fun.effects += 1;
        }
        let instr = Instr { kind, origin: self.origin(span) };
        self.fun.blocks[self.fun.current.index()].instrs.push(instr);
    }

    /// Whether it can change what a load reads, other than a load of a temporary.
    fn has_effect(&self, kind: &InstrKind) -> bool {
        match kind {
            InstrKind::Store { place, .. } | InstrKind::Zero { place } | InstrKind::Input { place, .. } => {
                !self.is_temporary(place.base)
            }
            InstrKind::Call { .. }
            | InstrKind::Free { .. }
            | InstrKind::LifetimeBegin { .. }
            | InstrKind::LifetimeEnd { .. } => true,
            _ => false,
        }
    }

    fn is_temporary(&self, base: PlaceBase) -> bool {
        match base {
            PlaceBase::Local(local) => self.fun.locals[local.index()].kind == LocalKind::Temporary,
            PlaceBase::Global(_) | PlaceBase::Pointer(_) => false,
            PlaceBase::String(_) => true,
        }
    }

    /// Ends the current block, unless it has ended.
    pub(super) fn end_block(&mut self, kind: TerminatorKind, span: Span) {
        let origin = self.origin(span);
        let block = &mut self.fun.blocks[self.fun.current.index()];
        if block.terminator.is_none() {
            block.terminator = Some(Terminator { kind, origin });
        }
    }

    /// Ends the current block with a jump.
    pub(super) fn goto(&mut self, target: BlockId, span: Span) {
        self.end_block(TerminatorKind::Goto(target), span);
    }

    /// Continues in another block.
    pub(super) fn switch_to(&mut self, block: BlockId) {
        self.fun.current = block;
    }

    /// What follows cannot be reached, unless a label is there.
    pub(super) fn switch_to_unreachable(&mut self) {
        self.fun.current = self.fun.add_block();
    }

    /// A new local that is in no scope. It counts as initialised; declarations of variables change that.
    pub(super) fn push_local(&mut self, name: String, ty: TypeId, kind: LocalKind, span: Span) -> LocalId {
        let position = self.position(span);
        let local = Local {
            name,
            ty,
            kind,
            span,
            position,
            address_taken: false,
            is_initialised: true,
            declared_length: None,
            is_restrict: false,
        };
        self.fun.locals.push(local);
        LocalId::next(self.fun.locals.len() - 1)
    }

    /// A fresh temporary.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let local = self.push_local(String::new(), ty, LocalKind::Temporary, span);
        Place { base: PlaceBase::Local(local), steps: Vec::new(), ty }
    }

    /// Saves a value in a temporary at the current place, unless nothing can change it.
    pub(super) fn save(&mut self, value: RValue, span: Span) -> RValue {
        if self.is_fixed(value.id) { value } else { self.save_always(value, span) }
    }

    /// Saves a value in a temporary, even if nothing can change it. Constants stay.
    pub(super) fn save_always(&mut self, value: RValue, span: Span) -> RValue {
        if self.known(value.id).is_some() {
            return value;
        }
        let place = self.temporary(value.ty, span);
        self.emit(InstrKind::Store { place: place.clone(), value: value.id }, span);
        let id = self.add(ExprKind::Load(place), value.ty, span);
        RValue { id, ..value }
    }

    /// Keeps the value an expression had at `mark`, if something after the mark could have changed it: saves it there.
    pub(super) fn preserve(&mut self, value: RValue, mark: Mark, span: Span) -> RValue {
        if self.fun.effects == mark.effects || self.is_fixed(value.id) {
            return value;
        }
        let place = self.temporary(value.ty, span);
        let kind = InstrKind::Store { place: place.clone(), value: value.id };
        let instr = Instr { kind, origin: self.origin(span) };
        self.fun.blocks[mark.block.index()].instrs.insert(mark.index, instr);
        let id = self.add(ExprKind::Load(place), value.ty, span);
        RValue { id, ..value }
    }

    /// The same for the indices and the pointer of a place; what it holds may change.
    pub(super) fn preserve_place(&mut self, place: Place, mark: Mark, span: Span) -> Place {
        let mut place = place;
        for at in 0..place.steps.len() {
            if let PlaceStep::Index(index) = place.steps[at] {
                place.steps[at] = PlaceStep::Index(self.preserve_expr(index, mark, span));
            }
        }
        if let PlaceBase::Pointer(pointer) = place.base {
            place.base = PlaceBase::Pointer(self.preserve_expr(pointer, mark, span));
        }
        place
    }

    fn preserve_expr(&mut self, id: ExprId, mark: Mark, span: Span) -> ExprId {
        let ty = self.fun.expr(id).ty;
        self.preserve(RValue { id, ty, bits: None }, mark, span).id
    }

    /// True if the expression reads nothing that can change. A walk with an explicit stack.
    fn is_fixed(&self, id: ExprId) -> bool {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match &self.fun.expr(id).kind {
                ExprKind::Load(place) | ExprKind::Initialised(place) if !self.is_temporary(place.base) => {
                    return false;
                }
                kind => children(kind, &mut todo),
            }
        }
        true
    }

    /// Lowers only for the type or the value; what is built is discarded.
    pub(super) fn discard<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let checkpoint = self.checkpoint();
        self.fun.current = self.fun.add_block();
        self.fun.is_unevaluated = true;
        let result = inner(self);
        self.restore(checkpoint);
        result
    }

    fn checkpoint(&self) -> Checkpoint {
        let (fun, program) = (&self.fun, &self.shared.program);
        Checkpoint {
            n_locals: fun.locals.len(),
            n_exprs: fun.exprs.len(),
            n_blocks: fun.blocks.len(),
            n_loops: fun.loops.len(),
            current: fun.current,
            n_instrs: fun.blocks[fun.current.index()].instrs.len(),
            statement: fun.statement,
            effects: fun.effects,
            enclosing: fun.enclosing,
            n_statements: program.statements.len(),
            n_decisions: program.decisions.len(),
            n_strings: program.strings.len(),
            n_allocations: program.allocations.len(),
            is_unevaluated: fun.is_unevaluated,
        }
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        let fun = &mut self.fun;
        fun.locals.truncate(checkpoint.n_locals);
        fun.exprs.truncate(checkpoint.n_exprs);
        fun.blocks.truncate(checkpoint.n_blocks);
        fun.loops.truncate(checkpoint.n_loops);
        fun.current = checkpoint.current;
        fun.blocks[checkpoint.current.index()].instrs.truncate(checkpoint.n_instrs);
        fun.statement = checkpoint.statement;
        fun.effects = checkpoint.effects;
        fun.enclosing = checkpoint.enclosing;
        fun.is_unevaluated = checkpoint.is_unevaluated;
        fun.labels.retain(|_, label| label.block.index() < checkpoint.n_blocks);
        fun.gotos.retain(|goto| goto.block.index() < checkpoint.n_blocks);
        fun.variable_elements.retain(|id, _| id.index() < checkpoint.n_exprs);
        let program = &mut self.shared.program;
        program.statements.truncate(checkpoint.n_statements);
        program.decisions.truncate(checkpoint.n_decisions);
        program.strings.truncate(checkpoint.n_strings);
        program.allocations.truncate(checkpoint.n_allocations);
    }
}

/// Pushes the operands of an expression, those inside of places too.
pub fn children(kind: &ExprKind, into: &mut Vec<ExprId>) {
    match kind {
        ExprKind::Int(_) | ExprKind::Null | ExprKind::FunctionAddress(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => {
            place_children(place, into)
        }
        ExprKind::Float(_, operands) => into.extend_from_slice(operands),
        ExprKind::Unary(_, only)
        | ExprKind::Convert(_, only)
        | ExprKind::PointerCast(only)
        | ExprKind::PointerToInt(only)
        | ExprKind::IntToPointer(only)
        | ExprKind::ObjectSize(only)
        | ExprKind::PointerOffset(only)
        | ExprKind::ValidPointer { pointer: only, .. } => into.push(*only),
        ExprKind::Binary(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Overflows(_, left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. }
        | ExprKind::PointerCompare(_, left, right) => into.extend([*left, *right]),
    }
}

/// Pushes the expressions inside of a place.
pub fn place_children(place: &Place, into: &mut Vec<ExprId>) {
    if let PlaceBase::Pointer(pointer) = place.base {
        into.push(pointer);
    }
    into.extend(place.steps.iter().filter_map(|step| match step {
        PlaceStep::Index(index) => Some(*index),
        PlaceStep::Field(..) => None,
    }));
}
