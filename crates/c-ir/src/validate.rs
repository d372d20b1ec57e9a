//! Checks the rules of the representation: for tests, and for code that transforms programs.

use crate::ids::*;
use crate::ir::*;
use crate::types::NumberFormat;
use crate::types::Type;
use std::fmt;

/// The first rule that a program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidProgram {
    /// The function that breaks it.
    pub function: String,
    /// The part of that function, if it is not the whole.
    pub part: Option<InvalidPart>,
    /// Which rule.
    pub rule: BrokenRule,
}

/// A part of a function, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPart {
    /// An expression.
    Expression(usize),
    /// A block.
    Block(usize),
}

/// A rule of the representation. Types are written as in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrokenRule {
    /// A function has a block.
    NoBlock,
    /// A loop has a header.
    NoLoopHeader,
    /// A jump leads to a block.
    JumpTarget,
    /// An operand comes before the expression that uses it.
    OperandOrder,
    /// An integer is required, and there is a value of this type.
    NotInteger(String),
    /// A pointer is required, and there is a value of this type.
    NotPointer(String),
    /// Both operands have the same width; these have different ones.
    OperandWidths(u32, u32),
    /// An index is as wide as a pointer; this is the width of one that is not.
    IndexWidth(u32),
    /// The result of an expression has a certain width.
    ResultWidth {
        /// The width, unless the result is not a number.
        found: Option<u32>,
        /// The width that it must have.
        expected: u32,
    },
    /// A constant fits its type.
    ConstantWidth,
    /// A conversion fits the widths of its operand and its result.
    Conversion(Conversion, u32, u32),
    /// A rounding mode is an integer.
    RoundingMode(FloatOperator),
    /// An operator has a certain number of operands; this expression has another number.
    OperandCount(FloatOperator, usize),
    /// The operands are floats of one format.
    FloatOperands(FloatOperator),
    /// The result has a type that fits the operator; this is the type of a result that does not.
    FloatResult(FloatOperator, String),
    /// A place has a base, and the fields of its path exist; this says what is wrong.
    Place(&'static str),
    /// A place takes only steps that its type has; this is the type of a place that does not.
    Step(String),
    /// An allocation has one size.
    AllocationSize,
    /// A call has as many arguments as the function has parameters; these are the number of arguments and the name of the function.
    ArgumentCount(usize, String),
    /// Types are alike.
    Types {
        /// The type of the value.
        found: TypeId,
        /// The type that it must have.
        expected: TypeId,
    },
}

impl fmt::Display for InvalidProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InvalidProgram { function, part, rule } = self;
        match part {
            Some(InvalidPart::Expression(at)) => write!(f, "{function}: expression {at}: {rule}"),
            Some(InvalidPart::Block(at)) => write!(f, "{function}: block {at}: {rule}"),
            None => write!(f, "{function}: {rule}"),
        }
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokenRule::NoBlock => f.write_str("no block"),
            BrokenRule::NoLoopHeader => f.write_str("a loop without header"),
            BrokenRule::JumpTarget => f.write_str("a jump to nowhere"),
            BrokenRule::OperandOrder => f.write_str("an operand after its user"),
            BrokenRule::NotInteger(ty) => write!(f, "`{ty}` where an integer must be"),
            BrokenRule::NotPointer(ty) => write!(f, "`{ty}` where a pointer must be"),
            BrokenRule::OperandWidths(left, right) => write!(f, "operands of {left} and {right} bits"),
            BrokenRule::IndexWidth(width) => write!(f, "an index of {width} bits"),
            BrokenRule::ResultWidth { found, expected } => {
                write!(f, "a result of {found:?} bits, not {expected}")
            }
            BrokenRule::ConstantWidth => f.write_str("a constant too wide"),
            BrokenRule::Conversion(conversion, from, to) => {
                write!(f, "{conversion:?} from {from} to {to} bits")
            }
            BrokenRule::RoundingMode(op) => write!(f, "{op:?} whose rounding mode is not an integer"),
            BrokenRule::OperandCount(op, number) => write!(f, "{op:?} of {number} operands"),
            BrokenRule::FloatOperands(op) => {
                write!(f, "{op:?} of operands that are not floats of one format")
            }
            BrokenRule::FloatResult(op, ty) => write!(f, "{op:?} yields `{ty}`"),
            BrokenRule::Place(fault) => f.write_str(fault),
            BrokenRule::Step(ty) => write!(f, "a step that `{ty}` does not have"),
            BrokenRule::AllocationSize => f.write_str("an allocation must have one size"),
            BrokenRule::ArgumentCount(number, name) => write!(f, "{number} arguments for `{name}`"),
            BrokenRule::Types { found, expected } => {
                write!(f, "type {} where {} must be", found.0, expected.0)
            }
        }
    }
}

