//! Sites: the places of a program whose value a repair may change.
//!
//! One per assignment, condition of a branch, returned value, argument and initial value, so statements on one line are separate. A condition with
//! `&&` and `||` is one site, and so is an assignment with such an expression: only the resulting value matters.

use super::operands::{Operand, Reader};
use nub_c_ir::{
    BlockId, Body, Callee, Constant, DecisionId, DecisionKind, ExprId, ExprKind, Function, FunctionId,
    Global, GlobalId, InitialPiece, InstrKind, LocalKind, Place, PlaceBase, Position, Program, SourceOrigin,
    StatementKind, TerminatorKind, TypeId,
};
use nub_report::ranking::Part;
use nub_text::Span;
use std::collections::BTreeMap;

/// At most this many initial values of one object become sites. Larger tables are data, not statements.
const MAX_PIECES: usize = 64;
/// Values wider than this are not changed.
pub(super) const MAX_WIDTH: u32 = 64;

/// Where a value is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum At {
    /// The value of a store: block and number of the instruction.
    Store(BlockId, usize),
    /// An argument of a call.
    Argument(BlockId, usize, usize),
    /// The condition of the branch that ends a block.
    Branch(BlockId),
    /// The outcome of a decision with several conditions.
    Decision(DecisionId),
    /// The value of the `switch` that ends a block.
    Switch(BlockId),
    /// The value returned at the end of a block.
    Return(BlockId),
    /// A piece of the initial value of a global object.
    Initial(GlobalId, usize),
}

/// A value that a repair may change.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The function it is in. For an initial value, the function under test, which runs first.
    pub function: FunctionId,
    pub at: At,
    pub part: Part,
    pub ty: TypeId,
    /// Whether the value is 0 or 1 by its form: a comparison, or `&&` and `||`.
    pub is_truth: bool,
    /// What the expression reads.
    pub operands: Vec<Operand>,
    /// How often the source names an operand.
    pub n_reads: usize,
    /// The whole statement.
    pub span: Span,
    pub position: Position,
}

/// All sites of the functions that `is_program` holds for, in the order of functions and blocks.
pub(super) fn sites(
    program: &Program,
    text: &[u8],
    start: FunctionId,
    is_program: impl Fn(FunctionId) -> bool,
) -> Vec<Site> {
    let mut found = initial_sites(program, start, &is_program);
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId(index as u32);
        if is_program(id) && matches!(function.body, Body::Defined) {
            Finder { program, function, id, reader: Reader::new(program, text, id) }.find(&mut found);
        }
    }
    found
}

/// Numbers that fit a slot can be changed.
pub(super) fn is_changeable(program: &Program, ty: TypeId) -> bool {
    program.types.number_format(ty).is_some_and(|format| format.width() <= MAX_WIDTH)
}

/// For each global: whether functions of the program read it, or take its address.
pub(super) fn is_read_global(program: &Program, is_program: impl Fn(FunctionId) -> bool) -> Vec<bool> {
    let mut is_read = vec![false; program.globals.len()];
    for (index, function) in program.functions.iter().enumerate() {
        if !is_program(FunctionId(index as u32)) {
            continue;
        }
        for expr in &function.exprs {
            if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &expr.kind
                && let PlaceBase::Global(global) = place.base
            {
                is_read[global.index()] = true;
            }
        }
    }
    is_read
}

/// Whether this piece of the initial value of an object is a site.
pub(super) fn is_tried(program: &Program, global: &Global, piece: &InitialPiece) -> bool {
    let is_plain = matches!(piece.value, Constant::Int(_)) && piece.bits.is_none();
    global.initial.len() <= MAX_PIECES && is_plain && is_changeable(program, piece.ty)
}

/// Initial values of objects that the program owns: those of its functions, and all others that its functions read.
fn initial_sites(program: &Program, start: FunctionId, is_program: impl Fn(FunctionId) -> bool) -> Vec<Site> {
    let is_read = is_read_global(program, is_program);
    let mut found = Vec::new();
    for (index, global) in program.globals.iter().enumerate() {
        if !is_read[index] || global.is_extern {
            continue;
        }
        for (number, piece) in global.initial.iter().enumerate() {
            if is_tried(program, global, piece) {
                found.push(Site {
                    function: start,
                    at: At::Initial(GlobalId(index as u32), number),
                    part: Part::Initialiser,
                    ty: piece.ty,
                    is_truth: false,
                    operands: Vec::new(),
                    n_reads: 0,
                    span: piece.span,
                    position: piece.position,
                });
            }
        }
    }
    found
}

