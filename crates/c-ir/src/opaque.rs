//! What is behind pointers whose type does not say it.
//!
//! Programs pass `void *` and pointers to incomplete structures around and use them as pointers to something else: the user's data, the structure
//! behind a handle. They also convert a pointer to a structure into a pointer to a larger structure that starts with the first. A test has to put
//! there what the program uses it as. So the declared types of parameters and members that flow into a conversion become the type that they are
//! converted to; the program itself stays as it is.

use crate::ids::*;
use crate::ir::*;
use crate::types::{IntKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// Something declared that holds a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Holder {
    Local(FunctionId, LocalId),
    Field(RecordId, u32),
    Global(GlobalId),
}

/// Where each holder gets its values from.
pub(crate) type Flows = FxHashMap<Holder, Vec<Holder>>;
/// The types that the value of each holder is converted to.
type Uses = FxHashMap<Holder, FxHashSet<TypeId>>;

impl Program {
    /// Gives opaque pointers of the function under test the types that they are used as: the largest, where there are several. Access as bytes is not
    /// a use, since any memory can be accessed as bytes. O(program × types that one pointer is used as).
    pub fn see_opaque_as_used(&mut self, start: FunctionId) {
        let (flows, uses) = self.flows_and_uses(start);
        let mut given = Vec::new();
        for (holder, found) in spread(&flows, uses) {
            let size =
                |ty: &TypeId| (self.types.pointee(*ty).and_then(|to| self.types.size_of(to)), ty.index());
            let Some(ty) = found.into_iter().max_by_key(size) else { continue };
            // A value may also be used as something smaller: such a use says less than the declared type, and changes nothing.
            let Some(declared) =
                self.declared(holder, start).filter(|declared| self.tells_more(*declared, ty))
            else {
                continue;
            };
            match holder {
                Holder::Local(function, local) => {
                    given.push((declared, ty));
                    self.functions[function.index()].locals[local.index()].ty = ty;
                }
                Holder::Field(record, field) => {
                    self.types.record_mut(record).fields[field as usize].ty = ty;
                }
                Holder::Global(_) => {}
            }
        }
        // A caller may pass one object twice: parameters that point to the same structure type keep doing so.
        given.retain(|(declared, _)| self.is_to_record(*declared));
        for (declared, ty) in given {
            let n_params = self.function(start).n_params;
            let params = self.functions[start.index()].locals.iter_mut().take(n_params);
            params.filter(|param| param.ty == declared).for_each(|param| param.ty = ty);
        }
    }

    /// What functions without a body return as `void *`, as the program uses it: a pointer to the largest type that their results are converted to.
    /// O(program × types that one pointer is used as).
    pub(crate) fn results_as_used(&self, start: FunctionId) -> Vec<(FunctionId, TypeId)> {
        let (flows, uses) = self.flows_and_uses(start);
        let uses = spread(&flows, uses);
        let mut found: FxHashMap<FunctionId, TypeId> = FxHashMap::default();
        let size = |ty: &TypeId| (self.types.pointee(*ty).and_then(|to| self.types.size_of(to)), ty.index());
        for id in self.reachable(start) {
            for instr in self.function(id).blocks.iter().flat_map(|block| &block.instrs) {
                let InstrKind::Call { callee: Callee::Direct(callee), result: Some(result), .. } =
                    &instr.kind
                else {
                    continue;
                };
                let called = self.function(*callee);
                if !matches!(called.body, Body::Missing) || !self.is_opaque(called.result) {
                    continue;
                }
                let used = holder(id, result).and_then(|to| uses.get(&to)).into_iter().flatten();
                let known = found.get(callee).copied();
                let largest = used.copied().chain(known).max_by_key(size);
                largest.map(|ty| found.insert(*callee, ty));
            }
        }
        found.into_iter().collect()
    }

    /// The declared type of what tests fill: parameters of the function under test, and members. Tests define global inputs as they are declared.
    fn declared(&self, holder: Holder, start: FunctionId) -> Option<TypeId> {
        match holder {
            Holder::Global(_) => None,
            Holder::Local(..) | Holder::Field(..) => self.input_type(holder, start),
        }
    }

