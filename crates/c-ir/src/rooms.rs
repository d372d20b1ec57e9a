//! Pointers into the middle of an object.
//!
//! Strings with a header in front of their characters, nodes of lists that are members of what is in the list: a function gets a pointer and looks at
//! what lies before. So a pointer of the start from which the program subtracts a constant leads into an object with room before that address. What the
//! program frees was allocated.

use crate::ids::*;
use crate::ir::*;
use crate::opaque::{Flows, Holder, holder, spread};
use crate::types::{IntKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// No more bytes than these lie before a pointer.
const MAX_ROOM: u64 = 512;
/// Steps back that a pointer can take which the program moves by itself.
const STEPS_BACK: u64 = 8;
/// Operators in a constant distance.
const MAX_NESTED: u32 = 16;
/// Raw bytes keep the alignment of the objects of tests.
const ALIGNMENT: u64 = 16;

/// Where in its object a pointer of the start points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomBefore {
    /// Bytes from the start of the object.
    pub bytes: u64,
    /// The type of the elements of the object, if it is not that of the pointer.
    pub container: Option<TypeId>,
}

/// The pointers of the start that point into the middle of an object, and those whose objects are freed.
#[derive(Clone, Debug, Default)]
pub struct RoomsBefore {
    /// By parameter.
    params: FxHashMap<usize, RoomBefore>,
    /// By member.
    fields: FxHashMap<(RecordId, u32), RoomBefore>,
    /// Parameters whose objects the program frees.
    freed_params: FxHashSet<usize>,
    /// Members whose objects it frees.
    freed_fields: FxHashSet<(RecordId, u32)>,
}

impl RoomsBefore {
    /// For a parameter.
    pub fn of_parameter(&self, index: usize) -> Option<RoomBefore> {
        self.params.get(&index).copied()
    }

    /// For a member.
    pub fn of_field(&self, record: RecordId, field: u32) -> Option<RoomBefore> {
        self.fields.get(&(record, field)).copied()
    }

    /// Does the program free what a parameter points to?
    pub fn frees_parameter(&self, index: usize) -> bool {
        self.freed_params.contains(&index)
    }

    /// Does it free what a member points to?
    pub fn frees_field(&self, record: RecordId, field: u32) -> bool {
        self.freed_fields.contains(&(record, field))
    }
}

/// The program looks at what lies at this distance before a pointer, as a structure of this type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LooksBack {
    bytes: u64,
    record: Option<TypeId>,
}

impl Program {
    /// Finds the pointers of the start that the program looks back from. O(program × structures that one pointer is in).
    pub fn give_room(&mut self, start: FunctionId) {
        let (flows, uses) = self.flows_and_looks(start);
        let mut rooms = RoomsBefore::default();
        for (holder, looks) in spread(&flows, uses) {
            match holder {
                Holder::Local(function, local) if function == start => {
                    let declared = &self.function(function).locals[local.index()];
                    if declared.kind == LocalKind::Parameter
                        && let Some(room) = self.room(declared.ty, &looks)
                    {
                        rooms.params.insert(local.index(), room);
                    }
                }
                Holder::Field(record, field) => {
                    let ty = self.types.record(record).fields[field as usize].ty;
                    if let Some(room) = self.room(ty, &looks) {
                        rooms.fields.insert((record, field), room);
                    }
                }
                Holder::Local(..) | Holder::Global(_) => {}
            }
        }
        let (flows, freed) = self.freed(start, flows);
        for holder in spread(&flows, freed).into_keys() {
            match holder {
                Holder::Local(function, local) if function == start => {
                    rooms.freed_params.insert(local.index());
                }
                Holder::Field(record, field) => {
                    rooms.freed_fields.insert((record, field));
                }
                Holder::Local(..) | Holder::Global(_) => {}
            }
        }
        self.rooms = rooms;
    }

    /// What holds the pointers that are freed, or whose objects are made larger. They also come from pointers that the program goes back from.
    fn freed(&self, start: FunctionId, mut flows: Flows) -> (Flows, FxHashMap<Holder, FxHashSet<()>>) {
        let mut found = FxHashMap::<_, FxHashSet<()>>::default();
        for id in self.reachable(start) {
            for instr in self.function(id).blocks.iter().flat_map(|block| &block.instrs) {
                for (to, value) in self.moves(id, &instr.kind) {
                    let value = without_casts(self.function(id), value);
                    if let Some((from, _)) = self.looks_back(id, value) {
                        flows.entry(to).or_default().push(from);
                    }
                }
                let (InstrKind::Free { pointer } | InstrKind::Allocate { old: Some(pointer), .. }) =
                    instr.kind
                else {
                    continue;
                };
                let pointer = without_casts(self.function(id), pointer);
                let behind = self.looks_back(id, pointer).map(|(holder, _)| holder);
                if let Some(holder) = behind.or_else(|| self.pointer_holder(id, pointer)) {
                    found.entry(holder).or_default().insert(());
                }
            }
        }
        (flows, found)
    }

