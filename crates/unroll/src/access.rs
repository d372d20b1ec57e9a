//! Reading and writing memory.
//!
//! An access at a constant offset refers to one cell, or to parts of several. With an index that is not constant it refers to one of several cells: a
//! read selects between their values by a tree over the bits of the index, a write changes each of them under the condition that it is the one.

use crate::cells::{Cell, Cells};
use crate::config::Beyond;
use crate::layout::Layout;
use crate::machine::{Machine, Step};
use crate::offset::OffsetPart;
use crate::pointer::{Case, Offset, Pointee};
use crate::terms;
use crate::unrolled::{Bounded, ObjectId};
use nub_bitvec::{Op, Sort, TermId};
use nub_c_ir::{BitRange, ByteOrder, TypeId};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// A place in memory that an access may refer to.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// One bit; the conditions of an access are disjoint.
    pub condition: TermId,
    pub object: ObjectId,
    pub offset: Offset,
}

/// What an access refers to.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    /// Empty if no defined run makes this access, and if it is one to a register.
    pub spots: Vec<Spot>,
    /// One bit: it is a register, which has no object.
    pub register: Option<TermId>,
    pub bits: Option<BitRange>,
    pub ty: TypeId,
    /// The type of the whole that the part is taken from.
    pub hint: TypeId,
}

/// An access of some bytes.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub object: ObjectId,
    pub offset: u64,
    pub size: u64,
}

