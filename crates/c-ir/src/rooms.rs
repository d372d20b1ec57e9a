//! Pointers into the middle of an object, and pointers whose objects the program frees.
//!
//! A string may have a header in front of its characters, and the node of a list may be a member of the listed structure: a function gets a pointer
//! and reads what lies before it. So an input pointer from which the program subtracts a constant points into an object that also has memory before
//! that address. An object that the program frees has to be allocated.

use crate::ids::*;
use crate::ir::*;
use crate::opaque::{Flows, Holder, holder, spread};
use crate::types::{IntKind, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most bytes that are put before a pointer.
const MAX_ROOM: u64 = 512;
/// Room for this many steps back, for a pointer that the program decrements.
const STEPS_BACK: u64 = 8;
/// The most nested operators in a constant distance.
const MAX_NESTED: u32 = 16;
/// The alignment of the objects of tests, which the room before a pointer keeps.
const ALIGNMENT: u64 = 16;

/// Where in its object an input pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoomBefore {
    /// Bytes from the start of the object to the pointer.
    pub bytes: u64,
    /// The least number of bytes from the pointer to the end of the object. The program reads them as parts of structures that start before the
    /// pointer.
    pub after: u64,
    /// The structure that the elements of the object are, if they do not have the type of the pointer's target.
    pub container: Option<RecordId>,
}

/// The input pointers that point into the middle of an object, and those whose objects the program frees.
#[derive(Clone, Debug, Default)]
pub struct RoomsBefore {
    params: FxHashMap<usize, RoomBefore>,
    fields: FxHashMap<(RecordId, u32), RoomBefore>,
    globals: FxHashMap<GlobalId, RoomBefore>,
    freed: FreedObjects,
}

/// The pointers whose objects the program frees.
#[derive(Clone, Debug, Default)]
struct FreedObjects {
    params: FxHashSet<usize>,
    fields: FxHashSet<(RecordId, u32)>,
    globals: FxHashSet<GlobalId>,
    /// Pointers that are elements of arrays, or behind pointers.
    elements: bool,
}

impl RoomsBefore {
    /// The room before a parameter.
    pub fn of_parameter(&self, index: usize) -> Option<RoomBefore> {
        self.params.get(&index).copied()
    }

    /// The room before a member.
    pub fn of_field(&self, record: RecordId, field: u32) -> Option<RoomBefore> {
        self.fields.get(&(record, field)).copied()
    }

    /// The room before a global pointer.
    pub fn of_global(&self, global: GlobalId) -> Option<RoomBefore> {
        self.globals.get(&global).copied()
    }

    /// A holder has the room that it was given first.
    fn give(&mut self, holder: Holder, room: RoomBefore) {
        match holder {
            Holder::Local(_, local) => self.params.entry(local.index()).or_insert(room),
            Holder::Field(record, field) => self.fields.entry((record, field)).or_insert(room),
            Holder::Global(global) => self.globals.entry(global).or_insert(room),
        };
    }

    /// Whether the program frees the object of a parameter.
    pub fn frees_parameter(&self, index: usize) -> bool {
        self.freed.params.contains(&index)
    }

    /// Whether the program frees the object of a member.
    pub fn frees_field(&self, record: RecordId, field: u32) -> bool {
        self.freed.fields.contains(&(record, field))
    }

    /// Whether the program frees the object of a global pointer.
    pub fn frees_global(&self, global: GlobalId) -> bool {
        self.freed.globals.contains(&global)
    }

    /// Whether the program frees objects of pointers that are elements of arrays, or behind pointers.
    pub fn frees_elements(&self) -> bool {
        self.freed.elements
    }
}

/// The program reads memory this many bytes before a pointer, as a structure of this type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct LooksBack {
    bytes: u64,
    record: Option<RecordId>,
}

impl Program {
    /// Finds the input pointers before which the program reads memory, and those whose objects it frees. O(program × structures that contain the
    /// target of one pointer).
    pub fn give_room(&mut self, start: FunctionId) {
        let (flows, uses) = self.flows_and_looks(start);
        let mut rooms = RoomsBefore::default();
        let ordered = self.ordered_inputs(start, &flows).into_iter();
        let before_ordered = FxHashSet::from_iter([LooksBack { bytes: 1, record: None }]);
        let before_ordered = ordered.map(|holder| (holder, before_ordered.clone()));
        for (holder, looks) in spread(&flows, uses).into_iter().chain(before_ordered) {
            if let Some(ty) = self.input_type(holder, start)
                && let Some(room) = self.room(ty, &looks)
            {
                rooms.give(holder, room);
            }
        }
        rooms.freed = self.freed(start, flows);
        self.rooms = rooms;
    }

