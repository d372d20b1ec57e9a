//! Types of C, hash-consed: equal types have equal ids, structures and unions are equal only to themselves.
//!
//! Of the qualifiers only `volatile` and `_Atomic` are kept, as further ids of the same type ([`Types::volatile`], [`Types::atomic`]): reads of a
//! volatile object are inputs, and other threads may write an atomic one.
//! Values have plain types. `const` is checked by compilers, and kept for members alone. An enumeration is the integer type that gcc gives it.

mod qualified;

use crate::ids::{RecordId, TypeId};
use crate::model::{DataModel, LongDouble};
use rustc_hash::FxHashMap;

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A pointer.
    Pointer(TypeId),
    /// An array; without a length it is incomplete.
    Array(TypeId, Option<u64>),
    /// An array whose length is evaluated when its declaration is reached. Each such type of the program has a number.
    VariableArray(TypeId, u32),
    /// A function.
    Function(Box<FunctionType>),
    /// A structure or union.
    Record(RecordId),
    /// What a `va_list` points to: the next of the variable arguments, of a type that only `va_arg` knows.
    VaList,
}

/// The integer types, in order of conversion rank, the signed one of a pair first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // The names are C's.
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// The floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    /// `_Float128` and similar types: it has a layout, but no operation is supported.
    Extended,
    /// As [`FloatKind::Extended`].
    Complex,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub result: TypeId,
    /// Parameters after adjustment (arrays and functions are pointers).
    pub params: Vec<TypeId>,
    /// `...` at the end.
    pub is_variadic: bool,
    /// False for `()` and K&R definitions: arguments are only promoted.
    pub has_prototype: bool,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct RecordType {
    /// The tag, empty if there is none.
    pub tag: String,
    /// The first typedef name of a record without a tag: `typedef struct { ... } name;`. Empty if there is none.
    pub alias: String,
    /// True for a union.
    pub is_union: bool,
    /// Declared inside of a function or of a list of parameters: its name means nothing elsewhere.
    pub is_local: bool,
    /// Members in order, unnamed bit-fields left out. Empty while incomplete.
    pub fields: Vec<Field>,
    /// Size in bytes; absent while incomplete.
    pub size: Option<u64>,
    /// Alignment in bytes.
    pub align: u64,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; empty for an anonymous structure or union.
    pub name: String,
    /// Its type. For a bit-field the declared one.
    pub ty: TypeId,
    /// Bytes from the start of the record. For a bit-field the first byte it touches.
    pub offset: u64,
    /// For a bit-field the bits, counted from the lowest bit of the byte at `offset`. They span `ceil((start + width) / char)` bytes.
    pub bits: Option<crate::ir::BitRange>,
    /// Declared `const`: a test can set it only through a pointer.
    pub is_const: bool,
}

/// How a scalar is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntFormat {
    /// Bits.
    pub width: u32,
    /// Two's complement if true.
    pub is_signed: bool,
}

/// How a floating number is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatEncoding {
    /// The values that it has.
    pub values: nub_bitvec::float::FloatFormat,
    /// The leading bit of the significand is written, between exponent and fraction: the x87 does so.
    pub has_leading_bit: bool,
}

/// How a number is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberFormat {
    /// As two's complement.
    Int(IntFormat),
    /// As a floating number.
    Float(FloatEncoding),
}

impl NumberFormat {
    /// Bits of a value.
    pub fn width(self) -> u32 {
        match self {
            NumberFormat::Int(format) => format.width,
            NumberFormat::Float(format) => format.width(),
        }
    }
}

/// The arena of types.
#[derive(Clone, Debug)]
pub struct Types {
    /// The data model that gives the widths.
    pub model: DataModel,
    types: Vec<Type>,
    numbers: FxHashMap<Type, TypeId>,
    records: Vec<RecordType>,
    /// The volatile version of a type.
    volatiles: FxHashMap<TypeId, TypeId>,
    /// The atomic version of a type.
    atomics: FxHashMap<TypeId, TypeId>,
    /// The reverse of both: the version without qualifiers.
    plain: FxHashMap<TypeId, TypeId>,
}

