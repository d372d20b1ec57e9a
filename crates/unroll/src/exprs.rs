//! Expressions as terms.

use crate::access::{Address, Spot};
use crate::cells::Cells;
use crate::config::UnrollRefusal;
use crate::machine::{Machine, Step};
use crate::pointer::{Offset, Pointee};
use crate::terms;
use nub_bitvec::{Op, TermId};
use nub_c_ir::{
    BinaryOp, BitRange, CompareOp, Conversion, Expr, ExprId, ExprKind, OverflowOp, Place, PlaceBase,
    PlaceStep, Type, TypeId, UnaryOp,
};
use nub_text::Span;

impl Machine<'_> {
    /// The value of a scalar expression of the current instruction.
    pub(crate) fn eval(&mut self, cells: &Cells, root: ExprId) -> Step<TermId> {
        let mut todo = vec![root];
        while let Some(&id) = todo.last() {
            if self.current.memo.contains_key(&id) {
                todo.pop();
                continue;
            }
            let expr = &self.function().exprs[id.index()];
            let before = todo.len();
            let memo = &self.current.memo;
            children(&expr.kind, |child| {
                if !memo.contains_key(&child) {
                    todo.push(child);
                }
            });
            if todo.len() == before {
                let term = self.compute(cells, expr)?;
                let term = self.settled(term);
                self.current.memo.insert(id, term);
                todo.pop();
            }
        }
        Ok(self.current.memo[&root])
    }

    /// The address of a place, after its indices and its pointer are evaluated.
    pub(crate) fn eval_place(&mut self, cells: &Cells, place: &Place) -> Step<Address> {
        for operand in place_operands(place) {
            self.eval(cells, operand)?;
        }
        self.place_address(place)
    }

    /// Width of the values of a scalar type.
    pub(crate) fn width(&self, ty: TypeId) -> u32 {
        self.program.types.value_width(ty)
    }

    /// A truth value in the type `int`.
    fn truth_as(&mut self, truth: TermId, ty: TypeId) -> TermId {
        let width = self.width(ty);
        terms::resize(&mut self.pool, truth, width)
    }

    /// The value is not zero.
    pub(crate) fn is_true(&mut self, term: TermId) -> TermId {
        self.pool.mk(Op::Redor, &[term])
    }

    /// An expression whose operands are known.
    fn compute(&mut self, cells: &Cells, expr: &Expr) -> Step<TermId> {
        let width = self.width(expr.ty);
        let value = |machine: &Self, id: ExprId| machine.current.memo[&id];
        Ok(match &expr.kind {
            ExprKind::Int(bits) => {
                terms::constant(&mut self.pool, width, nub_c_ir::ints::truncate(*bits, width))
            }
            ExprKind::Null => terms::constant(&mut self.pool, width, 0),
            ExprKind::Load(place) => self.loaded(cells, place, expr.span)?,
            ExprKind::AddressOf(place) => self.pointer_to(place)?,
            ExprKind::FunctionAddress(function) => {
                let address = self.function_address(*function)?;
                self.function_or_null(*function, address)
            }
            ExprKind::Unary(op, a) => {
                let a = value(self, *a);
                self.pool.mk(if *op == UnaryOp::Negate { Op::Neg } else { Op::Not }, &[a])
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (value(self, *a), value(self, *b));
                if *op == BinaryOp::Mul { self.product(a, b) } else { self.pool.mk(binary(*op), &[a, b]) }
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (value(self, *a), value(self, *b));
                let truth = self.pool.mk(compare(*op), &[a, b]);
                self.truth_as(truth, expr.ty)
            }
            ExprKind::Convert(conversion, a) => self.convert(*conversion, value(self, *a), width),
            ExprKind::Overflows(op, a, b) => {
                let (a, b) = (value(self, *a), value(self, *b));
                let is_impossible = *op == OverflowOp::Mul && self.product_fits(a, b);
                let truth = if is_impossible {
                    self.pool.truth(false)
                } else {
                    self.pool.mk(overflows(*op), &[a, b])
                };
                self.truth_as(truth, expr.ty)
            }
            ExprKind::Float(op, operands) => {
                let types = |id: &ExprId| (value(self, *id), self.function().exprs[id.index()].ty);
                let operands: Vec<(TermId, TypeId)> = operands.iter().map(types).collect();
                self.float(*op, expr.ty, &operands)
            }
            ExprKind::PointerCast(a) => value(self, *a),
            ExprKind::IntToPointer(a) => self.int_as_address(value(self, *a)),
            ExprKind::PointerToInt(a) => self.address_as_int(value(self, *a)),
            ExprKind::PointerAdd { pointer, index, scale } => {
                let (from, by) = (value(self, *pointer), value(self, *index));
                if !self.function().is_model && !self.function().is_null(*pointer) {
                    self.check_moved(from, by);
                }
                self.pointer_add(from, by, *scale)?
            }
            ExprKind::PointerDifference { left, right, scale } => {
                self.pointer_difference(value(self, *left), value(self, *right), *scale)
            }
            ExprKind::PointerCompare(op, a, b) => {
                let truth = self.pointer_compare(cells, *op, value(self, *a), value(self, *b));
                self.truth_as(truth, expr.ty)
            }
            ExprKind::ValidPointer { pointer, size, target } => {
                let truth = self.is_valid(cells, value(self, *pointer), *size, *target)?;
                self.truth_as(truth, expr.ty)
            }
            ExprKind::ObjectSize(a) => self.object_size(cells, value(self, *a)),
            ExprKind::PointerOffset(a) => self.offset_in_object(value(self, *a)),
            ExprKind::Initialised(place) => {
                let address = self.place_address(place)?;
                let truth = self.is_initialised(cells, &address)?;
                self.truth_as(truth, expr.ty)
            }
        })
    }

    /// The scalar at a place.
    fn loaded(&mut self, cells: &Cells, place: &Place, span: Span) -> Step<TermId> {
        let address = self.place_address(place)?;
        if !self.program.types.is_scalar(place.ty) {
            let reason = "a structure cannot be an operand here";
            return Err(UnrollRefusal::unsupported(span, reason));
        }
        let term = self.load(cells, &address)?;
        let term = match self.program.types.get(place.ty) {
            Type::Int(_) | Type::Float(_) => self.pointer_as_int(term),
            _ => self.int_as_address(term),
        };
        self.current.reads_open |= self.pool.value(term).is_none();
        Ok(term)
    }

    fn convert(&mut self, conversion: Conversion, term: TermId, width: u32) -> TermId {
        match conversion {
            Conversion::Truncate | Conversion::ZeroExtend | Conversion::Same => {
                terms::resize(&mut self.pool, term, width)
            }
            Conversion::SignExtend => terms::sign_extend(&mut self.pool, term, width),
            Conversion::ToBool => {
                let truth = self.is_true(term);
                terms::resize(&mut self.pool, truth, width)
            }
        }
    }

    /// The address of a place whose operands are known.
    pub(crate) fn place_address(&mut self, place: &Place) -> Step<Address> {
        let starts = self.bases(place)?;
        let hint = self.base_type(place);
        let (spots, bits) = self.walk(place, starts, hint);
        let register = self.register_at(place);
        Ok(Address { spots, register, bits, ty: place.ty, hint })
    }

    /// Follows the steps of a place from its base; returns the offset, and the bits of a bit-field.
    pub(crate) fn walk(
        &mut self,
        place: &Place,
        starts: Vec<Spot>,
        ty: TypeId,
    ) -> (Vec<Spot>, Option<BitRange>) {
        let types = &self.program.types;
        let (mut spots, mut ty, mut bits) = (starts, ty, None);
        for step in &place.steps {
            match *step {
                PlaceStep::Field(record, number) => {
                    let field = &types.record(record).fields[number as usize];
                    spots.iter_mut().for_each(|spot| spot.offset.base += i128::from(field.offset));
                    (ty, bits) = (field.ty, field.bits);
                }
                PlaceStep::Index(index) => {
                    let (element, count) = match types.get(ty) {
                        Type::Array(element, length) => (*element, length.filter(|length| *length > 0)),
                        _ => (ty, None),
                    };
                    let scale = types.size_of(element).unwrap_or(0);
                    let index = self.current.memo[&index];
                    for spot in &mut spots {
                        spot.offset = spot.offset.add(&mut self.pool, index, scale, count);
                    }
                    (ty, bits) = (element, None);
                }
            }
        }
        (spots, bits)
    }

    /// The type of the base of a place.
    pub(crate) fn base_type(&self, place: &Place) -> TypeId {
        match place.base {
            PlaceBase::Local(local) => self.function().locals[local.index()].ty,
            PlaceBase::Global(global) => self.program.globals[global.index()].ty,
            PlaceBase::String(string) => self.program.strings[string.index()].ty,
            PlaceBase::Pointer(pointer) => {
                let ty = self.function().exprs[pointer.index()].ty;
                self.program.types.pointee(ty).unwrap_or(place.ty)
            }
        }
    }

    /// The base of a place.
    fn bases(&mut self, place: &Place) -> Step<Vec<Spot>> {
        let object = match place.base {
            PlaceBase::Local(local) => self.local(local),
            PlaceBase::Global(global) => self.global(global)?,
            PlaceBase::String(string) => self.string(string)?,
            PlaceBase::Pointer(pointer) => {
                let term = self.current.memo[&pointer];
                return self.targets(term, place);
            }
        };
        let condition = self.pool.truth(true);
        Ok(vec![Spot { condition, object, offset: Offset::default() }])
    }

    /// The objects that the pointer of a place may point to.
    fn targets(&mut self, term: TermId, place: &Place) -> Step<Vec<Spot>> {
        let cases = self.memory.pointers.resolve(&mut self.pool, term);
        let mut spots = Vec::new();
        for case in cases.iter() {
            match case.pointee {
                Pointee::Object(object) => {
                    let (condition, offset) = (case.condition, case.offset.clone());
                    spots.push(Spot { condition, object, offset });
                }
                Pointee::Unknown if !self.is_volatile_number(place) => self.cut_at_number(case),
                Pointee::Unknown
                | Pointee::Null
                | Pointee::Function(_)
                | Pointee::Nowhere
                | Pointee::Computed
                | Pointee::Unmodelled => {}
            }
        }
        Ok(spots)
    }
}

