//! Objects that are allocated while the program runs, of any size.
//!
//! If the size is not constant, the length is a term and only the first bytes are modelled. A run that uses a byte after those is cut there, like one
//! that needs more iterations of a loop. A large object of which only the first bytes are used is exact.

use crate::access::Range;
use crate::cells::{Cell, Cells};
use crate::config::{AllocationModel, Limit};
use crate::machine::{Machine, State, Step};
use crate::objects::{Content, NewObject};
use crate::places::{Object, ObjectKind};
use crate::pointer::{Case, Offset, Pointee};
use crate::terms;
use crate::unrolled::{Assumption, Bounded, ObjectId, Over, Property, What};
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::{AllocationId, AllocationMaker, InstrKind, IntKind, SourceOrigin};

/// A size that turns out to be constant is modelled completely up to this many bytes.
const MAX_WHOLE: u128 = 1 << 24;
/// A test allocates at most this many bytes for an object of unknown size.
const MAX_TRIED: u128 = 1 << 22;
/// At most this many bytes of an object of unknown size are modelled.
const MAX_MODELLED: u64 = 1 << 16;
/// How deep the terms of a size are searched for factors.
const MAX_DEPTH: u32 = 12;

impl Machine<'_> {
    /// An [`InstrKind::Allocate`].
    pub(crate) fn allocate(&mut self, state: &mut State, kind: &InstrKind, origin: SourceOrigin) -> Step<()> {
        let InstrKind::Allocate { result, site, size, old, is_zeroed, fails } = kind else { return Ok(()) };
        let width = self.memory.pointers.width();
        let allocation = &self.program.allocations[site.index()];
        let maker = allocation.maker;
        let bytes = match size {
            Some(size) => self.eval(&state.cells, *size)?,
            None => terms::constant(&mut self.pool, width, u128::from(allocation.size.unwrap_or(0))),
        };
        let object = self.allocated(*site, bytes, *is_zeroed)?;
        let alive = self.alive();
        if let Some(live) = self.memory.objects[object.index()].live {
            state.cells.set(live, alive);
        }
        let mut is_missing = self.is_too_large(maker, bytes);
        if let Some(fails) = fails {
            let fails = self.eval(&state.cells, *fails)?;
            let fails = self.is_true(fails);
            is_missing = terms::or(&mut self.pool, is_missing, fails);
            self.depart_if_huge(state, bytes, is_missing);
        }
        if let Some(old) = old {
            let old = self.eval(&state.cells, *old)?;
            self.check_free(state, old, origin);
            is_missing = self.move_content(state, old, (object, bytes), is_missing)?;
        }
        if self.config.allocations == AllocationModel::Succeed && maker == AllocationMaker::Library {
            is_missing = self.assume_memory(state, is_missing, origin);
        }
        let mut pointer = self.address_in(object, &Offset::default())?;
        if terms::known_truth(&self.pool, is_missing) != Some(false) {
            let null = terms::constant(&mut self.pool, width, 0);
            pointer = self.choose(is_missing, null, pointer);
        }
        if maker == AllocationMaker::Stub {
            pointer = self.or_any_object(*site, pointer);
        }
        let address = self.eval_place(&state.cells, result)?;
        let value = self.known_scalar(pointer);
        self.store(&mut state.cells, &address, value)?;
        self.record(state, What::Temporary, &address, result.ty, pointer, origin);
        Ok(())
    }

    /// Excludes the runs in which there is no memory. Returns the condition that there is none, which is false in the remaining runs.
    fn assume_memory(&mut self, state: &mut State, is_missing: TermId, origin: SourceOrigin) -> TermId {
        if terms::known_truth(&self.pool, is_missing) == Some(false) {
            return is_missing;
        }
        let condition = self.pool.not(is_missing);
        let (guard, context, order) = (self.guard(state.path), self.context(), self.next_order());
        let text = "the allocation succeeds".to_owned();
        let after = self.out.assignments.len();
        self.out.assumes.push(Property { kind: (), text, guard, condition, origin, context, order, after });
        self.restrict(state, condition);
        self.pool.truth(false)
    }

    /// No test has an object so large that machines refuse it, though C allows it.
    fn depart_if_huge(&mut self, state: &State, bytes: TermId, is_missing: TermId) {
        if terms::known(&self.pool, bytes).is_some_and(|size| size <= MAX_WHOLE) {
            return;
        }
        let width = self.pool.width(bytes);
        let most = terms::constant(&mut self.pool, width, MAX_TRIED);
        let is_huge = self.pool.mk(Op::Ult, &[most, bytes]);
        let is_made = self.pool.not(is_missing);
        let both = terms::and(&mut self.pool, is_huge, is_made);
        self.depart_on(state.path, Assumption::Memory, both);
    }

    /// The new object.
    fn allocated(&mut self, site: AllocationId, bytes: TermId, is_zeroed: bool) -> Step<ObjectId> {
        let allocation = &self.program.allocations[site.index()];
        self.work.n_allocations += 1;
        let name = match allocation.maker {
            AllocationMaker::Automatic => allocation.name.clone(),
            AllocationMaker::Library | AllocationMaker::Stub => {
                format!("malloc #{}", self.work.n_allocations)
            }
        };
        let whole = terms::known(&self.pool, bytes).filter(|size| *size <= MAX_WHOLE);
        let size = match whole {
            Some(size) => size as u64,
            None => self.modelled(bytes, MAX_DEPTH).min(MAX_MODELLED),
        };
        let info = Object {
            name,
            ty: None,
            size,
            kind: ObjectKind::Heap(site),
            before: 0,
            part: None,
            is_allocated: false,
        };
        let content = if is_zeroed { Content::Zero } else { Content::Undefined };
        let object = self.new_object(NewObject { info, layout: None, is_mortal: true, content })?;
        if whole.is_none() {
            let width = self.memory.pointers.width();
            let length = terms::resize(&mut self.pool, bytes, width);
            self.memory.objects[object.index()].length = Some(length);
        }
        Ok(object)
    }

    /// No object is larger than half of the address space.
    fn is_too_large(&mut self, maker: AllocationMaker, bytes: TermId) -> TermId {
        if maker == AllocationMaker::Automatic {
            return self.pool.truth(false);
        }
        let most = (1_u128 << (self.memory.pointers.width() - 1)) - 1;
        let width = self.pool.width(bytes);
        let most = terms::constant(&mut self.pool, width, most);
        self.pool.mk(Op::Ult, &[most, bytes])
    }

    /// How many bytes a size stands for if each number in it that is not constant is the number of elements behind input pointers: `header + n *
    /// sizeof(int)` gives room for the header and that many elements.
    fn modelled(&self, size: TermId, depth: u32) -> u64 {
        if let Some(known) = terms::known(&self.pool, size) {
            return u64::try_from(known).unwrap_or(u64::MAX);
        }
        let elements = self.config.pointers.of_allocation();
        if depth == 0 {
            return elements;
        }
        let term = self.pool.term(size);
        let of = |at: usize| self.modelled(term.arg(at), depth - 1);
        match term.op() {
            Op::Mul => of(0).saturating_mul(of(1)),
            Op::Add => of(0).saturating_add(of(1)),
            Op::Shl => 1_u64.checked_shl(of(1).min(63) as u32).unwrap_or(1).saturating_mul(of(0)),
            Op::Concat => {
                let low = self.pool.width(term.arg(1)).min(63);
                of(0)
                    .saturating_mul(1 << low)
                    .saturating_add(if terms::known(&self.pool, term.arg(0)) == Some(0) { of(1) } else { 0 })
            }
            Op::Ite => of(1).max(of(2)),
            Op::Uext | Op::Sext | Op::Slice => of(0),
            // Characters are cheap to model, and strings are often longer than tables.
            _ if depth == MAX_DEPTH => elements.max(self.config.pointers.characters),
            _ => elements,
        }
    }

    /// Whether there are `size` bytes from where this case of a pointer points. Records the runs in which they exist, but are after the part that is
    /// modelled.
    pub(crate) fn is_within(&mut self, object: ObjectId, case: &Case, size: u64) -> TermId {
        let is_modelled = self.is_inside(object, &case.offset, size);
        let Some(length) = self.memory.objects[object.index()].length else { return is_modelled };
        let width = self.memory.pointers.width();
        let most = (1_u128 << (width - 1)) - 1;
        let is_near = self.is_inside_of(u64::try_from(most).unwrap_or(u64::MAX), &case.offset, size);
        let offset = case.offset.term(&mut self.pool, width);
        let size = terms::constant(&mut self.pool, width, u128::from(size));
        let end = self.pool.mk(Op::Add, &[offset, size]);
        let is_short = self.pool.mk(Op::Ule, &[end, length]);
        let is_within = terms::and(&mut self.pool, is_near, is_short);
        let is_past = self.pool.not(is_modelled);
        let is_past = terms::and(&mut self.pool, is_past, is_within);
        let is_past = terms::and(&mut self.pool, is_past, case.condition);
        if let ObjectKind::Heap(site) = self.out.objects[object.index()].kind
            && terms::known_truth(&self.pool, is_past) != Some(false)
        {
            self.current.past_memory.push((Bounded::Allocation(site), is_past));
        }
        is_within
    }

    /// A run in which the pointer is this case uses memory at a numeric address, whose content is not modelled. In the closed world the run is cut;
    /// in the open world the memory is valid and has any content.
    pub(crate) fn cut_at_number(&mut self, case: &Case) {
        if case.pointee == Pointee::Unknown && !self.is_open() && !self.current.is_observing {
            self.current.past_memory.push((Bounded::Address, case.condition));
        }
    }

    /// Ends the runs that use memory after the modelled part of an allocation, or at an address that is not modelled.
    pub(crate) fn cut_past_memory(&mut self, state: &mut State, origin: SourceOrigin) {
        for (bounded, is_past) in std::mem::take(&mut self.current.past_memory) {
            // Another access of the same instruction may have ended all runs.
            if state.is_dead {
                continue;
            }
            let Some(path) = self.extend(state.path, is_past) else { continue };
            let (guard, context) = (self.guard(path), self.context());
            let bound = match bounded {
                Bounded::Allocation(_) => {
                    u32::try_from(self.config.pointers.of_allocation()).unwrap_or(u32::MAX)
                }
                _ => 0,
            };
            self.out.over.push(Over { bounded, bound, guard, origin, context });
            let stays = self.pool.not(is_past);
            self.restrict(state, stays);
        }
    }

    /// Bytes of the object that a pointer points into, 0 if there is none.
    pub(crate) fn object_size(&mut self, cells: &Cells, pointer: TermId) -> TermId {
        let width = self.memory.pointers.width();
        let cases = self.memory.pointers.resolve(&mut self.pool, pointer);
        let mut size = terms::constant(&mut self.pool, width, 0);
        for case in cases.iter() {
            let own = match case.pointee {
                Pointee::Object(object) => {
                    let length = self.length(object);
                    let (is_alive, zero) =
                        (self.is_alive(cells, object), terms::constant(&mut self.pool, width, 0));
                    self.pool.mk(Op::Ite, &[is_alive, length, zero])
                }
                Pointee::Unmodelled | Pointee::Unknown => self.pool.var(Sort::Bits(width)),
                Pointee::Null | Pointee::Function(_) | Pointee::Nowhere | Pointee::Computed => continue,
            };
            size = self.pool.mk(Op::Ite, &[case.condition, own, size]);
        }
        size
    }

    /// Bytes from the start of its object to where a pointer points, 0 if there is no object.
    pub(crate) fn offset_in_object(&mut self, pointer: TermId) -> TermId {
        let width = self.memory.pointers.width();
        let cases = self.memory.pointers.resolve(&mut self.pool, pointer);
        let mut offset = terms::constant(&mut self.pool, width, 0);
        for case in cases.iter() {
            let own = match case.pointee {
                Pointee::Object(_) => case.offset.term(&mut self.pool, width),
                Pointee::Unmodelled | Pointee::Unknown => self.pool.var(Sort::Bits(width)),
                Pointee::Null | Pointee::Function(_) | Pointee::Nowhere | Pointee::Computed => continue,
            };
            offset = self.pool.mk(Op::Ite, &[case.condition, own, offset]);
        }
        offset
    }

    fn length(&mut self, object: ObjectId) -> TermId {
        let size = self.out.objects[object.index()].size;
        let width = self.memory.pointers.width();
        match self.memory.objects[object.index()].length {
            Some(length) => length,
            None => terms::constant(&mut self.pool, width, u128::from(size)),
        }
    }

    /// `realloc`: the new object gets the content of the old one, which ends. Returns whether the result is null.
    fn move_content(
        &mut self,
        state: &mut State,
        old: TermId,
        (object, bytes): (ObjectId, TermId),
        is_missing: TermId,
    ) -> Step<TermId> {
        let width = self.pool.width(bytes);
        let zero = terms::constant(&mut self.pool, width, 0);
        let is_empty = terms::eq(&mut self.pool, bytes, zero);
        let is_made = self.pool.not(is_missing);
        let cases = self.memory.pointers.resolve(&mut self.pool, old);
        let mut has_old = self.pool.truth(false);
        for case in cases.iter() {
            match case.pointee {
                Pointee::Object(from) => {
                    self.copy_content(&mut state.cells, from, object, case.condition)?;
                }
                // The content is as unknown as that of everything after a write at an unknown place.
                Pointee::Unknown | Pointee::Unmodelled if self.is_open() => {
                    let path = self.guard(state.path);
                    let is_moved = terms::and(&mut self.pool, path, case.condition);
                    self.go_wild(is_moved);
                }
                _ => continue,
            }
            has_old = terms::or(&mut self.pool, has_old, case.condition);
        }
        let ends = terms::or(&mut self.pool, is_made, is_empty);
        self.free(&mut state.cells, old, ends);
        let is_freed = terms::and(&mut self.pool, is_empty, has_old);
        Ok(terms::or(&mut self.pool, is_missing, is_freed))
    }

    /// Copies the bytes of an object as far as both are modelled. What is after the length of the old one counts as never written.
    fn copy_content(
        &mut self,
        cells: &mut Cells,
        from: ObjectId,
        to: ObjectId,
        condition: TermId,
    ) -> Step<()> {
        let own = self.out.objects[from.index()].ty;
        let is_unused = self.memory.objects[from.index()].layout.is_none();
        let Some(ty) = own.or_else(|| self.program.types.find_int(IntKind::Char)) else { return Ok(()) };
        if is_unused && self.memory.objects[from.index()].content == Content::Undefined {
            return Ok(());
        }
        let layout = self.layout(from, ty);
        let (before, after) = (self.out.objects[from.index()].size, self.out.objects[to.index()].size);
        let target = self.layout(to, ty);
        let end = before.min(after);
        let (mut offset, mut n_cells) = (0, 0);
        while let Some(at) = target.cell_at(offset).filter(|_| offset < end) {
            let size = at.size.min(end - offset);
            n_cells += 1;
            if n_cells > self.config.limits.max_copy {
                return Err(self.limit(Limit::Copy(self.config.limits.max_copy)));
            }
            let mut cell = self.read_at(cells, &layout, Range { object: from, offset, size })?;
            cell.written = self.written_before(from, offset, size, cell.written);
            self.write_at(cells, &target, Range { object: to, offset, size }, condition, cell)?;
            offset += size;
        }
        Ok(())
    }

    /// Which bytes of a part of an object were written and are within its length.
    fn written_before(&mut self, object: ObjectId, offset: u64, size: u64, written: TermId) -> TermId {
        let Some(length) = self.memory.objects[object.index()].length else { return written };
        let width = self.memory.pointers.width();
        let mut mask: Option<TermId> = None;
        for byte in offset..offset + size {
            let at = terms::constant(&mut self.pool, width, u128::from(byte));
            let bit = self.pool.mk(Op::Ult, &[at, length]);
            mask = Some(match mask {
                Some(low) => self.pool.mk(Op::Concat, &[bit, low]),
                None => bit,
            });
        }
        mask.map_or(written, |mask| self.pool.mk(Op::And, &[written, mask]))
    }

    /// Ends the objects that a pointer may point to, if the condition holds.
    pub(crate) fn free(&mut self, cells: &mut Cells, pointer: TermId, condition: TermId) {
        let cases = self.memory.pointers.resolve(&mut self.pool, pointer);
        for case in cases.iter() {
            let Pointee::Object(object) = case.pointee else { continue };
            let Some(live) = self.memory.objects[object.index()].live else { continue };
            let old = self.is_alive(cells, object);
            let falsity = self.pool.truth(false);
            let ends = terms::and(&mut self.pool, case.condition, condition);
            let value = self.pool.mk(Op::Ite, &[ends, falsity, old]);
            cells.set(live, Cell { value, written: value });
        }
    }
}
