//! What code outside the program may do to memory, for [`WorldAssumption::Open`].
//!
//! Each assumption has a bit of its own, a free variable that says that the assumption does not hold. If it is set, what the program reads is
//! unknown: a new variable for every read. So the open world contains every real run, and more: what none of its runs does is impossible, and a claim
//! depends on the assumptions whose bits its proof needs to be false. Undefined behaviour stays excluded, since an unknown pointer is assumed to be
//! valid.
//!
//! Three things make a read unknown: the object may overlap one that was written (`overlap`), something was written through an unknown
//! pointer (`wild`), or it is a global object that other code may have changed (`changed`).

use crate::access::Address;
use crate::cells::Cell;
use crate::config::WorldAssumption;
use crate::machine::{Machine, State, Step};
use crate::paths::PathId;
use crate::places::ObjectKind;
use crate::pointer::Pointee;
use crate::terms;
use crate::unrolled::{Assumption, Departure, ObjectId};
use nub_bitvec::{Sort, TermId};
use nub_c_ir::{FunctionId, GlobalId, OpenChoice, Program, Type, TypeId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::OnceLock;

/// At most this many distinct writes to one object are remembered; more count as writes to all of it.
const MAX_WRITES: usize = 64;

/// What is known about the outside, and what has happened to memory that it may refer to.
#[derive(Debug, Default)]
pub(crate) struct OpenWorld {
    /// What holds for all runs.
    pub facts: Rc<ProgramFacts>,
    /// Writes to objects that code outside may refer to, in the order of execution.
    written: Vec<Write>,
    /// One bit: something was written at an unknown place.
    wild: Option<TermId>,
    /// One bit: there is memory at addresses that the program makes from numbers.
    pub at_numbers: Option<TermId>,
    overlaps: FxHashMap<(ObjectId, ObjectId), TermId>,
    changed: FxHashMap<GlobalId, TermId>,
    /// Weak symbols, each with one bit: it is missing, or replaced.
    pub weak: Vec<(Assumption, TermId)>,
    /// Pairs of objects that one input pointer may point to.
    pub linked: Vec<(ObjectId, ObjectId)>,
}

/// What follows from the program alone. Each fact is computed when it is first needed, because that takes a walk over all functions.
#[derive(Debug, Default)]
pub(crate) struct ProgramFacts {
    changeable: OnceLock<Vec<bool>>,
    addresses: OnceLock<Vec<u128>>,
    named: OnceLock<Vec<GlobalId>>,
    sees_aliases: OnceLock<bool>,
    orders_pointers: OnceLock<bool>,
    changes_memory: OnceLock<bool>,
    compares_functions: OnceLock<bool>,
    calls_library: OnceLock<bool>,
}

/// Bytes that were written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Write {
    object: ObjectId,
    /// From the start of the object; absent if it is not constant.
    offset: Option<i128>,
    ty: TypeId,
}

impl OpenWorld {
    pub(crate) fn addresses(&self, program: &Program, start: FunctionId) -> &[u128] {
        self.facts.addresses.get_or_init(|| program.address_constants(start))
    }

    pub(crate) fn named_globals(&self, program: &Program, start: FunctionId) -> &[GlobalId] {
        self.facts.named.get_or_init(|| program.named_globals(start))
    }

    pub(crate) fn sees_aliases(&self, program: &Program, start: FunctionId) -> bool {
        *self.facts.sees_aliases.get_or_init(|| program.can_see_aliases(start))
    }

    pub(crate) fn orders_pointers(&self, program: &Program, start: FunctionId) -> bool {
        *self.facts.orders_pointers.get_or_init(|| program.orders_pointers(start))
    }

    pub(crate) fn changes_memory(&self, program: &Program, start: FunctionId) -> bool {
        *self.facts.changes_memory.get_or_init(|| program.changes_memory(start))
    }

    pub(crate) fn compares_functions(&self, program: &Program, start: FunctionId) -> bool {
        *self.facts.compares_functions.get_or_init(|| program.compares_functions(start))
    }

    pub(crate) fn calls_library(&self, program: &Program, start: FunctionId) -> bool {
        *self.facts.calls_library.get_or_init(|| program.calls_library(start))
    }

    /// Whether an input decides if two pointers to these objects point to the same one.
    pub(crate) fn is_linked(&self, a: ObjectId, b: ObjectId) -> bool {
        self.linked.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
    }

    fn remember(&mut self, write: Write) {
        let everywhere = Write { offset: None, ..write };
        if self.written.contains(&write) || self.written.contains(&everywhere) {
            return;
        }
        let n_same = self.written.iter().filter(|found| found.object == write.object).count();
        self.written.push(if n_same >= MAX_WRITES { everywhere } else { write });
    }

    fn is_changeable(&self, program: &Program, id: GlobalId) -> bool {
        self.facts.changeable.get_or_init(|| program.changeable_globals())[id.index()]
    }
}

