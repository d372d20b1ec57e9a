//! Changes to the body of a function: expressions are added, instructions are inserted before others, and everything is applied at the end.

use nub_c_ir::{
    BasicBlock, BinaryOp, BlockId, Conversion, Expr, ExprId, ExprKind, FloatOperator, Function, Instr,
    InstrKind, Local, LocalId, LocalKind, Place, PlaceBase, SourceOrigin, StatementId, Terminator,
    TerminatorKind, TypeId, Types,
};
use std::collections::BTreeMap;

/// Types that new expressions have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    pub int: TypeId,
    /// Numbers of sites and of variables.
    pub number: TypeId,
    /// One bit.
    pub truth: TypeId,
    /// 64 bits, unsigned.
    pub word: TypeId,
    /// 32 bits, unsigned.
    pub half: TypeId,
}

/// A function under change. Instructions keep their numbers until [`Patch::finish`].
pub(super) struct Patch {
    function: Function,
    pub kinds: Kinds,
    /// New instructions, by block and the number of the instruction they precede.
    before: BTreeMap<(BlockId, usize), Vec<Instr>>,
    /// Instructions that come before those: they save values for later.
    earlier: BTreeMap<(BlockId, usize), Vec<Instr>>,
    /// The first `Begin` of each statement.
    begins: BTreeMap<StatementId, Vec<(BlockId, usize)>>,
    block: BlockId,
    at: usize,
}

impl Patch {
    pub fn new(function: Function, kinds: Kinds) -> Patch {
        let mut begins: BTreeMap<StatementId, Vec<(BlockId, usize)>> = BTreeMap::new();
        for (index, block) in function.blocks.iter().enumerate() {
            for (at, instr) in block.instrs.iter().enumerate() {
                if matches!(instr.kind, InstrKind::Begin) {
                    begins.entry(instr.origin.statement).or_default().push((BlockId(index as u32), at));
                }
            }
        }
        let (before, earlier) = (BTreeMap::new(), BTreeMap::new());
        Patch { function, kinds, before, earlier, begins, block: BlockId(0), at: 0 }
    }

    /// Goes to an instruction; what is inserted comes before it.
    pub fn go(&mut self, block: BlockId, at: usize) {
        (self.block, self.at) = (block, at);
    }

    /// Goes to the terminator of a block.
    pub fn go_to_end(&mut self, block: BlockId) {
        self.go(block, self.function.block(block).instrs.len());
    }

    pub fn instr(&self) -> Option<&InstrKind> {
        self.function.block(self.block).instrs.get(self.at).map(|instr| &instr.kind)
    }

    pub fn instr_mut(&mut self) -> Option<&mut InstrKind> {
        self.function.blocks[self.block.index()].instrs.get_mut(self.at).map(|instr| &mut instr.kind)
    }

    pub fn terminator(&self) -> &TerminatorKind {
        &self.function.block(self.block).terminator.kind
    }

    pub fn terminator_mut(&mut self) -> &mut TerminatorKind {
        &mut self.function.blocks[self.block.index()].terminator.kind
    }

    pub fn function(&self) -> &Function {
        &self.function
    }

    pub fn function_mut(&mut self) -> &mut Function {
        &mut self.function
    }

    /// The origin of what is at the current place.
    fn origin(&self, block: BlockId, at: usize) -> SourceOrigin {
        let block = self.function.block(block);
        block.instrs.get(at).map_or(block.terminator.origin, |instr| instr.origin)
    }

    /// Inserts an instruction before the current position, after what was inserted there earlier.
    pub fn insert(&mut self, kind: InstrKind) {
        let origin = self.origin(self.block, self.at);
        self.before.entry((self.block, self.at)).or_default().push(Instr { kind, origin });
    }

    /// Inserts an instruction before another position, in front of everything that [`Patch::insert`] inserts there.
    pub fn insert_at(&mut self, block: BlockId, at: usize, kind: InstrKind) {
        let origin = self.origin(block, at);
        self.earlier.entry((block, at)).or_default().push(Instr { kind, origin });
    }

    /// Inserts an instruction where a statement begins.
    pub fn insert_at_begin(&mut self, statement: StatementId, kind: InstrKind) {
        for (block, at) in self.begins.get(&statement).cloned().unwrap_or_default() {
            self.insert_at(block, at, kind.clone());
        }
    }

