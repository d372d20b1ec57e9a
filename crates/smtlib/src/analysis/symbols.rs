//! Names as numbers: every symbol is hashed once per occurrence; everything else about it is found by array index.

use super::DeclId;
use super::tables::NO_DECL;
use crate::ops::{self, OpId};
use rustc_hash::FxHashMap;

/// A name in the table of [`Symbols`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SymbolId(u32);

/// Names with a special syntax in terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Plain,
    Underscore,
    As,
    Let,
    /// `forall`, `exists`
    Quantifier,
    Lambda,
    /// `choice`, `witness`
    Choice,
    Comprehension,
    Bang,
    Match,
    /// `(root-obj p i)`, z3: a polynomial in its own variable
    RootObject,
}

/// Sort names that are built in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SortName {
    None,
    /// One of the predefined sorts of `SortId`
    Fixed(crate::SortId),
    BitVec,
    FloatingPoint,
    /// `Float16` and similar
    Float(u32, u32),
    FiniteField,
    Array,
    Seq,
    Set,
    Bag,
    Tuple,
    Arrow,
    /// `RegEx`, z3
    RegEx,
    /// `(Relation S…)`: a set of tuples
    Relation,
    /// `(Table S…)`: a bag of tuples
    Table,
    /// Built in, but we only know the name: `(Nullable S)`, `Unicode`, `(List S)`
    Named,
}

/// What is known about a name.
pub(super) struct Symbol {
    pub(super) op: OpId,
    pub(super) word: Word,
    pub(super) sort_name: SortName,
    /// What the name currently refers to among functions.
    pub(super) term: DeclId,
    /// The same among sorts.
    pub(super) sort: DeclId,
}

/// All names of a script.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    ids: FxHashMap<&'a [u8], SymbolId>,
    all: Vec<Symbol>,
}

impl<'a> Symbols<'a> {
    /// The number of the name `bytes`, without bars.
    #[inline]
    pub(super) fn intern(&mut self, bytes: &'a [u8]) -> SymbolId {
        if let Some(&id) = self.ids.get(bytes) {
            return id;
        }
        let id = SymbolId(self.all.len() as u32);
        self.ids.insert(bytes, id);
        self.all.push(Symbol {
            op: ops::by_name(bytes).unwrap_or(OpId::NONE),
            word: word(bytes),
            sort_name: sort_name(bytes),
            term: NO_DECL,
            sort: NO_DECL,
        });
        id
    }

    /// The number of a name, if it occurred.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<SymbolId> {
        self.ids.get(bytes).copied()
    }

    pub(super) fn get(&self, id: SymbolId) -> &Symbol {
        &self.all[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.all[id.0 as usize]
    }
}

fn word(bytes: &[u8]) -> Word {
    match bytes {
        b"_" => Word::Underscore,
        b"as" => Word::As,
        b"let" => Word::Let,
        b"forall" | b"exists" => Word::Quantifier,
        b"lambda" => Word::Lambda,
        b"choice" | b"witness" => Word::Choice,
        b"set.comprehension" | b"comprehension" => Word::Comprehension,
        b"!" => Word::Bang,
        b"match" => Word::Match,
        b"root-obj" => Word::RootObject,
        _ => Word::Plain,
    }
}

fn sort_name(bytes: &[u8]) -> SortName {
    use crate::SortId;
    match bytes {
        b"Bool" => SortName::Fixed(SortId::BOOL),
        b"Int" => SortName::Fixed(SortId::INT),
        b"Real" => SortName::Fixed(SortId::REAL),
        b"String" => SortName::Fixed(SortId::STRING),
        b"RegLan" => SortName::Fixed(SortId::REGLAN),
        b"RoundingMode" => SortName::Fixed(SortId::ROUNDING_MODE),
        b"BitVec" => SortName::BitVec,
        b"FloatingPoint" => SortName::FloatingPoint,
        b"Float16" => SortName::Float(5, 11),
        b"Float32" => SortName::Float(8, 24),
        b"Float64" => SortName::Float(11, 53),
        b"Float128" => SortName::Float(15, 113),
        b"FiniteField" => SortName::FiniteField,
        b"Array" => SortName::Array,
        b"Seq" => SortName::Seq,
        b"Set" => SortName::Set,
        b"Bag" => SortName::Bag,
        b"Tuple" | b"UnitTuple" => SortName::Tuple,
        // `=>` is z3's.
        b"->" | b"=>" => SortName::Arrow,
        b"RegEx" => SortName::RegEx,
        b"Relation" => SortName::Relation,
        b"Table" => SortName::Table,
        b"Nullable" | b"Unicode" | b"Char" | b"List" | b"Pair" => SortName::Named,
        _ => SortName::None,
    }
}