impl Machine<'_> {
    /// The bytes at an address; zero if there is no spot.
    pub(crate) fn read(&mut self, cells: &Cells, address: &Address, size: u64) -> Step<Cell> {
        let mut found: Option<Cell> = self.unknown_rest(address, size);
        for spot in address.spots.iter().rev() {
            let mut cell = match self.call_of_list(spot.object) {
                Some(call) => self.read_argument(call, spot, address.ty, size)?,
                None => {
                    let layout = self.layout(spot.object, address.hint);
                    self.read_spot(cells, &layout, spot, size)?
                }
            };
            cell = self.errno_after_calls(spot.object, cell);
            if let Some(stain) = self.stain(spot.object, spot.offset.known(), address.ty) {
                let unknown = self.nothing(size);
                cell = self.choose_cell(stain, unknown, cell);
            }
            found = Some(match found {
                Some(other) => self.choose_cell(spot.condition, cell, other),
                None => cell,
            });
        }
        Ok(found.unwrap_or_else(|| self.nothing(size)))
    }

    /// The value of a read where no object is known.
    pub(crate) fn nothing(&mut self, size: u64) -> Cell {
        let bits = self.storage_bits(size);
        if self.is_open() || self.config.pointers.beyond == Beyond::Unknown {
            let value = self.pool.var(Sort::Bits(bits.max(1)));
            if bits == self.memory.pointers.width() {
                // If it is a pointer, its target is not modelled.
                let pointee = if self.is_open() { Pointee::Unmodelled } else { Pointee::Nowhere };
                let condition = self.pool.truth(true);
                self.memory
                    .pointers
                    .enter(value, vec![Case { condition, pointee, offset: Offset::default() }]);
            }
            return Cell { value, written: self.all_written(size) };
        }
        Cell { value: terms::constant(&mut self.pool, bits, 0), written: self.all_written(size) }
    }

    pub(crate) fn choose_cell(&mut self, condition: TermId, a: Cell, b: Cell) -> Cell {
        let written = self.pool.mk(Op::Ite, &[condition, a.written, b.written]);
        Cell { value: self.choose(condition, a.value, b.value), written }
    }

    fn read_spot(&mut self, cells: &Cells, layout: &Rc<Layout>, spot: &Spot, size: u64) -> Step<Cell> {
        let whole = self.out.objects[spot.object.index()].size;
        let Some(ranges) = self.ranges(&spot.offset, whole, size) else {
            self.cut_large(spot);
            return Ok(self.nothing(size));
        };
        let mut values = Vec::new();
        for indices in Odometer::new(&ranges) {
            let offset = offset_at(&spot.offset, &indices);
            values.push(
                match u64::try_from(offset)
                    .ok()
                    .filter(|at| at.checked_add(size).is_some_and(|end| end <= whole))
                {
                    Some(offset) => {
                        self.read_at(cells, layout, Range { object: spot.object, offset, size })?
                    }
                    None => self.nothing(size),
                },
            );
        }
        // The last index varies fastest.
        for (part, range) in spot.offset.parts.iter().zip(&ranges).rev() {
            let length = usize::try_from(range.end() - range.start() + 1).unwrap_or(1).max(1);
            let mut chosen = Vec::with_capacity(values.len() / length);
            for row in values.chunks(length) {
                chosen.push(self.select(part.index, *range.start(), row));
            }
            values = chosen;
        }
        let Some(found) = values.first().copied() else { return Ok(self.nothing(size)) };
        if spot.offset.parts.is_empty() || !self.may_be_longer(spot.object) {
            return Ok(found);
        }
        // Without this, an index outside the object would select one of the values.
        let is_inside = self.is_inside(spot.object, &spot.offset, size);
        let unknown = self.nothing(size);
        Ok(self.choose_cell(is_inside, found, unknown))
    }

    /// An access that may refer to too many scalars: the runs that make it end there.
    fn cut_large(&mut self, spot: &Spot) {
        if !self.current.is_observing {
            self.current.past_memory.push((Bounded::Large, spot.condition));
        }
    }

    /// The values of each index for which the access stays in the object. Empty ranges if there is none; `None` if there are too many.
    fn ranges(&self, offset: &Offset, whole: u64, size: u64) -> Option<Vec<RangeInclusive<i128>>> {
        let last = i128::from(whole) - i128::from(size);
        let mut ranges = Vec::new();
        let mut n_candidates: usize = 1;
        for part in &offset.parts {
            let scale = i128::from(part.scale.max(1));
            let (low, high) = match part.count {
                Some(count) => (0, i128::from(count) - 1),
                None => {
                    ((-offset.base).div_euclid(scale) + i128::from((-offset.base).rem_euclid(scale) != 0), {
                        (last - offset.base).div_euclid(scale)
                    })
                }
            };
            let length = usize::try_from((high - low + 1).max(0)).unwrap_or(usize::MAX);
            n_candidates = n_candidates.saturating_mul(length);
            ranges.push(low..=high);
        }
        (n_candidates <= self.config.limits.max_candidates).then_some(ranges)
    }

    /// The value with the number `index - first`. For an index out of range it may be anything.
    fn select(&mut self, index: TermId, first: i128, values: &[Cell]) -> Cell {
        let mut level: Vec<Cell> = values.to_vec();
        if first == 0 {
            let mut bit = 0;
            while level.len() > 1 {
                let condition = self.pool.slice(index, bit, bit);
                level = level
                    .chunks(2)
                    .map(|pair| match *pair {
                        [even, odd] => self.choose_cell(condition, odd, even),
                        _ => pair[0],
                    })
                    .collect();
                bit += 1;
            }
            return level[0];
        }
        let width = self.pool.width(index);
        let mut chosen = level[0];
        for (number, value) in (first..).zip(level).skip(1) {
            let number = terms::signed(&mut self.pool, width, number);
            let is_it = terms::eq(&mut self.pool, index, number);
            chosen = self.choose_cell(is_it, value, chosen);
        }
        chosen
    }

    fn cell(&mut self, cells: &Cells, object: ObjectId, at: crate::layout::CellAt) -> Step<Cell> {
        match cells.get(self.memory.cell_id(object, at)) {
            Some(cell) => Ok(cell),
            None => self.default_cell(object, at),
        }
    }

    /// Bytes at a constant offset in an object: parts of cells, concatenated.
    pub(crate) fn read_at(&mut self, cells: &Cells, layout: &Layout, range: Range) -> Step<Cell> {
        let end = range.offset + range.size;
        let mut offset = range.offset;
        let mut found: Option<Cell> = None;
        while let Some(at) = layout.cell_at(offset).filter(|_| offset < end) {
            let cell = self.cell(cells, range.object, at)?;
            let (from, to) = (offset - at.start, (at.start + at.size).min(end) - at.start);
            let part = self.bytes_of(cell, at.size, from, to);
            found = Some(match found {
                Some(before) => Cell {
                    value: match self.program.model.byte_order {
                        ByteOrder::Little => self.joined(part.value, before.value),
                        ByteOrder::Big => self.joined(before.value, part.value),
                    },
                    written: self.pool.mk(Op::Concat, &[part.written, before.written]),
                },
                None => part,
            });
            offset = at.start + at.size;
        }
        Ok(found.unwrap_or_else(|| self.nothing(range.size)))
    }

    fn bytes_of(&mut self, cell: Cell, size: u64, from: u64, to: u64) -> Cell {
        if from == 0 && to == size {
            return cell;
        }
        Cell {
            value: self.some_bytes(cell.value, size, from, to),
            written: self.pool.slice(cell.written, to as u32 - 1, from as u32),
        }
    }

    /// The bytes from `from` up to `to` of a value of `size` bytes.
    pub(crate) fn some_bytes(&mut self, value: TermId, size: u64, from: u64, to: u64) -> TermId {
        if from == 0 && to == size {
            return value;
        }
        let width = self.storage_bits(to - from);
        let low = self.lowest_bit(size, self.storage_bits(from), width);
        let whole = self.as_parts(value);
        if width == self.memory.pointers.width() {
            return self.pointer_in(whole, low);
        }
        self.pool.slice(whole, low + width - 1, low)
    }

    /// A part of a pointer is a part of its address as a number, and a part of a NaN is a part of its bits.
    fn as_parts(&mut self, value: TermId) -> TermId {
        let value = self.pointer_as_int(value);
        self.seen_bits(value)
    }

    /// The position of the `width` bits that follow the first `start`, in the number that these bytes form.
    pub(crate) fn lowest_bit(&self, n_bytes: u64, start: u32, width: u32) -> u32 {
        self.program.model.byte_order.lowest_bit(self.storage_bits(n_bytes), start, width)
    }

    /// Writes bytes to an address.
    pub(crate) fn write(&mut self, cells: &mut Cells, address: &Address, new: Cell, size: u64) -> Step<()> {
        self.note_write(address, size);
        for (number, spot) in address.spots.iter().enumerate() {
            let layout = self.layout(spot.object, address.hint);
            // With one spot, anything else is undefined behaviour, unless the object is larger than what is modelled.
            let is_only =
                address.spots.len() == 1 && number == 0 && address.register.is_none() && !self.is_open();
            let condition = if is_only { self.pool.truth(true) } else { spot.condition };
            let whole = self.out.objects[spot.object.index()].size;
            let Some(ranges) = self.ranges(&spot.offset, whole, size) else {
                self.cut_large(spot);
                continue;
            };
            for indices in Odometer::new(&ranges) {
                let offset = offset_at(&spot.offset, &indices);
                let Some(offset) = u64::try_from(offset)
                    .ok()
                    .filter(|at| at.checked_add(size).is_some_and(|end| end <= whole))
                else {
                    continue;
                };
                let is_it = self.is_index(condition, &spot.offset.parts, &indices);
                self.write_at(cells, &layout, Range { object: spot.object, offset, size }, is_it, new)?;
            }
        }
        Ok(())
    }

    fn is_index(&mut self, condition: TermId, parts: &[OffsetPart], indices: &[i128]) -> TermId {
        parts.iter().zip(indices).fold(condition, |all, (part, number)| {
            let width = self.pool.width(part.index);
            let number = terms::signed(&mut self.pool, width, *number);
            let is_it = terms::eq(&mut self.pool, part.index, number);
            terms::and(&mut self.pool, all, is_it)
        })
    }

    /// Writes bytes at a constant offset, if a condition holds.
    pub(crate) fn write_at(
        &mut self,
        cells: &mut Cells,
        layout: &Layout,
        range: Range,
        condition: TermId,
        new: Cell,
    ) -> Step<()> {
        let end = range.offset + range.size;
        let mut offset = range.offset;
        while let Some(at) = layout.cell_at(offset).filter(|_| offset < end) {
            let (from, to) = (offset, (at.start + at.size).min(end));
            let part = self.bytes_of(new, range.size, from - range.offset, to - range.offset);
            let is_whole = from == at.start && to == at.start + at.size;
            let is_sure = terms::known_truth(&self.pool, condition) == Some(true);
            let mut cell = part;
            if !is_whole || !is_sure {
                let old = self.cell(cells, range.object, at)?;
                let low = self.lowest_bit(
                    at.size,
                    self.storage_bits(from - at.start),
                    self.storage_bits(to - from),
                );
                let rest = if is_whole { old.value } else { self.as_parts(old.value) };
                cell = Cell {
                    value: terms::splice(&mut self.pool, rest, part.value, low),
                    written: terms::splice(
                        &mut self.pool,
                        old.written,
                        part.written,
                        (from - at.start) as u32,
                    ),
                };
                cell = self.choose_cell(condition, cell, old);
            }
            cells.set(self.memory.cell_id(range.object, at), cell);
            offset = at.start + at.size;
        }
        Ok(())
    }
}

fn offset_at(offset: &Offset, indices: &[i128]) -> i128 {
    let parts = offset.parts.iter().zip(indices);
    offset.base + parts.map(|(part, index)| i128::from(part.scale) * index).sum::<i128>()
}

/// All combinations of values of some ranges, the last varying fastest.
struct Odometer<'a> {
    ranges: &'a [RangeInclusive<i128>],
    next: Option<Vec<i128>>,
}

impl Odometer<'_> {
    fn new(ranges: &[RangeInclusive<i128>]) -> Odometer<'_> {
        let is_empty = ranges.iter().any(RangeInclusive::is_empty);
        let next = (!is_empty).then(|| ranges.iter().map(|range| *range.start()).collect());
        Odometer { ranges, next }
    }
}

impl Iterator for Odometer<'_> {
    type Item = Vec<i128>;

    fn next(&mut self) -> Option<Vec<i128>> {
        let current = self.next.take()?;
        let mut next = current.clone();
        for (value, range) in next.iter_mut().zip(self.ranges).rev() {
            if *value < *range.end() {
                *value += 1;
                self.next = Some(next);
                break;
            }
            *value = *range.start();
        }
        Some(current)
    }
}