    pub fn add_block(&mut self, terminator: TerminatorKind, origin: SourceOrigin) -> BlockId {
        let terminator = Terminator { kind: terminator, origin };
        self.function.blocks.push(BasicBlock { instrs: Vec::new(), terminator });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    pub fn push(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        let span = self.origin(self.block, self.at).span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId(self.function.exprs.len() as u32 - 1)
    }

    pub fn int(&mut self, number: u128, ty: TypeId) -> ExprId {
        self.push(ExprKind::Int(number), ty)
    }

    pub fn load(&mut self, place: Place) -> ExprId {
        let ty = place.ty;
        self.push(ExprKind::Load(place), ty)
    }

    /// An operator; the type is that of the first operand.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.function.expr(a).ty;
        self.push(ExprKind::Binary(op, a, b), ty)
    }

    /// A new temporary.
    pub fn temporary(&mut self, ty: TypeId) -> Place {
        let (span, position) = (self.function.span, self.function.position);
        self.function.locals.push(Local {
            name: String::new(),
            ty,
            kind: LocalKind::Temporary,
            span,
            position,
            address_taken: false,
            is_initialised: true,
            declared_length: None,
            is_restrict: false,
        });
        let local = LocalId(self.function.locals.len() as u32 - 1);
        Place { base: PlaceBase::Local(local), steps: Vec::new(), ty }
    }

    /// The integer type for the bits of a value: unsigned for a float, its own type for an integer.
    pub fn bits_type(&self, types: &Types, ty: TypeId) -> TypeId {
        match types.float_format(ty).map(|format| format.width()) {
            None => ty,
            Some(32) => self.kinds.half,
            Some(_) => self.kinds.word,
        }
    }

    /// The bits of a value, in that type.
    pub fn bits(&mut self, types: &Types, value: ExprId, ty: TypeId) -> ExprId {
        let bits = self.bits_type(types, ty);
        if bits == ty { value } else { self.push(ExprKind::Float(FloatOperator::Bits, vec![value]), bits) }
    }

    /// The value with these bits.
    pub fn of_bits(&mut self, types: &Types, bits: ExprId, ty: TypeId) -> ExprId {
        let is_float = self.bits_type(types, ty) != ty;
        if is_float { self.push(ExprKind::Float(FloatOperator::OfBits, vec![bits]), ty) } else { bits }
    }

    /// The low bits of a word at another type.
    pub fn narrow(&mut self, types: &Types, word: ExprId, ty: TypeId) -> ExprId {
        let width = |ty: TypeId| types.int_format(ty).map_or(0, |format| format.width);
        let is_narrower = width(ty) < width(self.kinds.word);
        let conversion = if is_narrower { Conversion::Truncate } else { Conversion::Same };
        self.push(ExprKind::Convert(conversion, word), ty)
    }

    /// All ones if the truth value is 1, otherwise 0.
    pub fn mask(&mut self, types: &Types, truth: ExprId, ty: TypeId) -> ExprId {
        let bit = self.push(ExprKind::Convert(Conversion::ToBool, truth), self.kinds.truth);
        let is_bit = types.int_format(ty).is_some_and(|format| format.width == 1);
        let conversion = if is_bit { Conversion::Same } else { Conversion::SignExtend };
        self.push(ExprKind::Convert(conversion, bit), ty)
    }

    /// Applies all insertions.
    pub fn finish(mut self) -> Function {
        for (index, block) in self.function.blocks.iter_mut().enumerate() {
            let id = BlockId(index as u32);
            let range = (id, 0)..=(id, usize::MAX);
            let is_changed = self.before.range(range.clone()).next().is_some()
                || self.earlier.range(range).next().is_some();
            if !is_changed {
                continue;
            }
            let old = std::mem::take(&mut block.instrs);
            let n_old = old.len();
            let mut old = old.into_iter();
            for at in 0..=n_old {
                block.instrs.extend(self.earlier.remove(&(id, at)).unwrap_or_default());
                block.instrs.extend(self.before.remove(&(id, at)).unwrap_or_default());
                block.instrs.extend(old.next());
            }
        }
        self.function
    }
}
