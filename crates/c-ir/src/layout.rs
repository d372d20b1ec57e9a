//! Sizes, alignments and offsets, as gcc lays out objects (System V ABI).

use crate::ids::{RecordId, TypeId};
use crate::ir::BitRange;
use crate::model::LongDouble;
use crate::types::{Field, FloatKind, IntKind, Type, Types};

/// Objects larger than this are refused: sizes and offsets stay far from overflow.
pub const MAX_OBJECT: u64 = 1 << 40;

/// A member as declared.
#[derive(Clone, Debug)]
pub struct DeclaredMember {
    /// Empty for an unnamed bit-field and an anonymous record.
    pub name: String,
    /// The declared type.
    pub ty: TypeId,
    /// Bits, for a bit-field.
    pub width: Option<u32>,
    /// Alignment in bytes asked for (`_Alignas`, `aligned`).
    pub align: Option<u64>,
    /// `packed` on the member.
    pub is_packed: bool,
    /// `const` on the member.
    pub is_const: bool,
}

/// How closely members are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// Each at its own alignment.
    Natural,
    /// At this alignment or less: `packed` is 1, `#pragma pack(2)` is 2. Bit-fields leave no gaps.
    AtMost(u64),
}

impl Types {
    /// Size in bytes, if the type is complete and has one.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        // Arrays of arrays are walked, not recursed into.
        let mut factor: u64 = 1;
        let mut id = id;
        loop {
            let size = match self.get(id) {
                Type::Array(element, length) => {
                    factor = factor.checked_mul((*length)?).filter(|total| *total <= MAX_OBJECT)?;
                    id = *element;
                    continue;
                }
                Type::Void | Type::Function(_) | Type::VariableArray(..) | Type::VaList => return None,
                Type::Int(IntKind::Bool) => 1,
                Type::Int(kind) => self.storage_size(self.format_of(*kind).width),
                Type::Float(kind) => self.float_size(*kind),
                Type::Pointer(_) => self.storage_size(self.model.pointer_bits),
                Type::Record(record) => self.record(*record).size?,
            };
            return factor.checked_mul(size).filter(|total| *total <= MAX_OBJECT);
        }
    }

    /// Bytes for a number of that many bits: the next power of two.
    fn storage_size(&self, bits: u32) -> u64 {
        u64::from(bits.div_ceil(self.model.char_bits)).next_power_of_two()
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.model.long_double) {
            (FloatKind::Float, _) => self.storage_size(32),
            (FloatKind::Double, _) | (FloatKind::LongDouble, LongDouble::Double) => self.storage_size(64),
            // Not a power of two on machines with small alignment: 12 bytes on i386.
            (FloatKind::LongDouble, LongDouble::Extended) => {
                u64::from(80_u32.div_ceil(self.model.char_bits)).next_multiple_of(self.model.max_align.max(1))
            }
            (FloatKind::LongDouble, LongDouble::Other) | (FloatKind::Extended | FloatKind::Complex, _) => 16,
        }
    }

    /// Alignment in bytes.
    pub fn align_of(&self, id: TypeId) -> u64 {
        let mut id = id;
        loop {
            return match self.get(id) {
                Type::Array(element, _) | Type::VariableArray(element, _) => {
                    id = *element;
                    continue;
                }
                Type::Record(record) => self.record(*record).align,
                Type::Float(FloatKind::Complex) => 8.min(self.model.max_align),
                _ => self.size_of(id).unwrap_or(1).clamp(1, self.model.max_align),
            };
        }
    }

    /// Lays out a record and makes it complete. `None` if a member has no size or the record would be too large.
    pub(crate) fn complete(
        &mut self,
        id: RecordId,
        members: &[DeclaredMember],
        packing: Packing,
        align: Option<u64>,
    ) -> Option<()> {
        let is_union = self.record(id).is_union;
        let mut layout = Layout {
            types: self,
            is_union,
            packing,
            end_bits: 0,
            size_bits: 0,
            align: 1,
            fields: Vec::new(),
        };
        for (index, member) in members.iter().enumerate() {
            let is_last = index + 1 == members.len();
            layout.place(member, is_last)?;
        }
        let Layout { size_bits, align: natural, fields, .. } = layout;
        let align = natural.max(align.unwrap_or(1));
        let bytes = size_bits.div_ceil(u64::from(self.model.char_bits));
        let size = bytes.checked_next_multiple_of(align).filter(|size| *size <= MAX_OBJECT)?;
        let record = self.record_mut(id);
        record.fields = fields;
        record.align = align;
        record.size = Some(size);
        Some(())
    }
}

/// A record under construction.
struct Layout<'a> {
    types: &'a Types,
    is_union: bool,
    packing: Packing,
    /// The first free bit.
    end_bits: u64,
    size_bits: u64,
    align: u64,
    fields: Vec<Field>,
}

