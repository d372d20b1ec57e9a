//! How an object is divided into cells.
//!
//! A cell is a scalar of the declared type, so that an ordinary variable is one cell and needs one phi. Bit-fields that share bytes share a
//! cell, a union has the cells of one member, padding is bytes. Any other access (through `char *`, another member of a union, a
//! cast) takes parts of cells or puts cells together.

use crate::names::stored_member;
use nub_c_ir::{RecordId, Type, TypeId, Types};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The cells of a type. Large arrays cost nothing: positions are computed.
#[derive(Debug)]
pub(crate) struct Layout {
    pub size: u64,
    pub n_cells: u64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Cell(CellKind),
    Array {
        element: Rc<Layout>,
    },
    /// Parts one after the other, without gaps.
    Parts(Vec<Part>),
}

#[derive(Debug)]
struct Part {
    offset: u64,
    first_cell: u64,
    layout: Rc<Layout>,
}

/// What a cell is in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellKind {
    /// A scalar of this type.
    Scalar(TypeId),
    /// Bit-fields of a record, from the first number up to but not including the second.
    BitFields(RecordId, u32, u32),
    /// Raw memory or padding.
    Bytes,
}

impl CellKind {
    /// The type of the values, if it is a scalar.
    pub(crate) fn scalar_type(self) -> Option<TypeId> {
        match self {
            CellKind::Scalar(ty) => Some(ty),
            CellKind::BitFields(..) | CellKind::Bytes => None,
        }
    }
}

/// A cell of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CellAt {
    /// Its number in the layout.
    pub number: u64,
    /// Bytes from the start of the object.
    pub start: u64,
    /// In bytes.
    pub size: u64,
    pub kind: CellKind,
}

impl Layout {
    fn cell(size: u64, kind: CellKind) -> Rc<Layout> {
        Rc::new(Layout { size, n_cells: 1, kind: Kind::Cell(kind) })
    }

    /// `count` copies one after the other.
    fn array(element: Rc<Layout>, count: u64) -> Rc<Layout> {
        let (size, n_cells) = (element.size * count, element.n_cells * count);
        Rc::new(Layout { size, n_cells, kind: Kind::Array { element } })
    }

    fn parts(layouts: Vec<Rc<Layout>>) -> Rc<Layout> {
        let (mut size, mut n_cells) = (0, 0);
        let mut parts = Vec::new();
        for layout in layouts.into_iter().filter(|layout| layout.size > 0) {
            parts.push(Part { offset: size, first_cell: n_cells, layout: Rc::clone(&layout) });
            size += layout.size;
            n_cells += layout.n_cells;
        }
        Rc::new(Layout { size, n_cells, kind: Kind::Parts(parts) })
    }

    /// Bytes without structure.
    pub(crate) fn bytes(size: u64) -> Rc<Layout> {
        Layout::array(Layout::cell(1, CellKind::Bytes), size)
    }

    /// The cell with the byte at `offset`, if the object has it. O(nesting of the type × log of members).
    pub(crate) fn cell_at(&self, offset: u64) -> Option<CellAt> {
        self.find(offset, |layout| layout.size, |part| part.offset)
    }

    /// The cell with this number.
    pub(crate) fn cell_number(&self, wanted: u64) -> Option<CellAt> {
        self.find(wanted, |layout| layout.n_cells, |part| part.first_cell)
    }

    /// The cell at a distance from the start. `length` and `place` choose the unit of the distance: bytes, or cells.
    fn find(
        &self,
        mut distance: u64,
        length: impl Fn(&Layout) -> u64,
        place: impl Fn(&Part) -> u64,
    ) -> Option<CellAt> {
        if distance >= length(self) {
            return None;
        }
        let (mut layout, mut number, mut start) = (self, 0, 0);
        loop {
            match &layout.kind {
                Kind::Cell(kind) => return Some(CellAt { number, start, size: layout.size, kind: *kind }),
                Kind::Array { element } => {
                    let index = distance / length(element);
                    distance -= index * length(element);
                    number += index * element.n_cells;
                    start += index * element.size;
                    layout = element;
                }
                Kind::Parts(parts) => {
                    let at = parts.partition_point(|part| place(part) <= distance).checked_sub(1)?;
                    let part = &parts[at];
                    distance -= place(part);
                    number += part.first_cell;
                    start += part.offset;
                    layout = &part.layout;
                }
            }
        }
    }
}

/// Layouts of all types met so far.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    known: FxHashMap<TypeId, Rc<Layout>>,
}

impl Layouts {
    /// The layout of a type; an incomplete type has no bytes.
    pub(crate) fn of(&mut self, types: &Types, ty: TypeId) -> Rc<Layout> {
        let mut todo = vec![ty];
        while let Some(&next) = todo.last() {
            let missing = self.missing(types, next);
            if missing.is_empty() {
                todo.pop();
                if !self.known.contains_key(&next) {
                    let layout = self.build(types, next);
                    self.known.insert(next, layout);
                }
            } else {
                todo.extend(missing);
            }
        }
        Rc::clone(&self.known[&ty])
    }