impl Types {
    /// An arena for a data model.
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            types: Vec::new(),
            numbers: FxHashMap::default(),
            records: Vec::new(),
            volatiles: FxHashMap::default(),
            atomics: FxHashMap::default(),
            plain: FxHashMap::default(),
        }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.numbers.get(&ty) {
            return id;
        }
        let id = TypeId::next(self.types.len());
        self.types.push(ty.clone());
        self.numbers.insert(ty, id);
        id
    }

    /// Whether they are equal apart from qualifiers, also that of elements.
    pub fn are_alike(&self, a: TypeId, b: TypeId) -> bool {
        let (mut a, mut b) = (self.unqualified(a), self.unqualified(b));
        while let (Type::Array(left, m), Type::Array(right, n)) = (self.get(a), self.get(b)) {
            if m != n {
                return false;
            }
            (a, b) = (self.unqualified(*left), self.unqualified(*right));
        }
        a == b
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// A new, incomplete record.
    pub fn add_record(&mut self, keyword: nub_c_syntax::ast::RecordKeyword, tag: &str) -> RecordId {
        let record = RecordType {
            tag: tag.to_owned(),
            alias: String::new(),
            is_union: keyword == nub_c_syntax::ast::RecordKeyword::Union,
            is_local: false,
            fields: Vec::new(),
            size: None,
            align: 1,
        };
        self.records.push(record);
        RecordId::next(self.records.len() - 1)
    }

    /// The type of an object that has more bytes than its structure, `bytes` in all: its flexible member has elements.
    pub(crate) fn with_flexible(&mut self, ty: TypeId, bytes: u64) -> TypeId {
        let Type::Record(id) = *self.get(ty) else { return ty };
        let mut longer = self.record(id).clone();
        let Some(offset) = longer.fields.last().map(|field| field.offset) else { return ty };
        if let Some(last) = longer.fields.last_mut()
            && let Type::Array(element, None) = *self.get(last.ty)
        {
            let size = self.size_of(element).unwrap_or(1).max(1);
            last.ty = self.intern(Type::Array(element, Some((bytes - offset).div_ceil(size))));
            longer.size = longer.size.max(Some(bytes));
            self.records.push(longer);
            return self.intern(Type::Record(RecordId::next(self.records.len() - 1)));
        }
        ty
    }

    /// The types of all records that were named.
    pub(crate) fn record_types(&self) -> impl Iterator<Item = TypeId> {
        let ids = (0..self.types.len()).map(TypeId::next);
        ids.filter(|id| matches!(self.get(*id), Type::Record(_)))
    }

    /// The record with this id.
    pub fn record(&self, id: RecordId) -> &RecordType {
        &self.records[id.index()]
    }

    /// All structures and unions.
    pub fn records(&self) -> impl Iterator<Item = &RecordType> {
        self.records.iter()
    }

    pub(crate) fn record_mut(&mut self, id: RecordId) -> &mut RecordType {
        &mut self.records[id.index()]
    }

    /// The id of an integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    /// The id of an integer type, if it was interned before.
    pub fn find_int(&self, kind: IntKind) -> Option<TypeId> {
        self.numbers.get(&Type::Int(kind)).copied()
    }

    /// A pointer type.
    pub fn pointer_to(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// What the pointer types point to, in no order.
    pub(crate) fn pointees(&self) -> Vec<TypeId> {
        let target = |ty: &Type| if let Type::Pointer(to) = ty { Some(*to) } else { None };
        self.types.iter().filter_map(target).collect()
    }

    /// The integer kind, if it is an integer.
    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Width and signedness of an integer kind.
    pub fn format_of(&self, kind: IntKind) -> IntFormat {
        let model = &self.model;
        let (width, is_signed) = match kind {
            // A `_Bool` is stored in a whole `char`; its value has one bit.
            IntKind::Bool => (1, false),
            IntKind::Char => (model.char_bits, model.char_is_signed),
            IntKind::SChar => (model.char_bits, true),
            IntKind::UChar => (model.char_bits, false),
            IntKind::Short => (model.short_bits, true),
            IntKind::UShort => (model.short_bits, false),
            IntKind::Int => (model.int_bits, true),
            IntKind::UInt => (model.int_bits, false),
            IntKind::Long => (model.long_bits, true),
            IntKind::ULong => (model.long_bits, false),
            IntKind::LongLong => (model.long_long_bits, true),
            IntKind::ULongLong => (model.long_long_bits, false),
            IntKind::Int128 => (128, true),
            IntKind::UInt128 => (128, false),
        };
        IntFormat { width, is_signed }
    }

    /// Width and signedness of an integer type.
    pub fn int_format(&self, id: TypeId) -> Option<IntFormat> {
        self.int_kind(id).map(|kind| self.format_of(kind))
    }

    /// The floating kind, if it is one that can be computed with.
    pub fn float_kind(&self, id: TypeId) -> Option<FloatKind> {
        match self.get(id) {
            Type::Float(FloatKind::LongDouble) if self.model.long_double == LongDouble::Other => None,
            Type::Float(kind @ (FloatKind::Float | FloatKind::Double | FloatKind::LongDouble)) => Some(*kind),
            _ => None,
        }
    }

    /// How a floating type is represented, if it can be computed with.
    pub fn float_format(&self, id: TypeId) -> Option<FloatEncoding> {
        Some(match (self.float_kind(id)?, self.model.long_double) {
            (FloatKind::Float, _) => FloatEncoding::SINGLE,
            (FloatKind::LongDouble, LongDouble::Extended) => FloatEncoding::EXTENDED,
            _ => FloatEncoding::DOUBLE,
        })
    }

    /// How a number is represented.
    pub fn number_format(&self, id: TypeId) -> Option<NumberFormat> {
        let float = || self.float_format(id).map(NumberFormat::Float);
        self.int_format(id).map(NumberFormat::Int).or_else(float)
    }

    /// The width of a scalar in bits; anything but a number counts as a pointer.
    pub fn value_width(&self, id: TypeId) -> u32 {
        self.number_format(id).map_or(self.model.pointer_bits, NumberFormat::width)
    }

    /// True for numbers and pointers.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Pointer(_)) || self.float_kind(id).is_some()
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// True if there is no type yet.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

impl IntKind {
    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            other => other,
        }
    }

    /// Conversion rank (C17 6.3.1.1).
    pub fn rank(self) -> u32 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }
}
