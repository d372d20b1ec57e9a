//! Constants and string literals.

use super::{Lower, Lowered, RValue, Refusal};
use crate::ids::*;
use crate::ints;
use crate::ir::*;
use crate::types::{IntKind, Type};
use nub_c_syntax::ast::{CharLit, Encoding, IntBase, IntLit, LengthSuffix, StringLit};
use nub_text::Span;

impl Lower<'_> {
    /// An integer constant in the first type of its list that can hold it (C17 6.4.4.1).
    pub(super) fn int_literal(&mut self, literal: &IntLit, span: Span) -> Lowered<RValue> {
        use IntKind::{Int, Int128, Long, LongLong, UInt, ULong, ULongLong};
        let pairs = [
            (LengthSuffix::None, Int, UInt),
            (LengthSuffix::Long, Long, ULong),
            (LengthSuffix::LongLong, LongLong, ULongLong),
        ];
        let first = match literal.length {
            LengthSuffix::None => 0,
            LengthSuffix::Long => 1,
            LengthSuffix::LongLong => 2,
        };
        let value = u128::from(literal.value);
        for (_, signed, unsigned) in &pairs[first..] {
            let width = self.shared.program.types.format_of(*signed).width;
            let may_be_unsigned = literal.is_unsigned || literal.base != IntBase::Decimal;
            if !literal.is_unsigned && value < 1 << (width - 1).min(127) {
                let ty = self.types().int(*signed);
                return Ok(self.int(value, ty, span));
            }
            if may_be_unsigned && ints::truncate(value, width) == value {
                let ty = self.types().int(*unsigned);
                return Ok(self.int(value, ty, span));
            }
        }
        // As gcc does, where no type of the list is wide enough.
        if literal.value.leading_zeros() == 0 && !literal.is_unsigned {
            let ty = self.types().int(Int128);
            return Ok(self.int(value, ty, span));
        }
        Err(Refusal::new(span, "this integer does not fit any integer type of the data model"))
    }

    /// A character constant. A plain one is an `int`, a single `char` converted to it.
    pub(super) fn char_literal(&mut self, literal: &CharLit, span: Span) -> RValue {
        if literal.encoding != Encoding::Plain && literal.encoding != Encoding::Utf8 {
            let ty = self.unit_type(literal.encoding);
            return self.int(u128::from(literal.value), ty, span);
        }
        let int = self.int_type();
        let model = &self.shared.program.model;
        let (char_bits, int_bits, is_signed) = (model.char_bits, model.int_bits, model.char_is_signed);
        let value = u128::from(literal.value);
        let bits = if literal.n_chars == 1 && is_signed {
            ints::from_signed(ints::to_signed(ints::truncate(value, char_bits), char_bits), int_bits)
        } else {
            value
        };
        self.int(bits, int, span)
    }

    /// The type of the elements of a string with this prefix.
    pub(super) fn unit_type(&mut self, encoding: Encoding) -> TypeId {
        let kind = match encoding {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            Encoding::Wide => IntKind::Int,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
        };
        self.types().int(kind)
    }

    /// The elements of a string, final zero included, cut to the width of its element type.
    pub(super) fn string_units(&mut self, literal: &StringLit) -> (Vec<u32>, TypeId) {
        let element = self.unit_type(literal.encoding);
        let width = self.format(element).width;
        let cut = |unit: u32| ints::truncate(u128::from(unit), width) as u32;
        let mut units: Vec<u32> = Vec::with_capacity(literal.units.len() + 1);
        for unit in &literal.units {
            if literal.encoding == Encoding::Utf16 && *unit > 0xffff {
                let rest = unit - 0x1_0000;
                units.extend([0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff)]);
            } else {
                units.push(cut(*unit));
            }
        }
        units.push(0);
        (units, element)
    }

    /// A string as an object.
    pub(super) fn string_place(&mut self, units: Vec<u32>, element: TypeId, span: Span) -> Place {
        let ty = self.types().intern(Type::Array(element, Some(units.len() as u64)));
        let strings = &mut self.shared.program.strings;
        strings.push(StringLiteral { units, ty, span });
        let id = StringId::next(strings.len() - 1);
        Place { base: PlaceBase::String(id), steps: Vec::new(), ty }
    }

    /// A string that is nowhere in the text, such as `__func__`.
    pub(super) fn made_up_string(&mut self, text: &str, span: Span) -> Place {
        let mut units: Vec<u32> = text.bytes().map(u32::from).collect();
        units.push(0);
        let element = self.unit_type(Encoding::Plain);
        self.string_place(units, element, span)
    }
}