fn binary(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::UDiv => Op::Udiv,
        BinaryOp::SDiv => Op::Sdiv,
        BinaryOp::URem => Op::Urem,
        BinaryOp::SRem => Op::Srem,
        BinaryOp::And => Op::And,
        BinaryOp::Or => Op::Or,
        BinaryOp::Xor => Op::Xor,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::LShr => Op::Lshr,
        BinaryOp::AShr => Op::Ashr,
    }
}

fn overflows(op: OverflowOp) -> Op {
    match op {
        OverflowOp::Add => Op::Saddo,
        OverflowOp::Sub => Op::Ssubo,
        OverflowOp::Mul => Op::Smulo,
    }
}

pub(crate) fn compare(op: CompareOp) -> Op {
    match op {
        CompareOp::Eq => Op::Eq,
        CompareOp::Ne => Op::Ne,
        CompareOp::ULt => Op::Ult,
        CompareOp::ULe => Op::Ule,
        CompareOp::SLt => Op::Slt,
        CompareOp::SLe => Op::Sle,
    }
}

/// Calls `found` for each operand of an expression.
pub(crate) fn children(kind: &ExprKind, mut found: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Int(_) | ExprKind::Null | ExprKind::FunctionAddress(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => {
            place_operands(place).into_iter().for_each(found);
        }
        ExprKind::Float(_, operands) => operands.iter().copied().for_each(found),
        ExprKind::Unary(_, a)
        | ExprKind::Convert(_, a)
        | ExprKind::PointerCast(a)
        | ExprKind::PointerToInt(a)
        | ExprKind::IntToPointer(a)
        | ExprKind::ObjectSize(a)
        | ExprKind::PointerOffset(a)
        | ExprKind::ValidPointer { pointer: a, .. } => found(*a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Overflows(_, a, b)
        | ExprKind::PointerAdd { pointer: a, index: b, .. }
        | ExprKind::PointerDifference { left: a, right: b, .. }
        | ExprKind::PointerCompare(_, a, b) => {
            found(*a);
            found(*b);
        }
    }
}

/// Indices and pointer of a place.
pub(crate) fn place_operands(place: &Place) -> Vec<ExprId> {
    let base = match place.base {
        PlaceBase::Pointer(pointer) => Some(pointer),
        _ => None,
    };
    let indices = place.steps.iter().filter_map(|step| match step {
        PlaceStep::Index(index) => Some(*index),
        PlaceStep::Field(..) => None,
    });
    base.into_iter().chain(indices).collect()
}