    /// The declared type of what holds an input of `start`; `None` if it is something else.
    pub(crate) fn input_type(&self, holder: Holder, start: FunctionId) -> Option<TypeId> {
        match holder {
            Holder::Local(function, local) => {
                let declared = &self.function(function).locals[local.index()];
                (function == start && declared.kind == LocalKind::Parameter).then_some(declared.ty)
            }
            Holder::Field(record, field) => Some(self.types.record(record).fields[field as usize].ty),
            Holder::Global(global) => Some(self.globals[global.index()].ty),
        }
    }

    /// Copies what [`Program::give_room`] found for another text of this program, so that both have the same inputs. Returns false if the structures
    /// that this is about differ in the two texts. O(structures × types).
    #[must_use]
    pub fn take_rooms_of(&mut self, original: &Program) -> bool {
        let rooms = &original.rooms;
        let all = rooms.params.values().chain(rooms.fields.values()).chain(rooms.globals.values());
        let containers = all.filter_map(|room| room.container);
        let mut used = rooms.fields.keys().chain(&rooms.freed.fields).map(|(id, _)| *id).chain(containers);
        let is_same = used.all(|id| self.types.has_same_record(&original.types, id));
        if is_same {
            self.rooms = rooms.clone();
        }
        is_same
    }

    /// The pointers that are freed or passed to `realloc`, and those from which such a pointer is computed by a step back (`free(p - 1)`).
    fn freed(&self, start: FunctionId, mut flows: Flows) -> FreedObjects {
        let mut found = FxHashMap::<_, FxHashSet<()>>::default();
        let mut from_elements = FxHashSet::<Holder>::default();
        let mut freed = FreedObjects::default();
        for id in self.reachable(start) {
            let body = self.function(id);
            for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
                for (to, value) in self.moves(id, &instr.kind) {
                    let value = without_casts(body, value);
                    if let Some((from, _)) = self.looks_back(id, value) {
                        flows.entry(to).or_default().push(from);
                    }
                    if self.is_element(id, value) {
                        from_elements.insert(to);
                    }
                }
                let (InstrKind::Free { pointer } | InstrKind::Allocate { old: Some(pointer), .. }) =
                    instr.kind
                else {
                    continue;
                };
                let pointer = without_casts(body, pointer);
                let behind = self.looks_back(id, pointer).map(|(holder, _)| holder);
                if let Some(holder) = behind.or_else(|| self.pointer_holder(id, pointer)) {
                    found.entry(holder).or_default().insert(());
                }
                freed.elements |= self.is_element(id, pointer);
            }
        }
        for holder in spread(&flows, found).into_keys() {
            freed.elements |= from_elements.contains(&holder);
            match holder {
                Holder::Local(function, local) if function == start => {
                    let is_param = self.function(start).locals[local.index()].kind == LocalKind::Parameter;
                    freed.params.extend(is_param.then_some(local.index()));
                }
                Holder::Field(record, field) => {
                    freed.fields.insert((record, field));
                }
                Holder::Global(global) => {
                    freed.globals.insert(global);
                }
                Holder::Local(..) => {}
            }
        }
        freed
    }

    /// Whether an expression reads a pointer from an array or from behind a pointer.
    fn is_element(&self, function: FunctionId, id: ExprId) -> bool {
        let expr = self.function(function).expr(id);
        let ExprKind::Load(place) = &expr.kind else { return false };
        self.types.pointee(expr.ty).is_some() && holder(function, place).is_none()
    }

    /// The object that a pointer of this type points into. It is a structure if the program always reads the target as a part of one; of several
    /// structures, the one that starts furthest before the pointer. Otherwise it is an array of what the pointer points to.
    fn room(&self, pointer: TypeId, looks: &FxHashSet<LooksBack>) -> Option<RoomBefore> {
        let target = self.types.pointee(pointer)?;
        let bytes = looks.iter().map(|look| look.bytes).max()?;
        let size = |record: RecordId| self.types.record(record).size;
        let rest = |look: &LooksBack| size(look.record?)?.checked_sub(look.bytes);
        let after = looks.iter().filter_map(rest).max().unwrap_or(0).min(MAX_ROOM);
        let container = |look: &LooksBack| {
            let record = look.record.filter(|record| self.can_contain(*record, target, look.bytes))?;
            Some((look.bytes, size(record)?, record))
        };
        let found: Option<Vec<(u64, u64, RecordId)>> = looks.iter().map(container).collect();
        if let Some((bytes, _, record)) = found.and_then(|found| found.into_iter().max()) {
            return Some(RoomBefore { bytes, after, container: Some(record) });
        }
        let size = match self.types.get(target) {
            Type::Void => 1,
            Type::Function(_) => return None,
            _ => self.types.size_of(target).filter(|size| *size > 0)?,
        };
        let unit = if size.is_power_of_two() { size.max(ALIGNMENT) } else { size };
        let bytes = bytes.checked_next_multiple_of(unit).filter(|bytes| *bytes <= MAX_ROOM)?;
        Some(RoomBefore { bytes, after, container: None })
    }

    /// Whether the target of a pointer can be inside this structure, or directly after it. Characters after a header stay an array of characters.
    fn can_contain(&self, record: RecordId, target: TypeId, bytes: u64) -> bool {
        let Some(size) = self.types.record(record).size.filter(|size| *size > 0) else { return false };
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
            let mut casts = FxHashMap::<ExprId, Vec<RecordId>>::default();
            // A cast comes after its operand.
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
    fn record_behind(&self, pointer: TypeId) -> Option<RecordId> {
        match *self.types.get(self.types.pointee(pointer)?) {
            Type::Record(record) => Some(record),
            _ => None,
        }
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

    /// The holder of the pointer that an expression reads.
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

impl Types {
    /// The type of a record; `None` if nothing has that type yet. O(types).
    pub fn type_of_record(&self, record: RecordId) -> Option<TypeId> {
        self.record_types().find(|ty| *self.get(*ty) == Type::Record(record))
    }

    /// Whether a record has the same tag, size and members in other types. O(types).
    fn has_same_record(&self, other: &Types, id: RecordId) -> bool {
        if self.type_of_record(id).is_none() || other.type_of_record(id).is_none() {
            return false;
        }
        let (a, b) = (self.record(id), other.record(id));
        (&a.tag, a.size) == (&b.tag, b.size)
            && a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(|(a, b)| (&a.name, a.offset) == (&b.name, b.offset))
    }
}

/// The pointer without its casts.
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
            (found.bytes, program.types.spell_record(found.container.unwrap())),
            (8, "struct item".to_owned())
        );
    }

    #[test]
    fn every_structure_around_a_member_fits() {
        let text = "struct list { int kind; }; struct a { int key; char pad[36]; struct list node; };
                    struct b { int val; struct list node; char rest[100]; };
                    int f(struct list *l) { if (l->kind) return ((struct a *)((char *)l - __builtin_offsetof(struct a, node)))->key;
                    return ((struct b *)((char *)l - __builtin_offsetof(struct b, node)))->rest[50]; }";
        let (program, found) = room(text);
        let found = found.unwrap();
        assert_eq!(program.types.spell_record(found.container.unwrap()), "struct a");
        assert_eq!((found.bytes, found.after), (40, 104));
    }

    #[test]
    fn what_is_freed() {
        let of = |text: &str| {
            let head = "void free(void *); struct s { char *name; }; char *known;";
            let freed = room(&format!("{head} {text}")).0.rooms.freed;
            (freed.params.len(), freed.fields.len(), freed.globals.len(), freed.elements)
        };
        assert_eq!(
            of("void f(char *a, char *b) { char *c = a; free(c); if (b) free(known); }"),
            (1, 0, 1, false)
        );
        assert_eq!(of("void f(struct s *s) { free(s->name); }"), (0, 1, 0, false));
        assert_eq!(of("void f(char **list) { free(list[1]); }"), (0, 0, 0, true));
        assert_eq!(of("void f(char **list) { char *last = *list; free(last); }"), (0, 0, 0, true));
        assert_eq!(of("void f(char **list) { char *last = *list; free(list); }"), (1, 0, 0, false));
    }
}