    /// The object that a pointer of this type leads into: a structure, if it is always seen as a part of one, the largest of several; otherwise more of
    /// what it points to.
    fn room(&self, pointer: TypeId, looks: &FxHashSet<LooksBack>) -> Option<RoomBefore> {
        let target = self.types.pointee(pointer)?;
        let container = |look: &LooksBack| {
            let ty = look.record.filter(|ty| self.can_contain(*ty, target, look.bytes))?;
            Some((self.types.size_of(ty)?, ty.index(), look.bytes))
        };
        let found: Option<Vec<(u64, usize, u64)>> = looks.iter().map(container).collect();
        if let Some((_, ty, bytes)) = found.and_then(|found| found.into_iter().max()) {
            return Some(RoomBefore { bytes, container: Some(TypeId::next(ty)) });
        }
        let size = match self.types.get(target) {
            Type::Void => 1,
            Type::Function(_) => return None,
            _ => self.types.size_of(target).filter(|size| *size > 0)?,
        };
        let bytes = looks.iter().map(|look| look.bytes).max()?;
        let unit = if size.is_power_of_two() { size.max(ALIGNMENT) } else { size };
        let bytes = bytes.checked_next_multiple_of(unit).filter(|bytes| *bytes <= MAX_ROOM)?;
        Some(RoomBefore { bytes, container: None })
    }

    /// Can what a pointer points to be inside of this structure, or right behind it? Characters behind a header are characters.
    fn can_contain(&self, ty: TypeId, target: TypeId, bytes: u64) -> bool {
        let Some(size) = self.types.size_of(ty).filter(|size| *size > 0) else { return false };
        let is_text = matches!(
            self.types.get(target),
            Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Bool)
        );
        let inner = self.types.size_of(target).unwrap_or(1);
        bytes <= MAX_ROOM && (bytes + inner <= size || bytes == size && !is_text)
    }

    fn flows_and_looks(&self, start: FunctionId) -> (Flows, FxHashMap<Holder, FxHashSet<LooksBack>>) {
        let (mut flows, mut looks) = (Flows::default(), FxHashMap::<_, FxHashSet<LooksBack>>::default());
        for id in self.reachable(start).into_iter().filter(|id| !self.function(*id).is_model) {
            let function = self.function(id);
            let mut casts = FxHashMap::<ExprId, Vec<TypeId>>::default();
            // Casts come behind what they cast.
            for (at, expr) in function.exprs.iter().enumerate().rev() {
                if let ExprKind::PointerCast(inner) = expr.kind
                    && let Some(record) = self.record_behind(expr.ty)
                {
                    casts.entry(inner).or_default().push(record);
                }
                let Some((holder, bytes)) = self.looks_back(id, ExprId::next(at)) else { continue };
                let found = looks.entry(holder).or_default();
                match casts.get(&ExprId::next(at)) {
                    Some(records) => {
                        found.extend(records.iter().map(|record| LooksBack { bytes, record: Some(*record) }));
                    }
                    None => {
                        found.insert(LooksBack { bytes, record: self.record_behind(expr.ty) });
                    }
                }
            }
            for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                for (to, value) in self.moves(id, &instr.kind) {
                    if let Some(from) = self.pointer_holder(id, value) {
                        flows.entry(to).or_default().push(from);
                    }
                    if let Some((from, bytes)) = self.looks_back(id, value).filter(|(from, _)| *from == to) {
                        let bytes = bytes.saturating_mul(STEPS_BACK);
                        looks.entry(from).or_default().insert(LooksBack { bytes, record: None });
                    }
                }
            }
        }
        (flows, looks)
    }

    /// The structure that a pointer of this type points to.
    fn record_behind(&self, pointer: TypeId) -> Option<TypeId> {
        self.types.pointee(pointer).filter(|to| matches!(self.types.get(*to), Type::Record(_)))
    }

    /// The holder of the pointer, and how many bytes before it the expression points to.
    fn looks_back(&self, function: FunctionId, id: ExprId) -> Option<(Holder, u64)> {
        let body = self.function(function);
        let ExprKind::PointerAdd { pointer, index, scale } = body.expr(id).kind else { return None };
        let distance = self.number(body, index, MAX_NESTED)?.checked_mul(i128::from(scale))?;
        let bytes =
            u64::try_from(distance.checked_neg()?).ok().filter(|bytes| (1..=MAX_ROOM).contains(bytes))?;
        Some((self.pointer_holder(function, pointer)?, bytes))
    }

    /// What holds the pointer that an expression is.
    fn pointer_holder(&self, function: FunctionId, mut id: ExprId) -> Option<Holder> {
        loop {
            let expr = self.function(function).expr(id);
            match &expr.kind {
                ExprKind::PointerCast(inner) => id = *inner,
                ExprKind::Load(place) if self.types.pointee(expr.ty).is_some() => {
                    return holder(function, place);
                }
                _ => return None,
            }
        }
    }

    /// A constant as a signed number.
    fn number(&self, function: &Function, id: ExprId, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let expr = function.expr(id);
        let width = self.types.int_format(expr.ty)?.width;
        let value = match &expr.kind {
            ExprKind::Int(bits) => *bits,
            ExprKind::Unary(UnaryOp::Negate, inner) => {
                (self.number(function, *inner, depth)?.wrapping_neg()).cast_unsigned()
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => self
                .number(function, *a, depth)?
                .wrapping_sub(self.number(function, *b, depth)?)
                .cast_unsigned(),
            ExprKind::Convert(Conversion::Same | Conversion::SignExtend | Conversion::Truncate, inner) => {
                self.number(function, *inner, depth)?.cast_unsigned()
            }
            ExprKind::Convert(Conversion::ZeroExtend, inner) => {
                let from = self.types.int_format(function.expr(*inner).ty)?.width;
                crate::ints::truncate(self.number(function, *inner, depth)?.cast_unsigned(), from)
            }
            _ => return None,
        };
        Some(crate::ints::to_signed(crate::ints::truncate(value, width), width))
    }
}