impl Layout<'_> {
    /// The effective alignment of a member with this natural alignment.
    fn limit(&self, member: &DeclaredMember, natural: u64) -> u64 {
        match self.packing {
            _ if member.is_packed => 1,
            Packing::Natural => natural,
            Packing::AtMost(limit) => natural.min(limit),
        }
    }

    fn place(&mut self, member: &DeclaredMember, is_last: bool) -> Option<()> {
        if self.is_union {
            self.end_bits = 0;
        }
        match member.width {
            Some(width) => self.place_bits(member, width)?,
            None => self.place_whole(member, is_last)?,
        }
        self.size_bits = self.size_bits.max(self.end_bits);
        Some(())
    }

    fn place_whole(&mut self, member: &DeclaredMember, is_last: bool) -> Option<()> {
        let unit = u64::from(self.types.model.char_bits);
        let natural = self.limit(member, self.types.align_of(member.ty));
        let align = natural.max(member.align.unwrap_or(1));
        let size = match self.types.size_of(member.ty) {
            Some(size) => size,
            // A flexible array member.
            None if is_last && matches!(self.types.get(member.ty), Type::Array(_, None)) => 0,
            None => return None,
        };
        let offset = self.end_bits.div_ceil(unit).checked_next_multiple_of(align)?;
        self.end_bits = offset.checked_add(size).filter(|end| *end <= MAX_OBJECT)? * unit;
        self.align = self.align.max(align);
        self.fields.push(Field {
            name: member.name.clone(),
            ty: member.ty,
            offset,
            bits: None,
            is_const: member.is_const,
        });
        Some(())
    }

    /// A bit-field starts at the next bit, unless it would then touch more storage units of its type than it needs.
    fn place_bits(&mut self, member: &DeclaredMember, width: u32) -> Option<()> {
        let unit = u64::from(self.types.model.char_bits);
        let type_bits = self.types.size_of(member.ty)? * unit;
        let align = self.types.align_of(member.ty);
        let align_bits = align * unit;
        let is_packed = member.is_packed || self.packing != Packing::Natural;
        if width == 0 {
            self.end_bits = self.end_bits.checked_next_multiple_of(align_bits)?;
            return Some(());
        }
        let start = self.end_bits;
        let units_touched = (start + u64::from(width)).div_ceil(align_bits) - start / align_bits;
        let start = if !is_packed && units_touched > type_bits / align_bits {
            start.checked_next_multiple_of(align_bits)?
        } else {
            start
        };
        let start = match member.align {
            Some(asked) => start.checked_next_multiple_of(asked * unit)?,
            None => start,
        };
        self.end_bits = start + u64::from(width);
        if member.name.is_empty() {
            return Some(());
        }
        let natural = self.limit(member, align);
        self.align = self.align.max(natural).max(member.align.unwrap_or(1));
        let bits = Some(BitRange { start: (start % unit) as u32, width });
        self.fields.push(Field {
            name: member.name.clone(),
            ty: member.ty,
            offset: start / unit,
            bits,
            is_const: member.is_const,
        });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DataModel;

    fn member(name: &str, ty: TypeId, width: Option<u32>) -> DeclaredMember {
        DeclaredMember { name: name.into(), ty, width, align: None, is_packed: false, is_const: false }
    }

    /// `struct { char c; int a : 3; int b : 30; long long l; }` on two machines, numbers from gcc.
    #[test]
    fn padding_and_bit_fields() {
        for (model, size, align) in [(DataModel::lp64(), 16, 8), (DataModel::ilp32(), 16, 4)] {
            let mut types = Types::new(model);
            let (char_type, int, long) =
                (types.int(IntKind::Char), types.int(IntKind::Int), types.int(IntKind::LongLong));
            let record = types.add_record(nub_c_syntax::ast::RecordKeyword::Struct, "s");
            let members = [
                member("c", char_type, None),
                member("a", int, Some(3)),
                member("b", int, Some(30)),
                member("l", long, None),
            ];
            types.complete(record, &members, Packing::Natural, None).unwrap();
            let record = types.record(record);
            assert_eq!((record.size, record.align), (Some(size), align));
            assert_eq!(
                (record.fields[1].offset, record.fields[1].bits),
                (1, Some(BitRange { start: 0, width: 3 }))
            );
            assert_eq!(
                (record.fields[2].offset, record.fields[2].bits),
                (4, Some(BitRange { start: 0, width: 30 }))
            );
            assert_eq!(record.fields[3].offset, 8);
        }
    }

    #[test]
    fn huge_objects_have_no_size() {
        let mut types = Types::new(DataModel::lp64());
        let int = types.int(IntKind::Int);
        let inner = types.intern(Type::Array(int, Some(1 << 30)));
        let outer = types.intern(Type::Array(inner, Some(1 << 30)));
        assert_eq!(types.size_of(outer), None);
    }

    #[test]
    fn narrow_types_take_whole_bytes() {
        let (model, _) = DataModel::parse("int_bitlength: 4\nlong_bitlength: 20\n");
        let mut types = Types::new(model);
        let (int, long) = (types.int(IntKind::Int), types.int(IntKind::Long));
        assert_eq!((types.size_of(int), types.size_of(long)), (Some(1), Some(4)));
    }
}