    /// The layout of `size` bytes that are used as elements of this type, as many as fit.
    pub(crate) fn repeated(&mut self, types: &Types, ty: TypeId, size: u64) -> Rc<Layout> {
        let element = self.of(types, ty);
        if element.size == 0 || element.size > size {
            return Layout::bytes(size);
        }
        let count = size / element.size;
        let rest = size - count * element.size;
        Layout::parts(vec![Layout::array(element, count), Layout::bytes(rest)])
    }

    /// Types whose layout is needed first. A complete type does not contain itself, so this ends.
    fn missing(&self, types: &Types, ty: TypeId) -> Vec<TypeId> {
        let inner: Vec<TypeId> = match types.get(ty) {
            Type::Array(element, _) => vec![*element],
            Type::Record(record) => types.record(*record).fields.iter().map(|field| field.ty).collect(),
            _ => Vec::new(),
        };
        inner.into_iter().filter(|ty| !self.known.contains_key(ty)).collect()
    }

    /// The layout of a type whose parts are known.
    fn build(&self, types: &Types, ty: TypeId) -> Rc<Layout> {
        let Some(size) = types.size_of(ty) else { return Layout::bytes(0) };
        match types.get(ty) {
            Type::Array(element, Some(length)) if size > 0 => {
                Layout::array(Rc::clone(&self.known[element]), *length)
            }
            Type::Record(record) if types.record(*record).is_union => self.union(types, *record, size),
            Type::Record(record) => self.record(types, *record, size),
            Type::Int(_) | Type::Pointer(_) | Type::Float(_) => Layout::cell(size, CellKind::Scalar(ty)),
            _ => Layout::bytes(size),
        }
    }

    /// One member decides, and what comes after it is bytes.
    fn union(&self, types: &Types, id: RecordId, size: u64) -> Rc<Layout> {
        let Some(stored) = stored_member(types, id) else { return Layout::bytes(size) };
        let stored = &self.known[&types.record(id).fields[stored].ty];
        Layout::parts(vec![Rc::clone(stored), Layout::bytes(size - stored.size.min(size))])
    }

    fn record(&self, types: &Types, id: RecordId, size: u64) -> Rc<Layout> {
        let fields = &types.record(id).fields;
        let char_bits = types.model.char_bits;
        let mut layouts = Vec::new();
        let mut end = 0;
        let mut at = 0;
        while at < fields.len() {
            let (start, layout, next) = if fields[at].bits.is_none() {
                (fields[at].offset, Rc::clone(&self.known[&fields[at].ty]), at + 1)
            } else {
                let (start, stop, next) = bit_field_unit(fields, at, char_bits);
                let kind = CellKind::BitFields(id, at as u32, next as u32);
                (start, Layout::cell(stop - start, kind), next)
            };
            at = next;
            // Overlapping fields (impossible in a valid record) are reached through the bytes of their neighbours.
            if start >= end && layout.size > 0 {
                layouts.push(Layout::bytes(start - end));
                end = start + layout.size;
                layouts.push(layout);
            }
        }
        layouts.push(Layout::bytes(size.saturating_sub(end)));
        Layout::parts(layouts)
    }
}

/// The bytes of bit-fields that share bytes, from field `at`: start, end, the first field after them.
fn bit_field_unit(fields: &[nub_c_ir::Field], at: usize, char_bits: u32) -> (u64, u64, usize) {
    let bytes = |field: &nub_c_ir::Field| {
        let bits = field.bits?;
        let n_bytes = u64::from((bits.start + bits.width).div_ceil(char_bits));
        Some((field.offset, field.offset + n_bytes.max(1)))
    };
    let (start, mut end) = bytes(&fields[at]).unwrap_or((fields[at].offset, fields[at].offset + 1));
    let mut next = at + 1;
    while let Some((first, last)) = fields.get(next).and_then(bytes) {
        if first >= end {
            break;
        }
        end = end.max(last);
        next += 1;
    }
    (start, end, next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_c_ir::{DataModel, IntKind};

    #[test]
    fn arrays_are_computed_not_listed() {
        let mut types = Types::new(DataModel::lp64());
        let int = types.int(IntKind::Int);
        let row = types.intern(Type::Array(int, Some(1_000_000)));
        let table = types.intern(Type::Array(row, Some(1_000)));
        let layout = Layouts::default().of(&types, table);
        assert_eq!((layout.size, layout.n_cells), (4_000_000_000, 1_000_000_000));
        let cell = layout.cell_at(4_000_006).unwrap();
        assert_eq!((cell.number, cell.start, cell.size), (1_000_001, 4_000_004, 4));
        assert_eq!(layout.cell_number(1_000_001), Some(cell));
        assert_eq!(layout.cell_at(4_000_000_000), None);
    }

    #[test]
    fn untyped_memory_takes_the_type_of_its_use() {
        let mut types = Types::new(DataModel::lp64());
        let int = types.int(IntKind::Int);
        let layout = Layouts::default().repeated(&types, int, 10);
        assert_eq!((layout.size, layout.n_cells), (10, 4));
        assert_eq!(layout.cell_at(5).unwrap().start, 4);
        assert_eq!(
            layout.cell_at(9).unwrap(),
            CellAt { number: 3, start: 9, size: 1, kind: CellKind::Bytes }
        );
    }
}