/// The pointer that is cast.
fn without_casts(function: &Function, mut id: ExprId) -> ExprId {
    while let ExprKind::PointerCast(inner) = function.expr(id).kind {
        id = inner;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    fn room(text: &str) -> (Program, Option<RoomBefore>) {
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let (mut program, found) = crate::lower(&unit, &DataModel::lp64());
        assert!(found.is_empty(), "{found:?}");
        program.give_room(program.function_by_name("f").unwrap());
        let room = program.rooms.of_parameter(0);
        (program, room)
    }

    #[test]
    fn what_lies_before_a_pointer() {
        let bytes = |text: &str| room(text).1.map(|room| (room.bytes, room.container.is_some()));
        assert_eq!(bytes("int f(int *p) { return p[1]; }"), None);
        assert_eq!(bytes("int f(int *p) { return p[-1]; }"), Some((16, false)));
        assert_eq!(bytes("int f(char *p) { while (*--p) ; return *p; }"), Some((16, false)));
        let header = "struct h { short len; char flags; char text[]; }; struct g { long n; };";
        assert_eq!(
            bytes(&format!(
                "{header} static int g(const char *s) {{ return ((struct h *)(s - sizeof(struct h)))->len; }} int f(char *s) {{ return g(s) + s[-1]; }}"
            )),
            Some((16, false))
        );
        assert_eq!(
            bytes(&format!("{header} int f(void *s) {{ return ((struct g *)s)[-1].n; }}")),
            Some((8, true))
        );
    }

    #[test]
    fn a_member_leads_to_what_it_is_a_member_of() {
        let text = "struct list { struct list *next; }; struct item { int key; struct list node; };
                    int f(struct list *l) { int n = 0; for (struct list *i = l->next; i != l; i = i->next) {
                    struct item *item = ((struct item *)((char *)i - __builtin_offsetof(struct item, node))); n += item->key; } return n; }";
        let (program, of_head) = room(text);
        assert_eq!(of_head, None);
        let list = (0..).map(RecordId).find(|id| program.types.record(*id).tag == "list").unwrap();
        let found = program.rooms.of_field(list, 0).unwrap();
        assert_eq!(
            (found.bytes, program.types.spell(found.container.unwrap())),
            (8, "struct item".to_owned())
        );
    }
}