struct Finder<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FunctionId,
    reader: Reader<'a>,
}

impl Finder<'_> {
    fn find(&self, found: &mut Vec<Site>) {
        let mut leaves: BTreeMap<DecisionId, Vec<BlockId>> = BTreeMap::new();
        for (index, block) in self.function.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            for (at, instr) in block.instrs.iter().enumerate() {
                match &instr.kind {
                    InstrKind::Store { place, value } if self.is_variable(place) => {
                        self.value(found, At::Store(id, at), Part::Assignment, *value, instr.origin);
                    }
                    InstrKind::Call { callee: Callee::Direct(_), args, .. } => {
                        for (number, arg) in args.iter().enumerate() {
                            let (part, at) = (Part::Argument(number as u32), At::Argument(id, at, number));
                            self.value(found, at, part, *arg, instr.origin);
                        }
                    }
                    _ => {}
                }
            }
            let origin = block.terminator.origin;
            match &block.terminator.kind {
                TerminatorKind::Return(Some(value)) => {
                    self.value(found, At::Return(id), Part::Return, *value, origin);
                }
                TerminatorKind::Switch { value, .. } => {
                    self.value(found, At::Switch(id), Part::Condition, *value, origin);
                }
                TerminatorKind::Branch { test: Some(test), .. } => {
                    leaves.entry(test.decision).or_default().push(id);
                }
                _ => {}
            }
        }
        for (decision, blocks) in leaves {
            self.decision(found, decision, &blocks);
        }
    }

    /// Whether it is a store to something that the source names.
    fn is_variable(&self, place: &Place) -> bool {
        match place.base {
            PlaceBase::Local(local) => self.function.locals[local.index()].kind != LocalKind::Temporary,
            _ => true,
        }
    }

    fn value(&self, found: &mut Vec<Site>, at: At, part: Part, value: ExprId, origin: SourceOrigin) {
        let ty = self.function.expr(value).ty;
        if !is_changeable(self.program, ty) || self.reader.is_input(value) {
            return;
        }
        let statement = self.program.statements.get(origin.statement.index());
        // Elements of an initialiser may be on lines of their own.
        let is_element = matches!(&at, At::Store(block, number) if self.is_part(*block, *number))
            && statement.is_some_and(|statement| statement.kind == StatementKind::Declaration);
        let (span, position) = match statement {
            Some(statement) if !is_element => (statement.span, statement.position),
            _ => (origin.span, origin.position),
        };
        let (operands, n_reads) = self.reader.operands(&[value], origin.statement);
        let is_truth = self.reader.is_truth(value, origin.statement);
        found.push(Site { function: self.id, at, part, ty, is_truth, operands, n_reads, span, position });
    }

    /// Whether the store is to a part of a variable.
    fn is_part(&self, block: BlockId, number: usize) -> bool {
        match self.function.block(block).instrs.get(number).map(|instr| &instr.kind) {
            Some(InstrKind::Store { place, .. }) => !place.steps.is_empty(),
            _ => false,
        }
    }

    /// A condition of `if` or a loop. Other decisions are parts of the statement that uses their value.
    fn decision(&self, found: &mut Vec<Site>, id: DecisionId, blocks: &[BlockId]) {
        let decision = &self.program.decisions[id.index()];
        use DecisionKind::{Do, For, If, While};
        if !matches!(decision.kind, If | While | Do | For) {
            return;
        }
        let mut conditions = Vec::new();
        for block in blocks {
            if let TerminatorKind::Branch { condition, .. } = self.function.block(*block).terminator.kind {
                conditions.push(condition);
            }
        }
        let Some(&first) = conditions.first() else { return };
        let ty = self.function.expr(first).ty;
        let at = match blocks {
            [only] => At::Branch(*only),
            _ => At::Decision(id),
        };
        let (operands, n_reads) = self.reader.operands(&conditions, decision.statement);
        found.push(Site {
            function: self.id,
            at,
            part: Part::Condition,
            ty,
            is_truth: true,
            operands,
            n_reads,
            span: decision.span,
            position: decision.position,
        });
    }
}
