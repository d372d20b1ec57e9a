//! Sorts, hash-consed: a sort is a number, equal sorts have equal numbers.

use crate::DeclId;
use rustc_hash::FxHashMap;

/// A sort in a [`Sorts`] pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortId(pub u32);

impl SortId {
    /// The sort of a term we cannot type: an unknown operator, or ill-sorted arguments.
    pub const UNKNOWN: SortId = SortId(0);
    /// `Bool`
    pub const BOOL: SortId = SortId(1);
    /// `Int`
    pub const INT: SortId = SortId(2);
    /// `Real`
    pub const REAL: SortId = SortId(3);
    /// `String`
    pub const STRING: SortId = SortId(4);
    /// `RegLan`
    pub const REGLAN: SortId = SortId(5);
    /// `RoundingMode`
    pub const ROUNDING_MODE: SortId = SortId(6);
}

/// The structure of a sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Not known; compatible with everything.
    Unknown,
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `RoundingMode`
    RoundingMode,
    /// `(_ BitVec n)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float(u32, u32),
    /// `(_ FiniteField p)`, the prime as written
    FiniteField(Box<[u8]>),
    /// `(Array I E)`
    Array(SortId, SortId),
    /// `(Seq E)`
    Seq(SortId),
    /// `(Set E)`
    Set(SortId),
    /// `(Bag E)`
    Bag(SortId),
    /// `(Tuple S…)` (cvc5), `UnitTuple` when empty
    Tuple(Box<[SortId]>),
    /// `(-> S… T)`: arguments, then the result
    Fun(Box<[SortId]>),
    /// A declared sort or datatype, applied to arguments
    User(DeclId, Box<[SortId]>),
    /// A sort parameter of `par`, `define-sort` or `declare-sort-parameter`
    Param(DeclId),
    /// A sort by a name we do not know, as written
    Other(Box<[u8]>),
}

/// The pool of sorts of one analysis.
pub struct Sorts {
    all: Vec<Sort>,
    ids: FxHashMap<Sort, SortId>,
}

impl Default for Sorts {
    fn default() -> Sorts {
        let mut sorts = Sorts { all: Vec::new(), ids: FxHashMap::default() };
        // The order fixes the constants of `SortId`.
        for sort in [
            Sort::Unknown,
            Sort::Bool,
            Sort::Int,
            Sort::Real,
            Sort::String,
            Sort::RegLan,
            Sort::RoundingMode,
        ] {
            sorts.intern(sort);
        }
        sorts
    }
}

impl Sorts {
    /// The number of a sort, the same for equal sorts.
    pub fn intern(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.ids.get(&sort) {
            return id;
        }
        let id = SortId(self.all.len() as u32);
        self.all.push(sort.clone());
        self.ids.insert(sort, id);
        id
    }

    /// The structure of a sort.
    pub fn get(&self, id: SortId) -> &Sort {
        &self.all[id.0 as usize]
    }

    /// Number of sorts in the pool.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Never: the pool starts with the built-in sorts.
    pub fn is_empty(&self) -> bool {
        false
    }
}