/// Whether a program keeps the rules of the representation; the error is the first rule that it breaks.
pub fn validate(program: &Program) -> Result<(), InvalidProgram> {
    for function in &program.functions {
        if matches!(function.body, Body::Defined) {
            let checker = Checker { program, function };
            checker.function()?;
        }
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Checker<'_> {
    fn function(&self) -> Result<(), InvalidProgram> {
        let invalid = |part: Option<InvalidPart>, rule: BrokenRule| InvalidProgram {
            function: self.function.name.clone(),
            part,
            rule,
        };
        if self.function.blocks.is_empty() {
            return Err(invalid(None, BrokenRule::NoBlock));
        }
        for (at, expr) in self.function.exprs.iter().enumerate() {
            self.expr(at, expr).map_err(|rule| invalid(Some(InvalidPart::Expression(at)), rule))?;
        }
        for (at, block) in self.function.blocks.iter().enumerate() {
            let invalid = |rule: BrokenRule| invalid(Some(InvalidPart::Block(at)), rule);
            for instr in &block.instrs {
                self.instr(&instr.kind).map_err(invalid)?;
            }
            self.terminator(&block.terminator.kind).map_err(invalid)?;
        }
        let n_blocks = self.function.blocks.len();
        match self.function.loops.iter().find(|found| found.header.index() >= n_blocks) {
            Some(_) => Err(invalid(None, BrokenRule::NoLoopHeader)),
            None => Ok(()),
        }
    }

    fn ty(&self, id: ExprId) -> TypeId {
        self.function.expr(id).ty
    }

    fn width(&self, id: ExprId) -> Result<u32, BrokenRule> {
        match self.program.types.int_format(self.ty(id)) {
            Some(format) => Ok(format.width),
            None => Err(BrokenRule::NotInteger(self.program.types.spell(self.ty(id)))),
        }
    }

    fn same_width(&self, left: ExprId, right: ExprId) -> Result<u32, BrokenRule> {
        let (a, b) = (self.width(left)?, self.width(right)?);
        if a == b { Ok(a) } else { Err(BrokenRule::OperandWidths(a, b)) }
    }

    fn pointer(&self, id: ExprId) -> Result<(), BrokenRule> {
        match self.program.types.get(self.ty(id)) {
            Type::Pointer(_) => Ok(()),
            _ => Err(BrokenRule::NotPointer(self.program.types.spell(self.ty(id)))),
        }
    }

    fn wide_as_pointer(&self, id: ExprId) -> Result<(), BrokenRule> {
        let (width, wanted) = (self.width(id)?, self.program.model.pointer_bits);
        if width == wanted { Ok(()) } else { Err(BrokenRule::IndexWidth(width)) }
    }

    fn expr(&self, at: usize, expr: &Expr) -> Result<(), BrokenRule> {
        let mut below = Vec::new();
        crate::lower::children(&expr.kind, &mut below);
        if below.iter().any(|child| child.index() >= at) {
            return Err(BrokenRule::OperandOrder);
        }
        let own = || self.program.types.number_format(expr.ty).map(NumberFormat::width);
        let expect = |expected: u32| match own() {
            Some(found) if found == expected => Ok(()),
            found => Err(BrokenRule::ResultWidth { found, expected }),
        };
        let truth = || expect(self.program.model.int_bits);
        match &expr.kind {
            ExprKind::Int(bits) => match own() {
                Some(width) if crate::ints::truncate(*bits, width) != *bits => Err(BrokenRule::ConstantWidth),
                _ => Ok(()),
            },
            ExprKind::Null | ExprKind::FunctionAddress(_) => Ok(()),
            ExprKind::Load(place) => self.place(place).and_then(|()| self.same(place.ty, expr.ty)),
            ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Initialised(place) => self.place(place).and_then(|()| truth()),
            ExprKind::Unary(_, only) => expect(self.width(*only)?),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, left, right) => {
                self.width(*right)?;
                expect(self.width(*left)?)
            }
            ExprKind::Binary(_, left, right) => expect(self.same_width(*left, *right)?),
            ExprKind::Compare(_, left, right) | ExprKind::Overflows(_, left, right) => {
                self.same_width(*left, *right)?;
                truth()
            }
            ExprKind::Convert(conversion, from) => {
                self.conversion(*conversion, self.width(*from)?, own().unwrap_or(0))
            }
            ExprKind::Float(op, operands) => self.float(*op, expr.ty, operands),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.pointer(*pointer).and_then(|()| self.wide_as_pointer(*index))
            }
            ExprKind::PointerDifference { left, right, .. } => {
                self.pointer(*left).and_then(|()| self.pointer(*right))
            }
            ExprKind::PointerCompare(_, left, right) => {
                self.pointer(*left)?;
                self.pointer(*right)?;
                truth()
            }
            ExprKind::PointerCast(only)
            | ExprKind::PointerToInt(only)
            | ExprKind::ObjectSize(only)
            | ExprKind::PointerOffset(only) => self.pointer(*only),
            ExprKind::IntToPointer(only) => self.wide_as_pointer(*only),
            ExprKind::ValidPointer { pointer, .. } => self.pointer(*pointer).and_then(|()| truth()),
        }
    }

    fn float(&self, op: FloatOperator, result: TypeId, operands: &[ExprId]) -> Result<(), BrokenRule> {
        let types = &self.program.types;
        let mut formats: Vec<_> = operands.iter().map(|id| types.number_format(self.ty(*id))).collect();
        if op.rounds() && operands.len() == op.n_operands() + 1 {
            let is_mode = |format: NumberFormat| matches!(format, NumberFormat::Int(_));
            if !formats.pop().flatten().is_some_and(is_mode) {
                return Err(BrokenRule::RoundingMode(op));
            }
        } else if operands.len() != op.n_operands() {
            return Err(BrokenRule::OperandCount(op, operands.len()));
        }
        let is_float = |format: &Option<NumberFormat>| matches!(format, Some(NumberFormat::Float(_)));
        let from_integer = match op {
            FloatOperator::FromNumber => formats[0].is_some(),
            FloatOperator::OfBits => matches!(formats[0], Some(NumberFormat::Int(_))),
            _ => false,
        };
        let is_as_wide = || {
            let width = |format: Option<NumberFormat>| format.map(NumberFormat::width);
            width(types.number_format(result)) == width(formats[0])
        };
        if !from_integer && !formats.iter().all(|format| is_float(format) && *format == formats[0]) {
            return Err(BrokenRule::FloatOperands(op));
        }
        let is_right = match op.yields() {
            FloatYield::Float if op == FloatOperator::FromNumber => types.float_format(result).is_some(),
            FloatYield::Float if op == FloatOperator::OfBits => {
                types.float_format(result).is_some() && is_as_wide()
            }
            FloatYield::Float => types.number_format(result) == formats[0],
            FloatYield::Integer if op == FloatOperator::Bits => {
                types.int_format(result).is_some() && is_as_wide()
            }
            FloatYield::Integer => types.int_format(result).is_some(),
            FloatYield::Truth => {
                types.int_format(result).is_some_and(|format| format.width == self.program.model.int_bits)
            }
        };
        if is_right { Ok(()) } else { Err(BrokenRule::FloatResult(op, types.spell(result))) }
    }

    fn conversion(&self, conversion: Conversion, from: u32, to: u32) -> Result<(), BrokenRule> {
        let is_right = match conversion {
            Conversion::Truncate => to < from,
            Conversion::ZeroExtend | Conversion::SignExtend => to > from,
            Conversion::Same => to == from,
            Conversion::ToBool => to == 1,
        };
        if is_right { Ok(()) } else { Err(BrokenRule::Conversion(conversion, from, to)) }
    }

    /// The path fits its types.
    fn place(&self, place: &Place) -> Result<(), BrokenRule> {
        let types = &self.program.types;
        let wrong = BrokenRule::Place;
        let mut ty = match place.base {
            PlaceBase::Local(local) => {
                self.function.locals.get(local.index()).ok_or(wrong("no such local"))?.ty
            }
            PlaceBase::Global(global) => {
                self.program.globals.get(global.index()).ok_or(wrong("no such global"))?.ty
            }
            PlaceBase::String(string) => {
                self.program.strings.get(string.index()).ok_or(wrong("no such string"))?.ty
            }
            PlaceBase::Pointer(pointer) => types.pointee(self.ty(pointer)).ok_or(wrong("not a pointer"))?,
        };
        for step in &place.steps {
            ty = match (step, types.get(ty)) {
                (PlaceStep::Field(record, field), Type::Record(found)) if record == found => {
                    types.record(*record).fields.get(*field as usize).ok_or(wrong("no such field"))?.ty
                }
                (PlaceStep::Index(index), Type::Array(element, _)) => {
                    self.wide_as_pointer(*index)?;
                    *element
                }
                _ => return Err(BrokenRule::Step(types.spell(ty))),
            };
        }
        self.same(ty, place.ty)
    }

    fn instr(&self, kind: &InstrKind) -> Result<(), BrokenRule> {
        match kind {
            InstrKind::Begin | InstrKind::LifetimeBegin { .. } | InstrKind::LifetimeEnd { .. } => Ok(()),
            InstrKind::Store { place, value } => {
                self.place(place)?;
                self.same(place.ty, self.ty(*value))
            }
            InstrKind::Zero { place } | InstrKind::Input { place, .. } => self.place(place),
            InstrKind::LeftOpen { place, .. } => place.iter().try_for_each(|place| self.place(place)),
            InstrKind::Allocate { result, site, size, old, fails, .. } => {
                self.place(result)?;
                if size.is_some() == self.program.allocations[site.index()].size.is_some() {
                    return Err(BrokenRule::AllocationSize);
                }
                old.map_or(Ok(()), |old| self.pointer(old))?;
                [*size, *fails].into_iter().flatten().try_for_each(|number| self.width(number).map(|_| ()))
            }
            InstrKind::Call { callee, args, result } => self.call(*callee, args, result.as_ref()),
            InstrKind::Assume { condition }
            | InstrKind::Assert { condition, .. }
            | InstrKind::Check { condition, .. } => self.width(*condition).map(|_| ()),
            InstrKind::Free { pointer } => self.pointer(*pointer),
            InstrKind::Observe { parts, .. } => parts.iter().try_for_each(|part| match part.exists {
                Some((valid, written)) => self.same_width(valid, written).map(|_| ()),
                None => Ok(()),
            }),
        }
    }

    fn call(&self, callee: Callee, args: &[ExprId], result: Option<&Place>) -> Result<(), BrokenRule> {
        if let Some(place) = result {
            self.place(place)?;
        }
        let Callee::Direct(id) = callee else { return Ok(()) };
        let callee = self.program.function(id);
        if !matches!(callee.body, Body::Defined) {
            return Ok(());
        }
        let has_more = match self.program.types.get(callee.ty) {
            Type::Function(ty) => ty.is_variadic || !ty.has_prototype,
            _ => false,
        };
        if args.len() < callee.n_params || (args.len() > callee.n_params && !has_more) {
            return Err(BrokenRule::ArgumentCount(args.len(), callee.name.clone()));
        }
        args.iter().zip(callee.params()).try_for_each(|(arg, param)| self.same(param.ty, self.ty(*arg)))
    }

    fn terminator(&self, kind: &TerminatorKind) -> Result<(), BrokenRule> {
        let n_blocks = self.function.blocks.len();
        if kind.successors().iter().any(|target| target.index() >= n_blocks) {
            return Err(BrokenRule::JumpTarget);
        }
        match kind {
            TerminatorKind::Branch { condition, .. } => self.width(*condition).map(|_| ()),
            TerminatorKind::Switch { value, .. } => self.width(*value).map(|_| ()),
            TerminatorKind::Return(Some(value)) => self.same(self.function.result, self.ty(*value)),
            _ => Ok(()),
        }
    }

    /// Equal apart from `volatile`.
    fn same(&self, expected: TypeId, found: TypeId) -> Result<(), BrokenRule> {
        if self.program.types.are_alike(expected, found) {
            return Ok(());
        }
        Err(BrokenRule::Types { found, expected })
    }
}
