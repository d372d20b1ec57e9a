//! Checks the rules of the representation: for tests, and for code that transforms programs.

use crate::ids::*;
use crate::ir::*;
use crate::types::NumberFormat;
use crate::types::Type;

/// The first rule that a program breaks, as a message.
pub fn validate(program: &Program) -> Result<(), String> {
    for function in &program.functions {
        if matches!(function.body, Body::Defined) {
            let checker = Checker { program, function };
            checker.function().map_err(|fault| format!("{}: {fault}", function.name))?;
        }
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Checker<'_> {
    fn function(&self) -> Result<(), String> {
        if self.function.blocks.is_empty() {
            return Err("no block".into());
        }
        for (at, expr) in self.function.exprs.iter().enumerate() {
            self.expr(at, expr).map_err(|fault| format!("expression {at}: {fault}"))?;
        }
        for (at, block) in self.function.blocks.iter().enumerate() {
            for instr in &block.instrs {
                self.instr(&instr.kind).map_err(|fault| format!("block {at}: {fault}"))?;
            }
            self.terminator(&block.terminator.kind).map_err(|fault| format!("block {at}: {fault}"))?;
        }
        let n_blocks = self.function.blocks.len();
        match self.function.loops.iter().find(|found| found.header.index() >= n_blocks) {
            Some(_) => Err("a loop without header".into()),
            None => Ok(()),
        }
    }

    fn ty(&self, id: ExprId) -> TypeId {
        self.function.expr(id).ty
    }

    fn width(&self, id: ExprId) -> Result<u32, String> {
        match self.program.types.int_format(self.ty(id)) {
            Some(format) => Ok(format.width),
            None => Err(format!("`{}` where an integer must be", self.program.types.spell(self.ty(id)))),
        }
    }

    fn same_width(&self, left: ExprId, right: ExprId) -> Result<u32, String> {
        let (a, b) = (self.width(left)?, self.width(right)?);
        if a == b { Ok(a) } else { Err(format!("operands of {a} and {b} bits")) }
    }

    fn pointer(&self, id: ExprId) -> Result<(), String> {
        match self.program.types.get(self.ty(id)) {
            Type::Pointer(_) => Ok(()),
            _ => Err(format!("`{}` where a pointer must be", self.program.types.spell(self.ty(id)))),
        }
    }

    fn wide_as_pointer(&self, id: ExprId) -> Result<(), String> {
        let (width, wanted) = (self.width(id)?, self.program.model.pointer_bits);
        if width == wanted { Ok(()) } else { Err(format!("an index of {width} bits")) }
    }

    fn expr(&self, at: usize, expr: &Expr) -> Result<(), String> {
        let mut below = Vec::new();
        crate::lower::children(&expr.kind, &mut below);
        if below.iter().any(|child| child.index() >= at) {
            return Err("an operand after its user".into());
        }
        let own = || self.program.types.number_format(expr.ty).map(NumberFormat::width);
        let expect = |width: u32| match own() {
            Some(found) if found == width => Ok(()),
            found => Err(format!("a result of {found:?} bits, not {width}")),
        };
        let truth = || expect(self.program.model.int_bits);
        match &expr.kind {
            ExprKind::Int(bits) => match own() {
                Some(width) if crate::ints::truncate(*bits, width) != *bits => {
                    Err("a constant too wide".into())
                }
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

    fn float(&self, op: FloatOperator, result: TypeId, operands: &[ExprId]) -> Result<(), String> {
        let types = &self.program.types;
        let mut formats: Vec<_> = operands.iter().map(|id| types.number_format(self.ty(*id))).collect();
        if op.rounds() && operands.len() == op.n_operands() + 1 {
            let is_mode = |format: NumberFormat| matches!(format, NumberFormat::Int(_));
            if !formats.pop().flatten().is_some_and(is_mode) {
                return Err(format!("{op:?} whose rounding mode is not an integer"));
            }
        } else if operands.len() != op.n_operands() {
            return Err(format!("{op:?} of {} operands", operands.len()));
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
            return Err(format!("{op:?} of operands that are not floats of one format"));
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
        if is_right { Ok(()) } else { Err(format!("{op:?} yields `{}`", types.spell(result))) }
    }

    fn conversion(&self, conversion: Conversion, from: u32, to: u32) -> Result<(), String> {
        let is_right = match conversion {
            Conversion::Truncate => to < from,
            Conversion::ZeroExtend | Conversion::SignExtend => to > from,
            Conversion::Same => to == from,
            Conversion::ToBool => to == 1,
        };
        if is_right { Ok(()) } else { Err(format!("{conversion:?} from {from} to {to} bits")) }
    }

    /// The path fits its types.
    fn place(&self, place: &Place) -> Result<(), String> {
        let types = &self.program.types;
        let mut ty = match place.base {
            PlaceBase::Local(local) => self.function.locals.get(local.index()).ok_or("no such local")?.ty,
            PlaceBase::Global(global) => self.program.globals.get(global.index()).ok_or("no such global")?.ty,
            PlaceBase::String(string) => self.program.strings.get(string.index()).ok_or("no such string")?.ty,
            PlaceBase::Pointer(pointer) => types.pointee(self.ty(pointer)).ok_or("not a pointer")?,
        };
        for step in &place.steps {
            ty = match (step, types.get(ty)) {
                (PlaceStep::Field(record, field), Type::Record(found)) if record == found => {
                    types.record(*record).fields.get(*field as usize).ok_or("no such field")?.ty
                }
                (PlaceStep::Index(index), Type::Array(element, _)) => {
                    self.wide_as_pointer(*index)?;
                    *element
                }
                _ => return Err(format!("a step that `{}` does not have", types.spell(ty))),
            };
        }
        self.same(ty, place.ty)
    }

    fn instr(&self, kind: &InstrKind) -> Result<(), String> {
        match kind {
            InstrKind::Begin | InstrKind::LifetimeBegin { .. } | InstrKind::LifetimeEnd { .. } => Ok(()),
            InstrKind::Store { place, value } => {
                self.place(place)?;
                self.same(place.ty, self.ty(*value))
            }
            InstrKind::Zero { place } | InstrKind::Input { place, .. } => self.place(place),
            InstrKind::Allocate { result, site, size, old, fails, .. } => {
                self.place(result)?;
                if size.is_some() == self.program.allocations[site.index()].size.is_some() {
                    return Err("an allocation must have one size".to_owned());
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

    fn call(&self, callee: Callee, args: &[ExprId], result: Option<&Place>) -> Result<(), String> {
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
            return Err(format!("{} arguments for `{}`", args.len(), callee.name));
        }
        args.iter().zip(callee.params()).try_for_each(|(arg, param)| self.same(param.ty, self.ty(*arg)))
    }

    fn terminator(&self, kind: &TerminatorKind) -> Result<(), String> {
        let n_blocks = self.function.blocks.len();
        if kind.successors().iter().any(|target| target.index() >= n_blocks) {
            return Err("a jump to nowhere".into());
        }
        match kind {
            TerminatorKind::Branch { condition, .. } => self.width(*condition).map(|_| ()),
            TerminatorKind::Switch { value, .. } => self.width(*value).map(|_| ()),
            TerminatorKind::Return(Some(value)) => self.same(self.function.result, self.ty(*value)),
            _ => Ok(()),
        }
    }

    /// Equal apart from `volatile`.
    fn same(&self, expected: TypeId, found: TypeId) -> Result<(), String> {
        if self.program.types.are_alike(expected, found) {
            return Ok(());
        }
        Err(format!("type {} where {} must be", found.0, expected.0))
    }
}