impl Machine<'_> {
    pub(crate) fn is_open(&self) -> bool {
        self.config.world == WorldAssumption::Open
    }

    /// Runs with this guard violate an assumption.
    pub(crate) fn depart(&mut self, from: Assumption, guard: TermId) {
        if terms::known_truth(&self.pool, guard) != Some(false) {
            self.out.departures.push(Departure { from, guard });
        }
    }

    /// The same for the runs of a path under a condition.
    pub(crate) fn depart_on(&mut self, path: PathId, from: Assumption, condition: TermId) {
        let path = self.guard(path);
        let guard = terms::and(&mut self.pool, path, condition);
        let guard = self.settled(guard);
        self.depart(from, guard);
    }

    /// One bit: these two objects of the outside overlap.
    pub(crate) fn overlap(&mut self, a: ObjectId, b: ObjectId) -> TermId {
        let pair = (a.min(b), a.max(b));
        if let Some(bit) = self.memory.open.overlaps.get(&pair) {
            return *bit;
        }
        let bit = self.pool.var(Sort::BIT);
        self.memory.open.overlaps.insert(pair, bit);
        self.depart(Assumption::Apart(pair.0, pair.1), bit);
        bit
    }

    /// The initial value of a part of a global object, unless it was changed before the call.
    pub(crate) fn initial_or_changed(&mut self, id: GlobalId, value: TermId, size: u64) -> TermId {
        let is_locale = self.program.is_locale_table(id);
        self.out.leaves_open |= is_locale;
        if !self.is_open() || !is_locale && !self.memory.open.is_changeable(self.program, id) {
            return value;
        }
        let bit = match self.memory.open.changed.get(&id) {
            Some(bit) => *bit,
            None => {
                let bit = self.pool.var(Sort::BIT);
                self.memory.open.changed.insert(id, bit);
                let initial = if is_locale {
                    Assumption::LeftOpen(OpenChoice::Locale)
                } else {
                    Assumption::InitialValue(id)
                };
                self.depart(initial, bit);
                bit
            }
        };
        let unknown = self.nothing(size);
        self.choose(bit, unknown.value, value)
    }

    /// Functions without a body may write whatever they have pointers to, whenever they are called.
    pub(crate) fn begin_open_world(&mut self) {
        if !self.is_open() {
            return;
        }
        let program = self.program;
        for function in program.supplied.iter().map(|id| program.function(*id)) {
            let bit = self.pool.var(Sort::BIT);
            self.depart(Assumption::WritesNothing(function.name.clone()), bit);
            self.go_wild(bit);
        }
    }

    /// Something may be written at any place under this condition.
    pub(crate) fn go_wild(&mut self, condition: TermId) {
        let before = self.memory.open.wild.unwrap_or_else(|| self.pool.truth(false));
        self.memory.open.wild = Some(terms::or(&mut self.pool, before, condition));
    }

    /// Records a write, for later reads.
    pub(crate) fn note_write(&mut self, address: &Address, size: u64) {
        if !self.is_open() {
            return;
        }
        let mut known = address.register.unwrap_or_else(|| self.pool.truth(false));
        for spot in &address.spots {
            let mut is_here = spot.condition;
            if self.may_be_longer(spot.object) {
                let is_inside = self.is_inside(spot.object, &spot.offset, size);
                is_here = terms::and(&mut self.pool, is_here, is_inside);
            }
            known = terms::or(&mut self.pool, known, is_here);
            if self.is_exposed(spot.object) {
                self.memory.open.remember(Write {
                    object: spot.object,
                    offset: spot.offset.known(),
                    ty: address.ty,
                });
            }
        }
        let elsewhere = self.pool.not(known);
        if terms::known_truth(&self.pool, elsewhere) != Some(false) {
            let everywhere = self.pool.truth(true);
            let here = self.current.path.map_or(everywhere, |path| self.guard(path));
            let both = terms::and(&mut self.pool, here, elsewhere);
            self.go_wild(both);
        }
    }

    /// The condition under which the content there is unknown, if there is one.
    pub(crate) fn stain(&mut self, object: ObjectId, offset: Option<i128>, ty: TypeId) -> Option<TermId> {
        if !self.is_open() {
            return None;
        }
        let mut stain = self.memory.open.wild.filter(|_| self.can_be_hit(object));
        if self.can_be_hit(object) && self.has_volatile_parts(ty) {
            let bit = self.pool.var(Sort::BIT);
            self.depart(Assumption::VolatileKept, bit);
            stain = Some(stain.map_or(bit, |stain| terms::or(&mut self.pool, stain, bit)));
        }
        if !self.is_exposed(object) {
            return stain;
        }
        let read = Write { object, offset, ty };
        let mut others: Vec<ObjectId> = Vec::new();
        for write in &self.memory.open.written {
            if !others.contains(&write.object) && self.may_touch(read, *write) {
                others.push(write.object);
            }
        }
        for other in others {
            let bit = self.overlap(object, other);
            stain = Some(stain.map_or(bit, |stain| terms::or(&mut self.pool, stain, bit)));
        }
        stain
    }

    /// Whether a device may change it, or a member of it.
    fn has_volatile_parts(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            _ if types.is_volatile(ty) => true,
            Type::Record(record) => {
                types.record(*record).fields.iter().any(|field| types.is_volatile(field.ty))
            }
            _ => false,
        }
    }

    /// Whether code outside may change it. It cannot change a local variable whose address is never taken, nor a global one that it can neither name
    /// nor point to and that no function of this file writes: code outside may call that function.
    fn can_be_hit(&self, object: ObjectId) -> bool {
        match self.out.objects[object.index()].kind {
            ObjectKind::Local { .. } => self.memory.objects[object.index()].live.is_some(),
            ObjectKind::Global(id) => self.memory.open.is_changeable(self.program, id),
            ObjectKind::String(_) => false,
            ObjectKind::Heap(_) | ObjectKind::Pointee(_) => true,
        }
    }

    /// Whether a write to one object could be a write to what is read of another, if the two overlap. Types must agree (C17 6.5 paragraph 7). If an
    /// input says whether the two are the same object, the write can only hit another element: two objects of one type are never shifted by less than
    /// an element.
    fn may_touch(&self, read: Write, write: Write) -> bool {
        if read.object == write.object || !self.may_alias(read.ty, write.ty) || self.is_constant(read.object)
        {
            return false;
        }
        let is_inside = |id: ObjectId| self.out.objects[id.index()].before > 0;
        if !self.memory.open.is_linked(read.object, write.object)
            || is_inside(read.object)
            || is_inside(write.object)
        {
            return true;
        }
        let element = self.out.objects[read.object.index()].ty.map(|ty| self.element(ty));
        let size = element.and_then(|ty| self.program.types.size_of(ty)).unwrap_or(1).max(1);
        match (read.offset, write.offset) {
            (Some(a), Some(b)) => a != b && (a - b) % i128::from(size) == 0,
            _ => true,
        }
    }

    fn is_constant(&self, object: ObjectId) -> bool {
        match self.out.objects[object.index()].kind {
            ObjectKind::Global(id) => self.program.globals[id.index()].is_const,
            ObjectKind::String(_) => true,
            _ => false,
        }
    }

    fn element(&self, ty: TypeId) -> TypeId {
        match self.program.types.get(ty) {
            Type::Array(element, _) => *element,
            _ => ty,
        }
    }

    /// Whether objects of these types may be the same: characters and whole structures with anything, integers of one size, pointers.
    fn may_alias(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(a), types.get(b)) {
            (Type::Int(_), Type::Int(_)) => {
                let (a, b) = (types.size_of(a), types.size_of(b));
                a == b || a == Some(1) || b == Some(1)
            }
            (Type::Int(_), Type::Pointer(_)) => types.size_of(a) == Some(1),
            (Type::Pointer(_), Type::Int(_)) => types.size_of(b) == Some(1),
            _ => true,
        }
    }

    /// The value of a read from no known object.
    pub(crate) fn unknown_rest(&mut self, address: &Address, size: u64) -> Option<Cell> {
        if !self.is_open() {
            return None;
        }
        let none = self.pool.truth(false);
        let known =
            address.spots.iter().fold(none, |all, spot| terms::or(&mut self.pool, all, spot.condition));
        (terms::known_truth(&self.pool, known) != Some(true)).then(|| self.nothing(size))
    }

    /// A call of an unknown function, for runs in which the pointer is unknown: it may do anything and return anything.
    pub(crate) fn unknown_call(
        &mut self,
        cases: &[crate::pointer::Case],
        state: &State,
        result: Option<&Address>,
    ) -> Step<Option<State>> {
        if !self.is_open() {
            return Ok(None);
        }
        let none = self.pool.truth(false);
        let is_unknown =
            |case: &&crate::pointer::Case| matches!(case.pointee, Pointee::Unmodelled | Pointee::Unknown);
        let unknown = cases.iter().filter(is_unknown);
        let condition = unknown.fold(none, |all, case| terms::or(&mut self.pool, all, case.condition));
        let Some(path) = self.extend(state.path, condition) else { return Ok(None) };
        let mut state = State { path, ..state.clone() };
        let guard = self.guard(path);
        self.go_wild(guard);
        if let Some(address) = result {
            let size = self.program.types.size_of(address.ty).unwrap_or(0);
            let value = self.nothing(size);
            self.write(&mut state.cells, address, value, size)?;
        }
        Ok(Some(state))
    }
}