    /// From which holders each gets its values, and the types that the value of one is converted to.
    fn flows_and_uses(&self, start: FunctionId) -> (Flows, Uses) {
        let (mut flows, mut uses) = (Flows::default(), Uses::default());
        for id in self.reachable(start) {
            let function = self.function(id);
            for expr in &function.exprs {
                if let ExprKind::PointerCast(inner) = expr.kind
                    && let Some(holder) = self.held(id, inner)
                    && self.is_told(expr.ty)
                    && self.tells_more(function.expr(inner).ty, expr.ty)
                {
                    uses.entry(holder).or_default().insert(expr.ty);
                }
            }
            for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                for (to, value) in self.moves(id, &instr.kind) {
                    if let Some(from) = self.held(id, value) {
                        flows.entry(to).or_default().push(from);
                    }
                }
            }
        }
        (flows, uses)
    }

    /// Which holders get which values from an instruction.
    pub(crate) fn moves(&self, function: FunctionId, instr: &InstrKind) -> Vec<(Holder, ExprId)> {
        match instr {
            InstrKind::Store { place, value } => {
                holder(function, place).map(|to| (to, *value)).into_iter().collect()
            }
            InstrKind::Call { callee: Callee::Direct(callee), args, .. } => {
                let params = self.function(*callee).locals.iter().enumerate();
                let params = params.filter(|(_, local)| local.kind == LocalKind::Parameter);
                params
                    .zip(args)
                    .map(|((at, _), arg)| (Holder::Local(*callee, LocalId(at as u32)), *arg))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether the second pointer type says more about its target than the first.
    fn tells_more(&self, from: TypeId, to: TypeId) -> bool {
        let size = |ty| self.types.pointee(ty).and_then(|to| self.types.size_of(to));
        self.is_opaque(from) || self.is_to_record(to) && size(from) < size(to)
    }

    fn is_to_record(&self, ty: TypeId) -> bool {
        self.types.pointee(ty).is_some_and(|to| matches!(self.types.get(to), Type::Record(_)))
    }

    /// The holder that an expression reads its pointer from, if the pointer is opaque or points to a structure.
    fn held(&self, function: FunctionId, id: ExprId) -> Option<Holder> {
        let mut expr = self.function(function).expr(id);
        // Casts do not change where the pointer comes from.
        while let ExprKind::PointerCast(inner) = expr.kind {
            expr = self.function(function).expr(inner);
        }
        match &expr.kind {
            ExprKind::Load(place) if self.is_opaque(expr.ty) || self.is_to_record(expr.ty) => {
                holder(function, place)
            }
            _ => None,
        }
    }

    /// Whether a pointer type says nothing about its target.
    fn is_opaque(&self, ty: TypeId) -> bool {
        let is_declared_only =
            |to: TypeId| matches!(self.types.get(to), Type::Record(_)) && self.types.size_of(to).is_none();
        self.types.pointee(ty).is_some_and(|to| *self.types.get(to) == Type::Void || is_declared_only(to))
    }

    /// Whether it says more than that there are bytes.
    fn is_told(&self, ty: TypeId) -> bool {
        self.types.pointee(ty).is_some_and(|to| {
            self.types.size_of(to).is_some_and(|size| size > 0)
                && match self.types.get(to) {
                    Type::Int(kind) => {
                        !matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Bool)
                    }
                    Type::Float(_) => self.types.is_scalar(to),
                    Type::Record(_) => true,
                    _ => false,
                }
        })
    }
}

/// The uses of a value are also uses of the holder that it comes from.
pub(crate) fn spread<T: Copy + Eq + Hash>(
    flows: &Flows,
    mut uses: FxHashMap<Holder, FxHashSet<T>>,
) -> FxHashMap<Holder, FxHashSet<T>> {
    let mut todo: Vec<Holder> = uses.keys().copied().collect();
    while let Some(to) = todo.pop() {
        let found = uses[&to].clone();
        for from in flows.get(&to).into_iter().flatten() {
            let known = uses.entry(*from).or_default();
            let n_before = known.len();
            known.extend(found.iter().copied());
            if known.len() > n_before {
                todo.push(*from);
            }
        }
    }
    uses
}

/// What a place is declared as.
pub(crate) fn holder(function: FunctionId, place: &Place) -> Option<Holder> {
    match (place.steps.last(), place.base) {
        (Some(PlaceStep::Field(record, field)), _) => Some(Holder::Field(*record, *field)),
        (None, PlaceBase::Local(local)) => Some(Holder::Local(function, local)),
        (None, PlaceBase::Global(global)) => Some(Holder::Global(global)),
        _ => None,
    }
}
